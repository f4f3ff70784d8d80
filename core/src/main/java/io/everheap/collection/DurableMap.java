package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.codec.WordCodec;
import io.everheap.collection.base.Coding;
import io.everheap.collection.base.Damage;
import io.everheap.collection.base.Encoded;
import io.everheap.collection.base.Guard;
import io.everheap.collection.base.MapHash;
import io.everheap.collection.base.MapLayout;
import io.everheap.collection.base.NodeLayout;
import io.everheap.collection.base.NodeStore;
import io.everheap.collection.base.OptimisticReads;
import io.everheap.collection.hash.GroupReader;
import io.everheap.collection.hash.HashTable;
import io.everheap.collection.hash.MapCursor;
import io.everheap.collection.hash.MapInfo;
import io.everheap.collection.hash.MapType;
import io.everheap.collection.lifecycle.MapLifecycle;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptValueException;
import io.everheap.error.StaleReferenceException;
import io.everheap.memory.Region;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A hash map that lives in a heap and outlives the process: a {@link ConcurrentMap} whose changes
 * are atomic and durable. Keys and values are copied in and out by their codecs; two keys are the
 * same if their encoded forms are, and values are compared with {@code equals}, arrays by their
 * contents. Neither can be null. Values can be structures of the same heap: see {@link #of(Class,
 * Shape)}.
 *
 * <p><b>Transactions.</b> A method that changes the map is a transaction of its own, or part of the
 * one that this thread runs: it happens wholly or not at all, also {@link #putAll}, {@link #clear},
 * {@link #replaceAll} and the bulk removals of the views. When it returns outside a transaction, it
 * is as durable as the heap's durability says; so is what a method found that decided to change
 * nothing, such as a {@link #putIfAbsent} that returns a value. Functions given to {@link #compute}
 * and its like run inside the transaction, once; an exception of theirs undoes what that call did,
 * no more. They may use this map.
 *
 * <p><b>Reads</b> take no lock, wait for nobody but a writer that keeps changing the same part of
 * the map, and see the newest commit, which its own caller may still be waiting for to become
 * durable. Iterators, streams and views are weakly consistent: they see each entry that stays
 * exactly once, and may or may not see what changes meanwhile. For a consistent view over several
 * reads use {@code Heap.read}.
 *
 * <p><b>Cost.</b> The table grows by one bucket at a time, so no insert pays for all; it does not
 * shrink, except by {@link #clear}. Removing all of a large map at once is a short transaction; its
 * space is given back in the background. An encoded key has at most 256 KiB, an encoded value just
 * below 2 GiB.
 *
 * <p>Safe for use by many threads. After the map was removed from its heap, every method throws
 * {@link io.everheap.error.StaleReferenceException}; after the heap was closed, {@link
 * io.everheap.error.HeapClosedException}.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class DurableMap<K, V> extends AbstractMap<K, V>
    implements ConcurrentMap<K, V>, Structure {
  private static final long UNKNOWN = -1; // no address of a node

  private final Engine engine;
  private final long reference;
  private final MapInfo info;
  private final HeapMemory memory;
  private final Stripes stripes;
  private final Transactions tx;
  private final OptimisticReads reads;
  private final HashTable table;
  private final NodeStore nodes;
  private final MapHash hash;
  private final int base;
  private final Coding<K> keys;
  private final Coding<V> values;
  private final @Nullable WordCodec<K> wordKeys; // both or none: set when nodes are two words
  private final @Nullable WordCodec<V> wordValues;
  private final Set<K> keyView;
  private final Collection<V> valueView;
  private final Set<Map.Entry<K, V>> entryView;

  private DurableMap(
      Engine engine,
      long reference,
      MapInfo info,
      Coding<K> keys,
      Coding<V> values,
      HashTable table) {
    this.engine = engine;
    this.reference = reference;
    this.info = info;
    this.memory = engine.memory();
    this.stripes = engine.transactions().stripes();
    this.tx = engine.transactions();
    this.reads = new OptimisticReads(memory, tx);
    this.table = table;
    this.nodes = table.nodes();
    this.hash = table.hash();
    this.base = table.stripeBase();
    this.keys = keys;
    this.values = values;
    boolean words = keys.isWord() && values.isWord();
    this.wordKeys = words ? keys.word() : null;
    this.wordValues = words ? values.word() : null;
    this.keyView = new MapViews.Keys<>(this);
    this.valueView = new MapViews.Values<>(this);
    this.entryView = new MapViews.Entries<>(this);
  }

  /**
   * The shape of a map with these types.
   *
   * @param key class of the keys: a type with a built-in codec, an enum, a record, or a registered
   *     class
   * @param value class of the values, likewise
   */
  public static <K, V> Shape<DurableMap<K, V>> of(Class<K> key, Class<V> value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return codecs -> new MapDefinition<>(codecs.forClass(key), codecs.forClass(value));
  }

  /** The shape of a map with codecs of the caller's choice. */
  public static <K, V> Shape<DurableMap<K, V>> of(Codec<K> key, Codec<V> value) {
    MapDefinition<K, V> definition =
        new MapDefinition<>(
            Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
    return codecs -> definition;
  }

  /**
   * The shape of a map whose values are structures themselves, made by {@code Heap.create}.
   *
   * <pre>{@code
   * DurableMap<String, DurableSet<Long>> index =
   *     heap.root("index", DurableMap.of(String.class, DurableSet.of(Long.class)));
   * heap.transact(() -> index.put("a", heap.create(DurableSet.of(Long.class))));
   * }</pre>
   *
   * <p>The map keeps references: several entries may share a structure, and removing an entry does
   * not free what it named; {@code Heap.free} does. A value that was freed throws {@link
   * io.everheap.error.StaleReferenceException} when it is used.
   *
   * @param key class of the keys
   * @param value shape of the values
   */
  public static <K, V> Shape<DurableMap<K, V>> of(Class<K> key, Shape<V> value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return codecs -> new MapDefinition<>(codecs.forClass(key), NestedCodec.of(value, codecs));
  }

  /** The shape of a map whose values are structures, with a codec of the caller's choice. */
  public static <K, V> Shape<DurableMap<K, V>> of(Codec<K> key, Shape<V> value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return codecs -> new MapDefinition<>(key, NestedCodec.of(value, codecs));
  }

  /**
   * Makes an empty map, in the running transaction or one of its own. For use by the heap.
   *
   * @param engine of the heap
   * @param keyCodec of the keys; must be canonical
   * @param valueCodec of the values
   * @param type is kept for {@link #typeOf}
   * @return the reference of the map's header
   * @throws IllegalArgumentException if equal keys can have several encodings
   */
  public static long create(Engine engine, Codec<?> keyCodec, Codec<?> valueCodec, MapType type) {
    return MapLifecycle.create(engine, BlockType.MAP_HEADER, keyCodec, valueCodec, type);
  }

  /**
   * Returns what was given when a map was made. For use by the heap.
   *
   * @param engine of the heap
   * @param reference of the map's header
   * @return the type
   * @throws io.everheap.error.StaleReferenceException if there is no such map
   */
  public static MapType typeOf(Engine engine, long reference) {
    return info(engine, reference).type();
  }

  /**
   * Returns how many entries a map has, whatever its codecs are. For use by the heap.
   *
   * @param engine of the heap
   * @param reference of the map's header
   * @return the number of entries
   * @throws io.everheap.error.StaleReferenceException if there is no such map
   */
  public static long sizeOf(Engine engine, long reference) {
    MapInfo info = info(engine, reference);
    Codec<?> keys = info.wordKeys() ? Codecs.LONG : Codecs.BYTES;
    Codec<?> values = info.wordValues() ? Codecs.LONG : Codecs.BYTES;
    return attach(engine, reference, keys, values).sizeLong();
  }

  /** What the header of a map or a set says. */
  static MapInfo info(Engine engine, long reference) {
    int stripe = MapLayout.stripeBase(Reference.address(reference));
    return OptimisticReads.of(engine)
        .read(new Guard(engine.stripes(), stripe), guard -> MapInfo.read(engine, reference));
  }

  /**
   * Makes a handle to a map that exists. For use by the heap.
   *
   * @param engine of the heap
   * @param reference of the map's header
   * @param keyCodec as at its creation
   * @param valueCodec as at its creation
   * @return the handle; any number of them may be in use
   * @throws io.everheap.error.StaleReferenceException if there is no such map
   * @throws IllegalArgumentException if the codecs do not fit the map
   */
  public static <K, V> DurableMap<K, V> attach(
      Engine engine, long reference, Codec<K> keyCodec, Codec<V> valueCodec) {
    return attach(engine, reference, keyCodec, valueCodec, MapHash.ALL_BITS);
  }

  /** A handle whose hash function yields only some bits, for tests that want collisions. */
  static <K, V> DurableMap<K, V> attach(
      Engine engine, long reference, Codec<K> keyCodec, Codec<V> valueCodec, long hashMask) {
    return attach(engine, BlockType.MAP_HEADER, reference, keyCodec, valueCodec, hashMask);
  }

  /** A handle to a map, or to the map that a set is made of. Takes no lock. */
  static <K, V> DurableMap<K, V> attach(
      Engine engine,
      int headerType,
      long reference,
      Codec<K> keyCodec,
      Codec<V> valueCodec,
      long hashMask) {
    Coding.requireCanonical(keyCodec);
    Coding<K> keys = new Coding<>(engine, keyCodec, new Holder(engine, reference));
    Coding<V> values = new Coding<>(engine, valueCodec, new Holder(engine, reference));
    Stripes stripes = engine.transactions().stripes();
    int base = MapLayout.stripeBase(Reference.address(reference));
    return new OptimisticReads(engine.memory(), engine.transactions())
        .read(
            new Guard(stripes, base),
            guard -> {
              MapInfo info = MapInfo.read(engine, reference);
              if (info.headerType() != headerType) {
                throw Damage.at(
                    Reference.address(reference),
                    "a " + info.describe() + " in place of another structure");
              }
              info.requireKinds(keys.isWord(), values.isWord());
              HashTable table =
                  new HashTable(
                      engine.memory(),
                      stripes,
                      engine.allocator(),
                      reference,
                      new MapHash(info.seed(), hashMask));
              table.checkShape();
              return new DurableMap<>(engine, reference, info, keys, values, table);
            });
  }

  /** A handle to what was freed: every method throws. */
  static <K, V> DurableMap<K, V> dead(
      Engine engine, int headerType, long reference, Codec<K> keyCodec, Codec<V> valueCodec) {
    Coding<K> keys = new Coding<>(engine, keyCodec, new Holder(engine, reference));
    Coding<V> values = new Coding<>(engine, valueCodec, new Holder(engine, reference));
    long kinds = MapLayout.kinds(keys.isWord(), values.isWord());
    HashTable table =
        HashTable.dead(
            engine.memory(), engine.transactions().stripes(), engine.allocator(), reference, kinds);
    MapInfo info = new MapInfo(headerType, kinds, new MapType(0, 0), 0);
    return new DurableMap<>(engine, reference, info, keys, values, table);
  }

  /**
   * Frees a map and all it holds, in the running transaction or one of its own. The blocks of a
   * large one are freed in the background, also after a crash. For use by the heap.
   *
   * @param engine of the heap
   * @param reference of the map's header
   * @throws io.everheap.error.StaleReferenceException if there is no such map
   */
  public static void destroy(Engine engine, long reference) {
    MapLifecycle.destroy(engine, reference);
  }

  // ---- Reading ------------------------------------------------------------------------------

  @Override
  public @Nullable V get(@Nullable Object key) {
    Objects.requireNonNull(key, "key");
    try {
      return getAny(key);
    } catch (CorruptValueException e) {
      throw Contents.ofKey(key, e);
    }
  }

  private @Nullable V getAny(Object key) {
    WordCodec<K> codec = wordKeys;
    if (codec != null) {
      long word;
      try {
        word = toWord(codec, key);
      } catch (ClassCastException e) {
        return null;
      } catch (StaleReferenceException e) {
        Encoded gone = keys.encodeAny(key);
        return gone == null ? null : getEncoded(gone);
      }
      return getWord(word);
    }
    Encoded encoded = keys.encodeAny(key);
    if (encoded == null) {
      return null;
    }
    byte[] bytes = encoded.bytes;
    return bytes == null || values.isWord() ? getEncoded(encoded) : getBytes(bytes, encoded);
  }

  @SuppressWarnings("unchecked") // a wrong type shows as ClassCastException
  private long toWord(WordCodec<K> codec, Object key) {
    return codec.toWord((K) key);
  }

  /** The fast path: no allocation, no call that is not inlined. */
  private @Nullable V getWord(long key) {
    long h = hash.ofWord(key);
    int stripe = MapLayout.stripe(base, h);
    for (int i = 0; i < OptimisticReads.ATTEMPTS && !tx.isWriter(); i++) {
      long version = stripes.sample(stripe);
      if ((version & 1) != 0) {
        Thread.onSpinWait();
        continue;
      }
      long node;
      long value = 0;
      try {
        Region near = table.near();
        node = table.findCommitted(near, h, key);
        if (node != 0) {
          value = table.load(near, node + NodeLayout.WORD_VALUE);
        }
      } catch (RuntimeException | InternalError e) {
        break; // the general path sorts out why
      }
      if (stripes.valid(stripe, version)) {
        tx.checkRead();
        return node == 0 ? null : fromWord(value);
      }
    }
    return getEncoded(Encoded.ofWord(key));
  }

  private V fromWord(long value) {
    WordCodec<V> codec = wordValues;
    return codec == null ? values.decode(Encoded.ofWord(value)) : codec.fromWord(value);
  }

  /** As {@link #getWord}, for keys and values of bytes; but for the copies it makes. */
  private @Nullable V getBytes(byte[] key, Encoded encoded) {
    long h = encoded.hash(hash);
    int stripe = MapLayout.stripe(base, h);
    for (int i = 0; i < OptimisticReads.ATTEMPTS && !tx.isWriter(); i++) {
      long version = stripes.sample(stripe);
      if ((version & 1) != 0) {
        Thread.onSpinWait();
        continue;
      }
      byte[] value = null;
      try {
        Region near = table.near();
        long node = table.findCommitted(near, h, key, encoded.length);
        if (node != 0) {
          long lengths = table.load(near, node + NodeLayout.LENGTHS);
          int bytes = NodeLayout.valueBytes(lengths);
          if (!nodes.isInline(bytes) || !stripes.valid(stripe, version)) {
            break; // the general path knows more
          }
          value = new byte[bytes];
          memory.copyCommitted(node + NodeLayout.value(encoded.length), value, 0, bytes);
        }
      } catch (RuntimeException | InternalError e) {
        break; // the general path sorts out why
      }
      if (stripes.valid(stripe, version)) {
        tx.checkRead();
        return value == null ? null : values.decode(Encoded.ofBytes(value, value.length));
      }
    }
    return getEncoded(encoded);
  }

  private @Nullable V getEncoded(Encoded key) {
    long h = key.hash(hash);
    Encoded value =
        reads.read(
            new Guard(stripes, table.stripe(h)),
            guard -> {
              long node = table.find(h, key, guard.isExclusive());
              return node == 0 ? Encoded.NOTHING : nodes.value(node, guard);
            });
    return value == Encoded.NOTHING ? null : values.decode(value);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    Objects.requireNonNull(key, "key");
    WordCodec<K> codec = keys.word();
    if (codec != null) {
      long word;
      try {
        word = toWord(codec, key);
      } catch (ClassCastException e) {
        return false;
      } catch (StaleReferenceException e) {
        Encoded gone = keys.encodeAny(key);
        return gone != null && containsEncoded(gone);
      }
      return containsWord(word);
    }
    Encoded encoded = keys.encodeAny(key);
    if (encoded == null) {
      return false;
    }
    return containsEncoded(encoded);
  }

  private boolean containsEncoded(Encoded key) {
    long h = key.hash(hash);
    return reads.read(
        new Guard(stripes, table.stripe(h)), guard -> table.find(h, key, guard.isExclusive()) != 0);
  }

  /** As fast as {@link #getWord}. */
  private boolean containsWord(long key) {
    long h = hash.ofWord(key);
    int stripe = MapLayout.stripe(base, h);
    for (int i = 0; i < OptimisticReads.ATTEMPTS && !tx.isWriter(); i++) {
      long version = stripes.sample(stripe);
      if ((version & 1) != 0) {
        Thread.onSpinWait();
        continue;
      }
      boolean found;
      try {
        found = table.findCommitted(table.near(), h, key) != 0;
      } catch (RuntimeException | InternalError e) {
        break; // the general path sorts out why
      }
      if (stripes.valid(stripe, version)) {
        tx.checkRead();
        return found;
      }
    }
    return containsEncoded(Encoded.ofWord(key));
  }

  @Override
  public V getOrDefault(@Nullable Object key, V defaultValue) {
    V value = get(key);
    return value == null ? defaultValue : value;
  }

  /**
   * Returns the number of entries, in constant time.
   *
   * @return the number of the newest commit, or of the running transaction
   */
  public long sizeLong() {
    return reads.read(
        new Guard(stripes, base),
        guard -> {
          table.checkAlive();
          return table.count();
        });
  }

  /** Returns {@link #sizeLong}, or {@link Integer#MAX_VALUE} if it is more. */
  @Override
  public int size() {
    return (int) Math.min(sizeLong(), Integer.MAX_VALUE);
  }

  @Override
  public boolean isEmpty() {
    return sizeLong() == 0;
  }

  @Override
  public boolean containsValue(@Nullable Object value) {
    Objects.requireNonNull(value, "value");
    MapCursor cursor = cursor(true);
    while (cursor.advance()) {
      if (Contents.same(value, decodeValue(cursor.value()))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action, "action");
    MapCursor cursor = cursor(true);
    while (cursor.advance()) {
      action.accept(decodeKey(cursor.key()), decodeValue(cursor.value()));
    }
  }

  // ---- Changing one entry -------------------------------------------------------------------

  @Override
  public @Nullable V put(K key, V value) {
    if (mustBegin()) {
      return inTransaction(() -> put(key, value));
    }
    Encoded k = encodeKey(key);
    Encoded v = encodeValue(value);
    long h = k.hash(hash);
    long version = stripes.sample(table.stripe(h));
    long seen = look(h, k, version);
    boolean ok = false;
    tx.begin();
    try {
      long node = find(h, k, seen, version);
      V old = node == 0 ? null : valueOf(node);
      store(h, k, node, v);
      ok = true;
      return old;
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  /**
   * Does what {@link #put} does, but neither copies nor decodes the value that was there. Of a
   * value that takes the place of the old one, only the words that differ are written.
   *
   * @param key the key
   * @param value the value that it has from now on
   */
  public void set(K key, V value) {
    if (mustBegin()) {
      inTransaction(
          () -> {
            set(key, value);
            return true;
          });
      return;
    }
    Encoded k = encodeKey(key);
    Encoded v = encodeValue(value);
    long h = k.hash(hash);
    long version = stripes.sample(table.stripe(h));
    long seen = look(h, k, version);
    boolean ok = false;
    tx.begin();
    try {
      store(h, k, find(h, k, seen, version), v);
      ok = true;
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    if (mustBegin()) {
      return inTransaction(() -> putIfAbsent(key, value));
    }
    Encoded k = encodeKey(key);
    Encoded v = encodeValue(value);
    V found = getEncoded(k);
    if (found != null) {
      awaitWhatWasSeen();
      return found;
    }
    long h = k.hash(hash);
    return inTransaction(
        () -> {
          long node = table.find(h, k, true);
          if (node != 0) {
            return valueOf(node);
          }
          table.insert(h, k, v);
          return null;
        });
  }

  @Override
  public @Nullable V remove(@Nullable Object key) {
    Encoded k = keys.encodeAny(Objects.requireNonNull(key, "key"));
    if (k == null) {
      return null;
    }
    long h = k.hash(hash);
    return inTransaction(
        () -> {
          long node = table.find(h, k, true);
          if (node == 0) {
            return null;
          }
          V old = valueOf(node);
          table.remove(h, node);
          return old;
        });
  }

  @Override
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    Encoded k = keys.encodeAny(Objects.requireNonNull(key, "key"));
    if (k == null || value == null) {
      return false;
    }
    long h = k.hash(hash);
    return inTransaction(
        () -> {
          long node = table.find(h, k, true);
          if (node == 0 || !Contents.same(value, valueOf(node))) {
            return false;
          }
          table.remove(h, node);
          return true;
        });
  }

  @Override
  public @Nullable V replace(K key, V value) {
    if (mustBegin()) {
      return inTransaction(() -> replace(key, value));
    }
    Encoded k = encodeKey(key);
    Encoded v = encodeValue(value);
    long h = k.hash(hash);
    return inTransaction(
        () -> {
          long node = table.find(h, k, true);
          if (node == 0) {
            return null;
          }
          V old = valueOf(node);
          table.update(h, node, k, v);
          return old;
        });
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    Objects.requireNonNull(oldValue, "oldValue");
    if (mustBegin()) {
      return inTransaction(() -> replace(key, oldValue, newValue));
    }
    Encoded k = encodeKey(key);
    Encoded v = encodeValue(newValue);
    long h = k.hash(hash);
    return inTransaction(
        () -> {
          long node = table.find(h, k, true);
          if (node == 0 || !Contents.same(oldValue, valueOf(node))) {
            return false;
          }
          table.update(h, node, k, v);
          return true;
        });
  }

  @Override
  public @Nullable V computeIfAbsent(
      K key, Function<? super K, ? extends @Nullable V> mappingFunction) {
    Objects.requireNonNull(mappingFunction, "mappingFunction");
    if (mustBegin()) {
      return inTransaction(() -> computeIfAbsent(key, mappingFunction));
    }
    Encoded k = encodeKey(key);
    V found = getEncoded(k);
    if (found != null) {
      awaitWhatWasSeen();
      return found;
    }
    long h = k.hash(hash);
    return inTransaction(
        () -> {
          V present = present(h, k);
          if (present != null) {
            return present;
          }
          V value = mappingFunction.apply(key);
          if (value == null) {
            return null;
          }
          present = present(h, k); // the function may have used this map
          if (present == null) {
            table.insert(h, k, encodeValue(value));
          }
          return present == null ? value : present;
        });
  }

  @Override
  public @Nullable V computeIfPresent(
      K key, BiFunction<? super K, ? super V, ? extends @Nullable V> remappingFunction) {
    Objects.requireNonNull(remappingFunction, "remappingFunction");
    if (mustBegin()) {
      return inTransaction(() -> computeIfPresent(key, remappingFunction));
    }
    Encoded k = encodeKey(key);
    long h = k.hash(hash);
    return inTransaction(
        () -> {
          V old = present(h, k);
          return old == null ? null : storeOrRemove(h, k, remappingFunction.apply(key, old));
        });
  }

  @Override
  public @Nullable V compute(
      K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> remappingFunction) {
    Objects.requireNonNull(remappingFunction, "remappingFunction");
    if (mustBegin()) {
      return inTransaction(() -> compute(key, remappingFunction));
    }
    Encoded k = encodeKey(key);
    long h = k.hash(hash);
    return inTransaction(() -> storeOrRemove(h, k, remappingFunction.apply(key, present(h, k))));
  }

  @Override
  public @Nullable V merge(
      K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> remappingFunction) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(remappingFunction, "remappingFunction");
    if (mustBegin()) {
      return inTransaction(() -> merge(key, value, remappingFunction));
    }
    Encoded k = encodeKey(key);
    long h = k.hash(hash);
    return inTransaction(
        () -> {
          V old = present(h, k);
          return storeOrRemove(h, k, old == null ? value : remappingFunction.apply(old, value));
        });
  }

  // ---- Changing many entries ----------------------------------------------------------------

  @Override
  public void putAll(Map<? extends K, ? extends V> entries) {
    inTransaction(
        () -> {
          entries.forEach(
              (key, value) -> {
                Encoded k = encodeKey(key);
                Encoded v = encodeValue(value);
                long h = k.hash(hash);
                store(h, k, table.find(h, k, true), v);
              });
          return true;
        });
  }

  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    inTransaction(
        () -> {
          MapCursor cursor = cursor(true);
          while (cursor.advance()) {
            Encoded k = cursor.key();
            Encoded v = encodeValue(function.apply(decodeKey(k), decodeValue(cursor.value())));
            long h = k.hash(hash);
            long node = table.find(h, k, true);
            if (node != 0) { // the function may have removed it
              table.update(h, node, k, v);
            }
          }
          return true;
        });
  }

  @Override
  public void clear() {
    inTransaction(
        () -> {
          MapLifecycle.clear(engine, table, info.kinds());
          return true;
        });
  }

  // ---- Views --------------------------------------------------------------------------------

  @Override
  public Set<K> keySet() {
    return keyView;
  }

  @Override
  public Collection<V> values() {
    return valueView;
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return entryView;
  }

  /** Whether this thread runs a transaction. */
  boolean isWriter() {
    return tx.isWriter();
  }

  @Override
  public StructureId id() {
    return new StructureId(engine, reference);
  }

  /** The reference of the header. */
  long reference() {
    return reference;
  }

  GroupReader groups(boolean withValues) {
    return new GroupReader(reads, table, stripes, withValues);
  }

  private MapCursor cursor(boolean withValues) {
    GroupReader reader = groups(withValues);
    return new MapCursor(reader, 0, reader.groups());
  }

  boolean removeKey(@Nullable Object key) {
    Encoded k = keys.encodeAny(Objects.requireNonNull(key, "key"));
    return k != null && removeEncoded(k);
  }

  /** Removes a key, if it is there. */
  boolean removeEncoded(Encoded key) {
    long h = key.hash(hash);
    return inTransaction(
        () -> {
          long node = table.find(h, key, true);
          if (node == 0) {
            return false;
          }
          table.remove(h, node);
          return true;
        });
  }

  /** Removes one entry with this value, if there is one. */
  boolean removeOneValue(Object value) {
    return inTransaction(
        () -> {
          MapCursor cursor = cursor(true);
          while (cursor.advance()) {
            if (Contents.same(value, decodeValue(cursor.value()))) {
              return removeEncoded(cursor.key());
            }
          }
          return false;
        });
  }

  K decodeKey(Encoded key) {
    return keys.decode(key);
  }

  V decodeValue(Encoded value) {
    return values.decode(value);
  }

  // ---- Parts of the above -------------------------------------------------------------------

  /** Runs {@code body} as a transaction, or as a part of this thread's that can be undone alone. */
  <T extends @Nullable Object> T inTransaction(Supplier<T> body) {
    boolean ok = false;
    tx.begin();
    try {
      T result = body.get();
      ok = true;
      return result;
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  /** Whether entries can be encoded only inside a transaction. */
  private boolean mustBegin() {
    return keys.mustBegin(tx) || values.mustBegin(tx);
  }

  /** Waits until what this thread read is as durable as a change of its own would be. */
  private void awaitWhatWasSeen() {
    if (engine.options().sync() && !tx.isWriter()) {
      engine.sync();
    }
  }

  private Encoded encodeKey(K key) {
    Encoded encoded = keys.encode(Objects.requireNonNull(key, "key"));
    if (encoded.length > NodeLayout.MAX_KEY_BYTES) {
      throw new IllegalArgumentException(
          "the key takes "
              + encoded.length
              + " bytes, more than the limit of "
              + NodeLayout.MAX_KEY_BYTES);
    }
    return encoded;
  }

  private Encoded encodeValue(V value) {
    return values.encode(Objects.requireNonNull(value, "value"));
  }

  /**
   * Looks a key up before the transaction begins, so that other writers need not wait for memory.
   *
   * @param version of the stripe, sampled before
   * @return its node, 0 if it is not there, or {@link #UNKNOWN}
   */
  private long look(long h, Encoded key, long version) {
    if ((version & 1) != 0 || tx.isWriter()) {
      return UNKNOWN;
    }
    try {
      byte[] bytes = key.bytes;
      return bytes == null
          ? table.findCommitted(table.near(), h, key.word)
          : table.findCommitted(table.near(), h, bytes, key.length);
    } catch (RuntimeException | InternalError e) {
      return UNKNOWN; // the transaction sorts out why
    }
  }

  /** In a transaction: what {@link #look} found, if that still holds. */
  private long find(long h, Encoded key, long seen, long version) {
    return seen != UNKNOWN && isUnchanged(h, version) ? seen : table.find(h, key, true);
  }

  /** In a transaction: whether no commit touched the stripe of a hash since it was sampled. */
  private boolean isUnchanged(long h, long version) {
    return stripes.valid(table.stripe(h), version);
  }

  private V valueOf(long node) {
    return values.decode(nodes.value(node, table.exclusive()));
  }

  private @Nullable V present(long h, Encoded key) {
    long node = table.find(h, key, true);
    return node == 0 ? null : valueOf(node);
  }

  private void store(long h, Encoded key, long node, Encoded value) {
    if (node == 0) {
      table.insert(h, key, value);
    } else {
      table.update(h, node, key, value);
    }
  }

  /** Ends a computation; looks the key up again, since the function may have used this map. */
  private @Nullable V storeOrRemove(long h, Encoded key, @Nullable V value) {
    Encoded encoded = value == null ? null : encodeValue(value);
    long node = table.find(h, key, true);
    if (encoded != null) {
      store(h, key, node, encoded);
    } else if (node != 0) {
      table.remove(h, node);
    }
    return value;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return Contents.sameEntries(this, other);
  }

  @Override
  public int hashCode() {
    return Contents.hashOfAll(entrySet());
  }

  @Override
  public String toString() {
    return Contents.entries(this);
  }
}
