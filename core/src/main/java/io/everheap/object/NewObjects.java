package io.everheap.object;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Finds the heap in which {@code new} makes an object of a durable class: that of {@code
 * Heap.create}, if it runs the constructor, else that of the transaction of this thread.
 */
final class NewObjects {
  private static final List<WeakReference<ObjectSpace>> OPEN = new CopyOnWriteArrayList<>();
  private static final ThreadLocal<ObjectSpace> CREATING = new ThreadLocal<>();

  private NewObjects() {}

  /** A handle's fields. */
  record Made(ObjectSpace space, ObjectType type, long reference, long header, long seen) {}

  static void opened(ObjectSpace space) {
    OPEN.removeIf(known -> known.get() == null);
    OPEN.add(new WeakReference<>(space));
  }

  @SuppressWarnings("ReferenceEquality") // it is the one or not
  static void closed(ObjectSpace space) {
    OPEN.removeIf(known -> known.get() == null || known.get() == space);
  }

  /** Runs a constructor for a heap. */
  static <T> T in(ObjectSpace space, Supplier<T> constructor) {
    ObjectSpace before = CREATING.get();
    CREATING.set(space);
    try {
      return constructor.get();
    } finally {
      if (before == null) {
        CREATING.remove();
      } else {
        CREATING.set(before);
      }
    }
  }

  /**
   * Makes the object of a handle that is being constructed.
   *
   * @throws IllegalStateException if no transaction runs, or several do
   */
  static Made make(Class<?> type) {
    ObjectSpace space = CREATING.get();
    return (space != null && space.isWriter() ? space : running(type)).allocate(type);
  }

  private static ObjectSpace running(Class<?> type) {
    List<ObjectSpace> found = new ArrayList<>(1);
    for (WeakReference<ObjectSpace> known : OPEN) {
      ObjectSpace space = known.get();
      if (space != null && space.isWriter()) {
        found.add(space);
      }
    }
    if (found.size() == 1) {
      return found.getFirst();
    }
    String name = type.getSimpleName();
    throw new IllegalStateException(
        (found.isEmpty()
                ? "new " + name + "(...) outside of a transaction"
                : "new " + name + "(...) within transactions of several heaps")
            + ": which heap is it for? Call it within heap.transact, or heap.create("
            + name
            + ".class)");
  }
}
