package io.everheap.structure.map;

import io.everheap.codec.Codec;
import io.everheap.collection.StructureId;
import io.everheap.collection.Undecodable;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptValueException;
import io.everheap.structure.common.Coding;
import io.everheap.structure.common.Contents;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.EntryStore;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.MapHash;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.NodeStore;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.StoredBytes;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.UndecodableIterator;
import java.util.Iterator;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a map and its views need of its table: entries encoded, found, stored and removed, each
 * change as a transaction or as a part of this thread's that can be undone alone.
 *
 * <p>Safe for use by many threads.
 */
final class MapStore<K, V> implements EntryStore<V> {
  final StructureContext heap;
  final MapReads<K, V> reads;
  private final long reference;
  final MapInfo info;
  final Transactions tx;
  final HashTable table;
  private final NodeStore nodes;
  final MapHash hash;
  final Coding<K> keys;
  private final Coding<V> values;

  private MapStore(
      StructureContext heap,
      long reference,
      MapInfo info,
      Coding<K> keys,
      Coding<V> values,
      HashTable table) {
    this.heap = heap;
    this.reads = new MapReads<>(heap, keys, values, table);
    this.reference = reference;
    this.info = info;
    this.tx = heap.transactions();
    this.table = table;
    this.nodes = table.nodes();
    this.hash = table.hash();
    this.keys = keys;
    this.values = values;
  }

