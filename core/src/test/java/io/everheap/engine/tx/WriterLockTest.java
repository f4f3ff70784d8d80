package io.everheap.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.LockTimeoutException;
import io.everheap.support.Limit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class WriterLockTest {
  private static final long SHORT = 20_000_000;

  private final Thread self = Thread.currentThread();
  private final Thread other = Thread.ofPlatform().name("the other thread").unstarted(() -> {});

  @Test
  void oneThreadHoldsTheLock() {
    WriterLock lock = new WriterLock(SHORT);
    assertThat(lock.isHeld()).isFalse();
    assertThat(lock.isWanted()).isFalse();
    assertThat(lock.acquire(self)).isTrue();
    assertThat(lock.isHeld()).isTrue();
    assertThat(lock.isHeldBy(self)).isTrue();
    assertThat(lock.isHeldBy(other)).isFalse();
    assertThat(lock.isWanted()).isTrue();
    assertThat(lock.spinLock(other)).isFalse();
    lock.owner = null;
    assertThat(lock.spinLock(other)).isTrue();
    assertThat(lock.isHeldBy(other)).isTrue();
  }

  @Test
  void aTimeoutNamesTheThreadThatWrites() {
    WriterLock lock = new WriterLock(SHORT);
    lock.owner = other;
    lock.writer = other;
    assertThatThrownBy(() -> lock.acquire(self))
        .isInstanceOf(LockTimeoutException.class)
        .hasMessageContaining("within 0.02 s")
        .hasMessageContaining("a transaction of " + other + " still runs")
        .satisfies(
            e ->
                assertThat(e.getSuppressed()[0])
                    .hasMessage("held by " + other)
                    .extracting(Throwable::getStackTrace)
                    .isEqualTo(other.getStackTrace()));
    requireNoWaiter(lock);
    assertThat(lock.isHeldBy(other)).isTrue();
  }

  @Test
  void aTimeoutSaysThatTheThreadReads() {
    WriterLock lock = new WriterLock(SHORT);
    lock.owner = other;
    lock.writer = null;
    assertThatThrownBy(() -> lock.acquire(self))
        .hasMessageContaining("another thread, which reads or checks, " + other);
    lock.writer = self; // a stale value
    assertThatThrownBy(() -> lock.acquire(self))
        .hasMessageContaining("another thread, which reads or checks, " + other);
  }

  @Test
  void aThreadThatWaitsEndsWithoutTheLockWhenTheHeapBreaks() throws Exception {
    WriterLock lock = new WriterLock(Long.MAX_VALUE / 2);
    lock.owner = other;
    List<Boolean> taken = Collections.synchronizedList(new ArrayList<>());
    Thread waiter = Thread.ofPlatform().start(() -> taken.add(lock.lock(Thread.currentThread())));
    Limit.until("it waits", () -> lock.waiters() == 1);
    lock.broken = new IllegalStateException("broken");
    lock.wakeNext();
    Limit.join(waiter);
    assertThat(taken).containsExactly(false);
    requireNoWaiter(lock);
    assertThat(lock.isHeldBy(other)).isTrue();
  }

  @Test
  void anInterruptEndsNoWaitAndIsKept() throws Exception {
    WriterLock lock = new WriterLock(Long.MAX_VALUE / 2);
    lock.owner = other;
    List<Boolean> interrupted = Collections.synchronizedList(new ArrayList<>());
    Thread waiter =
        Thread.ofPlatform()
            .start(
                () -> {
                  assertThat(lock.lock(Thread.currentThread())).isTrue();
                  interrupted.add(Thread.currentThread().isInterrupted());
                });
    Limit.until("it waits", () -> lock.waiters() == 1);
    waiter.interrupt();
    Limit.until(
        "it waits again",
        () -> !waiter.isInterrupted() && waiter.getState() == Thread.State.TIMED_WAITING);
    assertThat(lock.isHeldBy(other)).isTrue();
    lock.owner = null;
    lock.wakeNext();
    Limit.join(waiter);
    assertThat(interrupted).containsExactly(true);
  }

  @Test
  void threadsThatWaitGetTheLockOneAfterTheOther() throws Exception {
    WriterLock lock = new WriterLock(Long.MAX_VALUE / 2);
    lock.owner = self;
    int threads = 8;
    int[] inside = {0};
    List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    List<Thread> waiters = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      waiters.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    assertThat(lock.lock(Thread.currentThread())).isTrue();
                    seen.add(++inside[0]);
                    inside[0]--;
                    lock.owner = null;
                    lock.wakeNext();
                  }));
    }
    Limit.until("all wait", () -> lock.waiters() == threads);
    lock.owner = null;
    lock.wakeNext();
    for (Thread waiter : waiters) {
      Limit.join(waiter);
    }
    assertThat(seen).hasSize(threads).containsOnly(1);
    requireNoWaiter(lock);
  }

  @Test
  void aThreadIsInsideItsOwnTransactionOnly() {
    WriterLock lock = new WriterLock(SHORT);
    assertThat(lock.isWriter()).isFalse();
    lock.writer = other;
    assertThat(lock.isWriter()).isFalse();
    lock.writer = self;
    assertThat(lock.isWriter()).isTrue();
    lock.endsDue = -1;
    assertThat(lock.isWriter()).as("while the end runs").isTrue();
    lock.endsDue = 1;
    assertThat(lock.isWriter()).as("while the end is due").isFalse();
  }

  @Test
  void aCommitThatFreesChangesTheVersionBeforeAndAfterItsStores() {
    WriterLock lock = new WriterLock(SHORT);
    long before = lock.frees();
    assertThat(before).isEven().isNotZero();
    lock.beforeApply();
    lock.afterApply();
    assertThat(lock.isStill(before)).as("a commit that frees nothing").isTrue();
    lock.noteFree();
    lock.beforeApply();
    assertThat(lock.isStill(before)).isFalse();
    assertThat(lock.isStill(lock.frees())).as("a version that was read meanwhile").isFalse();
    lock.afterApply();
    long after = lock.frees();
    assertThat(after).isEven().isEqualTo(before + 2);
    assertThat(lock.isStill(after)).isTrue();
    assertThat(lock.isStill(before)).isFalse();
  }

  @Test
  void aRollbackChangesTheVersion() {
    WriterLock lock = new WriterLock(SHORT);
    long before = lock.frees();
    lock.rolledBack();
    assertThat(lock.isStill(before)).isFalse();
    assertThat(lock.frees()).isEqualTo(before + 2);
    assertThat(lock.isStill(lock.frees())).isTrue();
  }

  @Test
  void viewsAreCounted() {
    WriterLock lock = new WriterLock(SHORT);
    assertThat(lock.hasViews()).isFalse();
    lock.views = 1;
    assertThat(lock.hasViews()).isTrue();
  }

  @Test
  void waitingUntilTheLockIsFreeDoesNotTakeItAndKeepsAnInterrupt() throws Exception {
    WriterLock lock = new WriterLock(SHORT);
    lock.awaitFree();
    assertThat(lock.isHeld()).isFalse();
    assertThat(Thread.interrupted()).isFalse();
    lock.owner = other;
    lock.awaitFree(); // ends by itself
    assertThat(Thread.interrupted()).isFalse();
    assertThat(lock.isHeldBy(other)).isTrue();
    Thread.currentThread().interrupt();
    lock.awaitFree();
    assertThat(Thread.interrupted()).isTrue();
  }

  /** The wait of the second thread notices it: no other call comes. */
  @Test
  void anEndThatIsDueForASecondIsLost() {
    WriterLock lock = new WriterLock(Long.MAX_VALUE / 2);
    lock.owner = other;
    lock.writer = other;
    lock.endsDue = 1;
    assertThat(lock.lock(self)).isFalse();
    assertThat(lock.broken).hasMessageContaining("the thread " + other + " could not end");
    assertThat(lock.isHeldBy(other)).isTrue();
    requireNoWaiter(lock);
  }

  @Test
  void theLockIsWantedWhileAThreadWaitsForIt() throws Exception {
    WriterLock lock = new WriterLock(Long.MAX_VALUE / 2);
    lock.owner = other;
    CountDownLatch done = new CountDownLatch(1);
    Thread waiter =
        Thread.ofPlatform()
            .start(
                () -> {
                  lock.lock(Thread.currentThread());
                  Limit.spinUntil("the test has asked", () -> done.getCount() == 0);
                  lock.owner = null;
                });
    Limit.until("it waits", () -> lock.waiters() == 1);
    lock.owner = null; // without a wake-up
    assertThat(lock.isWanted()).isTrue();
    done.countDown();
    lock.wakeNext();
    Limit.join(waiter);
    assertThat(lock.isWanted()).isFalse();
  }

  @Test
  void aThreadThatAwaitsAFreeLockWaits() throws Exception {
    WriterLock lock = new WriterLock(Long.MAX_VALUE / 2);
    lock.owner = other;
    Thread waiter =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (lock.isHeld()) { // each wait is limited
                    lock.awaitFree();
                  }
                });
    Limit.until("it waits", () -> waiter.getState() == Thread.State.TIMED_WAITING);
    lock.owner = null;
    Limit.join(waiter);
    assertThat(lock.isHeld()).isFalse();
  }

  @Test
  void aThreadThatWasWokenTooEarlyWaitsAgain() throws Exception {
    WriterLock lock = new WriterLock(Long.MAX_VALUE / 2);
    lock.owner = other;
    Thread waiter =
        Thread.ofPlatform()
            .start(
                () -> {
                  lock.lock(Thread.currentThread());
                  lock.owner = null;
                  lock.wakeNext();
                });
    Limit.join(
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < 100; i++) { // it would check only once in a second
                    Limit.spinUntil(
                        "it waits", () -> waiter.getState() == Thread.State.TIMED_WAITING);
                    lock.wakeNext();
                  }
                  Limit.spinUntil(
                      "it waits", () -> waiter.getState() == Thread.State.TIMED_WAITING);
                }));
    assertThat(lock.isHeldBy(other)).isTrue();
    assertThat(lock.waiters()).isEqualTo(1);
    lock.owner = null;
    lock.wakeNext();
    Limit.join(waiter);
    assertThat(lock.isHeld()).isFalse();
    requireNoWaiter(lock);
  }

  private static void requireNoWaiter(WriterLock lock) {
    assertThat(lock.waiters()).isZero();
  }
}
