package io.everheap.structure.deque;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.StructureId;
import io.everheap.collection.Undecodable;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptValueException;
import io.everheap.structure.common.Blocking;
import io.everheap.structure.common.Contents;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.TransactionalQueue;
import io.everheap.structure.common.ValueStore;
import io.everheap.structure.list.TreeLifecycle;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a {@link DurableDeque}: elements as words in {@link DequeChunks}. Each change is
 * one transaction, or part of the one that the thread runs; reads are optimistic. Thread-safe.
 */
public final class DequeHandle<E> extends TransactionalQueue<E> implements DurableDeque<E> {
  private final StructureContext heap;
  private final long reference;
  private final Transactions tx;
  private final DequeChunks chunks;
  private final ValueStore<E> values;
  private final DequeReader<E> reader;
  private final int capacity;

  DequeHandle(
      StructureContext heap, long reference, DequeChunks chunks, Codec<E> codec, int capacity) {
    super(heap, new Blocking(heap, reference));
    this.heap = heap;
    this.reference = reference;
    this.tx = heap.transactions();
    this.chunks = chunks;
    this.values = new ValueStore<>(heap, codec, heap.holder(reference));
    this.reader = new DequeReader<>(heap, chunks, values);
    this.capacity = capacity;
  }

  /** A handle to a deque that exists. */
  static <E> DequeHandle<E> attach(
      StructureContext heap, long reference, Codec<E> codec, int capacity) {
    return OptimisticReads.of(heap)
        .read(
            TreeLifecycle.guard(heap, reference),
            guard -> {
              DequeLifecycle.requireHeader(heap, reference);
              DequeChunks chunks = new DequeChunks(heap, reference, DequeLifecycle.OFFSET);
              DequeHandle<E> deque = new DequeHandle<>(heap, reference, chunks, codec, capacity);
              if (chunks.words() != deque.values.isWord()) {
                throw Damage.at(chunks.at(), "a deque whose header does not fit " + codec.name());
              }
              return deque;
            });
  }

  /** A handle to what was freed: every method throws. */
  static <E> DequeHandle<E> dead(
      StructureContext heap, long reference, Codec<E> codec, int capacity) {
    DequeChunks none = DequeChunks.dead(heap, reference);
    return new DequeHandle<>(heap, reference, none, codec, capacity);
  }

  @Override
  public StructureId id() {
    return new HeapStructureId(heap, reference);
  }

  @Override
  protected long count() {
    return reader.size();
  }

  @Override
  protected @Nullable E takeHead() {
    return take(true);
  }

  @Override
  public int remainingCapacity() {
    return capacity == Integer.MAX_VALUE ? capacity : Math.max(0, capacity - size());
  }

  @Override
  public @Nullable E peekFirst() {
    return peek(true);
  }

  @Override
  public @Nullable E peekLast() {
    return peek(false);
  }

  private @Nullable E peek(boolean front) {
    try {
      return reader.end(front);
    } catch (CorruptValueException e) {
      return Contents.firstDecoded(iterator(front));
    }
  }

  @Override
  public @Nullable E peek() {
    return peekFirst();
  }

  @Override
  public E getFirst() {
    return orNone(peekFirst());
  }

  @Override
  public E getLast() {
    return orNone(peekLast());
  }

  @Override
  public E element() {
    return getFirst();
  }

  private static <E> E orNone(@Nullable E element) {
    if (element == null) {
      throw new NoSuchElementException("the deque is empty");
    }
    return element;
  }

  @Override
  public boolean contains(@Nullable Object o) {
    return Contents.find(o, iterator());
  }

  @Override
  public Iterator<E> iterator() {
    return iterator(true);
  }

  @Override
  public Iterator<E> descendingIterator() {
    return iterator(false);
  }

  // ---- Adding ---------------------------------------------------------------------------------
  @Override
  public boolean offerFirst(E element) {
    return offer(element, true);
  }

  @Override
  public boolean offerLast(E element) {
    return offer(element, false);
  }

  @Override
  public boolean offer(E element) {
    return offer(element, false);
  }

