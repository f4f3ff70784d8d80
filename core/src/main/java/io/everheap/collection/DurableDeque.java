package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.base.Blocking;
import io.everheap.collection.base.Damage;
import io.everheap.collection.base.Encoded;
import io.everheap.collection.base.OptimisticReads;
import io.everheap.collection.base.ValueStore;
import io.everheap.collection.deque.DequeChunks;
import io.everheap.collection.deque.DequeLayout;
import io.everheap.collection.deque.DequeReader;
import io.everheap.collection.lifecycle.DequeLifecycle;
import io.everheap.collection.lifecycle.TreeLifecycle;
import io.everheap.engine.Engine;
import io.everheap.engine.tx.Transactions;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A double-ended queue that lives in a heap and outlives the process, for work that must not be
 * lost: a {@link BlockingDeque} whose changes are atomic and durable. Elements are copied in and
 * out by their codec; none is null. They are compared with {@code equals}, arrays by their
 * contents.
 *
 * <p><b>Transactions.</b> A method that changes the deque is a transaction of its own, or part of
 * the one that this thread runs: it happens wholly or not at all, also {@link #addAll}, {@link
 * #drainTo}, {@link #removeIf} and {@link #clear}. So an element that is taken inside a transaction
 * is gone if and only if everything else that the transaction did happened; if it is rolled back,
 * or the process dies, the element is back at its place:
 *
 * <pre>{@code
 * heap.transact(() -> {
 *   Order order = incoming.poll();
 *   if (order != null) {
 *     stock.merge(order.item(), -order.number(), Integer::sum);
 *     outgoing.add(order);
 *   }
 * });
 * }</pre>
 *
 * <p><b>Waiting.</b> {@link #take}, {@link #put} and the methods with a timeout wait without
 * holding anything of the heap's, until a commit adds or removes elements. The element that one of
 * them returns is taken for good: to take one in a larger transaction, {@link #poll} in it. Inside
 * a transaction they throw {@link IllegalStateException} where they would have to wait, since no
 * other thread could change anything meanwhile. Who waits longest need not be served first. When
 * the heap is closed, those who wait get {@link io.everheap.error.HeapClosedException}; when the
 * deque is removed, {@link io.everheap.error.StaleReferenceException}.
 *
 * <p><b>Capacity.</b> A shape can bound the deque: what is added through this handle leaves at most
 * so many elements. The bound is a property of the program and is not kept in the heap.
 *
 * <p><b>Reads</b> take no lock, wait for nobody but a writer that keeps changing the deque, and see
 * the newest commit, which its own caller may still be waiting for to become durable. Iterators and
 * streams are weakly consistent: they see each element that stays exactly once, in order, and may
 * or may not see what changes meanwhile; their {@code remove} does nothing if the element is gone.
 *
 * <p><b>Cost.</b> Elements stand in chunks of 64 words. Adding at an end changes two words,
 * removing there one; the size is known. Removing in between searches, and then changes two words.
 * An element whose codec makes words stands in the chunk, others in a block of their own. Removing
 * all of a large deque at once is a short transaction; its space is given back in the background.
 * An encoded element has just below 2 GiB at most.
 *
 * <p>Safe for use by many threads. After the deque was removed from its heap, every method throws
 * {@link io.everheap.error.StaleReferenceException}; after the heap was closed, {@link
 * io.everheap.error.HeapClosedException}.
 *
 * @param <E> the type of elements
 */
public final class DurableDeque<E> extends AbstractQueue<E> implements BlockingDeque<E>, Structure {
  private final Engine engine;
  private final long reference;
  private final Transactions tx;
  private final DequeChunks chunks;
  private final ValueStore<E> values;
  private final DequeReader<E> reader;
  private final Blocking blocking;
  private final int capacity;

  private DurableDeque(
      Engine engine, long reference, DequeChunks chunks, Codec<E> codec, int capacity) {
    this.engine = engine;
    this.reference = reference;
    this.tx = engine.transactions();
    this.chunks = chunks;
    this.values = new ValueStore<>(engine, codec, new Holder(engine, reference));
    this.reader = new DequeReader<>(engine, chunks, values);
    this.blocking = new Blocking(engine, reference);
    this.capacity = capacity;
  }

  /**
   * The shape of a deque without a bound.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class
   */
  public static <E> Shape<DurableDeque<E>> of(Class<E> element) {
    return of(element, Integer.MAX_VALUE);
  }

  /**
   * The shape of a bounded deque.
   *
   * @param capacity the most elements that what is added through it may leave; above 0
   */
  public static <E> Shape<DurableDeque<E>> of(Class<E> element, int capacity) {
    Objects.requireNonNull(element, "element");
    requireCapacity(capacity);
    return codecs -> new DequeDefinition<>(codecs.forClass(element), capacity);
  }

  /** The shape of a deque with a codec of the caller's choice. */
  public static <E> Shape<DurableDeque<E>> of(Codec<E> element) {
    return of(element, Integer.MAX_VALUE);
  }

  /** The shape of a bounded deque with a codec of the caller's choice. */
  public static <E> Shape<DurableDeque<E>> of(Codec<E> element, int capacity) {
    requireCapacity(capacity);
    DequeDefinition<E> definition =
        new DequeDefinition<>(Objects.requireNonNull(element, "element"), capacity);
    return codecs -> definition;
  }

  private static void requireCapacity(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("a capacity of " + capacity);
    }
  }

  /**
   * The shape of a deque whose elements are structures themselves, made by {@code Heap.create}. The
   * deque keeps references: removing an element does not free it; {@code Heap.free} does.
   *
   * @param element shape of the elements
   */
  public static <E> Shape<DurableDeque<E>> of(Shape<E> element) {
    Objects.requireNonNull(element, "element");
    return codecs -> new DequeDefinition<>(NestedCodec.of(element, codecs), Integer.MAX_VALUE);
  }

  /** A handle to a deque that exists. */
  static <E> DurableDeque<E> attach(Engine engine, long reference, Codec<E> codec, int capacity) {
    return OptimisticReads.of(engine)
        .read(
            TreeLifecycle.guard(engine, reference),
            guard -> {
              DequeLifecycle.requireHeader(engine, reference);
              DequeChunks chunks = new DequeChunks(engine, reference, DequeLifecycle.OFFSET);
              DurableDeque<E> deque =
                  new DurableDeque<>(engine, reference, chunks, codec, capacity);
              if (chunks.words() != deque.values.isWord()) {
                throw Damage.at(chunks.at(), "a deque whose header does not fit " + codec.name());
              }
              return deque;
            });
  }

  /** A handle to what was freed: every method throws. */
  static <E> DurableDeque<E> dead(Engine engine, long reference, Codec<E> codec, int capacity) {
    DequeChunks none = DequeChunks.dead(engine, reference);
    return new DurableDeque<>(engine, reference, none, codec, capacity);
  }

  @Override
  public StructureId id() {
    return new StructureId(engine, reference);
  }

  // ---- Reading ------------------------------------------------------------------------------

  /** The number of elements, in constant time. */
  @Override
  public int size() {
    return (int) Math.min(reader.size(), Integer.MAX_VALUE);
  }

  @Override
  public boolean isEmpty() {
    return reader.size() == 0;
  }

  /** How many elements can be added through this handle now. */
  @Override
  public int remainingCapacity() {
    return capacity == Integer.MAX_VALUE ? capacity : Math.max(0, capacity - size());
  }

  @Override
  public @Nullable E peekFirst() {
    return reader.end(true);
  }

  @Override
  public @Nullable E peekLast() {
    return reader.end(false);
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
    for (Iterator<E> i = iterator(); o != null && i.hasNext(); ) {
      if (Contents.same(o, i.next())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Iterator<E> iterator() {
    return iterator(true);
  }

  @Override
  public Object[] toArray() {
    return Collected.toArray(iterator());
  }

  @Override
  public <T> T[] toArray(T[] array) {
    return Collected.toArray(iterator(), array);
  }

  @Override
  public Iterator<E> descendingIterator() {
    return iterator(false);
  }

  @Override
  public Spliterator<E> spliterator() {
    return new IteratorSpliterator<>(
        tx, iterator(), Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.CONCURRENT);
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
      return Atomic.call(tx, () -> offer(element, front));
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
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  private boolean hasRoom() {
    return capacity == Integer.MAX_VALUE || chunks.size() < capacity;
  }

  private void insert(long word, boolean front) {
    blocking.added();
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

  /** Adds all elements, or none if there is no room for all. */
  @Override
  public boolean addAll(Collection<? extends E> elements) {
    requireOther(Objects.requireNonNull(elements, "elements"));
    return Atomic.call(
        tx,
        () -> {
          boolean changed = false;
          for (E element : elements) {
            changed |= add(element);
          }
          return changed;
        });
  }

  @SuppressWarnings("ReferenceEquality") // the same handle, not an equal one
  private void requireOther(Collection<?> other) {
    if (other == this) {
      throw new IllegalArgumentException("the deque itself");
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
        blocking.awaitRoom(
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
    if (tx.isWriter()) {
      E element = look(front);
      if (element == null || chunks.removesAtOnce(front)) { // needs no savepoint: cannot fail
        return element == null ? null : remove(element, front);
      }
    }
    boolean ok = false;
    tx.begin();
    try {
      E element = take(front);
      ok = true;
      return element;
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  /** Removes an end, inside a transaction; null if there is none. */
  private @Nullable E take(boolean front) {
    E element = look(front);
    return element == null ? null : remove(element, front);
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
    blocking.removed();
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
  public E take() throws InterruptedException {
    return takeFirst();
  }

  @Override
  public @Nullable E pollFirst(long timeout, TimeUnit unit) throws InterruptedException {
    return poll(true, unit.toNanos(timeout));
  }

  @Override
  public @Nullable E pollLast(long timeout, TimeUnit unit) throws InterruptedException {
    return poll(false, unit.toNanos(timeout));
  }

  @Override
  public @Nullable E poll(long timeout, TimeUnit unit) throws InterruptedException {
    return poll(true, unit.toNanos(timeout));
  }

  private @Nullable E poll(boolean front, long nanos) throws InterruptedException {
    return blocking.awaitElement(() -> take(front), nanos);
  }

  /**
   * Waits until there is an element, and leaves it where it is: to be taken in a transaction, which
   * itself could not wait.
   *
   * <pre>{@code
   * while (jobs.awaitElement(1, TimeUnit.MINUTES)) {
   *   heap.transact(() -> {
   *     Job job = jobs.poll(); // null if another thread was faster
   *     if (job != null) {
   *       done.add(job);
   *     }
   *   });
   * }
   * }</pre>
   *
   * @return false if the time was up; true says nothing of elements that other threads take
   *     meanwhile
   * @throws IllegalStateException if this thread runs a transaction and would have to wait
   */
  public boolean awaitElement(long timeout, TimeUnit unit) throws InterruptedException {
    Boolean found = blocking.awaitElement(this::isThereOne, unit.toNanos(timeout));
    return found != null;
  }

  /** Waits until there is an element, for as long as it takes, and leaves it where it is. */
  public void awaitElement() throws InterruptedException {
    boolean _ = awaitElement(Blocking.FOREVER, TimeUnit.NANOSECONDS);
  }

  /** Inside a transaction; null if there is none. */
  private @Nullable Boolean isThereOne() {
    return isEmpty() ? null : Boolean.TRUE;
  }

  @Override
  public int drainTo(Collection<? super E> target) {
    return drainTo(target, Integer.MAX_VALUE);
  }

  /**
   * Moves elements to another collection, in one transaction: if it is a structure of the same
   * heap, each is in exactly one of them whatever happens. If the other collection refuses one,
   * none leaves this deque.
   */
  @Override
  public int drainTo(Collection<? super E> target, int most) {
    requireOther(Objects.requireNonNull(target, "target"));
    return Atomic.call(
        tx,
        () -> {
          int moved = 0;
          for (; moved < most; moved++) {
            E element = take(true);
            if (element == null) {
              break;
            }
            target.add(element);
          }
          return moved;
        });
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
    return Atomic.call(
        tx,
        () -> {
          Iterator<E> i = iterator(front);
          while (o != null && i.hasNext()) {
            if (Contents.same(o, i.next())) {
              i.remove();
              return true;
            }
          }
          return false;
        });
  }

  @Override
  public boolean removeAll(Collection<?> others) {
    Objects.requireNonNull(others, "others");
    return removeIf(others::contains);
  }

  @Override
  public boolean retainAll(Collection<?> others) {
    Objects.requireNonNull(others, "others");
    return removeIf(element -> !others.contains(element));
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    Objects.requireNonNull(filter, "filter");
    return Atomic.call(
        tx,
        () -> {
          boolean removed = false;
          for (Iterator<E> i = iterator(); i.hasNext(); ) {
            if (filter.test(i.next())) {
              i.remove();
              removed = true;
            }
          }
          return removed;
        });
  }

  @Override
  public void clear() {
    Atomic.run(
        tx,
        () -> {
          chunks.checkAlive();
          DequeLifecycle.clear(engine, chunks);
          blocking.changed();
        });
  }

  // ---- For iterators --------------------------------------------------------------------------

  private Iterator<E> iterator(boolean ascending) {
    return new DequeIterator<>(reader, values, ascending, this::removeAt);
  }

  /** Removes the element at a position if the word is still there. */
  private void removeAt(long position, long word, long hint) {
    Atomic.run(
        tx,
        () -> {
          chunks.checkAlive();
          long chunk = reader.locate(position, hint);
          if (chunk != 0 && chunks.memory().getLong(DequeLayout.place(chunk, position)) == word) {
            chunks.remove(chunk, position);
            blocking.removed();
          }
        });
  }

  @Override
  public String toString() {
    return Contents.elements(this);
  }
}
