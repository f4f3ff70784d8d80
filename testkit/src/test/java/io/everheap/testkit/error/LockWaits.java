package io.everheap.testkit.error;

import io.everheap.Heap;
import io.everheap.error.PoisonedException;
import io.everheap.memory.BriefLock;
import io.everheap.testkit.error.ErrorPoints.Place;
import io.everheap.testkit.error.Strike.ProgramThread;
import io.everheap.testkit.error.Strike.Victim;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Threads that wait for a lock, each struck at another place of the lock's class, which is
 * instrumented. Called by reflection.
 */
public final class LockWaits {
  /** At least as many as the classes have that are instrumented. */
  private static final int MOST_PLACES = 1 << 17;

  private LockWaits() {}

  /** A lock that the calling thread holds, for one thread that waits for it. */
  private interface Held {
    /** Called by the thread that waits. */
    void takeAndRelease();

    void release();

    /** Whether another thread can take it. */
    boolean isFree();
  }

  /** The lock of a cache and of a journal; returns what is wrong, as texts. */
  public static List<String> briefLock() throws InterruptedException {
    return everywhere("BriefLock.", LockWaits::hold);
  }

  /** The lock of a heap's writers; returns what is wrong, as texts. */
  public static List<String> writerLock() throws InterruptedException {
    return everywhere("WriterLock.", LockWaits::holdHeap);
  }

  private interface Holds {
    Held hold();
  }

  private static Held hold() {
    BriefLock lock = new BriefLock();
    lock.lock();
    return new Held() {
      @Override
      public void takeAndRelease() {
        lock.lock();
        lock.state = BriefLock.FREE;
      }

      @Override
      public void release() {
        lock.state = BriefLock.FREE;
      }

      @Override
      public boolean isFree() {
        return lock.tryLock();
      }
    };
  }

  /** A thread of its own is in a transaction. */
  private static Held holdHeap() {
    Heap heap = Heap.inMemory();
    CountDownLatch released = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    Thread holder =
        Thread.ofPlatform()
            .start(
                () ->
                    heap.transact(
                        () -> {
                          held.countDown();
                          await(released::await);
                        }));
    await(held::await);
    return new Held() {
      @Override
      public void takeAndRelease() {
        heap.transact(() -> {});
      }

      @Override
      public void release() {
        released.countDown();
        await(holder::join);
      }

      @Override
      public boolean isFree() {
        try {
          heap.transact(() -> {});
        } catch (PoisonedException e) {
          return true; // the error struck in the transaction
        }
        heap.close();
        return true;
      }
    };
  }

  private interface Wait {
    void await() throws InterruptedException;
  }

  private static void await(Wait wait) {
    try {
      wait.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> everywhere(String code, Holds holds) throws InterruptedException {
    List<String> wrong = new ArrayList<>();
    AtomicIntegerArray visits = new AtomicIntegerArray(MOST_PLACES);
    strike(holds, new Strike(Victim.PROGRAM, visits), wrong);
    int struck = 0;
    for (int place = 0; place < ErrorPoints.count(); place++) {
      Place at = ErrorPoints.place(place);
      for (Kind kind : Kind.values()) {
        if (at.where().startsWith(code) && kind.strikesAt(at)) {
          for (int visit = 1; visit <= Math.min(2, visits.get(place)); visit++) {
            Strike strike = new Strike(Victim.PROGRAM, place, visit, kind);
            strike(holds, strike, wrong);
            struck += strike.struck() != null ? 1 : 0;
          }
        }
      }
    }
    if (struck < 40) {
      wrong.add("only " + struck + " errors struck");
    }
    return wrong;
  }

  private static void strike(Holds holds, Strike strike, List<String> wrong)
      throws InterruptedException {
    Held lock = holds.hold();
    ProgramThread waiting =
        new ProgramThread(
            strike,
            () -> {
              strike.arm();
              try {
                lock.takeAndRelease();
              } catch (Throwable t) {
                strike.disarm();
              }
            });
    waiting.start();
    while (waiting.getState() != Thread.State.TIMED_WAITING && waiting.isAlive()) {
      Thread.onSpinWait();
    }
    lock.release();
    waiting.join();
    Boolean[] free = new Boolean[1];
    Thread next = Thread.ofPlatform().daemon().start(() -> free[0] = lock.isFree());
    next.join(20_000);
    if (!Boolean.TRUE.equals(free[0])) {
      wrong.add("held for ever after " + strike.kind() + ": " + strike.struck());
    }
  }
}
