package io.everheap;

import io.everheap.block.Block;
import io.everheap.block.Blocks;
import io.everheap.block.UnloggedRegion;
import io.everheap.check.HeapVerifier;
import io.everheap.codec.Codec;
import io.everheap.codec.ObjectReference;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.collection.DescribedFields;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.collection.KeyOrder;
import io.everheap.collection.Shape;
import io.everheap.collection.Structure;
import io.everheap.engine.Engine;
import io.everheap.engine.tx.Transactions;
import io.everheap.gc.Collector;
import io.everheap.heap.OpenHeap;
import io.everheap.object.Durable;
import io.everheap.object.TypeDifference;
import io.everheap.object.bind.ObjectSpace;
import io.everheap.report.CollectProgress;
import io.everheap.report.CollectReport;
import io.everheap.report.VerifyProgress;
import io.everheap.report.VerifyReport;
import io.everheap.structure.block.RawMemory;
import io.everheap.structure.common.StructureCodecs;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.object.ObjectKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Data that outlives the process: named collections in a directory of their own, used in place.
 *
 * <pre>{@code
 * try (Heap heap = Heap.open(Path.of("bank"))) {
 *   DurableMap<String, Long> accounts = heap.map("accounts", String.class, Long.class);
 *   heap.transact(() -> {
 *     accounts.merge("alice", -10L, Long::sum);
 *     accounts.merge("bob", 10L, Long::sum);
 *   });
 * }
 * }</pre>
 *
 * <p>Thread-safe. One process has a heap open for writing at a time. What the collections do
 * outside {@link #transact} is a transaction of its own. One transaction runs at a time; readers
 * take no lock and may see a commit whose own caller still waits for the disk: {@link #sync} waits
 * until everything visible is durable.
 */
public final class Heap extends OpenHeap implements AutoCloseable {
  private final Engine engine;
  private final StructureContext structures;
  private final Blocks blocks;
  private final Transactions transactions;
  private final CodecRegistry codecs;
  private final Durability durability;
  private final Catalog catalog;
  private final ObjectSpace objects;
  private final Collector collector;

  Heap(
      Engine engine,
      StructureContext structures,
      CodecRegistry codecs,
      Durability durability,
      Collecting collecting,
      boolean identityCache) {
    super(engine, structures);
    this.engine = engine;
    this.transactions = engine.transactions();
    this.durability = durability;
    this.structures = structures;
    this.blocks = RawMemory.blocks(structures);
    this.catalog = new Catalog(structures);
    this.objects =
        new ObjectSpace(
            structures, codecs, catalog.types(), of -> new StructureCodecs(structures, of)::of);
    this.codecs = objects.codecs();
    if (identityCache) {
      objects.cacheIdentities();
    }
    this.collector = new Collector(structures, collecting.memory(), collecting.growth());
    if (collecting.automatic()) {
      collector.start();
    }
  }

  /**
   * Opens the heap in a directory, and makes both if they do not exist.
   *
   * @throws io.everheap.error.EverheapException when it is locked, foreign, damaged or of another
   *     format; nothing was changed then
   */
  public static Heap open(Path directory) {
    return builder(directory).open();
  }

  /** Settings for opening the heap in a directory. */
  public static HeapBuilder builder(Path directory) {
    return new HeapBuilder(Objects.requireNonNull(directory, "directory"));
  }

  /** Opens a heap that lives in memory and is gone when it is closed, for tests and scratch use. */
  public static Heap inMemory() {
    return new HeapBuilder(null).open();
  }

  /**
   * The map with this name; an empty one is made if there is none.
   *
   * @param key class of the keys: a type with a built-in codec, an enum, a record, or a registered
   *     class
   * @param value class of the values, likewise
   * @throws io.everheap.error.SchemaMismatchException when it holds other types
   * @throws io.everheap.error.UnsupportedTypeException when a class has no codec
   */
  public <K, V> DurableMap<K, V> map(String name, Class<K> key, Class<V> value) {
    return root(name, DurableMap.of(key, value));
  }

  /** The map with this name, with codecs of the caller's choice. */
  public <K, V> DurableMap<K, V> map(String name, Codec<K> key, Codec<V> value) {
    return root(name, DurableMap.of(key, value));
  }

  /**
   * The sorted map with this name, whose keys have their natural order; an empty one is made if
   * there is none.
   *
   * @param key class of the keys: see {@link DurableSortedMap}
   * @param value class of the values: a type with a built-in codec, an enum, a record, or a
   *     registered class
   * @throws io.everheap.error.SchemaMismatchException when it holds other types or has another
   *     order
   * @throws io.everheap.error.UnsupportedTypeException when a class has no codec
   * @throws IllegalArgumentException when keys of this class have no order of their own
   */
  public <K, V> DurableSortedMap<K, V> sortedMap(String name, Class<K> key, Class<V> value) {
    return root(name, DurableSortedMap.of(key, value));
  }

  /** The sorted map with this name, whose keys have an order of the caller's choice. */
  public <K, V> DurableSortedMap<K, V> sortedMap(
      String name, Class<K> key, Class<V> value, KeyOrder<? super K> order) {
    return root(name, DurableSortedMap.of(key, value, order));
  }

  /**
   * The sorted set with this name, whose elements have their natural order; an empty one is made if
   * there is none.
   *
   * @param element class of the elements: see {@link DurableSortedSet}
   * @throws io.everheap.error.SchemaMismatchException when it holds another type or has another
   *     order
   * @throws io.everheap.error.UnsupportedTypeException when the class has no codec
   * @throws IllegalArgumentException when elements of this class have no order of their own
   */
  public <E> DurableSortedSet<E> sortedSet(String name, Class<E> element) {
    return root(name, DurableSortedSet.of(element));
  }

  /** The sorted set with this name, whose elements have an order of the caller's choice. */
  public <E> DurableSortedSet<E> sortedSet(
      String name, Class<E> element, KeyOrder<? super E> order) {
    return root(name, DurableSortedSet.of(element, order));
  }

  /**
   * The raw blocks of this heap, for structures of one's own.
   *
   * @return where they are allocated and found by their handles
   */
  public Blocks blocks() {
    return blocks;
  }

  /**
   * The raw block with this name; one of zeros is made if there is none.
   *
   * @param bytes its size
   * @throws IllegalArgumentException if it has another size
   */
  public Block block(String name, long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a block has 0 bytes or more, not " + bytes);
    }
    return root(name, new Shape<>("block", List.of(bytes)));
  }

  /**
   * The list with this name; an empty one is made if there is none.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class
   * @throws io.everheap.error.SchemaMismatchException when it is another structure or holds another
   *     type
   * @throws io.everheap.error.UnsupportedTypeException when the class has no codec
   */
  public <E> DurableList<E> list(String name, Class<E> element) {
    return root(name, DurableList.of(element));
  }

  /** The list with this name, with a codec of the caller's choice. */
  public <E> DurableList<E> list(String name, Codec<E> element) {
    return root(name, DurableList.of(element));
  }

  /**
   * The deque with this name; an empty one is made if there is none. A bounded one: {@code
   * root(name, DurableDeque.of(element, capacity))}.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class
   * @throws io.everheap.error.SchemaMismatchException when it is another structure or holds another
   *     type
   * @throws io.everheap.error.UnsupportedTypeException when the class has no codec
   */
  public <E> DurableDeque<E> deque(String name, Class<E> element) {
    return root(name, DurableDeque.of(element));
  }

  /** The deque with this name, with a codec of the caller's choice. */
  public <E> DurableDeque<E> deque(String name, Codec<E> element) {
    return root(name, DurableDeque.of(element));
  }

  /**
   * The priority queue with this name, in the natural order of its elements; an empty one is made
   * if there is none. One in another order: {@code root(name, DurablePriorityQueue.of(element,
   * order))}.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class; it is {@link Comparable}
   * @throws io.everheap.error.SchemaMismatchException when it is another structure, holds another
   *     type or has another order
   * @throws io.everheap.error.UnsupportedTypeException when the class has no codec
   */
  public <E> DurablePriorityQueue<E> priorityQueue(String name, Class<E> element) {
    return root(name, DurablePriorityQueue.of(element));
  }

  /**
   * The work queue with this name; an empty one is made if there is none.
   *
   * @param element class of the elements: a type with a built-in codec, an enum, a record, or a
   *     registered class
   * @throws io.everheap.error.SchemaMismatchException when it is another structure or holds another
   *     type
   * @throws io.everheap.error.UnsupportedTypeException when the class has no codec
   */
  public <E> DurableWorkQueue<E> workQueue(String name, Class<E> element) {
    return root(name, DurableWorkQueue.of(element));
  }

  /** The work queue with this name, with a codec of the caller's choice. */
  public <E> DurableWorkQueue<E> workQueue(String name, Codec<E> element) {
    return root(name, DurableWorkQueue.of(element));
  }

  /**
   * Makes an object of a durable interface or class, in a transaction of its own if there is none.
   * Nothing leads to it yet: let a root, an object or a collection do so in the same transaction.
   *
   * @param init is given the object before anyone else can see it
   * @throws IllegalArgumentException if it is not durable, was not woven or cannot be implemented,
   *     or is a class without a constructor that has no parameters
   * @throws io.everheap.error.SchemaMismatchException if it cannot read the objects that the heap
   *     has
   * @throws io.everheap.error.UnsupportedTypeException if a field has no codec
   */
  public <T> T create(Class<T> type, Consumer<? super T> init) {
    return objects.create(type, Objects.requireNonNull(init, "init"));
  }

  /** Makes an object whose fields are 0, false and null; see {@link #create(Class, Consumer)}. */
  public <T> T create(Class<T> type) {
    return objects.create(type, object -> {});
  }

  /**
   * The object with this name; one is made if there is none.
   *
   * @param init is given a new object, inside the transaction that makes it
   * @throws io.everheap.error.SchemaMismatchException when the root is something else, or the
   *     interface cannot read the objects that the heap has
   */
  public <T> T object(String name, Class<T> type, Consumer<? super T> init) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(init, "init");
    return catalog.root(name, new ObjectDefinition<>(objects, type, init));
  }

  /** The object with this name; one whose fields are 0, false and null is made if there is none. */
  public <T> T object(String name, Class<T> type) {
    return object(name, type, object -> {});
  }

  /**
   * Frees an object and the values of its fields. Objects that it refers to stay; whoever refers to
   * it gets {@link io.everheap.error.StaleReferenceException} from then on.
   *
   * @param object that {@link #create} or a field returned
   * @throws io.everheap.error.StaleReferenceException if it was freed before
   * @throws IllegalArgumentException if it is no object of this heap, or a root: {@link #remove}
   *     frees those
   */
  public void free(Object object) {
    if (object instanceof Structure structure) {
      free(structure);
      return;
    }
    catalog.free(objects, Objects.requireNonNull(object, "object"));
  }

  /**
   * Makes durable interfaces known, with those that they lead to. It is only needed for those that
   * the program meets as values of a more general interface before it used them otherwise.
   *
   * @throws IllegalArgumentException if one is no durable interface, or not one that can be
   *     implemented
   * @throws io.everheap.error.SchemaMismatchException if one cannot read the objects that the heap
   *     has
   */
  public void use(Class<?>... types) {
    for (Class<?> type : types) {
      objects.use(type);
    }
  }

  /**
   * The region of bytes outside of all transactions with this name; one of zeros is made if there
   * is none. For experts: see {@link UnloggedRegion}.
   *
   * @param bytes its size
   * @throws IllegalArgumentException if it has another size
   */
  public UnloggedRegion region(String name, long bytes) {
    return RawMemory.region(name, engine.region(name, bytes));
  }

  /** Names of the regions that {@link #region} made; a copy. */
  public List<String> regions() {
    return engine.regions();
  }

  /**
   * Deletes a region, at once and for ever: no transaction brings it back.
   *
   * @return whether there was one
   */
  public boolean removeRegion(String name) {
    return engine.removeRegion(name);
  }

  /**
   * The structure with this name; an empty one is made if there is none.
   *
   * @param shape what it is and holds: {@code DurableMap.of(String.class, Long.class)}
   * @throws io.everheap.error.SchemaMismatchException when it is another structure or holds other
   *     types
   * @throws io.everheap.error.UnsupportedTypeException when a class has no codec
   */
  public <S> S root(String name, Shape<S> shape) {
    Objects.requireNonNull(name, "name");
    try {
      return catalog.root(name, catalog.define(shape, codecs));
    } catch (InternalError e) {
      throw transactions.faulted(e);
    }
  }

  /**
   * The set with this name; an empty one is made if there is none.
   *
   * @param element class of the elements, as for a map's keys
   * @throws io.everheap.error.SchemaMismatchException when it is another structure or holds other
   *     types
   * @throws io.everheap.error.UnsupportedTypeException when a class has no codec
   */
  public <E> DurableSet<E> set(String name, Class<E> element) {
    return root(name, DurableSet.of(element));
  }

  /** The set with this name, with a codec of the caller's choice. */
  public <E> DurableSet<E> set(String name, Codec<E> element) {
    return root(name, DurableSet.of(element));
  }

  /**
   * Makes a structure without a name, inside a transaction that should put it into another one as a
   * value: {@code lists.put("a", heap.create(DurableSet.of(Long.class)))}. A structure that nothing
   * leads to at the end of the transaction takes space until it is freed; {@link #verify} counts
   * it.
   *
   * @param shape what it is and holds
   * @throws io.everheap.error.TransactionRequiredException outside of a transaction
   * @throws io.everheap.error.UnsupportedTypeException when a class has no codec
   */
  public <S extends Structure> S create(Shape<S> shape) {
    Objects.requireNonNull(shape, "shape");
    engine.memory().requireWriter();
    return catalog.create(catalog.define(shape, codecs));
  }

  /**
   * Frees a structure that is no root and all that it owns, but not the structures that are its
   * values: others may hold them, too. Handles to it, and entries that still name it, throw {@code
   * StaleReferenceException} from then on; such an entry can be removed or replaced.
   *
   * <pre>{@code
   * heap.transact(() -> heap.free(sets.remove("a")));
   * }</pre>
   *
   * @throws io.everheap.error.StaleReferenceException if it was freed already
   * @throws IllegalArgumentException if it is a root, or of another heap
   */
  public void free(Structure structure) {
    catalog.free(Objects.requireNonNull(structure, "structure"), false);
  }

  /**
   * Frees a structure that is no root, and all structures within it that are no roots, in one
   * transaction that takes the longer the more of them there are.
   *
   * @throws io.everheap.error.StaleReferenceException if it was freed already
   * @throws IllegalArgumentException if it is a root, or of another heap
   */
  public void freeDeep(Structure structure) {
    catalog.free(Objects.requireNonNull(structure, "structure"), true);
  }

  /**
   * The stored types of durable objects, in all their versions, the oldest first; a copy.
   *
   * @throws io.everheap.error.CorruptHeapException if the type table is damaged
   */
  public List<StoredType> types() {
    return StoredType.all(catalog.types());
  }

  /**
   * Names of the records, enums and sealed types that keys, values and elements of roots have, and
   * of structures within them; a copy.
   */
  public Set<String> valueTypes() {
    return new ValueTypes(roots()).names();
  }

  /**
   * Tells how a durable class, a record, an enum or a sealed type differs from what the heap has
   * stored of it. The class is not used for that: it may be one that {@link #use} would refuse. Of
   * a record, an enum or a sealed type, the fields are the places that hold its values.
   *
   * @throws IllegalArgumentException if it is none of these
   * @throws io.everheap.error.CorruptHeapException if the type table is damaged
   */
  public TypeDifference compare(Class<?> type) {
    return type.isAnnotationPresent(Durable.class)
        ? objects.compare(type)
        : new ValueTypes(roots()).compare(type, codecs);
  }

  /** Names of all roots, as a copy. */
  public Set<String> names() {
    return catalog.names();
  }

  /** All roots with their types and sizes, ordered by name; a copy. */
  public List<Root> roots() {
    return catalog.describe();
  }

  /**
   * What a root holds, as its stored types describe it: the entries of a map, the elements of other
   * structures with their positions. It takes none of the classes they were written with: see
   * {@linkplain io.everheap.codec described values}. The stream reads the heap while it is used, as
   * an iterator of the map does.
   *
   * @throws IllegalArgumentException if there is no such root
   * @throws io.everheap.error.UnsupportedTypeException if a type is one of the user's own codecs
   */
  public Stream<Map.Entry<Object, Object>> entries(String name) {
    return catalog
        .entries(Objects.requireNonNull(name, "name"))
        .orElseThrow(() -> new IllegalArgumentException("no root named " + name));
  }

  /**
   * The fields of an object that {@link #entries} names among its values, as its stored type
   * describes them; they may name others. Empty if the object is gone: freed, or never committed.
   *
   * @throws io.everheap.error.CorruptHeapException if it is damaged
   */
  public Optional<DescribedFields> fields(ObjectReference object) {
    transactions.requireReadable();
    return ObjectKind.INSTANCE.describe(structures, object.reference());
  }

  /** Whether a root has this name. */
  public boolean contains(String name) {
    return catalog.reference(Objects.requireNonNull(name, "name")).isPresent();
  }

  /**
   * Gives a root another name, in a transaction of its own if there is none. Handles to it stay
   * what they are.
   *
   * @param from its name
   * @param to its name from then on
   * @throws IllegalArgumentException if there is no such root, or another one has the name
   */
  public void rename(String from, String to) {
    catalog.rename(Objects.requireNonNull(from, "from"), Objects.requireNonNull(to, "to"));
  }

  /**
   * Removes a root and frees all that it owns, but not the structures that are its values: others
   * may hold them, too. Handles to it throw {@code StaleReferenceException} from then on.
   *
   * @return whether there was one
   */
  public boolean remove(String name) {
    return catalog.remove(Objects.requireNonNull(name, "name"), false);
  }

  /**
   * Removes a root, and frees it and all structures within it that are no roots themselves, in one
   * transaction that takes the longer the more of them there are.
   *
   * @return whether there was one
   */
  public boolean removeDeep(String name) {
    return catalog.remove(Objects.requireNonNull(name, "name"), true);
  }

  /**
   * Runs {@code body} as one transaction: all or nothing, isolated, and durable when this returns
   * as the heap's {@link Durability} says. If the body throws, everything that it did is undone and
   * the exception passes. Inside another transaction it joins that one: if it throws and the outer
   * body catches, only the inner part is undone. The body runs exactly once; it must not wait for
   * another thread that writes to this heap. Until it commits, only this thread sees what it
   * stored: other threads, those of a parallel stream in the body too, see what is committed.
   */
  public <X extends Exception> void transact(ThrowingRunnable<X> body) throws X {
    transactions.begin();
    try {
      body.run();
    } catch (Throwable t) {
      transactions.lock.endsDue++;
      transactions.rollBack(t);
      throw t;
    }
    transactions.lock.endsDue++;
    transactions.end(true);
  }

  /** Runs {@code body} as one transaction and returns its result. */
  public <T extends @Nullable Object, X extends Exception> T transact(ThrowingSupplier<T, X> body)
      throws X {
    transactions.begin();
    T result;
    try {
      result = body.get();
    } catch (Throwable t) {
      transactions.lock.endsDue++;
      transactions.rollBack(t);
      throw t;
    }
    transactions.lock.endsDue++;
    transactions.end(true);
    return result;
  }

  /**
   * Runs {@code body} as one transaction with a durability of its own. Joined to an outer one, the
   * whole is {@link Durability#SYNC} if either asks for it.
   */
  public <T extends @Nullable Object, X extends Exception> T transact(
      Durability durability, ThrowingSupplier<T, X> body) throws X {
    Objects.requireNonNull(durability, "durability");
    return transact(
        () -> {
          want(durability);
          return body.get();
        });
  }

  /** Runs {@code body} as one transaction with a durability of its own. */
  public <X extends Exception> void transact(Durability durability, ThrowingRunnable<X> body)
      throws X {
    Objects.requireNonNull(durability, "durability");
    transact(
        () -> {
          want(durability);
          body.run();
        });
  }

  private void want(Durability wanted) {
    transactions.wantSync(wanted instanceof Durability.Sync);
    if (wanted instanceof Durability.Async async) {
      long nanos = async.interval().toNanos();
      transactions.onCommit(() -> engine.log().syncWithin(nanos));
    }
  }

  /**
   * Runs {@code body} as one transaction in this thread and returns once it is committed, without
   * waiting for the disk. Not inside another transaction.
   *
   * <p>Commit hooks run before the stage completes, in the same thread of the library; a failure of
   * theirs is that of the stage, the commit stands.
   *
   * @return completes with the result when the commit is durable, in a thread that all asynchronous
   *     transactions of this heap share: hand long work to another executor; or fails when its
   *     outcome is unknown
   */
  public <T extends @Nullable Object, X extends Exception> CompletionStage<T> transactAsync(
      ThrowingSupplier<T, X> body) throws X {
    if (transactions.isWriter()) {
      throw new IllegalStateException("transactAsync inside a transaction");
    }
    transactions.begin();
    T result;
    try {
      result = body.get();
    } catch (Throwable t) {
      transactions.lock.endsDue++;
      transactions.rollBack(t);
      throw t;
    }
    transactions.lock.endsDue++;
    return transactions.endAsync().thenApply(nothing -> result);
  }

  /**
   * Runs {@code body}, which reads several things, so that all its reads see one state of the heap.
   * It takes no lock, and starts over when a commit intervenes, so it may run several times and
   * should do nothing but read; exceptions that the library throws inside must pass. Inside a
   * transaction it just runs.
   */
  @SuppressWarnings("unchecked")
  public <T extends @Nullable Object, X extends Exception> T read(ThrowingSupplier<T, X> body)
      throws X {
    try {
      return transactions.read(body::get);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw (X) e; // only the body throws checked exceptions
    }
  }

  /**
   * The transaction that this thread runs.
   *
   * @throws io.everheap.error.TransactionRequiredException if it runs none
   */
  public Transaction transaction() {
    return new Transaction(transactions);
  }

  /** Waits until everything visible now survives power loss. */
  public void sync() {
    engine.sync();
  }

  /** Brings the home image up to date, so that the next opening has nothing to replay. */
  public void checkpoint() {
    engine.checkpoint();
  }

  /**
   * Gives free space at the end of the home image back to the file system. It waits for a
   * collection that runs: that one looks at the space that would be gone.
   *
   * @return bytes given back
   * @throws IllegalStateException inside a transaction, a read, or a collection
   */
  public long shrink() {
    return collector.between("shrink", engine::shrink);
  }

  /**
   * Checks everything that a reader could, without changing anything: the newest superblock (both,
   * if the heap is open for reading only), the allocator's tables and every block, every structure
   * of every root, and that all entries decode. The log was checked when the heap was opened. On an
   * ordinary file system every page of the home image is compared with its checksum before that,
   * without making others wait; byte-addressable media have no page checksums.
   *
   * <p>Other threads' transactions wait meanwhile; readers do not. It takes memory of 1/128 of the
   * bytes in use, whatever the number of blocks, twice that if it has to find out whose a damaged
   * place is, and as much as the largest value.
   *
   * @throws IllegalStateException inside a transaction, whose changes are not in place yet, or a
   *     read
   */
  public VerifyReport verify() {
    return verify(VerifyProgress.NONE);
  }

  /**
   * Like {@link #verify()}, and tells how far it is.
   *
   * @param progress is called by this thread
   * @throws IllegalStateException inside a transaction or a read
   */
  public VerifyReport verify(VerifyProgress progress) {
    Objects.requireNonNull(progress, "progress");
    transactions.requireOutside("verify");
    transactions.requireReadable();
    return new HeapVerifier(engine, structures, progress).verify();
  }

  /**
   * Frees objects and structures that {@link #create} made and nothing leads to any more: no root,
   * and no object or structure that a root leads to. Cycles are no obstacle. Raw blocks are left
   * alone, for nobody can tell what leads to them.
   *
   * <p>Other threads read and write meanwhile: what counts is the state when this begins, and what
   * was made or stored since then stays. So link a new object in the transaction that makes it. An
   * object that only handles of the program lead to is garbage; if it is freed, they throw {@link
   * io.everheap.error.StaleReferenceException}, and it can no longer be stored.
   *
   * <p>It takes memory of up to 1/25 of the bytes in use, and for what transactions overwrite while
   * it looks for references: see {@link HeapBuilder#collectMemory}. A crash at any time leaves
   * nothing but garbage for another collection. One runs at a time; a second one waits for it. An
   * interrupt ends it early, and is kept.
   *
   * @return what was freed
   * @throws io.everheap.error.CorruptHeapException if it meets what it cannot interpret; then
   *     nothing was freed, for that might still be in use
   * @throws io.everheap.error.ReadOnlyHeapException if the heap is open for reading only
   * @throws IllegalStateException inside a transaction or a read
   */
  public CollectReport collect() {
    return collect(CollectProgress.NONE);
  }

  /**
   * Like {@link #collect()}, and tells how far it is.
   *
   * @param progress is called by this thread, which may use the heap in it; what it throws ends the
   *     collection and passes
   */
  public CollectReport collect(CollectProgress progress) {
    return collector.collect(Objects.requireNonNull(progress, "progress"));
  }

  /**
   * Sizes and counts, right now: while a transaction of another thread runs, those of what is
   * committed. Does not wait for it.
   */
  public HeapStats stats() {
    return HeapStats.of(engine);
  }

  /** What was chosen when the heap was opened. */
  public Durability durability() {
    return durability;
  }

  /** Whether the heap can be used: it is neither closed nor poisoned. */
  public boolean isOpen() {
    return engine.isOpen();
  }

  /**
   * Waits for the running transaction, makes everything durable and closes the files. Later use of
   * this heap and of what came from it throws {@code HeapClosedException}. Closing twice does
   * nothing.
   *
   * @throws IllegalStateException inside a transaction
   */
  @Override
  public void close() {
    transactions.breakIfLost();
    transactions.requireOutside("close");
    collector.stop();
    engine.close();
    objects.close();
  }

  @Override
  public String toString() {
    return "Heap[" + engine.location() + (isOpen() ? "]" : ", closed]");
  }
}
