package io.everheap.structure.sorted;

import io.everheap.codec.WordCodec;
import io.everheap.collection.StructureId;
import io.everheap.collection.Undecodable;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptException;
import io.everheap.error.CorruptValueException;
import io.everheap.error.GoneException;
import io.everheap.structure.common.Coding;
import io.everheap.structure.common.Contents;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.DurableEntry;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.EntryStore;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.NestedCodec;
import io.everheap.structure.common.StoredBytes;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.TransactionalMap;
import io.everheap.structure.common.UndecodableIterator;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One sorted map as keys and values: what its views have in common. Reads are optimistic, changes
 * are transactions, or parts of the one that the thread runs. Thread-safe.
 */
public final class SortedStore<K, V> implements EntryStore<V> {
  private final StructureContext heap;
  private final Transactions tx;
  private final SortedTree tree;
  private final SortedWriter writer;
  private final SortedGets<V> gets;
  private final Coding<K> keys;
  private final Coding<V> values;
  private final @Nullable WordCodec<K> wordKeys;
  private final @Nullable WordCodec<V> onlyWords; // of values, if keys are also words
  private final @Nullable SortedSearch search; // unless a comparator orders the keys
  private final @Nullable Comparator<? super K> shown;
  private final boolean prefixes;

  SortedStore(StructureContext heap, long reference, SortedInfo info, SortedTypes<K, V> types) {
    this(heap, reference, info, types, false);
  }

  /** The store of what a header describes, which must be of these types. */
  static <K, V> SortedStore<K, V> attach(
      StructureContext heap, long reference, int header, SortedTypes<K, V> types) {
    SortedInfo info = SortedInfo.committed(heap, reference, header);
    if (info.kinds() != types.kinds()) {
      throw CorruptException.heap(
          "A sorted map or set of "
              + heap.location()
              + " is damaged: its header says 0x"
              + Long.toHexString(info.kinds())
              + " where its types make 0x"
              + Long.toHexString(types.kinds()));
    }
    return new SortedStore<>(heap, reference, info, types);
  }

  /** The store of what was freed: every method throws. */
  static <K, V> SortedStore<K, V> dead(
      StructureContext heap, long reference, SortedTypes<K, V> types) {
    return new SortedStore<>(heap, reference, new SortedInfo(types.kinds(), 0, 0, 0), types, true);
  }

  private SortedStore(
      StructureContext heap,
      long reference,
      SortedInfo info,
      SortedTypes<K, V> types,
      boolean dead) {
    this.heap = heap;
    this.tx = heap.transactions();
    this.keys = new Coding<>(heap, types.storedKey(), heap.holder(reference));
    this.values =
        new Coding<>(heap, NestedCodec.bound(types.value(), heap), heap.holder(reference));
    this.wordKeys = keys.word();
    this.onlyWords = info.wordKeys() ? values.word() : null;
    this.tree = SortedTree.of(heap, reference, info, keys, types.comparator(), dead);
    this.search =
        types.comparator() == null
            ? new SortedSearch(heap.memory(), tree.separators(), info.kinds())
            : null;
    this.writer = new SortedWriter(tree);
    this.gets = new SortedGets<>(heap, tree, search, values);
    this.shown = types.shownComparator();
    this.prefixes = types.hasPrefixes();
  }

  StructureId id() {
    return new HeapStructureId(heap, tree.reference());
  }

  SortedTree tree() {
    return tree;
  }

  /** What changes the tree. */
  SortedWriter writer() {
    return writer;
  }

  /** The heap that holds the map. */
  StructureContext heap() {
    return heap;
  }

  /** Whether an entry is two words. */
  boolean hasOnlyWords() {
    return onlyWords != null;
  }

  /** Whether a comparator orders the keys, not their encoded form. */
  boolean isCompared() {
    return search == null;
  }

  /** A place in the tree that has no position yet; null if keys need a comparator. */
  @Nullable SortedSpot spot() {
    SortedSearch by = search;
    return by == null ? null : new SortedSpot(tree, by, tree.memory(), tx.stripes());
  }

  /** Whether this thread runs a transaction, whose stores only the general way sees. */
  boolean isWriter() {
    return tx.isWriter();
  }

  /** To be called before a read of many entries. */
  void beforeRead() {
    tx.beforeRead();
  }

  /** To be called by each read after it validated. */
  void checkRead() {
    tx.checkRead();
  }

  /** What {@code comparator()} returns. */
  @Nullable Comparator<? super K> comparator() {
    return shown;
  }

  @Override
  public boolean mustBegin() {
    return keys.mustBegin(tx) || values.mustBegin(tx);
  }

  /** Whether keys can be looked for by what they begin with. */
  boolean hasPrefixes() {
    return prefixes;
  }

  // ---- Encoded and decoded ------------------------------------------------------------------

