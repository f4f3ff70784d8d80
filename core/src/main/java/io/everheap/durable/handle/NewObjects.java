package io.everheap.durable.handle;

import io.everheap.durable.ObjectType;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Finds the heap in which {@code new} makes an object of a durable class: that of {@code
 * Heap.create} if it runs the constructor, else that of the transaction of this thread.
 *
 * <p>Safe for use by many threads. A heap that was not closed can still be garbage collected.
 */
public final class NewObjects {
  private static final List<WeakReference<Maker>> OPEN = new CopyOnWriteArrayList<>();
  private static final ThreadLocal<Maker> CREATING = new ThreadLocal<>();

  private NewObjects() {}

  /** Makes objects of one open heap. */
  public interface Maker {
    /** Whether this thread runs a transaction of the heap. */
    boolean isWriter();

    /** Makes an object of a woven class for a handle that is being constructed. */
    Made make(Class<?> type);
  }

  /**
   * What a handle holds of a new object.
   *
   * @param type of the object, a {@link BoundType}
   * @param reference to it
   * @param header of its block
   * @param seen moment at which it was made
   */
  public record Made(ObjectType type, long reference, long header, long seen) {}

  /** Adds a heap that was opened. */
  public static void opened(Maker heap) {
    OPEN.removeIf(known -> known.get() == null);
    OPEN.add(new WeakReference<>(heap));
  }

  /** Removes a heap that was closed. */
  @SuppressWarnings("ReferenceEquality") // the heap itself
  public static void closed(Maker heap) {
    OPEN.removeIf(known -> known.get() == null || known.get() == heap);
  }

  /** Runs a constructor for a heap. */
  public static <T> T in(Maker heap, Supplier<T> constructor) {
    Maker before = CREATING.get();
    CREATING.set(heap);
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
    Maker heap = CREATING.get();
    return (heap != null && heap.isWriter() ? heap : running(type)).make(type);
  }

  private static Maker running(Class<?> type) {
    List<Maker> found = new ArrayList<>(1);
    for (WeakReference<Maker> known : OPEN) {
      Maker heap = known.get();
      if (heap != null && heap.isWriter()) {
        found.add(heap);
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
