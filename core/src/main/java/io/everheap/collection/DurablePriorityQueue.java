package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.base.Blocking;
import io.everheap.collection.base.Damage;
import io.everheap.collection.base.Encoded;
import io.everheap.collection.base.OptimisticReads;
import io.everheap.collection.base.ValueStore;
import io.everheap.collection.lifecycle.TreeLifecycle;
import io.everheap.collection.tree.ListBulk;
import io.everheap.collection.tree.TreeInserts;
import io.everheap.collection.tree.TreeReader;
import io.everheap.collection.tree.TreeRemovals;
import io.everheap.collection.tree.WordTree;
import io.everheap.engine.Engine;
import io.everheap.engine.tx.Transactions;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A priority queue that lives in a heap and outlives the process: a {@link BlockingQueue} without a
 * bound whose head is the least of its elements, and among equal ones the one that was added first.
 * Elements are copied in and out by their codec; none is null. To be found, they are compared with
 * {@code equals}, arrays by their contents.
 *
 * <p><b>Order.</b> That of the elements, which are {@link Comparable} then, or a {@link KeyOrder},
 * whose name the heap keeps: a queue opens only with the order that it was made with.
 *
 * <p><b>Transactions.</b> A method that changes the queue is a transaction of its own, or part of
 * the one that this thread runs: it happens wholly or not at all, also {@link #addAll}, {@link
 * #drainTo}, {@link #removeIf} and {@link #clear}. An element that is taken inside a transaction is
 * back at its place if that is rolled back. The comparator runs inside the transaction; it must not
 * change the queue.
 *
 * <p><b>Waiting.</b> {@link #take} and {@link #poll(long, TimeUnit)} wait as those of {@link
 * DurableDeque} do.
 *
 * <p><b>Reads</b> take no lock, wait for nobody but a writer that keeps changing the queue, and see
 * the newest commit, which its own caller may still be waiting for to become durable. Iterators and
 * streams go from the head on in order, and are weakly consistent: if elements are added or removed
 * meanwhile, they may miss some or see some again; their {@code remove} does nothing if the element
 * is gone.
 *
 * <p><b>Cost.</b> Elements are kept sorted, in leaves of up to 127 words in a tree that counts
 * them. Adding compares with as many elements as the logarithm of the size says, and moves about a
 * hundred words at most in each level of the tree; removing the head changes one word. Removing all
 * of a large queue at once is a short transaction; its space is given back in the background. A
 * queue has at most {@link Integer#MAX_VALUE} elements; an encoded element just below 2 GiB.
 *
 * <p>Safe for use by many threads. After the queue was removed from its heap, every method throws
 * {@link io.everheap.error.StaleReferenceException}; after the heap was closed, {@link
 * io.everheap.error.HeapClosedException}.
 *
 * @param <E> the type of elements
 */
public final class DurablePriorityQueue<E> extends AbstractQueue<E>
    implements BlockingQueue<E>, Structure {
  private final Engine engine;
  private final long reference;
  private final Transactions tx;
  private final WordTree tree;
  private final ValueStore<E> values;
  private final TreeReader<E> reader;
  private final TreeInserts inserts;
  private final TreeRemovals removals;
  private final ListBulk<E> bulk;
  private final Blocking blocking;
  private final @Nullable Comparator<? super E> order;

  private DurablePriorityQueue(
      Engine engine,
      long reference,
      WordTree tree,
      Codec<E> codec,
      @Nullable Comparator<? super E> order) {
    this.engine = engine;
    this.reference = reference;
    this.tx = engine.transactions();
    this.tree = tree;
    this.values = new ValueStore<>(engine, codec, new Holder(engine, reference));
    this.reader = new TreeReader<>(engine, tree, values);
    this.inserts = new TreeInserts(tree);
    this.removals = new TreeRemovals(tree);
    this.bulk = new ListBulk<>(tree, values, inserts, removals);
    this.blocking = new Blocking(engine, reference);
    this.order = order;
  }

  /**
   * The shape of a queue of elements in their natural order.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class; it is {@link Comparable}
   */
  public static <E> Shape<DurablePriorityQueue<E>> of(Class<E> element) {
    if (!Comparable.class.isAssignableFrom(element)) {
      throw new IllegalArgumentException(element.getName() + " is not Comparable: give a KeyOrder");
    }
    return codecs -> new PriorityQueueDefinition<>(codecs.forClass(element), null);
  }

  /** The shape of a queue of elements in an order of the caller's choice. */
  public static <E> Shape<DurablePriorityQueue<E>> of(Class<E> element, KeyOrder<? super E> order) {
    Objects.requireNonNull(element, "element");
    Objects.requireNonNull(order, "order");
    return codecs -> new PriorityQueueDefinition<>(codecs.forClass(element), order);
  }

  /** The shape of a queue with a codec of the caller's choice, of elements in natural order. */
  public static <E extends Comparable<? super E>> Shape<DurablePriorityQueue<E>> of(
      Codec<E> element) {
    var definition =
        new PriorityQueueDefinition<>(Objects.requireNonNull(element, "element"), null);
    return codecs -> definition;
  }

  /** The shape of a queue with a codec and an order of the caller's choice. */
  public static <E> Shape<DurablePriorityQueue<E>> of(Codec<E> element, KeyOrder<? super E> order) {
    Objects.requireNonNull(order, "order");
    var definition =
        new PriorityQueueDefinition<>(Objects.requireNonNull(element, "element"), order);
    return codecs -> definition;
  }

  /** A handle to a queue that exists. */
  static <E> DurablePriorityQueue<E> attach(
      Engine engine, long reference, Codec<E> codec, @Nullable Comparator<? super E> order) {
    return OptimisticReads.of(engine)
        .read(
            TreeLifecycle.guard(engine, reference),
            guard -> {
              PriorityQueueKind.INSTANCE.types(engine, reference);
              WordTree tree = new WordTree(engine, reference, TreeLifecycle.offset(2));
              DurablePriorityQueue<E> queue =
                  new DurablePriorityQueue<>(engine, reference, tree, codec, order);
              if (tree.words() != queue.values.isWord()) {
                throw Damage.at(tree.header(), "a queue whose header does not fit " + codec.name());
              }
              return queue;
            });
  }

  /** A handle to what was freed: every method throws. */
  static <E> DurablePriorityQueue<E> dead(
      Engine engine, long reference, Codec<E> codec, @Nullable Comparator<? super E> order) {
    WordTree none = WordTree.dead(engine, reference);
    return new DurablePriorityQueue<>(engine, reference, none, codec, order);
  }

  @Override
  public StructureId id() {
    return new StructureId(engine, reference);
  }

  /** The comparator that this queue was opened with, or null for the natural order. */
  public @Nullable Comparator<? super E> comparator() {
    return order;
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

  @Override
  public int remainingCapacity() {
    return Integer.MAX_VALUE;
  }

  @Override
  public @Nullable E peek() {
    return reader.last();
  }

  /** Whether an element equals this object; it finds one that is there all the time. */
  @Override
  public boolean contains(@Nullable Object o) {
    long version = reader.version();
    boolean found = o != null && isAmongAll(o);
    if (found || o == null || reader.isStill(version)) {
      return found;
    }
    return tx.exclusively(() -> isAmongAll(o)); // the iterator may have missed it
  }

  private boolean isAmongAll(Object o) {
    for (Iterator<E> i = iterator(); i.hasNext(); ) {
      if (Contents.same(o, i.next())) {
        return true;
      }
    }
    return false;
  }

  /** In the order in which {@link #poll} would return the elements. */
  @Override
  public Iterator<E> iterator() {
    return new PriorityIterator<>(this, reader);
  }

  @Override
  public Spliterator<E> spliterator() {
    return new IteratorSpliterator<>(
        tx, iterator(), Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.CONCURRENT);
  }

  @Override
  public Object[] toArray() {
    return Collected.toArray(iterator());
  }

  @Override
  public <T> T[] toArray(T[] array) {
    return Collected.toArray(iterator(), array);
  }

  // ---- Adding ---------------------------------------------------------------------------------

  /** Adds an element; always succeeds. */
  @Override
  public boolean offer(E element) {
    if (values.mustBegin()) {
      return Atomic.call(tx, () -> offer(element));
    }
    Encoded encoded = values.encode(Objects.requireNonNull(element, "element"));
    Atomic.run(tx, () -> insert(element, encoded));
    return true;
  }

  private void insert(E element, Encoded encoded) {
    tree.checkAlive();
    bulk.requireRoomFor(1);
    long size = tree.plausibleSize();
    long index = place(element, size);
    if (tree.size() != size) {
      throw new ConcurrentModificationException("the comparator changed the queue");
    }
    inserts.insert(index, values.store(encoded));
    blocking.added();
  }

  /** The least index of an element that is not greater: behind it is all that comes before. */
  private long place(E element, long size) {
    if (size == 0) {
      ListBulk.compare(order, element, element); // as PriorityQueue: refuses what has no order
      return 0;
    }
    long low = 0;
    long high = size;
    if (compareAt(size - 1, element) > 0) {
      return size;
    }
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (compareAt(middle, element) > 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int compareAt(long index, E element) {
    return ListBulk.compare(order, values.get(tree.get(index)), element);
  }

  @Override
  public boolean add(E element) {
    return offer(element);
  }

  @Override
  public void put(E element) {
    offer(element);
  }

  /** Adds an element; never waits. */
  @Override
  public boolean offer(E element, long timeout, TimeUnit unit) {
    return offer(element);
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    requireOther(Objects.requireNonNull(elements, "elements"));
    return Atomic.call(
        tx,
        () -> {
          boolean changed = false;
          for (E element : elements) {
            changed |= offer(element);
          }
          return changed;
        });
  }

  @SuppressWarnings("ReferenceEquality") // the same handle, not an equal one
  private void requireOther(Collection<?> other) {
    if (other == this) {
      throw new IllegalArgumentException("the queue itself");
    }
  }

  // ---- Removing -------------------------------------------------------------------------------

  @Override
  public @Nullable E poll() {
    return Atomic.call(tx, this::pollInside);
  }

  /** Removes the head, inside a transaction; null if there is none. */
  private @Nullable E pollInside() {
    tree.checkAlive();
    long size = tree.size();
    if (size <= 0) {
      return null;
    }
    E element = values.get(tree.get(size - 1));
    removals.remove(size - 1, 1);
    return element;
  }

  @Override
  public E take() throws InterruptedException {
    E element = poll(Blocking.FOREVER, TimeUnit.NANOSECONDS);
    if (element == null) {
      throw new IllegalStateException("waited for ever");
    }
    return element;
  }

  @Override
  public @Nullable E poll(long timeout, TimeUnit unit) throws InterruptedException {
    return blocking.awaitElement(this::pollInside, unit.toNanos(timeout));
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
   * none leaves this queue.
   */
  @Override
  public int drainTo(Collection<? super E> target, int most) {
    requireOther(Objects.requireNonNull(target, "target"));
    return Atomic.call(
        tx,
        () -> {
          int moved = 0;
          for (; moved < most; moved++) {
            E element = pollInside();
            if (element == null) {
              break;
            }
            target.add(element);
          }
          return moved;
        });
  }

  @Override
  public boolean remove(@Nullable Object o) {
    return Atomic.call(
        tx,
        () -> {
          for (Iterator<E> i = iterator(); o != null && i.hasNext(); ) {
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
          tree.checkAlive();
          return bulk.removeIf(0, tree.plausibleSize(), filter) > 0;
        });
  }

  @Override
  public void clear() {
    Atomic.run(
        tx,
        () -> {
          tree.checkAlive();
          TreeLifecycle.clear(engine, tree);
        });
  }

  /** Removes the element with a word, for an iterator, if it is still there. */
  void removeWord(long word, long index) {
    Atomic.run(
        tx,
        () -> {
          long now = reader.find(word, index, Long.MAX_VALUE);
          if (now >= 0) {
            removals.remove(now, 1);
          }
        });
  }

  @Override
  public String toString() {
    return Contents.elements(this);
  }
}