  int compare(Encoded a, Encoded b) {
    try {
      return tree.comparison().compare(a, b);
    } catch (ComparatorComparison.Failure e) {
      throw e.thrown();
    }
  }

  Encoded encodeKey(K key) {
    return keys.encodeKey(key);
  }

  /** Null if it cannot be a key. */
  @Nullable Encoded encodeAnyKey(@Nullable Object key) {
    return keys.encodeAny(Objects.requireNonNull(key, "key"));
  }

  @Override
  public Encoded encodeValue(V value) {
    return values.encode(Objects.requireNonNull(value, "value"));
  }

  /** Decodes a key; a failure names its bytes. */
  K decodeKey(Encoded key) {
    try {
      return keys.decode(key);
    } catch (CorruptValueException e) {
      throw Contents.ofKey(StoredBytes.of(key), e);
    }
  }

  V decodeValue(Encoded value) {
    return values.decode(value);
  }

  K key(SortedBatch batch, int i) {
    WordCodec<K> words = wordKeys;
    if (words != null && words.accepts(batch.keyWord(i))) {
      return words.fromWord(batch.keyWord(i)); // outside of the try: there its box is allocated
    }
    try {
      return words == null ? batch.key(i, keys) : keys.decode(batch.keyWord(i));
    } catch (CorruptValueException e) {
      throw Contents.ofKey(StoredBytes.of(batch.key(i)), e);
    }
  }

  V value(SortedBatch batch, int i) {
    WordCodec<V> words = onlyWords;
    if (words != null && words.accepts(batch.valueWord(i))) {
      return words.fromWord(batch.valueWord(i));
    }
    try {
      return words == null ? batch.value(i, values) : values.decode(batch.valueWord(i));
    } catch (CorruptValueException e) {
      throw Contents.ofKey(position(batch.key(i)), e);
    }
  }

  /** A key for messages: decoded, or its bytes if it does not decode. */
  private Object position(Encoded key) {
    return keys.failure(key) == null ? keys.decode(key) : StoredBytes.of(key);
  }

  /**
   * Iterates over the entries of which this program cannot decode the key or the value.
   *
   * @param map whether values belong to the entries; those of a set are fillers
   */
  Iterator<Undecodable> undecodable(SortedCursor cursor, boolean map) {
    return new UndecodableIterator(
        new UndecodableIterator.Walk() {
          @Override
          public boolean advance() {
            return cursor.advance();
          }

          @Override
          public @Nullable Undecodable failure() {
            return failureOf(cursor.key(), cursor.batch().value(cursor.position()), map);
          }

          @Override
          public Runnable removal() {
            Encoded key = cursor.key();
            return () -> inTransaction(() -> remove(key));
          }
        });
  }

  /** Describes an entry whose key or value does not decode; null if both do. */
  @Nullable Undecodable failureOf(Encoded key, Encoded value, boolean map) {
    CorruptValueException ofKey = keys.failure(key);
    if (ofKey != null) {
      byte[] bytes = map ? StoredBytes.of(value) : new byte[0];
      return StoredBytes.undecodableKey(keys.type(), key, bytes, ofKey);
    }
    CorruptValueException e = values.failure(value);
    if (e == null) {
      return null;
    }
    K decoded = keys.decode(key);
    return StoredBytes.undecodable(decoded, values.type(), value, Contents.ofKey(decoded, e));
  }

  Map.Entry<K, V> entry(TransactionalMap<K, V> map, SortedBatch batch, int i) {
    WordCodec<K> words = wordKeys;
    V value = value(batch, i);
    return words == null
        ? new DurableEntry<>(map, batch.key(i, keys), value)
        : new DurableEntry<>(map, words, batch.keyWord(i), value);
  }

  /** Passes all entries of a batch on: a method of its own, so that it is compiled as one loop. */
  void visit(SortedBatch batch, BiConsumer<? super K, ? super V> action) {
    int size = batch.size();
    for (int i = 0; i < size; i++) {
      action.accept(key(batch, i), value(batch, i));
    }
  }

  // ---- Reading ------------------------------------------------------------------------------

  /** The value of a key, or null; makes no garbage if keys and values are words. */
  @Nullable V get(Object key) {
    try {
      return getAny(key);
    } catch (CorruptValueException e) {
      throw Contents.ofKey(key, e);
    }
  }

  @SuppressWarnings("unchecked") // a wrong type shows as ClassCastException
  private @Nullable V getAny(Object key) {
    WordCodec<K> words = wordKeys;
    if (words == null) {
      Encoded encoded = encodeAnyKey(key);
      return encoded == null ? null : gets.get(encoded);
    }
    long word;
    try {
      word = words.toWord((K) key);
    } catch (ClassCastException e) {
      return null;
    } catch (GoneException e) {
      Encoded gone = encodeAnyKey(key);
      return gone == null ? null : gets.get(gone);
    }
    return gets.get(word);
  }

