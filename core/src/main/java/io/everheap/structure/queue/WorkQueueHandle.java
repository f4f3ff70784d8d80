package io.everheap.structure.queue;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.collection.StructureId;
import io.everheap.collection.Undecodable;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptValueException;
import io.everheap.error.LeaseLostException;
import io.everheap.structure.common.Blocking;
import io.everheap.structure.common.Contents;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.IteratorSpliterator;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.ValueStore;
import io.everheap.structure.deque.DequeChunks;
import io.everheap.structure.deque.DequeIterator;
import io.everheap.structure.deque.DequeLayout;
import io.everheap.structure.deque.DequeReader;
import io.everheap.structure.list.TreeLifecycle;
import io.everheap.structure.list.WordTree;
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
 * The handle of a {@link DurableWorkQueue}: elements in {@link DequeChunks}, and a {@link
 * LeaseTable} with one lease for each element that was ever leased. Each change is one transaction,
 * or part of the one that the thread runs; reads are optimistic. Thread-safe.
 */
public final class WorkQueueHandle<E> implements DurableWorkQueue<E> {
  private static final long START = System.nanoTime();

  /** Of leases of this process: a lease that was rolled back must not pass for a later one. */
  private static final AtomicLong TICKETS = new AtomicLong();

  private final StructureContext heap;
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

  WorkQueueHandle(
      StructureContext heap,
      long reference,
      DequeChunks chunks,
      WordTree tree,
      Codec<E> codec,
      LongSupplier clock) {
    this.heap = heap;
    this.reference = reference;
    this.tx = heap.transactions();
    this.chunks = chunks;
    this.tree = tree;
    this.leases = new LeaseTable(heap, tree);
    this.values = new ValueStore<>(heap, codec, heap.holder(reference));
    this.reader = new DequeReader<>(heap, chunks, values);
    this.blocking = new Blocking(heap, reference);
    this.clock = clock;
    this.epoch = heap.epoch();
  }

  /** The clock of leases: nanoseconds since this class was loaded. */
  static long now() {
    return System.nanoTime() - START;
  }

  /** A handle to a queue that exists. */
  static <E> WorkQueueHandle<E> attach(
      StructureContext heap, long reference, Codec<E> codec, LongSupplier clock) {
    return OptimisticReads.of(heap)
        .read(
            TreeLifecycle.guard(heap, reference),
            guard -> {
              WorkQueueLifecycle.requireHeader(heap, reference);
              DequeChunks chunks = new DequeChunks(heap, reference, WorkQueueLifecycle.ELEMENTS);
              WordTree tree = new WordTree(heap, reference, WorkQueueLifecycle.LEASES);
              var queue = new WorkQueueHandle<>(heap, reference, chunks, tree, codec, clock);
              if (chunks.words() != queue.values.isWord()) {
                throw Damage.at(
                    chunks.at(), "a work queue whose header does not fit " + codec.name());
              }
              return queue;
            });
  }

  /** A handle to a queue that exists, with the clock of the process. */
  static <E> WorkQueueHandle<E> attach(StructureContext heap, long reference, Codec<E> codec) {
    return attach(heap, reference, codec, WorkQueueHandle::now);
  }

  /** A handle to what was freed: every method throws. */
  static <E> WorkQueueHandle<E> dead(
      StructureContext heap, long reference, Codec<E> codec, LongSupplier clock) {
    DequeChunks none = DequeChunks.dead(heap, reference);
    WordTree neither = WordTree.dead(heap, reference);
    return new WorkQueueHandle<>(heap, reference, none, neither, codec, clock);
  }

  @Override
  public StructureId id() {
    return new HeapStructureId(heap, reference);
  }

  // ---- Reading ------------------------------------------------------------------------------
  @Override
  public int size() {
    return (int) Math.min(reader.size(), Integer.MAX_VALUE);
  }

  @Override
  public boolean isEmpty() {
    return reader.size() == 0;
  }

  @Override
  public int leased() {
    return (int) Math.min(leases.held(epoch, clock.getAsLong()), Integer.MAX_VALUE);
  }

  @Override
  public Iterator<E> iterator() {
    return elements();
  }

  @Override
  public Iterator<Undecodable> undecodable() {
    return elements().undecodable();
  }

