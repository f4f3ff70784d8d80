package io.everheap.engine.tx;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Consistent views over several reads, without a lock. A view samples the commit sequence when it
 * starts; each read inside it checks that no commit was applied since, and if one was, the body
 * runs again. After several failures it runs under the writer lock. If no view is open, the check
 * costs a read one load. Thread-safe; a view belongs to the thread that runs its body.
 */
final class ReadViews {
  /** Attempts without a lock. */
  private static final int MAX_ATTEMPTS = 16;

  private static final VarHandle OPEN;

  static {
    try {
      OPEN = MethodHandles.lookup().findVarHandle(WriterLock.class, "views", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Stripes stripes;
  private final WriterLock lock;
  private final Exclusive exclusive;
  private final CarrierShare carriers;

  @SuppressWarnings("ThreadLocalUsage") // a view belongs to a thread and a heap
  private final ThreadLocal<View> current = new ThreadLocal<>();

  ReadViews(Stripes stripes, WriterLock lock, CarrierShare carriers, Exclusive exclusive) {
    this.stripes = stripes;
    this.lock = lock;
    this.carriers = carriers;
    this.exclusive = exclusive;
  }

  /** Runs a body under the writer lock. */
  interface Exclusive {
    <T extends @Nullable Object, X extends Exception> T run(Transactions.Body<T, X> body) throws X;
  }

  /** A view. A store ends it, because an error may keep the thread from removing it. */
  private static final class View {
    static final long EXCLUSIVE = -1;

    final long sequence;
    boolean open = true;

    View(long sequence) {
      this.sequence = sequence;
    }
  }

  /** Thrown by a read in a view after a commit was applied; only {@link #read} catches it. */
  private static final class SnapshotGone extends ReadAgain {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("StaticAssignmentOfThrowable") // it has no stack trace
    private static final SnapshotGone INSTANCE = new SnapshotGone();

    private SnapshotGone() {
      super("the body of Heap.read must let this exception pass");
    }
  }

  @SuppressWarnings("NullAway") // a body returns null only where its type says so
  <T extends @Nullable Object, X extends Exception> T read(Transactions.Body<T, X> body) throws X {
    if (lock.isWriter() || inView()) {
      return body.run();
    }
    carriers.beforeRead();
    OPEN.getAndAdd(lock, 1);
    try {
      for (int i = 0; i < MAX_ATTEMPTS; i++) {
        long sequence = stripes.sequence();
        if ((sequence & 1) != 0) {
          Thread.onSpinWait();
          continue;
        }
        View view = new View(sequence);
        try {
          current.set(view);
          T result = body.run();
          if (stripes.sequenceValid(sequence)) {
            return result;
          }
        } catch (Exception e) {
          if (!(e instanceof SnapshotGone) && stripes.sequenceValid(sequence)) {
            throw e; // the body's own failure, in a consistent state
          }
        } finally {
          view.open = false;
          current.remove();
        }
      }
      return exclusive.run(() -> readExclusively(body));
    } finally {
      OPEN.getAndAdd(lock, -1);
    }
  }

  @SuppressWarnings("NullAway") // a body returns null only where its type says so
  private <T extends @Nullable Object, X extends Exception> T readExclusively(
      Transactions.Body<T, X> body) throws X {
    View view = new View(View.EXCLUSIVE);
    try {
      current.set(view);
      return body.run();
    } finally {
      view.open = false;
      current.remove();
    }
  }

  boolean inView() {
    if (!lock.hasViews()) {
      return false;
    }
    View view = current.get();
    return view != null && view.open;
  }

  /** Ends the view of this thread, if it has one, by an exception if a commit was applied since. */
  void check() {
    if (lock.hasViews()) {
      View view = current.get();
      if (view != null
          && view.open
          && view.sequence != View.EXCLUSIVE
          && !stripes.sequenceValid(view.sequence)) {
        throw SnapshotGone.INSTANCE;
      }
    }
  }
}
