package io.everheap.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.engine.event.LoggedMessages;
import io.everheap.error.LockTimeoutException;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Warnings of threads that wait for the lock, and ends that are lost: both after a second. */
@Campaign
class WriterLockWarningTest {
  private static final long TIMEOUT = 1_600_000_000;

  private final Thread self = Thread.currentThread();
  private final Thread other = Thread.ofPlatform().name("the other thread").unstarted(() -> {});
  private final LoggedMessages logged = new LoggedMessages();
  private final List<LoggedMessages.Logged> warnings = logged.all();
  private final AtomicBoolean done = new AtomicBoolean();
  private WriterLock lock = new WriterLock(TIMEOUT);

  @BeforeEach
  void listen() {
    lock.owner = other;
    lock.writer = other;
    lock.turn = 3;
  }

  @AfterEach
  void stopListening() {
    logged.close();
  }

  private void requireTimeout() {
    assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> lock.acquire(self));
    assertThat(lock.broken).isNull();
    assertThat(lock.isHeldBy(other)).isTrue();
  }

  @Test
  void aThreadThatWaitsForASecondWarnsOnceForATransaction() {
    requireTimeout();
    assertThat(warnings).hasSize(1);
    assertThat(warnings.getFirst().level()).isEqualTo(System.Logger.Level.WARNING);
    assertThat(warnings.getFirst().message()).contains("has been waiting for its turn");
    assertThat(warnings.getFirst().thrown()).hasMessage("held by " + other);
    requireTimeout();
    assertThat(warnings).as("of the same transaction").hasSize(1);
    lock.turn = 4;
    requireTimeout();
    assertThat(warnings).hasSize(2);
  }

  @Test
  void aThreadThatWaitsBrieflyDoesNotWarn() {
    lock = new WriterLock(100_000_000);
    listen();
    long start = System.nanoTime();
    requireTimeout();
    if (System.nanoTime() - start < 1_000_000_000) {
      assertThat(warnings).isEmpty();
    }
  }

  @Test
  void aThreadWarnsOnceAlthoughTheTransactionsChange() throws Exception {
    Thread changing =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!done.get()) {
                    lock.turn++;
                    LockSupport.parkNanos(100_000);
                  }
                });
    lock = new WriterLock(2 * TIMEOUT);
    lock.owner = other;
    lock.writer = other;
    lock.turn = 3;
    requireTimeout();
    done.set(true);
    Limit.join(changing);
    assertThat(warnings).hasSize(1);
  }

  @Test
  void endsThatAreDueOneAfterTheOtherAreNotLost() throws Exception {
    for (boolean turns : new boolean[] {true, false}) {
      done.set(false);
      Thread changing =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!done.get()) {
                      if (turns) {
                        lock.turn++;
                      } else {
                        lock.ends++;
                      }
                      LockSupport.parkNanos(100_000);
                    }
                  });
      lock.endsDue = 1;
      requireTimeout();
      done.set(true);
      Limit.join(changing);
    }
  }

  @Test
  void anEndIsNotLostBeforeItIsDueForASecond() throws Exception {
    long[] due = new long[1];
    Thread late =
        Thread.ofPlatform()
            .start(
                () -> {
                  Limit.until("the other thread waits", () -> lock.waiters() == 1);
                  long begin = System.nanoTime();
                  while (System.nanoTime() - begin < TIMEOUT * 5 / 8) {
                    LockSupport.parkNanos(1_000_000);
                  }
                  due[0] = System.nanoTime();
                  lock.endsDue = 1;
                });
    boolean taken = true;
    try {
      taken = lock.acquire(self);
    } catch (LockTimeoutException e) {
      assertThat(lock.broken).isNull();
    }
    long end = System.nanoTime();
    Limit.join(late);
    if (end - due[0] < 1_000_000_000) {
      assertThat(taken).as("not broken").isTrue();
    }
  }

  @Test
  void theFirstCauseOfABrokenHeapStays() throws Exception {
    Throwable first = new IllegalStateException("first");
    lock = new WriterLock(Long.MAX_VALUE / 2);
    lock.owner = other;
    lock.endsDue = 1;
    Thread waiter = Thread.ofPlatform().start(() -> lock.lock(Thread.currentThread()));
    Limit.until("it waits", () -> lock.waiters() == 1);
    lock.broken = first;
    Limit.join(waiter);
    assertThat(lock.broken).isSameAs(first);
  }
}
