package io.everheap.weaver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Methods that are transactions. */
class AtomicMethodTest {
  private static final String ACCOUNT =
      """
      @Durable
      public class Account {
        long balance;

        @Atomic
        void transferTo(Account other, long n) {
          balance -= n;
          if (n == 13) {
            throw new IllegalStateException("unlucky");
          }
          if (n == 14) {
            return;
          }
          other.balance += n;
        }

        @Atomic
        long sum(List<Long> all) {
          long total = 0;
          for (long n : all) {
            try {
              balance += n;
              if (n < 0) { throw new IllegalArgumentException("negative " + n); }
              total += n;
              if (total > 1000) { return total; }
            } catch (IllegalArgumentException e) {
              if (n == -99) { throw e; }
              continue;
            } finally {
              balance++;
            }
          }
          return total;
        }

        @Atomic
        boolean tryBoth(Account other) {
          balance = 100;
          try {
            transferTo(other, 13);
            return true;
          } catch (IllegalStateException e) {
            return balance == 100;
          }
        }

        @Atomic double half() { return balance / 2.0; }
        @Atomic private synchronized static float third(int x, long y, Account a, Account b) {
          a.balance = 3;
          b.balance = 3;
          if (x == 0) { throw new IllegalStateException("zero"); }
          return a.balance / 3f;
        }
        @Atomic void checked() throws Exception { balance = 77; throw new java.io.IOException("io"); }
        boolean inTransaction(Heap heap) {
          try { heap.transaction(); return true; } catch (RuntimeException e) { return false; }
        }
        @Atomic boolean inOne(Heap heap) { return inTransaction(heap); }
      }
      """;

  private final Heap heap = Heap.inMemory();

  @AfterEach
  void close() {
    heap.close();
  }

