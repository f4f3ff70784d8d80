package io.everheap.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.EverheapException;
import io.everheap.error.LockTimeoutException;
import io.everheap.error.OutsideTransactionException;
import io.everheap.support.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private final List<Throwable> poisonedBy = new ArrayList<>();
  private final EverheapException poisoned = OutsideTransactionException.required();
  private final WriterLock lock = new WriterLock(20_000_000);
  private final Turns turns = new Turns(lock, new Monitor());
  private final Thread self = Thread.currentThread();

  private final class Monitor implements CommitMonitor {
    @Override
    public void awaitGate() {}

    @Override
    public void checkReadable() {}

    @Override
    public void committed(long lsn) {}

    @Override
    public void poison(Throwable cause) {
      poisonedBy.add(cause);
    }

    @Override
    public EverheapException poisoned() {
      return poisoned;
    }
  }

  @Test
  void aTurnHoldsTheLock() {
    turns.take(self, false);
    assertThat(lock.isHeldBy(self)).isTrue();
    lock.owner = null;
    turns.take(self, true);
    assertThat(lock.isHeldBy(self)).isTrue();
  }

  @Test
  void aBrokenHeapIsPoisonedAndTheLockIsFree() {
    Throwable cause = new IllegalStateException("broken");
    lock.broken = cause;
    assertThatThrownBy(() -> turns.take(self, false)).isSameAs(poisoned);
    assertThatThrownBy(() -> turns.take(self, true)).isSameAs(poisoned);
    assertThatThrownBy(() -> turns.tryQuiesced(() -> {})).isSameAs(poisoned);
    assertThat(poisonedBy).containsExactly(cause, cause, cause);
    assertThat(lock.isHeld()).isFalse();
  }

  @Test
  void aReadHoldsTheLockAndReleasesItWhateverHappens() {
    assertThat(turns.<Boolean, RuntimeException>exclusively(() -> lock.isHeldBy(self))).isTrue();
    assertThat(lock.isHeld()).isFalse();
    RuntimeException failure = new IllegalStateException("of the read");
    assertThatThrownBy(
            () ->
                turns.exclusively(
                    () -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(lock.isHeld()).isFalse();
    assertThatThrownBy(
            () ->
                turns.quiesced(
                    () -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(lock.isHeld()).isFalse();
    assertThatThrownBy(
            () ->
                turns.tryQuiesced(
                    () -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(lock.isHeld()).isFalse();
    assertThat(poisonedBy).isEmpty();
  }

  @Test
  void insideATurnTheLockIsKept() {
    turns.take(self, false);
    List<String> ran = new ArrayList<>();
    turns.exclusively(() -> ran.add("exclusively"));
    turns.quiesced(() -> ran.add("quiesced"));
    assertThat(turns.tryQuiesced(() -> ran.add("tryQuiesced"))).isTrue();
    assertThat(ran).containsExactly("exclusively", "quiesced", "tryQuiesced");
    assertThat(lock.isHeldBy(self)).isTrue();
  }

  @Test
  void anActionThatDoesNotWaitIsLeftOutWhileAnotherThreadHasTheLock() throws Exception {
    List<String> ran = new ArrayList<>();
    held(() -> assertThat(turns.tryQuiesced(() -> ran.add("early"))).isFalse());
    assertThat(turns.tryQuiesced(() -> ran.add("late"))).isTrue();
    assertThat(ran).containsExactly("late");
  }

  @Test
  void aReadEndsAfterTheTimeoutAndAQuietActionWaits() throws Exception {
    List<String> ran = new ArrayList<>();
    CountDownLatch begun = new CountDownLatch(1);
    Thread[] quiet = new Thread[1];
    held(
        () -> {
          assertThatThrownBy(() -> turns.exclusively(() -> ran.add("read")))
              .isInstanceOf(LockTimeoutException.class);
          quiet[0] =
              Thread.ofPlatform()
                  .start(
                      () -> {
                        begun.countDown();
                        turns.quiesced(() -> ran.add("quiet"));
                      });
          Limit.await(begun);
          Limit.until("the quiet action waits", () -> lock.waiters() == 1);
        });
    Limit.join(quiet[0]);
    assertThat(ran).containsExactly("quiet");
    assertThat(lock.isWanted()).isFalse();
  }

  @Test
  void theEndOfATurnWakesTheNextThread() throws Exception {
    for (Runnable turn :
        List.<Runnable>of(
            () -> turns.exclusively(this::untilAnotherWaits),
            () -> turns.quiesced(this::untilAnotherWaits),
            () -> turns.tryQuiesced(this::untilAnotherWaits),
            this::settleWhileAnotherWaits)) {
      WriterLock patient = lock;
      Thread[] next = new Thread[1];
      CountDownLatch holds = new CountDownLatch(1);
      next[0] =
          Thread.ofPlatform()
              .unstarted(
                  () -> {
                    patient.lock(Thread.currentThread());
                    holds.countDown();
                    patient.owner = null;
                  });
      starting = next[0];
      turn.run();
      Limit.await(holds);
      Limit.join(next[0]);
    }
  }

  private Thread starting = Thread.currentThread();

  private boolean untilAnotherWaits() {
    starting.start();
    Limit.until("the next thread waits", () -> lock.waiters() == 1);
    return true;
  }

  private void settleWhileAnotherWaits() {
    starting.start();
    turns.settle();
  }

  /**
   * Several times while another thread waits for the lock. A thread that nobody wakes checks the
   * lock once in a second, so a wake-up that is missing exceeds the limit.
   */
  @Test
  void noThreadThatWaitsMissesTheEndOfATurn() throws Exception {
    WriterLock patient = new WriterLock(Long.MAX_VALUE / 2);
    Turns turns = new Turns(patient, new Monitor());
    handOver(patient, wait -> turns.exclusively(() -> run(wait)));
    handOver(patient, turns::quiesced);
    handOver(patient, turns::tryQuiesced);
    handOver(
        patient,
        wait -> {
          patient.broken = null;
          turns.take(Thread.currentThread(), false);
          patient.writer = Thread.currentThread();
          patient.endsDue = 1;
          wait.run();
          turns.breakIfLost();
        });
    patient.broken = null;
    handOver(
        patient,
        wait -> {
          patient.owner = self;
          wait.run();
          Thread settling = Thread.ofPlatform().start(turns::settle);
          Limit.spinUntil("it waits too", () -> settling.getState() == Thread.State.TIMED_WAITING);
          patient.owner = null;
          LockSupport.unpark(settling); // it takes the lock; the other thread was first
          Limit.spinUntil("it has the lock, or had it", () -> !settling.isAlive());
        });
  }

  private static boolean run(Runnable wait) {
    wait.run();
    return true;
  }

  private static void handOver(WriterLock lock, Consumer<Runnable> turn) throws Exception {
    Limit.join(
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    Thread next =
                        Thread.ofPlatform()
                            .unstarted(
                                () -> {
                                  if (lock.lock(Thread.currentThread())) {
                                    lock.owner = null;
                                  }
                                });
                    turn.accept(
                        () -> {
                          next.start();
                          Limit.spinUntil(
                              "the next thread waits",
                              () -> next.getState() == Thread.State.TIMED_WAITING);
                        });
                    Limit.spinUntil("the next thread had the lock", () -> !next.isAlive());
                  }
                }));
  }

  @Test
  void settlingTakesAFreeLockAndReleasesIt() {
    turns.settle();
    assertThat(lock.isHeld()).isFalse();
    lock.broken = new IllegalStateException("broken");
    turns.settle();
    assertThat(lock.isHeld()).isFalse();
    assertThat(poisonedBy).isEmpty();
  }

  @Test
  void settlingABrokenHeapWaitsForAWhileUntilTheLockIsFree() throws Exception {
    WriterLock patient = new WriterLock(Long.MAX_VALUE / 2);
    Turns broken = new Turns(patient, new Monitor());
    patient.broken = new IllegalStateException("broken");
    patient.owner = self;
    Thread settling =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (patient.isHeld()) { // each wait is limited
                    broken.settle();
                  }
                });
    Limit.until("it waits", () -> settling.getState() == Thread.State.TIMED_WAITING);
    assertThat(patient.waiters()).isZero();
    patient.owner = null;
    Limit.join(settling);
    assertThat(patient.isHeld()).isFalse();
  }

  @Test
  void someOperationsAreRefusedInsideATurn() {
    assertThatCode(() -> turns.requireOutside("compact")).doesNotThrowAnyException();
    turns.take(self, false);
    assertThatThrownBy(() -> turns.requireOutside("compact"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("compact inside a transaction or a read");
  }

  @Test
  void anEndNeedsATransactionOfItsThread() {
    assertThatThrownBy(turns::beginEnd).isInstanceOf(OutsideTransactionException.class);
    Throwable cause = new IllegalStateException("a nested level was lost");
    lock.broken = cause;
    assertThatThrownBy(turns::beginEnd).isSameAs(poisoned);
    assertThat(poisonedBy).containsExactly(cause);
  }

  @Test
  void anEndThatIsDueBegins() {
    beginTransaction();
    long before = lock.ends;
    lock.endsDue = 1;
    assertThat(turns.beginEnd()).isSameAs(self);
    assertThat(lock.ends).isEqualTo(before + 1);
    assertThat(lock.endsDue).isNegative();
    assertThat(lock.isWriter()).as("inside of the transaction while the end runs").isTrue();
  }

  @Test
  void anEndOfATransactionWithALostEndPoisons() {
    beginTransaction();
    lock.endsDue = 2; // that of a nested level never began
    assertThatThrownBy(turns::beginEnd).isSameAs(poisoned);
    assertThat(poisonedBy)
        .singleElement()
        .satisfies(
            cause -> assertThat(cause).hasMessageContaining("could not end its transaction"));
    requireReleased();
  }

  @Test
  void aBrokenTransactionIsGivenUpWithItsOwnCause() {
    beginTransaction();
    lock.endsDue = 1;
    Throwable cause = new IllegalStateException("torn");
    lock.broken = cause;
    assertThatThrownBy(turns::beginEnd).isSameAs(poisoned);
    assertThat(poisonedBy).containsExactly(cause);
    requireReleased();
  }

  @Test
  void aLostTransactionIsGivenUp() {
    beginTransaction();
    lock.endsDue = 1;
    assertThatThrownBy(() -> turns.refuseIfLost(self)).isSameAs(poisoned);
    requireReleased();
    assertThat(lock.broken).isSameAs(poisonedBy.getFirst());

    for (Runnable use :
        List.<Runnable>of(
            () -> turns.exclusively(() -> true),
            () -> turns.quiesced(() -> {}),
            () -> turns.tryQuiesced(() -> {}),
            () -> turns.requireOutside("compact"))) {
      lock.broken = null;
      beginTransaction();
      lock.endsDue = 1;
      assertThatThrownBy(use::run).isSameAs(poisoned);
      requireReleased();
    }
  }

  @Test
  void nothingIsBrokenWithoutALostTransaction() {
    turns.breakIfLost();
    beginTransaction();
    turns.refuseIfLost(self);
    turns.breakIfLost();
    assertThat(poisonedBy).isEmpty();
    lock.endsDue = 1;
    turns.breakIfLost();
    assertThat(poisonedBy).hasSize(1);
    requireReleased();
  }

  @Test
  void theFirstCauseStays() {
    Throwable first = new IllegalStateException("first");
    Throwable second = new IllegalStateException("second");
    turns.breakBy(first);
    turns.breakBy(second);
    assertThat(lock.broken).isSameAs(first);
    assertThat(poisonedBy).containsExactly(first, second);
  }

  private void beginTransaction() {
    turns.take(self, false);
    lock.writer = self;
    lock.endsDue = 0;
  }

  private void requireReleased() {
    assertThat(lock.isHeld()).isFalse();
    assertThat(lock.writer).isNull();
    assertThat(lock.endsDue).isZero();
  }

  private interface Step {
    void run() throws Exception;
  }

  /** Runs a step while another thread holds the lock. */
  private void held(Step step) throws Exception {
    CountDownLatch holds = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    Thread holder =
        Thread.ofPlatform()
            .start(
                () ->
                    turns.quiesced(
                        () -> {
                          holds.countDown();
                          try {
                            Limit.await(done);
                          } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                          }
                        }));
    Limit.await(holds);
    try {
      step.run();
    } finally {
      done.countDown();
      Limit.join(holder);
    }
  }
}
