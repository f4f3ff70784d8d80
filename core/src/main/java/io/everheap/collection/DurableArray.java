package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.base.Damage;
import io.everheap.collection.base.Encoded;
import io.everheap.collection.base.ValueStore;
import io.everheap.collection.chunk.ChunkedBytes;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import java.util.AbstractList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An array of values of one codec that lives in a heap and outlives the process. Its length is
 * fixed when it is made; elements that were never set are null and take no space. Values are copied
 * in and out.
 *
 * <p><b>Transactions.</b> A method that changes elements is a transaction of its own, or a part of
 * the one that this thread runs. <b>Reads</b> take no lock; an element is of one commit, streams
 * and the list of {@link #asList} read element by element. For a consistent view over several reads
 * use {@code Heap.read}.
 *
 * <p>Safe for use by many threads. After the array was removed from its heap, every method throws
 * {@link io.everheap.error.StaleReferenceException}; after the heap was closed, {@link
 * io.everheap.error.HeapClosedException}.
 *
 * @param <E> the type of elements
 */
public final class DurableArray<E> implements Structure {
  private final ChunkedBytes chunks;
  private final ValueStore<E> values;
  private final boolean words;
  private final long length;

  private DurableArray(Engine engine, long reference, Codec<E> codec) {
    this.chunks = ChunkedBytes.attachOrDead(engine, reference, BlockType.OBJECT_ARRAY_HEADER);
    this.values =
        new ValueStore<>(engine, NestedCodec.bound(codec, engine), new Holder(engine, reference));
    this.words = values.isWord();
    this.length =
        chunks.isDead() ? PrimitiveArray.NO_LENGTH : ObjectSlots.elements(chunks.length(), words);
    if (!chunks.isDead() && words != ((chunks.flags() & ObjectSlots.WORDS) != 0)) {
      throw Damage.at(chunks.header, "an array whose values do not fit " + codec.name());
    }
  }

  static <E> DurableArray<E> attach(Engine engine, long reference, Codec<E> codec) {
    DurableArray<E> array = new DurableArray<>(engine, reference, codec);
    array.requireAlive();
    return array;
  }

  /** A handle to an array that was freed. */
  static <E> DurableArray<E> dead(Engine engine, long reference, Codec<E> codec) {
    return new DurableArray<>(engine, reference, codec);
  }

  private void requireAlive() {
    if (chunks.isDead()) {
      chunks.checkAlive();
    }
  }

  /**
   * The shape of an array. In a new one all elements are null; one that is found must have the
   * length, or attaching to it throws {@link IllegalArgumentException}.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class
   * @param length number of elements
   */
  public static <E> Shape<DurableArray<E>> of(Class<E> element, long length) {
    Objects.requireNonNull(element, "element");
    PrimitiveArray.requireLength(length);
    return codecs -> new ObjectArrayKind.Array<>(codecs.forClass(element), length);
  }

  /** The shape of an array with a codec of the caller's choice. */
  public static <E> Shape<DurableArray<E>> of(Codec<E> element, long length) {
    Objects.requireNonNull(element, "element");
    PrimitiveArray.requireLength(length);
    return codecs -> new ObjectArrayKind.Array<>(element, length);
  }

  /**
   * The shape of an array of structures.
   *
   * @param element shape of the elements
   * @param length number of elements
   */
  public static <E> Shape<DurableArray<E>> of(Shape<E> element, long length) {
    Objects.requireNonNull(element, "element");
    PrimitiveArray.requireLength(length);
    return codecs -> new ObjectArrayKind.Array<>(NestedCodec.of(element, codecs), length);
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  public static <E> Shape<DurableArray<E>> ofAnyLength(Class<E> element) {
    Objects.requireNonNull(element, "element");
    long any = ArrayDefinition.ANY_LENGTH;
    return codecs -> new ObjectArrayKind.Array<>(codecs.forClass(element), any);
  }

  /** Returns the number of elements. */
  public long length() {
    requireAlive();
    return length;
  }

  /**
   * Returns an element, or null.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  public @Nullable E get(long index) {
    Objects.checkIndex(index, length);
    long word = ObjectSlots.word(index, words);
    long first = words ? ObjectSlots.presence(index) : word;
    Encoded value =
        chunks.reads.read(
            chunks.guard(first, word + 8 - first),
            guard ->
                isThere(index, word) ? values.load(chunks.load(word, 8), guard) : Encoded.NOTHING);
    return value == Encoded.NOTHING ? null : values.decode(value);
  }

  private boolean isThere(long index, long word) {
    return words
        ? (chunks.load(ObjectSlots.presence(index), 8) & ObjectSlots.bit(index)) != 0
        : chunks.load(word, 8) != 0;
  }

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  public void set(long index, @Nullable E value) {
    Objects.checkIndex(index, length);
    if (values.mustBegin()) {
      Atomic.run(chunks.tx, () -> set(index, value));
      return;
    }
    Encoded encoded = encode(value);
    Atomic.run(chunks.tx, () -> store(index, encoded));
  }

  /** Sets an element and returns the one before. */
  public @Nullable E getAndSet(long index, @Nullable E value) {
    Objects.checkIndex(index, length);
    if (values.mustBegin()) {
      return Atomic.<@Nullable E>call(chunks.tx, () -> getAndSet(index, value));
    }
    Encoded encoded = encode(value);
    return Atomic.<@Nullable E>call(
        chunks.tx,
        () -> {
          E old = get(index);
          store(index, encoded);
          return old;
        });
  }

  /** Sets an element if it is equal to the expected one; tells whether it was. */
  public boolean compareAndSet(long index, @Nullable E expected, @Nullable E value) {
    Objects.checkIndex(index, length);
    if (values.mustBegin()) {
      return Atomic.call(chunks.tx, () -> compareAndSet(index, expected, value));
    }
    Encoded encoded = encode(value);
    return Atomic.call(
        chunks.tx,
        () -> {
          boolean same = Contents.same(get(index), expected);
          if (same) {
            store(index, encoded);
          }
          return same;
        });
  }

  /**
   * Replaces an element by what a function makes of it and returns that.
   *
   * @param change runs inside the transaction, once
   */
  public @Nullable E updateAndGet(long index, UnaryOperator<@Nullable E> change) {
    Objects.checkIndex(index, length);
    return Atomic.<@Nullable E>call(
        chunks.tx,
        () -> {
          E made = change.apply(get(index));
          store(index, encode(made));
          return made;
        });
  }

  /** Sets all elements, as one transaction. */
  public void fill(@Nullable E value) {
    fill(0, length, value);
  }

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  public void fill(long from, long to, @Nullable E value) {
    Objects.checkFromToIndex(from, to, length);
    if (values.mustBegin()) {
      Atomic.run(chunks.tx, () -> fill(from, to, value));
      return;
    }
    Encoded encoded = encode(value);
    Atomic.run(
        chunks.tx,
        () -> {
          for (long i = from; i < to; i++) {
            store(i, encoded);
          }
        });
  }

  /** The elements in order, null ones too; read one by one when the stream comes to them. */
  public Stream<@Nullable E> stream() {
    return LongStream.range(0, length).mapToObj(this::get);
  }

  /**
   * The array as a list of fixed size; its methods that change many elements are one transaction
   * each.
   *
   * @throws IllegalStateException if there are more than {@link Integer#MAX_VALUE} elements
   */
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
  public StructureId id() {
    return new StructureId(chunks.engine, chunks.reference);
  }

  /** Whether the other one is a handle to the same array. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DurableArray<?> that && chunks.isSame(that.chunks);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(chunks.reference);
  }

  @Override
  public String toString() {
    return "DurableArray[" + length + " elements]";
  }

  /** The array as a list. */
  private static final class View<E> extends AbstractList<@Nullable E> implements RandomAccess {
    private final DurableArray<E> array;

    View(DurableArray<E> array) {
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
      Atomic.run(array.chunks.tx, () -> super.sort(order));
    }

    @Override
    public void replaceAll(UnaryOperator<@Nullable E> change) {
      Atomic.run(array.chunks.tx, () -> super.replaceAll(change));
    }
  }
}
