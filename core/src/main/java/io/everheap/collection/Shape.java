package io.everheap.collection;

import io.everheap.block.Block;
import io.everheap.stability.Stable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What to find or to make under a name in a heap: a kind of structure and what it holds. Every
 * structure has methods {@code of} that return its shapes.
 *
 * <pre>{@code
 * DurableMap<String, Long> visits = heap.root("visits", DurableMap.of(String.class, Long.class));
 * }</pre>
 *
 * <p>Immutable, as far as its parts are. Shapes are equal if their kinds and parts are.
 *
 * @param <S> the structure
 * @since 0.9
 */
@SuppressWarnings("UnusedTypeParameter") // of the handles that the heap returns
@Stable
public final class Shape<S> {
  /** Stands for the length of whatever array there is. */
  static final long ANY_LENGTH = -1;

  private final String kind;
  private final List<Object> parts;

  /** A kind of structure and its parts in their order; copies the list. */
  Shape(String kind, List<Object> parts) {
    this.kind = Objects.requireNonNull(kind, "kind");
    this.parts = List.copyOf(parts);
  }

  /** A kind of structure and its parts in their order. */
  Shape(String kind, Object... parts) {
    this(kind, List.of(parts));
  }

  /**
   * Returns the shape of a raw block.
   *
   * @param bytes its size
   * @return the shape
   * @throws IllegalArgumentException if the size is negative
   */
  public static Shape<Block> ofBlock(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a block has 0 bytes or more, not " + bytes);
    }
    return new Shape<>("block", bytes);
  }

  /**
   * Returns the name of the kind of structure, as tools show it.
   *
   * @return for example {@code map}
   */
  public String kind() {
    return kind;
  }

  /**
   * Returns what the kind asks for.
   *
   * @return in the order of the kind: classes, codecs or shapes of what the structure holds, an
   *     order, numbers, initial elements
   */
  public List<Object> parts() {
    return parts;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Shape<?> shape && kind.equals(shape.kind) && parts.equals(shape.parts);
  }

  @Override
  public int hashCode() {
    return 31 * kind.hashCode() + parts.hashCode();
  }

  @Override
  public String toString() {
    return kind + parts;
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
