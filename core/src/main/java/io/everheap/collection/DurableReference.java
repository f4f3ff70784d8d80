package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.stability.Stable;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A value, or null, that lives in a heap and outlives the process, with the methods of {@link
 * java.util.concurrent.atomic.AtomicReference}. Values are copied in and out by their codec and
 * compared with {@code equals}, arrays by their contents. Each change is a transaction of its own,
 * or a part of the one that this thread runs; functions run inside it, once. {@link #get} takes no
 * lock.
 *
 * <p>Safe for use by many threads. After it was removed from its heap, every method throws {@link
 * io.everheap.error.GoneException}; after the heap was closed, {@link
 * io.everheap.error.ClosedException}.
 *
 * @param <V> the type of the value
 * @since 0.9
 */
@Stable
public interface DurableReference<V> extends Structure {
  /**
   * The shape of a reference; a new one is null.
   *
   * @param value class of the value: a type with a built-in codec, an enum, a record, or a
   *     registered class
   */
  static <V> Shape<DurableReference<V>> of(Class<V> value) {
    Objects.requireNonNull(value, "value");
    return new Shape<>("reference", value);
  }

  /** The shape of a reference with a codec of the caller's choice; a new one is null. */
  static <V> Shape<DurableReference<V>> of(Codec<V> value) {
    Objects.requireNonNull(value, "value");
    return new Shape<>("reference", value);
  }

  /** The shape of a reference to a structure; a new one is null. */
  static <V> Shape<DurableReference<V>> of(Shape<V> value) {
    Objects.requireNonNull(value, "value");
    return new Shape<>("reference", value);
  }

  /** Returns the value, or null. */
  @Nullable V get();

  /** Sets the value. */
  void set(@Nullable V value);

  /** Sets the value and returns the one before. */
  @Nullable V getAndSet(@Nullable V value);

  /** Sets the value if it is equal to the expected one; returns whether it was. */
  boolean compareAndSet(@Nullable V expected, @Nullable V value);

  /** Replaces the value by what a function makes of it and returns the one before. */
  @Nullable V getAndUpdate(UnaryOperator<@Nullable V> change);

  /** Replaces the value by what a function makes of it and returns that. */
  @Nullable V updateAndGet(UnaryOperator<@Nullable V> change);

  /** Replaces the value by what a function makes of it and another one; returns the one before. */
  @Nullable V getAndAccumulate(@Nullable V other, BinaryOperator<@Nullable V> change);

  /** Replaces the value by what a function makes of it and another one; returns that. */
  @Nullable V accumulateAndGet(@Nullable V other, BinaryOperator<@Nullable V> change);

  /** Whether the other one is a handle to the same reference. */
  @Override
  boolean equals(@Nullable Object other);

  /** Returns the value as a text. */
  @Override
  String toString();
}