  private DequeIterator<E> elements() {
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

  @Override
  public Stream<E> stream() {
    return StreamSupport.stream(spliterator(), false);
  }

  @Override
  public String toString() {
    return Contents.elements(this);
  }

  // ---- Adding ---------------------------------------------------------------------------------
  @Override
  public void add(E element) {
    Objects.requireNonNull(element, "element");
    Encoded encoded = values.mustBegin() ? null : values.encode(element);
    tx.run(
        () -> {
          chunks.checkAlive();
          blocking.added();
          chunks.addLast(encoded == null ? values.store(element) : values.store(encoded));
        });
  }

  @Override
  public void addAll(Collection<? extends E> elements) {
    Objects.requireNonNull(elements, "elements");
    tx.run(() -> elements.forEach(this::add));
  }

  @Override
  public void clear() {
    tx.run(
        () -> {
          chunks.checkAlive();
          WorkQueueLifecycle.clear(heap, chunks, tree);
        });
  }

  // ---- Leasing --------------------------------------------------------------------------------
  @Override
  public @Nullable LeaseHandle<E> tryLease(Duration duration) {
    long nanos = nanos(duration);
    return tx.<@Nullable LeaseHandle<E>, RuntimeException>call(() -> leaseInside(nanos));
  }

  @Override
  public @Nullable LeaseHandle<E> tryLease(Duration duration, Duration timeout)
      throws InterruptedException {
    return await(nanos(duration), TimeUnit.NANOSECONDS.convert(timeout));
  }

  @Override
  public LeaseHandle<E> lease(Duration duration) throws InterruptedException {
    LeaseHandle<E> lease = await(nanos(duration), Blocking.FOREVER);
    if (lease == null) {
      throw new IllegalStateException("the wait ended without an element");
    }
    return lease;
  }

  private @Nullable LeaseHandle<E> await(long nanos, long timeout) throws InterruptedException {
    return blocking.awaitElement(() -> leaseInside(nanos), this::nanosToTheNextEnd, timeout);
  }

  private static long nanos(Duration duration) {
    if (!duration.isPositive()) {
      throw new IllegalArgumentException("a duration of " + duration);
    }
    return Math.min(TimeUnit.NANOSECONDS.convert(duration), Blocking.FOREVER);
  }

  /** Leases the next element for so long, inside a transaction; null if there is none. */
  private @Nullable LeaseHandle<E> leaseInside(long nanos) {
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
      position = heap.memory().getLong(tree.header() + WorkQueueLifecycle.NEXT);
      if (position >= chunks.tail()) {
        return null;
      }
      WorkQueueLifecycle.setNext(heap, tree, position + 1);
    }
    hint = chunkOf(position);
    long word = heap.memory().getLong(DequeLayout.place(hint, position));
    var entry =
        new LeaseTable.Entry(epoch, now + nanos, position, TICKETS.incrementAndGet(), attempt);
    leases.add(entry);
    blocking.added(); // another thread that waits has to look when this lease ends
    Encoded value = values.load(word);
    try {
      return new LeaseHandle<>(this, values.decode(value), null, entry);
    } catch (CorruptValueException e) {
      // leased and counted as any other, so that a worker can remove it
      long index = position - chunks.head();
      return new LeaseHandle<>(this, null, values.undecodable(index, value, e), entry);
    }
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

  void acknowledge(LeaseHandle<E> lease) {
    tx.run(
        () -> {
          leases.remove(held(lease));
          tx.onCommit(lease::end);
          long position = lease.state().entry.position();
          chunks.remove(chunkOf(position), position);
          keepNextInside();
        });
  }

  /** If the last elements went, those that come next have their positions. */
  private void keepNextInside() {
    long next = heap.memory().getLong(tree.header() + WorkQueueLifecycle.NEXT);
    if (next > chunks.tail()) {
      WorkQueueLifecycle.setNext(heap, tree, chunks.tail());
    }
  }

  void extend(LeaseHandle<E> lease, Duration duration) {
    long nanos = nanos(duration);
    tx.run(
        () -> {
          long index = held(lease);
          LeaseHandle.State before = lease.state();
          var extended = new LeaseHandle.State(move(index, before.entry.ticket(), nanos), before);
          tx.onCommit(() -> extended.earlier = null);
          lease.state(extended);
        });
  }

  boolean release(LeaseHandle<E> lease, Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("a delay of " + delay);
    }
    long nanos = Math.min(TimeUnit.NANOSECONDS.convert(delay), Blocking.FOREVER);
    return tx.call(
        () -> {
          chunks.checkAlive();
          long index = find(lease);
          if (index >= 0) {
            move(index, 0, nanos);
            tx.onCommit(lease::end);
          }
          return index >= 0;
        });
  }

  /** Index of a lease that is not over. */
  private long held(LeaseHandle<E> lease) {
    chunks.checkAlive();
    long index = find(lease);
    if (index < 0) {
      throw new LeaseLostException(
          "attempt "
              + lease.attempt()
              + " at an element of a work queue of "
              + heap.location()
              + " is over: it was acknowledged or released, its transaction was rolled back, or its"
              + " time was up and another worker leased the element");
    }
    return index;
  }

  /** Index of a lease, also if an extension of it was rolled back; -1 if it is over. */
  private long find(LeaseHandle<E> lease) {
    for (LeaseHandle.State s = lease.state(); s != null; s = s.earlier) {
      long index = leases.find(s.entry);
      if (index >= 0) {
        lease.state(s); // what was rolled back does not come again
        return index;
      }
    }
    return -1;
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
