package io.everheap.collection;

import java.util.List;
import java.util.Objects;

/**
 * What to find or to make under a name in a heap: a kind of structure and what it holds. Every
 * structure has methods {@code of} that return its shapes.
 *
 * <pre>{@code
 * DurableMap<String, Long> visits = heap.root("visits", DurableMap.of(String.class, Long.class));
 * }</pre>
 *
 * <p>Immutable, as far as its parts are.
 *
 * @param kind name of the kind of structure, as tools show it: {@code map}
 * @param parts what the kind asks for, in its order: classes, codecs or shapes of what the
 *     structure holds, an order, numbers, initial elements
 * @param <S> the structure
 */
@SuppressWarnings("UnusedTypeParameter") // of the handles that the heap returns
public record Shape<S>(String kind, List<Object> parts) {
  /** Stands for the length of whatever array there is. */
  static final long ANY_LENGTH = -1;

  /** Copies the list. */
  public Shape {
    Objects.requireNonNull(kind, "kind");
    parts = List.copyOf(parts);
  }

  /** A kind of structure and its parts in their order. */
  Shape(String kind, Object... parts) {
    this(kind, List.of(parts));
  }

  static void requireLength(long length) {
    if (length < 0) {
      throw new IllegalArgumentException("an array has 0 elements or more, not " + length);
    }
  }

  static void requireCapacity(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("a capacity of " + capacity);
    }
  }
}
