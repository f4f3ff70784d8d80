package io.everheap.structure.array;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableArray;
import io.everheap.collection.Undecodable;
import io.everheap.error.GoneException;
import io.everheap.structure.bytes.ChunkedBytes;
import io.everheap.structure.common.Contents;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.NestedCodec;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureHandle;
import io.everheap.structure.common.UndecodableIterator;
import io.everheap.structure.common.ValueStore;
import java.util.AbstractList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a {@link DurableArray}, whose length never changes. Each change is one transaction,
 * or part of the one that the thread runs; reads are optimistic. Thread-safe.
 */
public final class ArrayHandle<E> extends StructureHandle implements DurableArray<E> {
  private final ChunkedBytes chunks;
  private final ValueStore<E> values;
  private final boolean words;
  private final boolean immutable;
  private final long length;

  private ArrayHandle(StructureContext heap, long reference, Codec<E> codec) {
    super(heap, reference);
    this.immutable = isImmutable(heap, reference);
    this.chunks = ChunkedBytes.attachOrDead(heap, reference, ObjectArrayKind.headerType(immutable));
    this.values = new ValueStore<>(heap, NestedCodec.bound(codec, heap), heap.holder(reference));
    this.words = values.isWord();
    this.length =
        chunks.isDead()
            ? PrimitiveArrayHandle.NO_LENGTH
            : ObjectSlots.elements(chunks.length(), words);
    if (!chunks.isDead() && words != ((chunks.flags() & ObjectSlots.WORDS) != 0)) {
      throw Damage.at(chunks.header, "an array whose values do not fit " + codec.name());
    }
  }

  private static boolean isImmutable(StructureContext heap, long reference) {
    try {
      return OptimisticReads.betweenCommits(
          heap, () -> ObjectArrayKind.isImmutable(heap, reference));
    } catch (GoneException e) {
      return false; // the handle is dead
    }
  }

  static <E> ArrayHandle<E> attach(StructureContext heap, long reference, Codec<E> codec) {
    ArrayHandle<E> array = new ArrayHandle<>(heap, reference, codec);
    array.requireAlive();
    return array;
  }

  /** A handle to an array that was freed. */
  static <E> ArrayHandle<E> dead(StructureContext heap, long reference, Codec<E> codec) {
    return new ArrayHandle<>(heap, reference, codec);
  }

  private void requireAlive() {
    if (chunks.isDead()) {
      chunks.checkAlive();
    }
  }

  @Override
  public long length() {
    requireAlive();
    return length;
  }

  @Override
  public boolean isImmutable() {
    return chunks.reads.read(
        chunks.headerGuard(),
        guard -> {
          chunks.checkAlive();
          return immutable;
        });
  }

  private void requireMutable() {
    if (immutable && isImmutable()) {
      throw new UnsupportedOperationException("the array is immutable");
    }
  }

  /** Gives an element that was never set a value; for the transaction that makes the array. */
  void init(long index, @Nullable E value) {
    Objects.checkIndex(index, length);
    chunks.tx.run(() -> store(index, encode(value)));
  }

  @Override
  public @Nullable E get(long index) {
    Objects.checkIndex(index, length);
    Encoded value = load(index);
    return value == Encoded.NOTHING ? null : values.decodeAt(index, value);
  }

  private Encoded load(long index) {
    long word = ObjectSlots.word(index, words);
    long first = words ? ObjectSlots.presence(index) : word;
    return chunks.reads.read(
        chunks.guard(first, word + 8 - first),
        guard -> isThere(index, word) ? values.load(chunks.load(word, 8), guard) : Encoded.NOTHING);
  }

  @Override
  public Iterator<Undecodable> undecodable() {
    return new UndecodableIterator(
        new UndecodableIterator.Walk() {
          private long index = -1;
          private Encoded value = Encoded.NOTHING;

          @Override
          public boolean advance() {
            if (++index >= length) {
              return false;
            }
            value = load(index);
            return true;
          }

          @Override
          public @Nullable Undecodable failure() {
            return value == Encoded.NOTHING ? null : values.failure(index, value);
          }

          @Override
          public Runnable removal() {
            requireMutable();
            long place = index;
            Encoded found = value;
            return () ->
                chunks.tx.run(
                    () -> {
                      Encoded now = load(place);
                      if (now != Encoded.NOTHING && now.sameAs(found)) {
                        store(place, Encoded.NOTHING);
                      }
                    });
          }
        });
  }

