package io.everheap.collection;

import io.everheap.collection.chunk.AtomicCell;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;

/**
 * A sum that lives in a heap and outlives the process, with the methods of {@link
 * java.util.concurrent.atomic.LongAdder}. Each change is a transaction of its own, or a part of the
 * one that this thread runs: what was added before a crash is counted exactly once. {@link #sum}
 * takes no lock and is exact.
 *
 * <p>Safe for use by many threads. After it was removed from its heap, every method throws {@link
 * io.everheap.error.StaleReferenceException}; after the heap was closed, {@link
 * io.everheap.error.HeapClosedException}.
 */
public final class DurableCounter implements Structure {
  private final AtomicCell cell;

  private DurableCounter(Engine engine, long reference) {
    this.cell = new AtomicCell(engine, reference, BlockType.COUNTER, AtomicCell.LONG_BYTES);
  }

  /** The shape of a counter; a new one is 0. */
  public static Shape<DurableCounter> of() {
    return codecs -> new CellDefinition<>(CellKind.COUNTER, 0, DurableCounter::new);
  }

  /** Adds. */
  @SuppressWarnings("CheckReturnValue")
  public void add(long delta) {
    cell.exchange(old -> old + delta);
  }

  /** Adds 1. */
  public void increment() {
    add(1);
  }

  /** Subtracts 1. */
  public void decrement() {
    add(-1);
  }

  /** Returns the sum. */
  public long sum() {
    return cell.get();
  }

  /** Sets the sum to 0. */
  @SuppressWarnings("CheckReturnValue")
  public void reset() {
    sumThenReset();
  }

  /** Sets the sum to 0 and returns the one before. */
  public long sumThenReset() {
    return cell.exchange(old -> 0);
  }

  @Override
  public StructureId id() {
    return new StructureId(cell.engine, cell.reference);
  }

  /** Whether the other one is a handle to the same counter. */
  @Override
  public boolean equals(Object other) {
    return other instanceof DurableCounter that && cell.isSame(that.cell);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(cell.reference);
  }

  /** Returns the sum in decimal. */
  @Override
  public String toString() {
    return Long.toString(sum());
  }
}
