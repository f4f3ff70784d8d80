package io.everheap.collection;

import io.everheap.collection.chunk.AtomicCell;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/**
 * A {@code long} that lives in a heap and outlives the process, with the methods of {@link
 * java.util.concurrent.atomic.AtomicLong}. Each change is a transaction of its own, or a part of
 * the one that this thread runs; functions run inside it, once. {@link #get} takes no lock.
 *
 * <p>Safe for use by many threads. After it was removed from its heap, every method throws {@link
 * io.everheap.error.StaleReferenceException}; after the heap was closed, {@link
 * io.everheap.error.HeapClosedException}.
 */
public final class DurableAtomicLong implements Structure {
  private final AtomicCell cell;

  private DurableAtomicLong(Engine engine, long reference) {
    this.cell = new AtomicCell(engine, reference, BlockType.ATOMIC_LONG, AtomicCell.LONG_BYTES);
  }

  /** The shape of an atomic long; a new one is 0. */
  public static Shape<DurableAtomicLong> of() {
    return of(0);
  }

  /** The shape of an atomic long that has this value when it is made. */
  public static Shape<DurableAtomicLong> of(long initial) {
    return codecs -> new CellDefinition<>(CellKind.LONG, initial, DurableAtomicLong::new);
  }

  /** Returns the value. */
  public long get() {
    return cell.get();
  }

  /** Sets the value. */
  public void set(long value) {
    getAndSet(value);
  }

  /** Sets the value and returns the one before. */
  public long getAndSet(long value) {
    return cell.exchange(old -> value);
  }

  /** Sets the value if it is the expected one; tells whether it was. */
  public boolean compareAndSet(long expected, long value) {
    return cell.exchange(old -> old == expected ? value : old) == expected;
  }

  /** Adds and returns the value before. */
  public long getAndAdd(long delta) {
    return cell.exchange(old -> old + delta);
  }

  /** Adds and returns the sum. */
  public long addAndGet(long delta) {
    return getAndAdd(delta) + delta;
  }

  /** Adds 1 and returns the value before. */
  public long getAndIncrement() {
    return getAndAdd(1);
  }

  /** Adds 1 and returns the sum. */
  public long incrementAndGet() {
    return addAndGet(1);
  }

  /** Subtracts 1 and returns the value before. */
  public long getAndDecrement() {
    return getAndAdd(-1);
  }

  /** Subtracts 1 and returns the difference. */
  public long decrementAndGet() {
    return addAndGet(-1);
  }

  /** Replaces the value by what a function makes of it and returns the one before. */
  public long getAndUpdate(LongUnaryOperator change) {
    return cell.exchange(change);
  }

  /** Replaces the value by what a function makes of it and returns that. */
  public long updateAndGet(LongUnaryOperator change) {
    long[] made = new long[1];
    cell.exchange(old -> made[0] = change.applyAsLong(old));
    return made[0];
  }

  /** Replaces the value by what a function makes of it and another one; returns the one before. */
  public long getAndAccumulate(long other, LongBinaryOperator change) {
    return cell.exchange(old -> change.applyAsLong(old, other));
  }

  /** Replaces the value by what a function makes of it and another one; returns that. */
  public long accumulateAndGet(long other, LongBinaryOperator change) {
    return updateAndGet(old -> change.applyAsLong(old, other));
  }

  @Override
  public StructureId id() {
    return new StructureId(cell.engine, cell.reference);
  }

  /** Whether the other one is a handle to the same atomic long. */
  @Override
  public boolean equals(Object other) {
    return other instanceof DurableAtomicLong that && cell.isSame(that.cell);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(cell.reference);
  }

  /** Returns the value in decimal. */
  @Override
  public String toString() {
    return Long.toString(get());
  }
}
