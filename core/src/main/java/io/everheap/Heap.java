package io.everheap;

import io.everheap.block.Blocks;
import io.everheap.block.UnloggedRegion;
import io.everheap.check.HeapVerifier;
import io.everheap.codec.ObjectReference;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.collection.DescribedFields;
import io.everheap.collection.Shape;
import io.everheap.collection.Structure;
import io.everheap.collection.Undecodable;
import io.everheap.durable.Durable;
import io.everheap.durable.TypeDifference;
import io.everheap.durable.bind.ObjectSpace;
import io.everheap.engine.Engine;
import io.everheap.engine.tx.Transactions;
import io.everheap.gc.Collector;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.DaxMedium;
import io.everheap.memory.Internals;
import io.everheap.report.CollectProgress;
import io.everheap.report.CollectReport;
import io.everheap.report.Footprint;
import io.everheap.report.VerifyProgress;
import io.everheap.report.VerifyReport;
import io.everheap.stability.Stable;
import io.everheap.structure.block.RawMemory;
import io.everheap.structure.common.StructureCodecs;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.object.ObjectKind;
import java.nio.file.Path;
import java.util.Iterator;
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
 * <p>Thread-safe. One process has a heap open for writing at a time. Each change of a collection
 * outside of {@link #transact} is a transaction of its own. One transaction runs at a time; readers
 * take no lock and may see a commit whose own caller still waits for the disk: {@link #sync} waits
 * until everything visible is durable.
 *
 * @since 0.9
 */
@Stable
public final class Heap implements Roots, Schema, Upkeep, AutoCloseable {
  static {
    Internals.show(Heap.class, heap -> new OpenHeap(heap.engine, heap.structures));
  }

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
      HeapBuilder.Collecting collecting,
      boolean identityCache) {
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

  /** Opens a heap in memory, which is lost when it is closed, for tests and temporary data. */
  public static Heap inMemory() {
    return new HeapBuilder(null).open();
  }

  /**
   * Whether a directory holds the file of a heap, which may be open or damaged. One that is being
   * made, restored or deleted is none.
   *
   * @throws io.everheap.error.MediumException if the directory cannot be read
   */
  public static boolean exists(Path directory) {
    return Deletion.exists(Objects.requireNonNull(directory, "directory"));
  }

  /**
   * Deletes a heap: its files, and its directory unless that holds others; links, not what they
   * lead to. If it is interrupted, the heap is there as before, or it can no longer be opened and
   * the call can be repeated, or only empty directories and files of the lock are left. Archives
   * and backups stay.
   *
   * @throws io.everheap.error.LockedException if the heap is open, in any process
   * @throws io.everheap.error.MissingException if there is no heap
   * @throws io.everheap.error.ForeignException if the directory holds something else; nothing was
   *     changed
   */
  public static void delete(Path directory) {
    Deletion.run(Objects.requireNonNull(directory, "directory"));
  }

  /**
   * Whether a heap in a directory would be on persistent memory, used in place through a DAX file
   * system. Tries it with a temporary file there, or in the nearest directory above that exists; a
   * directory that cannot be written to is not.
   */
  public static boolean isOnPersistentMemory(Path directory) {
    return DaxMedium.supported(Objects.requireNonNull(directory, "directory"));
  }

  /** The raw blocks of this heap, for structures of your own. */
  public Blocks blocks() {
    return blocks;
  }

  /**
   * Makes an object of a durable interface or class, in the running transaction or one of its own.
   * Nothing leads to it yet: store it to a root, an object or a collection in the same transaction.
   *
   * @param init receives the object before any other thread can see it
   * @throws IllegalArgumentException if the type is not durable, was not woven or cannot be
   *     implemented, or is a class without a constructor that has no parameters
   * @throws io.everheap.error.SchemaMismatchException if the type cannot read the objects that the
   *     heap has
   * @throws io.everheap.error.UnsupportedTypeException if a field has no codec
   */
  public <T> T create(Class<T> type, Consumer<? super T> init) {
    return objects.create(type, Objects.requireNonNull(init, "init"));
  }

  /** Makes an object whose fields are 0, false and null; see {@link #create(Class, Consumer)}. */
  public <T> T create(Class<T> type) {
    return objects.create(type, object -> {});
  }

  @Override
  public <T> T object(String name, Class<T> type, Consumer<? super T> init) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(init, "init");
    return catalog.root(name, ObjectKind.of(objects, type, init));
  }

  /**
   * Frees an object and the values of its fields. Objects that it refers to stay; a reference to it
   * throws {@link io.everheap.error.GoneException} from then on.
   *
   * @param object that {@link #create} or a field returned
   * @throws io.everheap.error.GoneException if it was freed before
   * @throws IllegalArgumentException if it is no object of this heap, or is a root, which {@link
   *     #remove} frees
   */
  public void free(Object object) {
    if (object instanceof Structure structure) {
      free(structure);
    } else {
      catalog.free(objects, Objects.requireNonNull(object, "object"));
    }
  }

  /**
   * Binds durable interfaces, and those that they refer to, to this heap. Only needed for an
   * interface whose objects the program reads as values of a more general interface before it uses
   * the interface in any other way.
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
   * The region with this name, whose bytes are outside of all transactions; one of zeros is made if
   * there is none. For experts: see {@link UnloggedRegion}.
   *
   * @param bytes its size
   * @throws IllegalArgumentException if it has another size
   */
  public UnloggedRegion region(String name, long bytes) {
    return RawMemory.region(name, engine.regions().open(name, bytes));
  }

  /** Names of the regions that {@link #region} made; a copy. */
  public List<String> regions() {
    return engine.regions().names();
  }

  /**
   * Deletes a region, at once and permanently: no rollback restores it.
   *
   * @return whether there was one
   */
  public boolean removeRegion(String name) {
    return engine.regions().remove(name);
  }

  @Override
  public <S> S root(String name, Shape<S> shape) {
    Objects.requireNonNull(name, "name");
    try {
      return catalog.root(name, catalog.define(shape, codecs));
    } catch (InternalError e) {
      throw transactions.faulted(e);
    }
  }

  /**
   * Makes a structure without a name, inside a transaction that should put it into another one as a
   * value: {@code lists.put("a", heap.create(DurableSet.of(Long.class)))}. A structure that nothing
   * leads to at the end of the transaction takes space until it is freed; {@link #verify} counts
   * it.
   *
   * @param shape what it is and holds
   * @throws io.everheap.error.OutsideTransactionException outside of a transaction
   * @throws io.everheap.error.UnsupportedTypeException when a class has no codec
   */
  public <S extends Structure> S create(Shape<S> shape) {
    Objects.requireNonNull(shape, "shape");
    engine.memory().requireWriter();
    return catalog.create(catalog.define(shape, codecs));
  }

  /**
   * Frees a structure that is no root and all that it owns, but not the structures that are its
   * values: others may hold them as well. Handles to it, and entries that still name it, throw
   * {@code GoneException} from then on; such an entry can be removed or replaced.
   *
   * <pre>{@code
   * heap.transact(() -> heap.free(sets.remove("a")));
   * }</pre>
   *
   * @throws io.everheap.error.GoneException if it was freed already
   * @throws IllegalArgumentException if it is a root, or of another heap
   */
  public void free(Structure structure) {
    catalog.free(Objects.requireNonNull(structure, "structure"), false);
  }

  /**
   * Frees a structure that is no root, and all structures within it that are no roots, in one
   * transaction, whose duration grows with their number.
   *
   * @throws io.everheap.error.GoneException if it was freed already
   * @throws IllegalArgumentException if it is a root, or of another heap
   */
  public void freeDeep(Structure structure) {
    catalog.free(Objects.requireNonNull(structure, "structure"), true);
  }

  @Override
  public Footprint footprint(String name) {
    return catalog.footprint(Objects.requireNonNull(name, "name"));
  }

  /**
   * Measures the space that a structure or an object takes, also one that is no root: see {@link
   * #footprint(String)}.
   *
   * @param handle a structure of this heap, or an object
   * @throws io.everheap.error.GoneException if it was freed
   * @throws IllegalArgumentException if it is no structure or object of this heap
   * @throws io.everheap.error.CorruptException if the walk meets damage
   */
  public Footprint footprint(Object handle) {
    return catalog.footprint(objects, Objects.requireNonNull(handle, "handle"));
  }

  @Override
  public List<StoredType> types() {
    return StoredType.all(catalog.types());
  }

  @Override
  public Set<String> valueTypes() {
    return new ValueTypes(roots()).names();
  }

  @Override
  public TypeDifference compare(Class<?> type) {
    return type.isAnnotationPresent(Durable.class)
        ? objects.compare(type)
        : new ValueTypes(roots()).compare(type, codecs, new ValueSamples(structures, catalog));
  }

  @Override
  public Set<String> names() {
    return catalog.names();
  }

  @Override
  public List<Root> roots() {
    return catalog.describe();
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(String name) {
    return catalog
        .entries(Objects.requireNonNull(name, "name"))
        .orElseThrow(() -> new IllegalArgumentException("no root named " + name));
  }

  @Override
  public Iterator<Undecodable> undecodable(String name) {
    return catalog
        .undecodable(Objects.requireNonNull(name, "name"))
        .orElseThrow(() -> new IllegalArgumentException("no root named " + name));
  }

  @Override
  public Optional<DescribedFields> fields(ObjectReference object) {
    transactions.requireReadable();
    return ObjectKind.INSTANCE.describe(structures, object.reference());
  }

  @Override
  public boolean contains(String name) {
    return catalog.reference(Objects.requireNonNull(name, "name")).isPresent();
  }

  @Override
  public void rename(String from, String to) {
    catalog.rename(Objects.requireNonNull(from, "from"), Objects.requireNonNull(to, "to"));
  }

  @Override
  public boolean remove(String name) {
    return catalog.remove(Objects.requireNonNull(name, "name"), false);
  }

  @Override
  public boolean removeDeep(String name) {
    return catalog.remove(Objects.requireNonNull(name, "name"), true);
  }

  /**
   * Runs {@code body} as one transaction: all or nothing, isolated, and durable when this returns
   * as the heap's {@link Durability} says. If the body throws, everything that it did is undone and
   * the exception is thrown to the caller. Inside another transaction it joins that one: if it
   * throws and the outer body catches, only the inner part is undone. The body runs exactly once;
   * it must not wait for another thread that writes to this heap. Until the commit, only this
   * thread sees its stores: other threads, including those of a parallel stream in the body, see
   * the committed state.
   */
  public <X extends Exception> void transact(ThrowingRunnable<X> body) throws X {
    // Calls begin and end directly, as the next methods do: transactions.run takes another lambda.
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
   * Runs {@code body} as one transaction with the given durability. If it joins an outer one, the
   * outer transaction is {@link Durability#SYNC} if either asks for it.
   */
  public <T extends @Nullable Object, X extends Exception> T transact(
      Durability durability, ThrowingSupplier<T, X> body) throws X {
    Objects.requireNonNull(durability, "durability");
    return transact(
        () -> {
          Transaction.want(durability, transactions, engine.log());
          return body.get();
        });
  }

  /** Runs {@code body} as one transaction with the given durability. */
  public <X extends Exception> void transact(Durability durability, ThrowingRunnable<X> body)
      throws X {
    Objects.requireNonNull(durability, "durability");
    transact(
        () -> {
          Transaction.want(durability, transactions, engine.log());
          body.run();
        });
  }

  /**
   * Runs {@code body} as one transaction in this thread and returns once it is committed, without
   * waiting for the disk. Not inside another transaction.
   *
   * <p>Commit hooks run before the stage completes, in the same thread of the library. If one
   * throws, the stage fails with its exception, but the commit stands.
   *
   * @return completes with the result when the commit is durable, or fails if its outcome is
   *     unknown; in a thread that all asynchronous transactions of this heap share, so hand long
   *     work to another executor
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
   * Runs {@code body} so that all its reads see one state of the heap. It takes no lock, and runs
   * the body again if a commit intervenes, so the body should do nothing but read, and must not
   * catch exceptions of the library. Inside a transaction the body simply runs.
   */
  public <T extends @Nullable Object, X extends Exception> T read(ThrowingSupplier<T, X> body)
      throws X {
    return transactions.read(body::get);
  }

  /** Whether this thread runs a transaction of this heap. */
  public boolean inTransaction() {
    return transactions.isWriter();
  }

  /**
   * The transaction that this thread runs.
   *
   * @throws io.everheap.error.OutsideTransactionException if it runs none
   */
  public Transaction transaction() {
    return new Transaction(transactions);
  }

  @Override
  public void sync() {
    engine.sync();
  }

  @Override
  public void checkpoint() {
    engine.checkpoint();
  }

  @Override
  public long shrink() {
    return collector.exclusively(
        "shrink",
        () -> {
          structures.finishFrees(); // else what was cleared or removed just now would stay
          return engine.shrink();
        });
  }

  @Override
  public VerifyReport verify(VerifyProgress progress) {
    Objects.requireNonNull(progress, "progress");
    transactions.requireOutside("verify");
    transactions.requireReadable();
    return new HeapVerifier(engine, structures, progress).verify();
  }

  @Override
  public CollectReport collect(CollectProgress progress) {
    return collector.collect(Objects.requireNonNull(progress, "progress"));
  }

  @Override
  public HeapStats stats() {
    return HeapStats.of(engine);
  }

  /** The durability that was chosen when the heap was opened. */
  public Durability durability() {
    return durability;
  }

  /** Whether the heap can be used: it is neither closed nor poisoned. */
  public boolean isOpen() {
    return engine.isOpen();
  }

  /**
   * Returns why the heap refuses transactions that write; for health checks.
   *
   * @return the exception that a transaction would get, such as {@link
   *     io.everheap.error.StoppedException}, {@link io.everheap.error.FencedException}, {@link
   *     io.everheap.error.ReadOnlyException} or {@link io.everheap.error.ClosedException}; null if
   *     the heap accepts transactions
   */
  public @Nullable RuntimeException writeRefusal() {
    return engine.writeRefusal();
  }

  /**
   * Waits for the running transaction, makes everything durable and closes the files. Later use of
   * this heap, and of structures and objects from it, throws {@code ClosedException}. A second
   * close does nothing; while another thread closes the heap, it waits for that.
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
