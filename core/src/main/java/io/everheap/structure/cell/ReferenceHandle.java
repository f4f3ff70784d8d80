package io.everheap.structure.cell;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableReference;
import io.everheap.collection.Undecodable;
import io.everheap.structure.bytes.AtomicCell;
import io.everheap.structure.common.Contents;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.NestedCodec;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureHandle;
import io.everheap.structure.common.UndecodableIterator;
import io.everheap.structure.common.ValueStore;
import java.util.Iterator;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a {@link DurableReference}. Each change is one transaction, or part of the one that
 * the thread runs; reads are optimistic. Thread-safe.
 */
public final class ReferenceHandle<V> extends StructureHandle implements DurableReference<V> {
  private final AtomicCell cell;
  private final ValueStore<V> values;

  private ReferenceHandle(StructureContext heap, long reference, Codec<V> codec) {
    super(heap, reference);
    this.cell = ReferenceKind.cell(heap, reference);
    this.values = new ValueStore<>(heap, NestedCodec.bound(codec, heap), heap.holder(reference));
  }

  static <V> ReferenceHandle<V> attach(StructureContext heap, long reference, Codec<V> codec) {
    return new ReferenceHandle<>(heap, reference, codec);
  }

  @Override
  public @Nullable V get() {
    Encoded value = load();
    return value == Encoded.NOTHING ? null : values.decode(value);
  }

  private Encoded load() {
    return cell.reads.read(
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
  }

  @Override
  public Iterator<Undecodable> undecodable() {
    return new UndecodableIterator(
        new UndecodableIterator.Walk() {
          private boolean done;
          private Encoded value = Encoded.NOTHING;

          @Override
          public boolean advance() {
            boolean first = !done;
            done = true;
            value = first ? load() : Encoded.NOTHING;
            return value != Encoded.NOTHING;
          }

          @Override
          public @Nullable Undecodable failure() {
            return values.failure(0, value);
          }

          @Override
          public Runnable removal() {
            Encoded found = value;
            return () ->
                cell.tx.run(
                    () -> {
                      Encoded now = load();
                      if (now != Encoded.NOTHING && now.sameAs(found)) {
                        store(Encoded.NOTHING);
                      }
                    });
          }
        });
  }

  @Override
  @SuppressWarnings("CheckReturnValue")
  public void set(@Nullable V value) {
    if (values.mustBegin()) {
      cell.tx.run(() -> set(value));
      return;
    }
    Encoded encoded = encode(value);
    cell.tx.run(() -> store(encoded));
  }

  @Override
  public @Nullable V getAndSet(@Nullable V value) {
    if (values.mustBegin()) {
      return cell.tx.<@Nullable V, RuntimeException>call(() -> getAndSet(value));
    }
    Encoded encoded = encode(value);
    return cell.tx.<@Nullable V, RuntimeException>call(
        () -> {
          V old = get();
          store(encoded);
          return old;
        });
  }

  @Override
  public boolean compareAndSet(@Nullable V expected, @Nullable V value) {
    if (values.mustBegin()) {
      return cell.tx.call(() -> compareAndSet(expected, value));
    }
    Encoded encoded = encode(value);
    return cell.tx.call(
        () -> {
          boolean same = Contents.isSame(expected, this::get);
          if (same) {
            store(encoded);
          }
          return same;
        });
  }

  @Override
  public @Nullable V getAndUpdate(UnaryOperator<@Nullable V> change) {
    return cell.tx.<@Nullable V, RuntimeException>call(
        () -> {
          V old = get();
          store(encode(change.apply(old)));
          return old;
        });
  }

  @Override
  public @Nullable V updateAndGet(UnaryOperator<@Nullable V> change) {
    return cell.tx.<@Nullable V, RuntimeException>call(
        () -> {
          V made = change.apply(get());
          store(encode(made));
          return made;
        });
  }

  @Override
  public @Nullable V getAndAccumulate(@Nullable V other, BinaryOperator<@Nullable V> change) {
    return getAndUpdate(old -> change.apply(old, other));
  }

  @Override
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
    cell.checkAlive(); // what decoded the value before, or made this one, may have freed it
    boolean present = value != Encoded.NOTHING;
    long word = present ? values.store(value) : 0;
    ReferenceKind.freeValue(cell, values);
    cell.memory.putLong(
        cell.stripe, cell.header + AtomicCell.REFERENCE_PRESENT, present ? kind() : 0);
    cell.memory.putLong(cell.stripe, cell.header + AtomicCell.REFERENCE_VALUE, word);
  }

  @Override
  public String toString() {
    return Contents.text(this::get);
  }
}