  /** The store of a map, or of the map that a set is made of. Takes no lock. */
  static <K, V> MapStore<K, V> attach(
      StructureContext heap,
      int headerType,
      long reference,
      Codec<K> keyCodec,
      Codec<V> valueCodec,
      long hashMask) {
    Coding.requireCanonical(keyCodec);
    Coding<K> keys = new Coding<>(heap, keyCodec, heap.holder(reference));
    Coding<V> values = new Coding<>(heap, valueCodec, heap.holder(reference));
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
              info.requireKinds(Reference.address(reference), keys.isWord(), values.isWord());
              HashTable table =
                  new HashTable(
                      heap.memory(),
                      stripes,
                      heap.allocator(),
                      reference,
                      new MapHash(info.seed(), hashMask));
              table.checkShape();
              return new MapStore<>(heap, reference, info, keys, values, table);
            });
  }

  /** The store of what was freed: every method throws. */
  static <K, V> MapStore<K, V> dead(
      StructureContext heap,
      int headerType,
      long reference,
      Codec<K> keyCodec,
      Codec<V> valueCodec) {
    Coding<K> keys = new Coding<>(heap, keyCodec, heap.holder(reference));
    Coding<V> values = new Coding<>(heap, valueCodec, heap.holder(reference));
    long kinds = MapLayout.kinds(keys.isWord(), values.isWord());
    HashTable table =
        HashTable.dead(
            heap.memory(), heap.transactions().stripes(), heap.allocator(), reference, kinds);
    MapInfo info = new MapInfo(headerType, kinds, 0, 0, 0);
    return new MapStore<>(heap, reference, info, keys, values, table);
  }

  StructureId id() {
    return new HeapStructureId(heap, reference);
  }

  /** Whether this thread runs a transaction. */
  boolean isWriter() {
    return tx.isWriter();
  }

  boolean removeKey(@Nullable Object key) {
    Encoded k = keys.encodeAny(Objects.requireNonNull(key, "key"));
    return k != null && removeEncoded(k);
  }

  /** Removes a key, if it is there. */
  boolean removeEncoded(Encoded key) {
    return inTransaction(() -> remove(key));
  }

  /** Removes one entry with this value, if there is one. */
  boolean removeOneValue(Object value) {
    return inTransaction(
        () -> {
          MapCursor cursor = reads.cursor(true);
          while (cursor.advance()) {
            if (Contents.isSame(value, () -> decodeValue(cursor))) {
              return removeEncoded(cursor.key());
            }
          }
          return false;
        });
  }

  /** Decodes a key; a failure names its bytes. */
  K decodeKey(Encoded key) {
    try {
      return keys.decode(key);
    } catch (CorruptValueException e) {
      throw Contents.ofKey(StoredBytes.of(key), e);
    }
  }

  /** Decodes the value of the entry at which a cursor stands. */
  V decodeValue(MapCursor cursor) {
    return decodeValue(cursor.key(), cursor.value());
  }

  /** Decodes the value of a key, which a failure names. */
  V decodeValue(Encoded key, Encoded value) {
    try {
      return values.decode(value);
    } catch (CorruptValueException e) {
      throw Contents.ofKey(position(key), e);
    }
  }

  /** A key for messages: decoded, or its bytes if it does not decode. */
  private Object position(Encoded key) {
    return keys.failure(key) == null ? keys.decode(key) : StoredBytes.of(key);
  }

  /** Iterates over the entries of which this program cannot decode the key or the value. */
  Iterator<Undecodable> undecodable() {
    MapCursor cursor = reads.cursor(true);
    return new UndecodableIterator(
        new UndecodableIterator.Walk() {
          @Override
          public boolean advance() {
            return cursor.advance();
          }

          @Override
          public @Nullable Undecodable failure() {
            return failureOf(cursor.key(), cursor.value());
          }

          @Override
          public Runnable removal() {
            Encoded key = cursor.key();
            return () -> removeEncoded(key);
          }
        });
  }

  private @Nullable Undecodable failureOf(Encoded key, Encoded value) {
    CorruptValueException ofKey = keys.failure(key);
    if (ofKey != null) {
      return StoredBytes.undecodableKey(keys.type(), key, StoredBytes.of(value), ofKey);
    }
    CorruptValueException e = values.failure(value);
    if (e == null) {
      return null;
    }
    K decoded = keys.decode(key);
    return StoredBytes.undecodable(decoded, values.type(), value, Contents.ofKey(decoded, e));
  }

  @Override
  public <T extends @Nullable Object> T inTransaction(Supplier<T> body) {
    return tx.call(body::get);
  }

  @Override
  public boolean mustBegin() {
    return keys.mustBegin(tx) || values.mustBegin(tx);
  }

  @Override
  public void awaitWhatWasSeen() {
    if (heap.syncs() && !tx.isWriter()) {
      heap.sync();
    }
  }

  Encoded encodeKey(K key) {
    return keys.encodeKey(key);
  }

  @Override
  public Encoded encodeValue(V value) {
    return values.encode(Objects.requireNonNull(value, "value"));
  }

  /**
   * Copies the value of a node, for the writer. It is decoded after the node was changed or
   * removed: decoding runs the program's code, which may change the map.
   */
  Encoded valueOf(long node) {
    return nodes.value(node, table.exclusive());
  }

  private @Nullable V present(long h, Encoded key) {
    long node = table.find(h, key, true);
    return node == 0 ? null : decodeValue(key, valueOf(node));
  }

  void write(long h, Encoded key, long node, Encoded value) {
    if (node == 0) {
      table.insert(h, key, value);
    } else {
      table.update(h, node, key, value);
    }
  }

  @Override
  public @Nullable V getEncoded(Encoded key) {
    return reads.getEncoded(key);
  }

  @Override
  public @Nullable V present(Encoded key) {
    return present(key.hash(hash), key);
  }

  @Override
  public @Nullable V add(Encoded key, Encoded value) {
    long h = key.hash(hash);
    V present = present(h, key);
    if (present == null) {
      table.insert(h, key, value);
    }
    return present;
  }

  @Override
  public void set(Encoded key, Encoded value) {
    long h = key.hash(hash);
    write(h, key, table.find(h, key, true), value);
  }

  @Override
  public boolean remove(Encoded key) {
    long h = key.hash(hash);
    long node = table.find(h, key, true);
    if (node == 0) {
      return false;
    }
    table.remove(h, node);
    return true;
  }
}
