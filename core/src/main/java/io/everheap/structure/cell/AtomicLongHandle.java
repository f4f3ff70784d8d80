package io.everheap.structure.cell;

import io.everheap.collection.DurableAtomicLong;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.bytes.AtomicCell;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureHandle;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/** The handle of a {@link DurableAtomicLong}. */
public final class AtomicLongHandle extends StructureHandle implements DurableAtomicLong {
  private final AtomicCell cell;

  AtomicLongHandle(StructureContext heap, long reference) {
    super(heap, reference);
    this.cell = new AtomicCell(heap, reference, BlockType.ATOMIC_LONG, AtomicCell.LONG_BYTES);
  }

  @Override
  public long get() {
    return cell.get();
  }

  @Override
  public void set(long value) {
    getAndSet(value);
  }

  @Override
  public long getAndSet(long value) {
    return cell.exchange(old -> value);
  }

  @Override
  public boolean compareAndSet(long expected, long value) {
    return cell.exchange(old -> old == expected ? value : old) == expected;
  }

  @Override
  public long getAndAdd(long delta) {
    return cell.exchange(old -> old + delta);
  }

  @Override
  public long addAndGet(long delta) {
    return getAndAdd(delta) + delta;
  }

  @Override
  public long getAndIncrement() {
    return getAndAdd(1);
  }

  @Override
  public long incrementAndGet() {
    return addAndGet(1);
  }

  @Override
  public long getAndDecrement() {
    return getAndAdd(-1);
  }

  @Override
  public long decrementAndGet() {
    return addAndGet(-1);
  }

  @Override
  public long getAndUpdate(LongUnaryOperator change) {
    return cell.exchange(change);
  }

  @Override
  public long updateAndGet(LongUnaryOperator change) {
    long[] made = new long[1];
    cell.exchange(old -> made[0] = change.applyAsLong(old));
    return made[0];
  }

  @Override
  public long getAndAccumulate(long other, LongBinaryOperator change) {
    return cell.exchange(old -> change.applyAsLong(old, other));
  }

  @Override
  public long accumulateAndGet(long other, LongBinaryOperator change) {
    return updateAndGet(old -> change.applyAsLong(old, other));
  }

  @Override
  public String toString() {
    return Long.toString(get());
  }
}