  @Override
  public @Nullable V getEncoded(Encoded key) {
    return gets.get(key);
  }

  boolean contains(Encoded key) {
    return gets.contains(key);
  }

  long count() {
    return tree.read(guard -> Damage.requireCount(heap.memory(), tree.header(), tree.count()));
  }

  /** The entry nearest to a key; see {@link SortedTree#seek}. The batch may be empty. */
  SortedBatch nearest(
      @Nullable Encoded bound, boolean inclusive, boolean descending, boolean withValue) {
    SortedBatch batch = new SortedBatch(tree.entries(), withValue);
    SortedSpot spot = tx.isWriter() ? null : spot();
    if (spot != null && isRead(batch, spot, bound, inclusive, descending)) {
      tx.checkRead();
    } else {
      batch.read(tree, bound, inclusive, descending, 1);
    }
    return batch;
  }

  private boolean isRead(
      SortedBatch batch,
      SortedSpot spot,
      @Nullable Encoded bound,
      boolean inclusive,
      boolean descending) {
    try {
      if (!spot.seek(bound, inclusive, descending)) {
        return false;
      }
      return !spot.isSomewhere() || batch.read(spot, tree.memory(), spot.position(), 1, 1);
    } catch (RuntimeException e) { // the general way reports why
      batch.cut(0);
      return false;
    }
  }

  // ---- Changing, inside a transaction -------------------------------------------------------

  @Override
  public <T extends @Nullable Object> T inTransaction(Supplier<T> body) {
    boolean ok = false;
    tx.begin();
    try {
      T result = body.get();
      ok = true;
      return result;
    } catch (ComparatorComparison.Failure e) {
      throw e.thrown();
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  @Override
  public void awaitWhatWasSeen() {
    if (heap.syncs() && !tx.isWriter()) {
      heap.sync();
    }
  }

  /** Moves a path to a key; false if it is not there. */
  private boolean find(Encoded key, SortedPath path) {
    tree.checkAlive();
    SortedSearch by = search;
    if (by != null && tree.memory().isUntouched()) {
      try {
        return by.find(tree.root(), key, path) >= 0;
      } catch (RuntimeException e) {
        // the general way reports what is wrong
      }
    }
    return tree.find(key, path, tree.exclusive()) >= 0;
  }

  @Override
  public @Nullable V present(Encoded key) {
    SortedPath path = new SortedPath();
    return find(key, path) ? valueAt(key, path) : null;
  }

  private V valueAt(Encoded key, SortedPath path) {
    return decodeValue(key, encodedAt(path));
  }

  /** Decodes the value of a key, which a failure names. */
  private V decodeValue(Encoded key, Encoded value) {
    try {
      return values.decode(value);
    } catch (CorruptValueException e) {
      throw Contents.ofKey(position(key), e);
    }
  }

  /**
   * Copies the value at a path. It is decoded after the entry was changed or removed: decoding runs
   * the program's code, which may change the map.
   */
  private Encoded encodedAt(SortedPath path) {
    int place = tree.nodes().place(path.leaf(), path.at());
    return tree.entries().value(path.leaf(), place, tree.exclusive());
  }

  /** Adds a key or gives it another value; returns the one before, or null. */
  @Nullable V put(Encoded key, Encoded value) {
    SortedPath path = new SortedPath();
    if (find(key, path)) {
      Encoded old = encodedAt(path);
      writer.update(path, value);
      return decodeValue(key, old);
    }
    writer.insert(path, key, value);
    return null;
  }

  @Override
  public void set(Encoded key, Encoded value) {
    SortedPath path = new SortedPath();
    if (find(key, path)) {
      writer.update(path, value);
    } else {
      writer.insert(path, key, value);
    }
  }

  @Override
  public @Nullable V add(Encoded key, Encoded value) {
    SortedPath path = new SortedPath();
    if (find(key, path)) {
      return valueAt(key, path);
    }
    writer.insert(path, key, value);
    return null;
  }

  @Override
  public boolean remove(Encoded key) {
    SortedPath path = new SortedPath();
    if (!find(key, path)) {
      return false;
    }
    remove(path, key);
    return true;
  }

  /** Removes a key; returns its value, or null if it is not there. */
  @Nullable V take(Encoded key) {
    SortedPath path = new SortedPath();
    if (!find(key, path)) {
      return null;
    }
    Encoded old = encodedAt(path);
    remove(path, key);
    return decodeValue(key, old);
  }

  private void remove(SortedPath path, Encoded key) {
    writer.remove(path, key);
    if (tree.count() == 0) {
      clear();
    }
  }

  /** Removes all entries. */
  void clear() {
    SortedLifecycle.clear(heap, tree, writer);
  }
}
