package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.base.Blocking;
import io.everheap.collection.base.Damage;
import io.everheap.collection.base.Encoded;
import io.everheap.collection.base.OptimisticReads;
import io.everheap.collection.base.ValueStore;
import io.everheap.collection.deque.DequeChunks;
import io.everheap.collection.deque.DequeLayout;
import io.everheap.collection.deque.DequeReader;
import io.everheap.collection.lifecycle.TreeLifecycle;
import io.everheap.collection.lifecycle.WorkQueueLifecycle;
import io.everheap.collection.tree.LeaseTable;
import io.everheap.collection.tree.WordTree;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.LeaseLostException;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A queue of work that lives in a heap and outlives the process. A worker does not take an element
 * out: it <em>leases</em> it for some time, in which no other worker gets it, and acknowledges it
 * when the work is done. Until then the element is in the queue, so no crash loses it. Elements are
 * copied in and out by their codec; none is null.
 *
 * <p><b>Leases</b> end when they are acknowledged or released, when their time is up, and when the
 * process ends: a heap belongs to one process, so none of its workers is left, and the next process
 * gets all elements that the dead one had leased at once, whatever time they had left. So the time
 * is that of the process alone, and setting the system's clock moves no lease.
 *
 * <p>A worker that is slower than its lease may find that another one got the element too: work is
 * done at least once. Its acknowledgement fails then, and fails the transaction that it is part of.
 * So what a worker stores in the transaction that acknowledges is stored exactly once for each
 * element.
 *
 * <p><b>Order.</b> First in, first out. Elements that came back, for whatever reason, go before
 * those that were never leased, the one that came back first at the head. One that keeps coming
 * back would keep the others waiting: {@link Lease#release(Duration)} puts it off, {@link
 * Lease#attempt} tells how often it was tried. Iterators see all elements in the order in which
 * they were added.
 *
 * <p><b>Transactions.</b> A method that changes the queue is a transaction of its own, or part of
 * the one that this thread runs. If that is rolled back, what was leased in it is not leased, what
 * was acknowledged in it is still there and leased as before.
 *
 * <p><b>Space.</b> A lease takes some bytes of the heap. In one that is full, {@link
 * io.everheap.error.HeapFullException} refuses further leases until one that there is was
 * acknowledged: leave room below {@code maxSize}, or remove elements by {@link #clear}.
 *
 * <p><b>Waiting.</b> {@link #lease(Duration)} and {@link #tryLease(Duration, Duration)} wait
 * without holding anything of the heap's, until an element is added, released, or its lease ends.
 * Inside a transaction they throw {@link IllegalStateException} where they would have to wait. When
 * the heap is closed, threads that wait get {@link io.everheap.error.HeapClosedException}; when the
 * queue is removed, {@link io.everheap.error.StaleReferenceException}.
 *
 * <p><b>Reads</b> take no lock, wait only for a writer that keeps changing the queue, and see the
 * newest commit, which its own caller may still be waiting for to become durable. Iterators and
 * streams are weakly consistent.
 *
 * <p><b>Cost.</b> Adding changes two words. To lease and to acknowledge are a commit each; they
 * take time logarithmic in the number of elements that are leased, and move about a hundred words
 * at most. Workers that commit at the same time share the wait for the disk, and several elements
 * can be leased in one transaction.
 *
 * <p>Safe for use by many threads. After the queue was removed from its heap, every method throws
 * {@link io.everheap.error.StaleReferenceException}; after the heap was closed, {@link
 * io.everheap.error.HeapClosedException}.
 *
 * @param <E> the type of elements
 */
public final class DurableWorkQueue<E> implements Iterable<E>, Structure {
  private static final long START = System.nanoTime();

  /** Of leases of this process: a lease that was rolled back must not pass for a later one. */
  private static final AtomicLong TICKETS = new AtomicLong();

  private final Engine engine;
  private final long reference;
  private final Transactions tx;
  private final DequeChunks chunks;
  private final WordTree tree;
  private final LeaseTable leases;
  private final ValueStore<E> values;
  private final DequeReader<E> reader;
  private final Blocking blocking;
  private final LongSupplier clock;
  private final long epoch;
  private long hint; // a chunk that may have the next element; changed inside transactions

  private DurableWorkQueue(
      Engine engine,
      long reference,
      DequeChunks chunks,
      WordTree tree,
      Codec<E> codec,
      LongSupplier clock) {
    this.engine = engine;
    this.reference = reference;
    this.tx = engine.transactions();
    this.chunks = chunks;
    this.tree = tree;
    this.leases = new LeaseTable(engine, tree);
    this.values = new ValueStore<>(engine, codec, new Holder(engine, reference));
    this.reader = new DequeReader<>(engine, chunks, values);
    this.blocking = new Blocking(engine, reference);
    this.clock = clock;
    this.epoch = engine.recovery().epoch();
  }

  /**
   * The shape of a queue.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class
   */
  public static <E> Shape<DurableWorkQueue<E>> of(Class<E> element) {
    return of(element, DurableWorkQueue::now);
  }

  /** The clock of leases: nanoseconds since this class was loaded. */
  private static long now() {
    return System.nanoTime() - START;
  }

  /** The shape of a queue whose leases have a clock of the caller's. */
  static <E> Shape<DurableWorkQueue<E>> of(Class<E> element, LongSupplier clock) {
    Objects.requireNonNull(element, "element");
    return codecs -> new WorkQueueDefinition<>(codecs.forClass(element), clock);
  }

  /** The shape of a queue with a codec of the caller's choice. */
  public static <E> Shape<DurableWorkQueue<E>> of(Codec<E> element) {
    Objects.requireNonNull(element, "element");
    return codecs -> new WorkQueueDefinition<>(element, DurableWorkQueue::now);
  }

  /**
   * The shape of a queue whose elements are structures themselves, made by {@code Heap.create}. The
   * queue keeps references: acknowledging an element does not free it; {@code Heap.free} does.
   *
   * @param element shape of the elements
   */
  public static <E> Shape<DurableWorkQueue<E>> of(Shape<E> element) {
    Objects.requireNonNull(element, "element");
    return codecs ->
        new WorkQueueDefinition<>(NestedCodec.of(element, codecs), DurableWorkQueue::now);
  }

  /** A handle to a queue that exists. */
  static <E> DurableWorkQueue<E> attach(
      Engine engine, long reference, Codec<E> codec, LongSupplier clock) {
    return OptimisticReads.of(engine)
        .read(
            TreeLifecycle.guard(engine, reference),
            guard -> {
              WorkQueueLifecycle.requireHeader(engine, reference);
              DequeChunks chunks = new DequeChunks(engine, reference, WorkQueueLifecycle.ELEMENTS);
              WordTree tree = new WordTree(engine, reference, WorkQueueLifecycle.LEASES);
              var queue = new DurableWorkQueue<>(engine, reference, chunks, tree, codec, clock);
              if (chunks.words() != queue.values.isWord()) {
                throw Damage.at(
                    chunks.at(), "a work queue whose header does not fit " + codec.name());
              }
              return queue;
            });
  }

  /** A handle to a queue that exists, with the clock of the process. */
  static <E> DurableWorkQueue<E> attach(Engine engine, long reference, Codec<E> codec) {
    return attach(engine, reference, codec, DurableWorkQueue::now);
  }

  /** The definition of a queue with the clock of the process. */
  static <E> Definition<DurableWorkQueue<E>> definition(Codec<E> codec) {
    return new WorkQueueDefinition<>(codec, DurableWorkQueue::now);
  }

  /** A handle to what was freed: every method throws. */
  static <E> DurableWorkQueue<E> dead(
      Engine engine, long reference, Codec<E> codec, LongSupplier clock) {
    DequeChunks none = DequeChunks.dead(engine, reference);
    WordTree neither = WordTree.dead(engine, reference);
    return new DurableWorkQueue<>(engine, reference, none, neither, codec, clock);
  }

  @Override
  public StructureId id() {
    return new StructureId(engine, reference);
  }

  // ---- Reading ------------------------------------------------------------------------------

  /** The number of elements that were not acknowledged, leased or not; in constant time. */
  public int size() {
    return (int) Math.min(reader.size(), Integer.MAX_VALUE);
  }

  /** Whether there is no element: all that were added were acknowledged. */
  public boolean isEmpty() {
    return reader.size() == 0;
  }

  /** How many elements cannot be leased now: others have leased them, or they were put off. */
  public int leased() {
    return (int) Math.min(leases.held(epoch, clock.getAsLong()), Integer.MAX_VALUE);
  }

  /** Iterates over all elements, leased or not, in the order in which they were added. */
  @Override
  public Iterator<E> iterator() {
    return new DequeIterator<>(
        reader,
        values,
        true,
        (position, word, chunk) -> {
          throw new UnsupportedOperationException("an element leaves when it is acknowledged");
        });
  }

  @Override
  public Spliterator<E> spliterator() {
    return new IteratorSpliterator<>(
        tx, iterator(), Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.CONCURRENT);
  }

  /** All elements, leased or not, in the order in which they were added. */
  public Stream<E> stream() {
    return StreamSupport.stream(spliterator(), false);
  }

  // ---- Adding ---------------------------------------------------------------------------------

  /** Adds an element. */
  public void add(E element) {
    Objects.requireNonNull(element, "element");
    Encoded encoded = values.mustBegin() ? null : values.encode(element);
    Atomic.run(
        tx,
        () -> {
          chunks.checkAlive();
          blocking.added();
          chunks.addLast(encoded == null ? values.store(element) : values.store(encoded));
        });
  }

  /** Adds all elements, in one transaction. */
  public void addAll(Collection<? extends E> elements) {
    Objects.requireNonNull(elements, "elements");
    Atomic.run(tx, () -> elements.forEach(this::add));
  }

  /** Removes all elements, leased or not. The leases are lost. */
  public void clear() {
    Atomic.run(
        tx,
        () -> {
          chunks.checkAlive();
          WorkQueueLifecycle.clear(engine, chunks, tree);
        });
  }

  // ---- Leasing --------------------------------------------------------------------------------

  /**
   * Leases the next element, if there is one now.
   *
   * @param duration of the lease, above zero
   * @return the lease, or null if every element is leased or put off, or there is none
   */
  public @Nullable Lease<E> tryLease(Duration duration) {
    long nanos = nanos(duration);
    return Atomic.<@Nullable Lease<E>>call(tx, () -> leaseInside(nanos));
  }

  /**
   * Leases the next element, and waits for one if there is none.
   *
   * @param duration of the lease, above zero
   * @param timeout how long to wait
   * @return the lease, or null if the time was up
   * @throws InterruptedException if this thread was interrupted; it leased nothing then
   * @throws IllegalStateException if this thread runs a transaction and would have to wait
   */
  public @Nullable Lease<E> tryLease(Duration duration, Duration timeout)
      throws InterruptedException {
    return await(nanos(duration), TimeUnit.NANOSECONDS.convert(timeout));
  }

  /**
   * Leases the next element, and waits for one for as long as it takes.
   *
   * @param duration of the lease, above zero
   * @throws InterruptedException if this thread was interrupted; it leased nothing then
   * @throws IllegalStateException if this thread runs a transaction and would have to wait
   */
  public Lease<E> lease(Duration duration) throws InterruptedException {
    Lease<E> lease = await(nanos(duration), Blocking.FOREVER);
    if (lease == null) {
      throw new IllegalStateException("waited for ever");
    }
    return lease;
  }

  private @Nullable Lease<E> await(long nanos, long timeout) throws InterruptedException {
    return blocking.awaitElement(() -> leaseInside(nanos), this::nanosToTheNextEnd, timeout);
  }

  private static long nanos(Duration duration) {
    if (!duration.isPositive()) {
      throw new IllegalArgumentException("a duration of " + duration);
    }
    return Math.min(TimeUnit.NANOSECONDS.convert(duration), Blocking.FOREVER);
  }

  /** Leases the next element for so long, inside a transaction; null if there is none. */
  private @Nullable Lease<E> leaseInside(long nanos) {
    chunks.checkAlive();
    long now = clock.getAsLong();
    LeaseTable.Entry first = leases.first();
    long position;
    long attempt = 1;
    if (first != null && first.hasEnded(epoch, now)) {
      leases.remove(0);
      position = first.position();
      attempt += first.attempts();
    } else {
      position = engine.memory().getLong(tree.header() + WorkQueueLifecycle.NEXT);
      if (position >= chunks.tail()) {
        return null;
      }
      WorkQueueLifecycle.setNext(engine, tree, position + 1);
    }
    hint = chunkOf(position);
    long word = engine.memory().getLong(DequeLayout.place(hint, position));
    var entry =
        new LeaseTable.Entry(epoch, now + nanos, position, TICKETS.incrementAndGet(), attempt);
    leases.add(entry);
    blocking.added(); // another thread that waits has to look when this lease ends
    return new Lease<>(this, values.get(word), entry);
  }

  private long nanosToTheNextEnd() {
    LeaseTable.Entry first = leases.first();
    return first == null ? Blocking.FOREVER : first.end() - clock.getAsLong();
  }

  private long chunkOf(long position) {
    long chunk = reader.locate(position, hint);
    if (chunk == Reference.NULL) {
      throw Damage.at(tree.header(), "an element at " + position + " that is not there is leased");
    }
    return chunk;
  }

  // ---- For leases -----------------------------------------------------------------------------

  void acknowledge(Lease<E> lease) {
    Atomic.run(
        tx,
        () -> {
          leases.remove(held(lease));
          tx.onCommit(lease::end);
          long position = lease.entry().position();
          chunks.remove(chunkOf(position), position);
          keepNextInside();
        });
  }

  /** If the last elements went, those that come next have their positions. */
  private void keepNextInside() {
    long next = engine.memory().getLong(tree.header() + WorkQueueLifecycle.NEXT);
    if (next > chunks.tail()) {
      WorkQueueLifecycle.setNext(engine, tree, chunks.tail());
    }
  }

  void extend(Lease<E> lease, Duration duration) {
    long nanos = nanos(duration);
    Atomic.run(tx, () -> lease.entry(move(held(lease), lease.entry().ticket(), nanos)));
  }

  boolean release(Lease<E> lease, Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("a delay of " + delay);
    }
    long nanos = Math.min(TimeUnit.NANOSECONDS.convert(delay), Blocking.FOREVER);
    return Atomic.call(
        tx,
        () -> {
          chunks.checkAlive();
          long index = leases.find(lease.entry());
          if (index >= 0) {
            move(index, 0, nanos);
            tx.onCommit(lease::end);
          }
          return index >= 0;
        });
  }

  /** Index of a lease that is not over. */
  private long held(Lease<E> lease) {
    chunks.checkAlive();
    long index = leases.find(lease.entry());
    if (index < 0) {
      throw new LeaseLostException(
          "attempt "
              + lease.attempt()
              + " at an element of a work queue of "
              + engine.location()
              + " is over: it was acknowledged or released, its transaction was rolled back, or its"
              + " time was up and another worker leased the element");
    }
    return index;
  }

  /** Makes the lease at an index end so much time from now. */
  private LeaseTable.Entry move(long index, long ticket, long nanos) {
    LeaseTable.Entry old = leases.get(index);
    var moved =
        new LeaseTable.Entry(
            epoch, clock.getAsLong() + nanos, old.position(), ticket, old.attempts());
    leases.remove(index);
    leases.add(moved);
    blocking.added();
    return moved;
  }
}
