package io.everheap.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class CarrierShareTest {
  private final WriterLock lock = new WriterLock(1_000_000_000);
  private final AtomicInteger asked = new AtomicInteger();
  private volatile boolean commits = true;
  private final CarrierShare share =
      new CarrierShare(
          lock,
          () -> {
            asked.incrementAndGet();
            return commits;
          });

  @Test
  void aVirtualThreadThatReadsWithoutAPauseAsksWhetherOthersWait() throws Exception {
    Limit.join(
        Thread.ofVirtual().start(() -> Limit.spinUntil("it asks", () -> readAndAsked() > 0)));
  }

  @Test
  void anInterruptIsKept() throws Exception {
    boolean[] kept = new boolean[1];
    Limit.join(
        Thread.ofVirtual()
            .start(
                () -> {
                  Thread.currentThread().interrupt();
                  Limit.spinUntil("it asks", () -> readAndAsked() > 0);
                  kept[0] = Thread.currentThread().isInterrupted();
                }));
    assertThat(kept[0]).isTrue();
  }

  @Test
  void theThreadThatHoldsTheLockDoesNotPause() throws Exception {
    Limit.join(
        Thread.ofVirtual()
            .start(
                () -> {
                  lock.owner = Thread.currentThread();
                  long end = System.nanoTime() + 20_000_000;
                  while (System.nanoTime() < end) {
                    share.beforeRead();
                  }
                }));
    assertThat(asked).hasValue(0);
  }

  @Test
  void aPlatformThreadDoesNotPause() {
    long end = System.nanoTime() + 20_000_000;
    while (System.nanoTime() < end) {
      share.beforeRead();
    }
    assertThat(asked).hasValue(0);
  }

  /** A virtual thread that has a permit to park loses it when it pauses. */
  private boolean pauses(Runnable reads) throws InterruptedException {
    Thread reader =
        Thread.ofVirtual()
            .start(
                () -> {
                  LockSupport.unpark(Thread.currentThread());
                  reads.run();
                  LockSupport.park(this); // ends at once if the permit is left
                  LockSupport.unpark(Thread.currentThread());
                });
    Limit.until(
        "it waits or has ended",
        () -> !reader.isAlive() || reader.getState() == Thread.State.WAITING);
    boolean paused = reader.isAlive();
    LockSupport.unpark(reader);
    Limit.join(reader);
    return paused;
  }

  private void readFor20Milliseconds() {
    long end = System.nanoTime() + 20_000_000;
    while (System.nanoTime() < end) {
      share.beforeRead();
    }
    share.beforeRead(); // the thread may not have run until now
  }

  @Test
  void aReaderPausesOnlyWhileAThreadWaits() throws Exception {
    assertThat(pauses(this::readFor20Milliseconds)).as("commits wait").isTrue();
    commits = false;
    assertThat(pauses(this::readFor20Milliseconds)).as("nobody waits").isFalse();
    lock.owner = Thread.currentThread();
    assertThat(pauses(this::readFor20Milliseconds)).as("the lock is held").isTrue();
    assertThat(
            pauses(
                () -> {
                  lock.owner = Thread.currentThread();
                  commits = true;
                  readFor20Milliseconds();
                }))
        .as("the reader holds the lock")
        .isFalse();
  }

  @Test
  void aReaderAsksOnceInEachTimeSlice() throws Exception {
    long start = System.nanoTime();
    Limit.join(
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int i = 0; i < 100_000; i++) {
                    share.beforeRead();
                  }
                }));
    long slices = (System.nanoTime() - start) / 5_000_000 + 1;
    assertThat(asked.get()).isLessThanOrEqualTo((int) slices);
  }

  @Test
  void readersThatAreInterruptedReleaseTheirCarriers() throws Exception {
    AtomicBoolean ran = new AtomicBoolean();
    int carriers =
        Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
    CountDownLatch reading = new CountDownLatch(carriers);
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < carriers; i++) {
      readers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    reading.countDown();
                    Limit.spinUntil(
                        "another thread runs",
                        () -> {
                          Thread.currentThread().interrupt();
                          share.beforeRead();
                          return ran.get();
                        });
                  }));
    }
    Limit.await(reading);
    Limit.join(Thread.ofVirtual().start(() -> ran.set(true)));
    for (Thread reader : readers) {
      Limit.join(reader);
    }
  }

  private int readAndAsked() {
    share.beforeRead();
    return asked.get();
  }
}
