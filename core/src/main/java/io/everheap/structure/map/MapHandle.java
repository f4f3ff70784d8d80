package io.everheap.structure.map;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.codec.WordCodec;
import io.everheap.collection.DurableMap;
import io.everheap.collection.StructureId;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptValueException;
import io.everheap.error.StaleReferenceException;
import io.everheap.memory.Region;
import io.everheap.structure.common.Coding;
import io.everheap.structure.common.Contents;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.Holder;
import io.everheap.structure.common.MapHash;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.NodeStore;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.StructureContext;
import java.util.AbstractMap;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The handle of a {@link MapHandle}. */
public final class MapHandle<K, V> extends AbstractMap<K, V> implements DurableMap<K, V> {
  private static final long UNKNOWN = -1;
  // no address of a node

  private final StructureContext heap;

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

  private final @Nullable WordCodec<K> wordKeys;
  // both or none: set when nodes are two words
  private final @Nullable WordCodec<V> wordValues;

  private final Set<K> keyView;

  private final Collection<V> valueView;

  private final Set<Map.Entry<K, V>> entryView;

  MapHandle(
      StructureContext heap,
      long reference,
      MapInfo info,
      Coding<K> keys,
      Coding<V> values,
      HashTable table) {
    this.heap = heap;
    this.reference = reference;
    this.info = info;
    this.memory = heap.memory();
    this.stripes = heap.transactions().stripes();
    this.tx = heap.transactions();
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
   * Makes an empty map, in the running transaction or one of its own. For use by the heap.
   *
   * @param heap the heap
   * @param keyCodec of the keys; must be canonical
   * @param valueCodec of the values
   * @param type is kept for {@link #typeOf}
   * @return the reference of the map's header
   * @throws IllegalArgumentException if equal keys can have several encodings
   */
  public static long create(
      StructureContext heap, Codec<?> keyCodec, Codec<?> valueCodec, MapType type) {
    return MapLifecycle.create(heap, BlockType.MAP_HEADER, keyCodec, valueCodec, type);
  }

  /**
   * Returns what was given when a map was made. For use by the heap.
   *
   * @param heap the heap
   * @param reference of the map's header
   * @return the type
   * @throws io.everheap.error.StaleReferenceException if there is no such map
   */
  public static MapType typeOf(StructureContext heap, long reference) {
    return info(heap, reference).type();
  }

  /**
   * Returns how many entries a map has, whatever its codecs are. For use by the heap.
   *
   * @param heap the heap
   * @param reference of the map's header
   * @return the number of entries
   * @throws io.everheap.error.StaleReferenceException if there is no such map
   */
  public static long sizeOf(StructureContext heap, long reference) {
    MapInfo info = info(heap, reference);
    Codec<?> keys = info.wordKeys() ? Codecs.LONG : Codecs.BYTES;
    Codec<?> values = info.wordValues() ? Codecs.LONG : Codecs.BYTES;
    return attach(heap, reference, keys, values).sizeLong();
  }

  /** What the header of a map or a set says. */
  static MapInfo info(StructureContext heap, long reference) {
    int stripe = MapLayout.stripeBase(Reference.address(reference));
    return OptimisticReads.of(heap)
        .read(new Guard(heap.stripes(), stripe), guard -> MapInfo.read(heap, reference));
  }

  /**
   * Makes a handle to a map that exists. For use by the heap.
   *
   * @param heap the heap
   * @param reference of the map's header
   * @param keyCodec as at its creation
   * @param valueCodec as at its creation
   * @return the handle; any number of them may be in use
   * @throws io.everheap.error.StaleReferenceException if there is no such map
   * @throws IllegalArgumentException if the codecs do not fit the map
   */
  public static <K, V> MapHandle<K, V> attach(
      StructureContext heap, long reference, Codec<K> keyCodec, Codec<V> valueCodec) {
    return attach(heap, reference, keyCodec, valueCodec, MapHash.ALL_BITS);
  }

  /** A handle whose hash function yields only some bits, for tests that want collisions. */
  static <K, V> MapHandle<K, V> attach(
      StructureContext heap,
      long reference,
      Codec<K> keyCodec,
      Codec<V> valueCodec,
      long hashMask) {
    return attach(heap, BlockType.MAP_HEADER, reference, keyCodec, valueCodec, hashMask);
  }

  /** A handle to a map, or to the map that a set is made of. Takes no lock. */
  static <K, V> MapHandle<K, V> attach(
      StructureContext heap,
      int headerType,
      long reference,
      Codec<K> keyCodec,
      Codec<V> valueCodec,
      long hashMask) {
    Coding.requireCanonical(keyCodec);
    Coding<K> keys = new Coding<>(heap, keyCodec, new Holder(heap, reference));
    Coding<V> values = new Coding<>(heap, valueCodec, new Holder(heap, reference));
    Stripes stripes = heap.transactions().stripes();
    int base = MapLayout.stripeBase(Reference.address(reference));
    return new OptimisticReads(heap.memory(), heap.transactions())
        .read(
            new Guard(stripes, base),
            guard -> {
              MapInfo info = MapInfo.read(heap, reference);
              if (info.headerType() != headerType) {
                throw Damage.at(
                    Reference.address(reference),
                    "a " + info.describe() + " in place of another structure");
              }
              info.requireKinds(keys.isWord(), values.isWord());
              HashTable table =
                  new HashTable(
                      heap.memory(),
                      stripes,
                      heap.allocator(),
                      reference,
                      new MapHash(info.seed(), hashMask));
              table.checkShape();
              return new MapHandle<>(heap, reference, info, keys, values, table);
            });
  }

  /** A handle to what was freed: every method throws. */
  static <K, V> MapHandle<K, V> dead(
      StructureContext heap,
      int headerType,
      long reference,
      Codec<K> keyCodec,
      Codec<V> valueCodec) {
    Coding<K> keys = new Coding<>(heap, keyCodec, new Holder(heap, reference));
    Coding<V> values = new Coding<>(heap, valueCodec, new Holder(heap, reference));
    long kinds = MapLayout.kinds(keys.isWord(), values.isWord());
    HashTable table =
        HashTable.dead(
            heap.memory(), heap.transactions().stripes(), heap.allocator(), reference, kinds);
    MapInfo info = new MapInfo(headerType, kinds, new MapType(0, 0), 0);
    return new MapHandle<>(heap, reference, info, keys, values, table);
  }

  /**
   * Frees a map and all it holds, in the running transaction or one of its own. The blocks of a
   * large one are freed in the background, also after a crash. For use by the heap.
   *
   * @param heap the heap
   * @param reference of the map's header
   * @throws io.everheap.error.StaleReferenceException if there is no such map
   */
  public static void destroy(StructureContext heap, long reference) {
    MapLifecycle.destroy(heap, reference);
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

  @Override
  public long sizeLong() {
    return reads.read(
        new Guard(stripes, base),
        guard -> {
          table.checkAlive();
          return table.count();
        });
  }

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

  @Override
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
          MapLifecycle.clear(heap, table, info.kinds());
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
    return new HeapStructureId(heap, reference);
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
    if (heap.syncs() && !tx.isWriter()) {
      heap.sync();
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