  private static long balance(Object account) {
    try {
      var getter = account.getClass().getDeclaredMethod("everheap$get$balance");
      getter.setAccessible(true);
      return (long) getter.invoke(account);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theBodyHappensAsAWholeOrNotAtAll() {
    Program program = Program.woven(ACCOUNT);
    Object a = heap.create(program.type("Account"));
    Object b = heap.create(program.type("Account"));
    long commits = heap.stats().commits();
    Program.on(a, "transferTo", b, 5L);
    assertThat(heap.stats().commits()).isEqualTo(commits + 1);
    assertThat(balance(a)).isEqualTo(-5);
    assertThat(balance(b)).isEqualTo(5);
    assertThatThrownBy(() -> Program.on(a, "transferTo", b, 13L)).hasMessage("unlucky");
    assertThat(balance(a)).isEqualTo(-5);
    Program.on(a, "transferTo", b, 14L);
    assertThat(balance(a)).isEqualTo(-19);
    assertThatThrownBy(() -> Program.on(a, "checked"))
        .hasCauseInstanceOf(java.io.IOException.class);
    assertThat(balance(a)).isEqualTo(-19);
    assertThat(Program.on(a, "half")).isEqualTo(-9.5);
    assertThat(Program.on(a, "inOne", heap)).isEqualTo(true);
    assertThat(Program.on(a, "inTransaction", heap)).isEqualTo(false);
  }

  @Test
  void anInnerOneUndoesItselfOnly() {
    Program program = Program.woven(ACCOUNT);
    Object a = heap.create(program.type("Account"));
    Object b = heap.create(program.type("Account"));
    assertThat(Program.on(a, "tryBoth", b)).isEqualTo(true);
    assertThat(balance(a)).isEqualTo(100);
    assertThatThrownBy(
            () ->
                heap.transact(
                    () -> {
                      Program.on(a, "transferTo", b, 50L);
                      assertThat(balance(b)).isEqualTo(50);
                      throw new IllegalStateException("outer");
                    }))
        .hasMessage("outer");
    assertThat(balance(a)).isEqualTo(100);
    assertThat(balance(b)).isZero();
  }

  @Test
  void bodiesMayHaveHandlersOfTheirOwn() {
    Program program = Program.woven(ACCOUNT);
    Object a = heap.create(program.type("Account"));
    assertThat(Program.on(a, "sum", java.util.List.of(1L, -2L, 3L))).isEqualTo(4L);
    assertThat(balance(a)).isEqualTo(5);
    assertThatThrownBy(() -> Program.on(a, "sum", java.util.List.of(1L, -99L)))
        .hasMessage("negative -99");
    assertThat(balance(a)).isEqualTo(5);
    assertThat(Program.on(a, "sum", java.util.List.of(2000L, 1L))).isEqualTo(2000L);
    assertThat(balance(a)).isEqualTo(2006);
  }

  @Test
  void aStaticMethodTakesTheHeapOfItsArguments() {
    Program program = Program.woven(ACCOUNT);
    Object a = heap.create(program.type("Account"));
    Object b = heap.create(program.type("Account"));
    assertThatThrownBy(() -> program.call("Account", "third", 0, 1L, a, b)).hasMessage("zero");
    assertThat(balance(a)).isZero();
    assertThatThrownBy(() -> program.call("Account", "third", 1, 1L, null, b))
        .isInstanceOf(NullPointerException.class);
    assertThat(balance(b)).isZero();
    assertThat(program.call("Account", "third", 1, 1L, a, b)).isEqualTo(1f);
    assertThatThrownBy(() -> program.call("Account", "third", 1, 1L, null, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("which heap");
  }

  @Test
  void anAtomicTypeHasAtomicMethods() {
    Program program =
        Program.woven(
            """
            @Durable @Atomic
            public class Pair {
              int a, b;
              void set(int n) { a = n; check(n); b = n; }
              private void check(int n) { if (n < 0) { throw new IllegalStateException("no"); } }
              static void raw(Pair p, int n) { p.a = n; p.check(n); p.b = n; }
              int a() { return a; }
              int b() { return b; }
            }
            """);
    Object pair = heap.create(program.type("Pair"));
    Program.on(pair, "set", 3);
    assertThatThrownBy(() -> Program.on(pair, "set", -3)).hasMessage("no");
    assertThat(Program.on(pair, "a")).isEqualTo(3);
    assertThatThrownBy(() -> program.call("Pair", "raw", pair, -3)).hasMessage("no");
    assertThat(Program.on(pair, "a")).isEqualTo(-3);
    assertThat(Program.on(pair, "b")).isEqualTo(3);
  }

  @Test
  void defaultMethodsOfInterfacesCanBeAtomicWithoutAWeaver() {
    Program program =
        Program.plain(
            """
            public interface Counted {
              long count();
              void count(long value);
              @Atomic default long countTo(long n, double unused, String why) {
                count(n);
                if (why != null) { throw new IllegalStateException(why); }
                return count();
              }
            }
            """,
            """
            @Durable @Atomic
            public interface Account extends Counted {
              long balance();
              void balance(long value);
              default void move(Account other, long n) {
                balance(balance() - n);
                try { countTo(n, 1.0, "inner"); } catch (IllegalStateException e) { other.count(7); }
                if (n == 13) { throw new IllegalStateException("unlucky"); }
                other.balance(other.balance() + n);
              }
            }
            """);
    Object a = heap.create(program.type("Account"));
    Object b = heap.create(program.type("Account"));
    long commits = heap.stats().commits();
    Program.on(a, "move", b, 5L);
    assertThat(heap.stats().commits()).isEqualTo(commits + 1);
    assertThat(Program.on(a, "balance")).isEqualTo(-5L);
    assertThat(Program.on(a, "count")).isEqualTo(0L);
    assertThat(Program.on(b, "count")).isEqualTo(7L);
    assertThatThrownBy(() -> Program.on(a, "move", b, 13L)).hasMessage("unlucky");
    assertThat(Program.on(a, "balance")).isEqualTo(-5L);
    assertThat(Program.on(a, "countTo", 9L, 0.5, null)).isEqualTo(9L);
    Program bad = Program.plain("@Durable public interface Bad { @Atomic static void run() {} }");
    assertThatThrownBy(() -> heap.create(bad.type("Bad")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("only default methods can be @Atomic");
  }
}
