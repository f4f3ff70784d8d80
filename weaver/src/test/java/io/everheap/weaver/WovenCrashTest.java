package io.everheap.weaver;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.CrashTest;
import org.junit.jupiter.api.Test;

/** Atomic methods of woven classes happen as a whole or not at all, whatever the machine does. */
@Campaign
class WovenCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  private static final Program BANK =
      Program.woven(
          """
          @Durable
          public class Account {
            long balance;
            String log = "";
            Account next;
            @Atomic
            void transferTo(Account other, long n) {
              balance -= n;
              log += "-" + n;
              other.balance += n;
              other.log += "+" + n;
              if (n == 3) { next = new Account(); }
            }
          }
          """,
          """
          @Durable
          public class Bank {
            Account alice = new Account();
            Account bob = new Account();
            static void step(Heap heap, long n) {
              Bank bank = heap.object("bank", Bank.class);
              bank.alice.transferTo(bank.bob, n);
            }
            static long[] show(Heap heap) {
              Bank bank = heap.object("bank", Bank.class);
              Account a = bank.alice;
              Account b = bank.bob;
              long steps = a.log.chars().filter(c -> c == '-').count();
              if (!b.log.equals(a.log.replace('-', '+')) || (a.next != null) != (steps >= 3)) {
                throw new AssertionError(a.log + " " + b.log + " " + a.next);
              }
              return new long[] {a.balance, b.balance, steps};
            }
          }
          """);

  @Test
  void nothingIsHalfDone() {
    CrashTest.of(
            (heap, steps) -> {
              for (long n = 1; n <= 4; n++) {
                steps.begin();
                BANK.call("Bank", "step", heap, n);
                steps.end();
              }
            })
        .seeds(FIRST, EFFORT)
        .effort(1 + EFFORT, 3)
        .verify(WovenCrashTest::check);
  }

  private static void check(Heap heap, CrashTest.Progress progress) {
    long[] found = (long[]) BANK.call("Bank", "show", heap);
    long steps = found[2];
    assertThat(steps).isBetween((long) progress.least(), (long) progress.most());
    assertThat(found[1]).isEqualTo(steps * (steps + 1) / 2);
    assertThat(found[0]).isEqualTo(-found[1]);
  }
}
