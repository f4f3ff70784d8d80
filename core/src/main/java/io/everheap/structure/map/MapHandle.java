package io.everheap.structure.map;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableMap;
import io.everheap.collection.StructureId;
import io.everheap.collection.Undecodable;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.structure.common.Coding;
import io.everheap.structure.common.Contents;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.MapHash;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.TransactionalMap;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a {@link DurableMap}: the methods of {@code java.util}, each change one
 * transaction.
 */
public final class MapHandle<K, V> extends TransactionalMap<K, V> implements DurableMap<K, V> {
  private final MapStore<K, V> store;
  private final MapReads<K, V> reads;
  private final HashTable table;
  private final MapHash hash;
  private final Coding<K> keys;
  private final Transactions tx;
  private final Stripes stripes;
  private final Set<K> keyView;
  private final Collection<V> valueView;
  private final Set<Map.Entry<K, V>> entryView;

  private MapHandle(MapStore<K, V> store) {
    super(store);
    this.store = store;
    this.reads = store.reads;
    this.table = store.table;
    this.hash = store.hash;
    this.keys = store.keys;
    this.tx = store.tx;
    this.stripes = tx.stripes();
    this.keyView = new MapViews.Keys<>(this, store);
    this.valueView = new MapViews.Values<>(this, store);
    this.entryView = new MapViews.Entries<>(this, store);
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
   * @throws io.everheap.error.GoneException if there is no such map
   * @throws io.everheap.error.CorruptException if the codecs do not fit the map
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
    return new MapHandle<>(
        MapStore.attach(heap, headerType, reference, keyCodec, valueCodec, hashMask));
  }

  /** A handle to a map that was freed: every method throws. */
  static <K, V> MapHandle<K, V> dead(
      StructureContext heap, long reference, Codec<K> keyCodec, Codec<V> valueCodec) {
    return dead(heap, BlockType.MAP_HEADER, reference, keyCodec, valueCodec);
  }

  /** A handle to a map that was freed, or to the map that a set was made of. */
  static <K, V> MapHandle<K, V> dead(
      StructureContext heap,
      int headerType,
      long reference,
      Codec<K> keyCodec,
      Codec<V> valueCodec) {
    return new MapHandle<>(MapStore.dead(heap, headerType, reference, keyCodec, valueCodec));
  }

  // ---- Reading ------------------------------------------------------------------------------

  @Override
  protected Encoded added(K key) {
    return store.encodeKey(key);
  }

  @Override
  protected @Nullable Encoded found(@Nullable Object key) {
    return keys.encodeAny(Objects.requireNonNull(key, "key"));
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    return reads.get(Objects.requireNonNull(key, "key"));
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return reads.containsKey(Objects.requireNonNull(key, "key"));
  }

  /**
   * Compares the pages on the way to a key with their checksums; then {@code get} returns null only
   * if the key does not exist. For use by the heap.
   *
   * @throws io.everheap.error.CorruptException if a page is damaged
   */
  public void requireSound(K key) {
    reads.requireSound(key);
  }

  /** Does so for all keys. */
  public void requireSound() {
    reads.requireSound();
  }

  @Override
  public long sizeLong() {
    return reads.sizeLong();
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
    MapCursor cursor = reads.cursor(true);
    while (cursor.advance()) {
      if (Contents.isSame(value, () -> store.decodeValue(cursor))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action, "action");
    MapCursor cursor = reads.cursor(true);
    while (cursor.advance()) {
      action.accept(store.decodeKey(cursor.key()), store.decodeValue(cursor));
    }
  }

  @Override
  public @Nullable V put(K key, V value) {
    if (store.mustBegin()) {
      return store.inTransaction(() -> put(key, value));
    }
    Encoded k = store.encodeKey(key);
    Encoded v = store.encodeValue(value);
    long h = k.hash(hash);
    long version = stripes.sample(table.stripe(h));
    long seen = reads.look(h, k, version);
    boolean ok = false;
    tx.begin();
    try {
      long node = reads.find(h, k, seen, version);
      Encoded before = node == 0 ? null : store.valueOf(node);
      store.write(h, k, node, v);
      V old = before == null ? null : store.decodeValue(k, before);
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
    if (store.mustBegin()) {
      store.inTransaction(
          () -> {
            set(key, value);
            return true;
          });
      return;
    }
    Encoded k = store.encodeKey(key);
    Encoded v = store.encodeValue(value);
    long h = k.hash(hash);
    long version = stripes.sample(table.stripe(h));
    long seen = reads.look(h, k, version);
    boolean ok = false;
    tx.begin();
    try {
      store.write(h, k, reads.find(h, k, seen, version), v);
      ok = true;
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  @Override
  public @Nullable V remove(@Nullable Object key) {
    Encoded k = found(key);
    if (k == null) {
      return null;
    }
    long h = k.hash(hash);
    return store.inTransaction(
        () -> {
          long node = table.find(h, k, true);
          if (node == 0) {
            return null;
          }
          Encoded old = store.valueOf(node);
          table.remove(h, node);
          return store.decodeValue(k, old);
        });
  }

  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    store.inTransaction(
        () -> {
          MapCursor cursor = reads.cursor(true);
          while (cursor.advance()) {
            Encoded k = cursor.key();
            Encoded v =
                store.encodeValue(function.apply(store.decodeKey(k), store.decodeValue(cursor)));
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
  public void reserve(long entries) {
    if (entries < 0) {
      throw new IllegalArgumentException("a map of " + entries + " entries");
    }
    while (store.inTransaction(() -> table.grow(entries))) {}
  }

  @Override
  public void clear() {
    store.inTransaction(
        () -> {
          MapLifecycle.clear(store.heap, table, store.info.kinds());
          return true;
        });
  }

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

  @Override
  public boolean delete(Object key) {
    return store.removeKey(key);
  }

  @Override
  public Iterator<Undecodable> undecodable() {
    return store.undecodable();
  }

  @Override
  public StructureId id() {
    return store.id();
  }

  /** What sets need besides the methods of a map. */
  MapStore<K, V> store() {
    return store;
  }
}
