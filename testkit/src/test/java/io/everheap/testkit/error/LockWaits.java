package io.everheap.testkit.error;

import io.everheap.Heap;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.StoppedException;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.BriefLock;
import io.everheap.support.Limit;
import io.everheap.testkit.error.Strike.ProgramThread;
import java.util.List;
import java.util.function.Supplier;

/**
 * Threads that wait for a lock, each struck at another place of the lock's class, which is
 * instrumented. Called by reflection.
 */
public final class LockWaits {
  private LockWaits() {}

  /**
   * A lock that the calling thread holds.
   *
   * @param release by that thread
   * @param use by another one: takes it and releases it
   * @param close behind the last use
   */
  private record Held(Runnable release, Runnable use, Runnable close) {}

  /** The lock of a cache and of a journal; returns what is wrong, as texts. */
  public static List<String> briefLock() throws InterruptedException {
    return everywhere("BriefLock.", LockWaits::holdBriefLock);
  }

  /** The lock of a heap's writers; returns what is wrong, as texts. */
  public static List<String> writerLock() throws InterruptedException {
    return everywhere("WriterLock.", LockWaits::holdWriterLock);
  }

  private static Held holdBriefLock() {
    BriefLock lock = new BriefLock();
    lock.lock();
    return new Held(
        () -> lock.state = BriefLock.FREE,
        () -> {
          lock.lock();
          lock.state = BriefLock.FREE;
        },
        () -> {});
  }

  private static Held holdWriterLock() {
    Heap heap = Heap.inMemory();
    Transactions tx = OpenHeap.engine(heap).transactions();
    tx.begin();
    return new Held(() -> tx.end(true), () -> heap.transact(() -> {}), heap::close);
  }

  private static List<String> everywhere(String code, Supplier<Held> locks)
      throws InterruptedException {
    return Strikes.everywhere(code, (strike, wrong) -> strike(locks, strike, wrong));
  }

  private static void strike(Supplier<Held> locks, Strike strike, List<String> wrong)
      throws InterruptedException {
    Held lock = locks.get();
    ProgramThread waiting =
        new ProgramThread(
            strike,
            () -> {
              strike.arm();
              try {
                lock.use.run();
              } catch (Throwable t) {
                strike.disarm();
              }
            });
    waiting.start();
    Limit.spinUntil(
        "a thread waits for the lock or has ended",
        () -> waiting.getState() == Thread.State.TIMED_WAITING || !waiting.isAlive());
    lock.release.run();
    Limit.join(waiting);
    try {
      Program.elsewhere(() -> useUnlessPoisoned(lock));
      lock.close.run();
    } catch (AssertionError e) {
      wrong.add("held for ever after " + strike.kind() + ": " + strike.struck());
    }
  }

  /** What is poisoned stops all its threads. */
  private static void useUnlessPoisoned(Held lock) {
    try {
      lock.use.run();
    } catch (StoppedException _) {
      // it waits for nothing
    }
  }
}
