package io.everheap.structure.map;

import io.everheap.codec.WordCodec;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptValueException;
import io.everheap.error.GoneException;
import io.everheap.memory.MappedFaults;
import io.everheap.memory.Region;
import io.everheap.structure.common.Coding;
import io.everheap.structure.common.Contents;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.MapHash;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.NodeStore;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.StructureContext;
import org.jspecify.annotations.Nullable;

/**
 * Lookups in a map without a lock. One attempt is made here, without a copy or an allocation where
 * the types allow it; where it does not hold, {@link OptimisticReads} goes on.
 *
 * <p>Immutable; safe for use by many threads.
 */
final class MapReads<K, V> {
  /** What {@link #look} returns instead of the address of a node. */
  private static final long UNKNOWN = -1;

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

  // Set when nodes are two words.
  private final @Nullable WordCodec<K> wordKeys;

  MapReads(StructureContext heap, Coding<K> keys, Coding<V> values, HashTable table) {
    this.memory = heap.memory();
    this.tx = heap.transactions();
    this.stripes = tx.stripes();
    this.reads = new OptimisticReads(memory, tx);
    this.table = table;
    this.nodes = table.nodes();
    this.hash = table.hash();
    this.base = table.stripeBase();
    this.keys = keys;
    this.values = values;
    boolean words = keys.isWord() && values.isWord();
    this.wordKeys = words ? keys.word() : null;
  }

  /** The value of a key, or null. */
  @Nullable V get(Object key) {
    try {
      WordCodec<K> codec = wordKeys;
      if (codec != null) {
        long word;
        try {
          word = toWord(codec, key);
        } catch (ClassCastException e) {
          return null;
        } catch (GoneException e) {
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
    } catch (CorruptValueException e) {
      throw Contents.ofKey(key, e);
    }
  }

  @SuppressWarnings("unchecked") // a wrong type shows as ClassCastException
  private long toWord(WordCodec<K> codec, Object key) {
    return codec.toWord((K) key);
  }

  /** No allocation, no call that is not inlined. */
  private @Nullable V getWord(long key) {
    long h = hash.ofWord(key);
    int stripe = MapLayout.stripe(base, h);
    long version = reads.begin(stripe);
    if (version != OptimisticReads.BUSY) {
      long node;
      long value = 0;
      try {
        Region near = table.near();
        node = table.findCommitted(near, h, key);
        if (node != 0) {
          value = table.load(near, node + NodeLayout.WORD_VALUE);
        }
        MappedFaults.arrive();
      } catch (RuntimeException | InternalError e) {
        node = UNKNOWN; // the general path reports why
      }
      if (node != UNKNOWN && reads.holds(stripe, version)) {
        return node == 0 ? null : values.decode(value);
      }
    }
    return getEncoded(Encoded.ofWord(key));
  }

  /** As {@link #getWord}, for keys and values of bytes; but for the copies it makes. */
  private @Nullable V getBytes(byte[] key, Encoded encoded) {
    long h = encoded.hash(hash);
    int stripe = MapLayout.stripe(base, h);
    long version = reads.begin(stripe);
    if (version != OptimisticReads.BUSY) {
      long node;
      byte[] value = null;
      try {
        Region near = table.near();
        node = table.findCommitted(near, h, key, encoded.length);
        if (node != 0) {
          int bytes = NodeLayout.valueBytes(table.load(near, node + NodeLayout.LENGTHS));
          if (nodes.isInline(bytes) && stripes.valid(stripe, version)) {
            value = new byte[bytes];
            memory.copyCommitted(node + NodeLayout.value(encoded.length), value, 0, bytes);
          } else {
            node = UNKNOWN; // a value in blocks of its own, or no length
          }
        }
        MappedFaults.arrive();
      } catch (RuntimeException | InternalError e) {
        node = UNKNOWN; // the general path reports why
      }
      if (node != UNKNOWN && reads.holds(stripe, version)) {
        return value == null ? null : values.decode(Encoded.ofBytes(value, value.length));
      }
    }
    return getEncoded(encoded);
  }

  /** The value of a key in its encoded form, or null. */
  @Nullable V getEncoded(Encoded key) {
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

  /** Whether there is a key. */
  boolean containsKey(Object key) {
    WordCodec<K> codec = keys.word();
    if (codec != null) {
      long word;
      try {
        word = toWord(codec, key);
      } catch (ClassCastException e) {
        return false;
      } catch (GoneException e) {
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

  /** As {@link #getWord}. */
  private boolean containsWord(long key) {
    long h = hash.ofWord(key);
    int stripe = MapLayout.stripe(base, h);
    long version = reads.begin(stripe);
    if (version != OptimisticReads.BUSY) {
      long node;
      try {
        node = table.findCommitted(table.near(), h, key);
        MappedFaults.arrive();
      } catch (RuntimeException | InternalError e) {
        node = UNKNOWN; // the general path reports why
      }
      if (node != UNKNOWN && reads.holds(stripe, version)) {
        return node != 0;
      }
    }
    return containsEncoded(Encoded.ofWord(key));
  }

  /** Compares the pages on the way to a key with their checksums, whether the key exists or not. */
  void requireSound(K key) {
    requireSound(keys.encodeKey(key).hash(hash));
  }

  private void requireSound(long h) {
    reads.read(
        new Guard(stripes, table.stripe(h)),
        guard -> {
          table.requireSound(h, guard.isExclusive());
          return true;
        });
  }

  /** Compares the pages on the way to all keys with their checksums. */
  void requireSound() {
    for (long bucket = 0; bucket < table.buckets(); bucket++) {
      requireSound(bucket); // a hash that belongs to this bucket
    }
  }

  /**
   * The number of entries.
   *
   * @throws io.everheap.error.CorruptException if the heap has no room for so many
   */
  long sizeLong() {
    return reads.read(
        new Guard(stripes, base),
        guard -> {
          table.checkAlive();
          return Damage.requireCount(memory, table.header(), table.count());
        });
  }

  /** A cursor over all entries. */
  MapCursor cursor(boolean withValues) {
    GroupReader reader = groups(withValues);
    return new MapCursor(reader, 0, reader.groups());
  }

  GroupReader groups(boolean withValues) {
    return new GroupReader(reads, table, stripes, withValues);
  }

  /**
   * Looks a key up before the transaction begins, so that other writers need not wait for memory.
   *
   * @param version of the stripe, sampled before
   * @return its node, 0 if it is not there, or {@link #UNKNOWN}
   */
  long look(long h, Encoded key, long version) {
    if ((version & 1) != 0 || tx.isWriter()) {
      return UNKNOWN;
    }
    try {
      byte[] bytes = key.bytes;
      long node =
          bytes == null
              ? table.findCommitted(table.near(), h, key.word)
              : table.findCommitted(table.near(), h, bytes, key.length);
      MappedFaults.arrive();
      return node;
    } catch (RuntimeException | InternalError e) {
      return UNKNOWN; // the transaction reports why
    }
  }

  /** In a transaction: what {@link #look} found, if that still holds. */
  long find(long h, Encoded key, long seen, long version) {
    return seen != UNKNOWN && isUnchanged(h, version) ? seen : table.find(h, key, true);
  }

  /** In a transaction: whether no commit touched the stripe of a hash since it was sampled. */
  private boolean isUnchanged(long h, long version) {
    return stripes.valid(table.stripe(h), version);
  }
}
