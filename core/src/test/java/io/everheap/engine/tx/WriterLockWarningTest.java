package io.everheap.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.error.LockTimeoutException;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Warnings of threads that wait for the lock, and ends that are lost: both after a second. */
@Campaign
class WriterLockWarningTest {
  private static final long TIMEOUT = 1_600_000_000;

  private final Thread self = Thread.currentThread();
  private final Thread other = Thread.ofPlatform().name("the other thread").unstarted(() -> {});
  private final Logger logger = Logger.getLogger("io.everheap");
  private final Level level = logger.getLevel();
  private final List<LogRecord> warnings = Collections.synchronizedList(new ArrayList<>());
  private final AtomicBoolean done = new AtomicBoolean();
  private WriterLock lock = new WriterLock(TIMEOUT);

  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          warnings.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.setLevel(Level.ALL);
    logger.addHandler(handler);
    lock.owner = other;
    lock.writer = other;
    lock.turn = 3;
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(handler);
    logger.setLevel(level);
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
    assertThat(warnings.getFirst().getLevel()).isEqualTo(Level.WARNING);
    assertThat(warnings.getFirst().getMessage()).contains("has been waiting for its turn");
    assertThat(warnings.getFirst().getThrown()).hasMessage("held by " + other);
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
    logger.removeHandler(handler);
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
