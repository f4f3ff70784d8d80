package io.everheap.structure.cell;

import io.everheap.collection.DurableCounter;
import io.everheap.collection.StructureId;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.bytes.AtomicCell;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.StructureContext;

/** The handle of a {@link DurableCounter}. */
public final class CounterHandle implements DurableCounter {
  private final AtomicCell cell;

  CounterHandle(StructureContext heap, long reference) {
    this.cell = new AtomicCell(heap, reference, BlockType.COUNTER, AtomicCell.LONG_BYTES);
  }

  @Override
  @SuppressWarnings("CheckReturnValue")
  public void add(long delta) {
    cell.exchange(old -> old + delta);
  }

  @Override
  public void increment() {
    add(1);
  }

  @Override
  public void decrement() {
    add(-1);
  }

  @Override
  public long sum() {
    return cell.get();
  }

  @Override
  @SuppressWarnings("CheckReturnValue")
  public void reset() {
    sumThenReset();
  }

  @Override
  public long sumThenReset() {
    return cell.exchange(old -> 0);
  }

  @Override
  public StructureId id() {
    return new HeapStructureId(cell.heap, cell.reference);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CounterHandle that && cell.isSame(that.cell);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(cell.reference);
  }

  @Override
  public String toString() {
    return Long.toString(sum());
  }
}
