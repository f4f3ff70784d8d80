package io.everheap.structure.cell;

import io.everheap.collection.DurableCounter;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.bytes.AtomicCell;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureHandle;

/** The handle of a {@link DurableCounter}. */
public final class CounterHandle extends StructureHandle implements DurableCounter {
  private final AtomicCell cell;

  CounterHandle(StructureContext heap, long reference) {
    super(heap, reference);
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
  public String toString() {
    return Long.toString(sum());
  }
}