  private boolean offer(E element, boolean front) {
    Objects.requireNonNull(element, "element");
    if (values.mustBegin()) {
      return tx.call(() -> offer(element, front));
    }
    WordCodec<E> codec = values.word();
    long word = codec == null ? 0 : codec.toWord(element);
    if (codec != null && tx.isWriter()) { // what cannot fail half-way needs no savepoint
      chunks.checkAlive();
      if (!hasRoom()) {
        return false;
      }
      if (chunks.hasPlace(front)) {
        insert(word, front);
        return true;
      }
    }
    Encoded encoded = codec == null ? values.encode(element) : null;
    boolean ok = false;
    tx.begin();
    try {
      chunks.checkAlive();
      boolean added = hasRoom();
      if (added) {
        insert(encoded == null ? word : values.store(encoded), front);
      }
      ok = true;
      return added;
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  private boolean hasRoom() {
    return capacity == Integer.MAX_VALUE || chunks.size() < capacity;
  }

  private void insert(long word, boolean front) {
    blocking().added();
    if (front) {
      chunks.addFirst(word);
    } else {
      chunks.addLast(word);
    }
  }

  @Override
  public void addFirst(E element) {
    requireAdded(offer(element, true));
  }

  @Override
  public void addLast(E element) {
    requireAdded(offer(element, false));
  }

  @Override
  public boolean add(E element) {
    requireAdded(offer(element, false));
    return true;
  }

  @Override
  public void push(E element) {
    addFirst(element);
  }

  private void requireAdded(boolean added) {
    if (!added) {
      throw new IllegalStateException("the deque is full: it has " + capacity + " elements");
    }
  }

  @Override
  public void putFirst(E element) throws InterruptedException {
    boolean _ = offer(element, true, Blocking.FOREVER);
  }

  @Override
  public void putLast(E element) throws InterruptedException {
    boolean _ = offer(element, false, Blocking.FOREVER);
  }

  @Override
  public void put(E element) throws InterruptedException {
    putLast(element);
  }

  @Override
  public boolean offerFirst(E element, long timeout, TimeUnit unit) throws InterruptedException {
    return offer(element, true, unit.toNanos(timeout));
  }

  @Override
  public boolean offerLast(E element, long timeout, TimeUnit unit) throws InterruptedException {
    return offer(element, false, unit.toNanos(timeout));
  }

  @Override
  public boolean offer(E element, long timeout, TimeUnit unit) throws InterruptedException {
    return offer(element, false, unit.toNanos(timeout));
  }

  private boolean offer(E element, boolean front, long nanos) throws InterruptedException {
    Objects.requireNonNull(element, "element");
    Encoded encoded = values.mustBegin() ? null : values.encode(element);
    Boolean added =
        blocking()
            .awaitRoom(
                () -> {
                  chunks.checkAlive();
                  if (!hasRoom()) {
                    return null;
                  }
                  insert(encoded == null ? values.store(element) : values.store(encoded), front);
                  return true;
                },
                nanos);
    return added != null;
  }

  // ---- Removing at the ends -------------------------------------------------------------------
  @Override
  public @Nullable E pollFirst() {
    return poll(true);
  }

  @Override
  public @Nullable E pollLast() {
    return poll(false);
  }

  @Override
  public @Nullable E poll() {
    return poll(true);
  }

  private @Nullable E poll(boolean front) {
    if (tx.isWriter() && chunks.removesAtOnce(front)) { // needs no savepoint: cannot fail
      try {
        E element = look(front);
        if (element == null || chunks.removesAtOnce(front)) {
          return element == null ? null : remove(element, front);
        }
      } catch (CorruptValueException e) {
        // the general way passes over it
      }
    }
    boolean ok = false;
    tx.begin();
    try {
      E element = take(front);
      ok = true;
      return element;
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  /** Removes an end, inside a transaction; null if there is none. */
  private @Nullable E take(boolean front) {
    try {
      E element = look(front);
      return element == null ? null : remove(element, front);
    } catch (CorruptValueException e) {
      return new Taker(front).get();
    }
  }

  @Override
  protected Supplier<@Nullable E> heads() {
    return new Taker(true);
  }

  /** Removes the elements that decode, one by one from an end on, inside a transaction. */
  private final class Taker implements Supplier<@Nullable E> {
    private final boolean front;
    private long next;
    private long hint;

    Taker(boolean front) {
      this.front = front;
      this.next = front ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    @Override
    public @Nullable E get() {
      while (true) {
        DequeBatch batch = reader.batch(next, front, hint, 0); // of one element
        if (batch.count() == 0) {
          return null;
        }
        long position = batch.position(0);
        hint = batch.chunk();
        next = front ? position + 1 : position - 1;
        try {
          E element = values.decode(batch.value(0));
          if (removeAt(position, batch.word(0), hint)) { // else the codec removed it
            return element;
          }
        } catch (CorruptValueException e) {
          // it stays where it is
        }
      }
    }
  }

  /**
   * The element at an end, for the writer; null if there is none. What makes it of its bytes is the
   * program's code and may change this deque: then it looks again.
   */
  private @Nullable E look(boolean front) {
    while (true) {
      chunks.checkAlive();
      if (chunks.size() <= 0) {
        return null;
      }
      long word = end(front);
      E element = values.get(word);
      chunks.checkAlive();
      if (chunks.size() > 0 && word == end(front)) {
        return element;
      }
    }
  }

  private long end(boolean front) {
    return front ? chunks.first() : chunks.last();
  }

  /** Removes the end that {@link #look} found. */
  private E remove(E element, boolean front) {
    blocking().removed();
    if (front) {
      chunks.removeFirst();
    } else {
      chunks.removeLast();
    }
    return element;
  }

  @Override
  public E removeFirst() {
    return orNone(poll(true));
  }

  @Override
  public E removeLast() {
    return orNone(poll(false));
  }

  @Override
  public E remove() {
    return removeFirst();
  }

  @Override
  public E pop() {
    return removeFirst();
  }

  @Override
  public E takeFirst() throws InterruptedException {
    return orNone(poll(true, Blocking.FOREVER));
  }

  @Override
  public E takeLast() throws InterruptedException {
    return orNone(poll(false, Blocking.FOREVER));
  }

  @Override
  public @Nullable E pollFirst(long timeout, TimeUnit unit) throws InterruptedException {
    return poll(true, unit.toNanos(timeout));
  }

  @Override
  public @Nullable E pollLast(long timeout, TimeUnit unit) throws InterruptedException {
    return poll(false, unit.toNanos(timeout));
  }

  private @Nullable E poll(boolean front, long nanos) throws InterruptedException {
    return blocking().awaitElement(() -> take(front), nanos);
  }

  // ---- Removing elsewhere ---------------------------------------------------------------------
  @Override
  public boolean remove(@Nullable Object o) {
    return removeFirstOccurrence(o);
  }

  @Override
  public boolean removeFirstOccurrence(@Nullable Object o) {
    return removeOccurrence(o, true);
  }

  @Override
  public boolean removeLastOccurrence(@Nullable Object o) {
    return removeOccurrence(o, false);
  }

  private boolean removeOccurrence(@Nullable Object o, boolean front) {
    return tx.call(
        () -> {
          Iterator<E> i = iterator(front);
          boolean found = Contents.find(o, i);
          if (found) {
            i.remove();
          }
          return found;
        });
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    Objects.requireNonNull(filter, "filter");
    return tx.call(
        () -> {
          boolean removed = false;
          for (Iterator<E> i = iterator(); i.hasNext(); ) {
            if (Contents.isAccepted(filter, i::next)) {
              i.remove();
              removed = true;
            }
          }
          return removed;
        });
  }

  @Override
  public void clear() {
    tx.run(
        () -> {
          chunks.checkAlive();
          DequeLifecycle.clear(heap, chunks);
          blocking().changed();
        });
  }

  // ---- For iterators --------------------------------------------------------------------------

  private Iterator<E> iterator(boolean ascending) {
    return elements(ascending);
  }

  private DequeIterator<E> elements(boolean ascending) {
    return new DequeIterator<>(reader, values, ascending, this::removeAt);
  }

  @Override
  public Iterator<Undecodable> undecodable() {
    return elements(true).undecodable();
  }

  /** Removes the element at a position if the word is still there; returns whether it was. */
  private boolean removeAt(long position, long word, long hint) {
    return tx.call(
        () -> {
          chunks.checkAlive();
          long chunk = reader.locate(position, hint);
          boolean there =
              chunk != 0 && chunks.memory().getLong(DequeLayout.place(chunk, position)) == word;
          if (there) {
            chunks.remove(chunk, position);
            blocking().removed();
          }
          return there;
        });
  }
}