  private boolean isThere(long index, long word) {
    return words
        ? (chunks.load(ObjectSlots.presence(index), 8) & ObjectSlots.bit(index)) != 0
        : chunks.load(word, 8) != 0;
  }

  @Override
  public void set(long index, @Nullable E value) {
    Objects.checkIndex(index, length);
    requireMutable();
    if (values.mustBegin()) {
      chunks.tx.run(() -> set(index, value));
      return;
    }
    Encoded encoded = encode(value);
    chunks.tx.run(() -> store(index, encoded));
  }

  @Override
  public @Nullable E getAndSet(long index, @Nullable E value) {
    Objects.checkIndex(index, length);
    requireMutable();
    if (values.mustBegin()) {
      return chunks.tx.<@Nullable E, RuntimeException>call(() -> getAndSet(index, value));
    }
    Encoded encoded = encode(value);
    return chunks.tx.<@Nullable E, RuntimeException>call(
        () -> {
          E old = get(index);
          store(index, encoded);
          return old;
        });
  }

  @Override
  public boolean compareAndSet(long index, @Nullable E expected, @Nullable E value) {
    Objects.checkIndex(index, length);
    requireMutable();
    if (values.mustBegin()) {
      return chunks.tx.call(() -> compareAndSet(index, expected, value));
    }
    Encoded encoded = encode(value);
    return chunks.tx.call(
        () -> {
          boolean same = Contents.isSame(expected, () -> get(index));
          if (same) {
            store(index, encoded);
          }
          return same;
        });
  }

  @Override
  public @Nullable E updateAndGet(long index, UnaryOperator<@Nullable E> change) {
    Objects.checkIndex(index, length);
    requireMutable();
    return chunks.tx.<@Nullable E, RuntimeException>call(
        () -> {
          E made = change.apply(get(index));
          store(index, encode(made));
          return made;
        });
  }

  @Override
  public void fill(@Nullable E value) {
    fill(0, length, value);
  }

  @Override
  public void fill(long from, long to, @Nullable E value) {
    Objects.checkFromToIndex(from, to, length);
    requireMutable();
    if (values.mustBegin()) {
      chunks.tx.run(() -> fill(from, to, value));
      return;
    }
    Encoded encoded = encode(value);
    chunks.tx.run(
        () -> {
          for (long i = from; i < to; i++) {
            store(i, encoded);
          }
        });
  }

  @Override
  public Stream<@Nullable E> stream() {
    return LongStream.range(0, length).mapToObj(this::get);
  }

  @Override
  public List<@Nullable E> asList() {
    if (length > Integer.MAX_VALUE) {
      throw new IllegalStateException(length + " elements are too many for a list");
    }
    return new View<>(this);
  }

  private Encoded encode(@Nullable E value) {
    return value == null ? Encoded.NOTHING : values.encode(value);
  }

  private void store(long index, Encoded value) {
    chunks.checkAlive();
    boolean present = value != Encoded.NOTHING;
    long at = ObjectSlots.word(index, words);
    if (words) {
      long bits = chunks.load(ObjectSlots.presence(index), 8);
      long bit = ObjectSlots.bit(index);
      long wanted = present ? bits | bit : bits & ~bit;
      if (wanted != bits) {
        chunks.put(ObjectSlots.presence(index), wanted, 8);
      }
      if (present) {
        chunks.put(at, value.word, 8);
      }
      return;
    }
    long old = chunks.load(at, 8);
    if (old != 0 || present) {
      chunks.put(at, present ? values.store(value) : 0, 8);
    }
    if (old != 0) {
      values.free(chunks.stripe(at), old);
    }
  }

  @Override
  public String toString() {
    return "DurableArray[" + length + " elements]";
  }

  /** The array as a list. */
  private static final class View<E> extends AbstractList<@Nullable E> implements RandomAccess {
    private final ArrayHandle<E> array;

    View(ArrayHandle<E> array) {
      this.array = array;
    }

    @Override
    public @Nullable E get(int index) {
      return array.get(index);
    }

    @Override
    public @Nullable E set(int index, @Nullable E element) {
      return array.getAndSet(index, element);
    }

    @Override
    public int size() {
      return (int) array.length;
    }

    @Override
    public void sort(@Nullable Comparator<? super @Nullable E> order) {
      array.requireMutable();
      array.chunks.tx.run(() -> super.sort(order));
    }

    @Override
    public void replaceAll(UnaryOperator<@Nullable E> change) {
      array.requireMutable();
      array.chunks.tx.run(() -> super.replaceAll(change));
    }
  }
}
