package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.base.Damage;
import io.everheap.collection.base.Encoded;
import io.everheap.collection.base.ValueStore;
import io.everheap.collection.chunk.AtomicCell;
import io.everheap.engine.Engine;
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
 * io.everheap.error.StaleReferenceException}; after the heap was closed, {@link
 * io.everheap.error.HeapClosedException}.
 *
 * @param <V> the type of the value
 */
public final class DurableReference<V> implements Structure {
  private final AtomicCell cell;
  private final ValueStore<V> values;

  private DurableReference(Engine engine, long reference, Codec<V> codec) {
    this.cell = ReferenceKind.cell(engine, reference);
    this.values =
        new ValueStore<>(engine, NestedCodec.bound(codec, engine), new Holder(engine, reference));
  }

  static <V> DurableReference<V> attach(Engine engine, long reference, Codec<V> codec) {
    return new DurableReference<>(engine, reference, codec);
  }

  /**
   * The shape of a reference; a new one is null.
   *
   * @param value class of the value: a type with a built-in codec, an enum, a record, or a
   *     registered class
   */
  public static <V> Shape<DurableReference<V>> of(Class<V> value) {
    Objects.requireNonNull(value, "value");
    return codecs -> new ReferenceKind.Reference<>(codecs.forClass(value));
  }

  /** The shape of a reference with a codec of the caller's choice; a new one is null. */
  public static <V> Shape<DurableReference<V>> of(Codec<V> value) {
    Objects.requireNonNull(value, "value");
    return codecs -> new ReferenceKind.Reference<>(value);
  }

  /** The shape of a reference to a structure; a new one is null. */
  public static <V> Shape<DurableReference<V>> of(Shape<V> value) {
    Objects.requireNonNull(value, "value");
    return codecs -> new ReferenceKind.Reference<>(NestedCodec.of(value, codecs));
  }

  /** Returns the value, or null. */
  public @Nullable V get() {
    Encoded value =
        cell.reads.read(
            cell.guard(),
            guard -> {
              cell.checkAlive();
              long present = cell.memory.getLong(cell.header + AtomicCell.REFERENCE_PRESENT);
              long word = cell.memory.getLong(cell.header + AtomicCell.REFERENCE_VALUE);
              if (present != 0 && present != kind()) {
                guard.check();
                throw Damage.at(cell.header, "a reference to a value of kind " + present);
              }
              return present == 0 ? Encoded.NOTHING : values.load(word, guard);
            });
    return value == Encoded.NOTHING ? null : values.decode(value);
  }

  /** Sets the value. */
  @SuppressWarnings("CheckReturnValue")
  public void set(@Nullable V value) {
    if (values.mustBegin()) {
      Atomic.run(cell.tx, () -> set(value));
      return;
    }
    Encoded encoded = encode(value);
    Atomic.run(
        cell.tx,
        () -> {
          cell.checkAlive();
          store(encoded);
        });
  }

  /** Sets the value and returns the one before. */
  public @Nullable V getAndSet(@Nullable V value) {
    if (values.mustBegin()) {
      return Atomic.<@Nullable V>call(cell.tx, () -> getAndSet(value));
    }
    Encoded encoded = encode(value);
    return Atomic.<@Nullable V>call(
        cell.tx,
        () -> {
          V old = get();
          store(encoded);
          return old;
        });
  }

  /** Sets the value if it is equal to the expected one; tells whether it was. */
  public boolean compareAndSet(@Nullable V expected, @Nullable V value) {
    if (values.mustBegin()) {
      return Atomic.call(cell.tx, () -> compareAndSet(expected, value));
    }
    Encoded encoded = encode(value);
    return Atomic.call(
        cell.tx,
        () -> {
          boolean same = Contents.same(get(), expected);
          if (same) {
            store(encoded);
          }
          return same;
        });
  }

  /** Replaces the value by what a function makes of it and returns the one before. */
  public @Nullable V getAndUpdate(UnaryOperator<@Nullable V> change) {
    return Atomic.<@Nullable V>call(
        cell.tx,
        () -> {
          V old = get();
          store(encode(change.apply(old)));
          return old;
        });
  }

  /** Replaces the value by what a function makes of it and returns that. */
  public @Nullable V updateAndGet(UnaryOperator<@Nullable V> change) {
    return Atomic.<@Nullable V>call(
        cell.tx,
        () -> {
          V made = change.apply(get());
          store(encode(made));
          return made;
        });
  }

  /** Replaces the value by what a function makes of it and another one; returns the one before. */
  public @Nullable V getAndAccumulate(@Nullable V other, BinaryOperator<@Nullable V> change) {
    return getAndUpdate(old -> change.apply(old, other));
  }

  /** Replaces the value by what a function makes of it and another one; returns that. */
  public @Nullable V accumulateAndGet(@Nullable V other, BinaryOperator<@Nullable V> change) {
    return updateAndGet(old -> change.apply(old, other));
  }

  private Encoded encode(@Nullable V value) {
    return value == null ? Encoded.NOTHING : values.encode(value);
  }

  private long kind() {
    return values.isWord() ? ReferenceKind.WORD : ReferenceKind.CELL;
  }

  private void store(Encoded value) {
    boolean present = value != Encoded.NOTHING;
    long word = present ? values.store(value) : 0;
    ReferenceKind.freeValue(cell, values);
    cell.memory.putLong(
        cell.stripe, cell.header + AtomicCell.REFERENCE_PRESENT, present ? kind() : 0);
    cell.memory.putLong(cell.stripe, cell.header + AtomicCell.REFERENCE_VALUE, word);
  }

  @Override
  public StructureId id() {
    return new StructureId(cell.engine, cell.reference);
  }

  /** Whether the other one is a handle to the same reference. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DurableReference<?> that && cell.isSame(that.cell);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(cell.reference);
  }

  /** Returns the value as a text. */
  @Override
  public String toString() {
    return Contents.text(get());
  }
}
