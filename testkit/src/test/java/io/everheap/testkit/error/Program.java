package io.everheap.testkit.error;

import io.everheap.support.Limit;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * A program of some steps on something durable, the same each time it runs. A step changes the
 * contents in one transaction, or not at all.
 *
 * @param <S> what it works on
 */
interface Program<S> {
  /** The medium on which it begins. */
  SimulatedMedium medium();

  /** Opens what is on a medium; closes the medium if it fails. */
  S open(SimulatedMedium medium);

  /** Whether errors strike while it is opened, too. */
  boolean strikesOpening();

  /** Number of steps. */
  int steps();

  /**
   * Does one step.
   *
   * @param skipped number of an operation of the step that is left out, or -1
   */
  void step(S subject, int step, int skipped) throws Exception;

  /** How many operations of a step can fail for themselves, and the step goes on. */
  default int skippable(int step) {
    return 0;
  }

  /** What is in it, to be compared. */
  Object contents(S subject);

  /** What should be in it after so many steps, of which the last one was done just now. */
  default Object expected(S subject, int done) {
    return contents(subject);
  }

  /** Whether what was found is what was expected. */
  default boolean agree(Object found, Object expected) {
    return found.equals(expected);
  }

  /** Whether the contents can be read when it is poisoned. */
  default boolean servesPoisoned() {
    return false;
  }

  /** Writes something that does not belong to the contents. */
  void write(S subject);

  /** Whether an exception says that the subject is poisoned, and why. */
  boolean isPoison(Throwable failure);

  /** Whether it can be used, as it says itself. */
  boolean isOpen(S subject);

  /** Whether what returned survives a loss of power, too. */
  boolean sync();

  /** Makes durable what returned. */
  void makeDurable(S subject);

  /** Fails if something in it is wrong. */
  void verify(S subject);

  /** Closes it, and its medium. */
  void close(S subject);

  /** Does something in a thread that no error strikes; fails if it hangs. */
  static void elsewhere(Runnable action) throws InterruptedException {
    FutureTask<@Nullable Void> task = new FutureTask<>(action, null);
    Thread thread = Thread.ofPlatform().daemon().start(task);
    if (!thread.join(Limit.limit())) {
      throw new AssertionError("another thread hangs: " + List.of(thread.getStackTrace()));
    }
    try {
      task.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
