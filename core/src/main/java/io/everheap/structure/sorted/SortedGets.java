package io.everheap.structure.sorted;

import io.everheap.codec.WordCodec;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.memory.MappedFaults;
import io.everheap.memory.Region;
import io.everheap.structure.common.Coding;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.Retry;
import io.everheap.structure.common.StructureContext;
import org.jspecify.annotations.Nullable;

/**
 * Finds the value of one key. If keys have the order of their encoded forms, it validates hand over
 * hand as {@link SortedSpot} does, and makes no garbage but the bytes of the value.
 */
public final class SortedGets<V> {
  /** A value with more bytes takes the general way. */
  private static final int MANY_BYTES = 1 << 20;

  private final HeapMemory memory;
  private final Transactions tx;
  private final Stripes stripes;
  private final SortedTree tree;
  private final SortedEntries entries;
  private final @Nullable SortedSearch search;
  private final Coding<V> values;
  private final @Nullable WordCodec<V> words; // of values, if keys are also words

  public SortedGets(
      StructureContext heap, SortedTree tree, @Nullable SortedSearch search, Coding<V> values) {
    this.memory = heap.memory();
    this.tx = heap.transactions();
    this.stripes = tx.stripes();
    this.tree = tree;
    this.entries = tree.entries();
    this.search = search;
    this.values = values;
    this.words = entries.wordKeys() ? values.word() : null;
  }

  /** The value of a key that is a word, or null. */
  public @Nullable V get(long key) {
    SortedSearch by = search;
    if (by != null && !tx.isWriter()) {
      V value;
      try {
        value = attempt(by, key, null);
        MappedFaults.arrive();
      } catch (RuntimeException | InternalError e) {
        return general(Encoded.ofWord(key)); // which reports why
      }
      tx.checkRead();
      return value;
    }
    return general(Encoded.ofWord(key));
  }

  /** The value of a key, or null. */
  public @Nullable V get(Encoded key) {
    if (key.bytes == null) {
      return get(key.word);
    }
    SortedSearch by = search;
    if (by != null && !tx.isWriter()) {
      V value;
      try {
        value = attempt(by, 0, key);
        MappedFaults.arrive();
      } catch (RuntimeException | InternalError e) {
        return general(key); // which reports why
      }
      tx.checkRead();
      return value;
    }
    return general(key);
  }

  private @Nullable V general(Encoded key) {
    Encoded value =
        tree.read(
            guard -> {
              SortedPath path = new SortedPath();
              if (tree.find(key, path, guard) < 0) {
                return Encoded.NOTHING;
              }
              int place = tree.nodes().place(path.leaf(), path.at());
              return entries.value(path.leaf(), place, guard);
            });
    return value == Encoded.NOTHING ? null : values.decode(value);
  }

  /** Whether a key is there. */
  public boolean contains(Encoded key) {
    SortedSearch by = search;
    if (by != null && !tx.isWriter()) {
      boolean found;
      try {
        SortedSpot spot = new SortedSpot(tree, by, memory, stripes);
        if (!spot.descend(key, false)) {
          throw Retry.INSTANCE;
        }
        found = spot.isSomewhere() && spot.has(key);
        MappedFaults.arrive();
      } catch (RuntimeException | InternalError e) {
        return containsGenerally(key); // which reports why
      }
      tx.checkRead();
      return found;
    }
    return containsGenerally(key);
  }

  private boolean containsGenerally(Encoded key) {
    return tree.read(guard -> tree.find(key, new SortedPath(), guard) >= 0);
  }

  /**
   * Looks for a key once, without a lock.
   *
   * @param word the key, if keys are words
   * @param key the key, if not
   * @throws RuntimeException if the general way must be taken
   */
  private @Nullable V attempt(SortedSearch by, long word, @Nullable Encoded key) {
    int stripe = tree.headerStripe();
    long headerVersion = stripes.sample(stripe);
    long version = headerVersion;
    Region region = memory.extent(tree.header());
    long at = memory.offset(tree.header());
    if ((version & 1) != 0 || region.getLong(at) != tree.headerWord()) {
      throw Retry.INSTANCE;
    }
    long node = Reference.address(region.getLong(at + SortedLayout.ROOT));
    int level = -1;
    while (node != 0) {
      int below = SortedLayout.stripe(node);
      long sampled = stripes.sample(below);
      if ((sampled & 1) != 0 || !stripes.valid(stripe, version)) {
        throw Retry.INSTANCE;
      }
      stripe = below;
      version = sampled;
      region = memory.extent(node);
      at = memory.offset(node);
      long info = region.getLong(at + SortedLayout.INFO);
      if (!by.isPossible(info, level)) {
        throw Retry.INSTANCE;
      }
      int count = SortedLayout.count(info);
      level = SortedLayout.level(info);
      if (level == 0) {
        int found =
            key == null
                ? SortedSearch.find(region, at, count, word)
                : by.find(region, at, info, key);
        long payload =
            found < 0 ? 0 : SortedSearch.payload(region, at, SortedSearch.place(region, at, found));
        V value = null;
        if (found >= 0) {
          value =
              words != null
                  ? validated(payload, stripe, version, headerVersion)
                  : load(payload, key, stripe, version, headerVersion);
        } else {
          require(stripe, version, headerVersion);
        }
        return value;
      }
      int position =
          key == null
              ? SortedSearch.child(region, at, count, word)
              : by.child(region, at, node, info, key);
      node = child(region, at, position);
    }
    if (level >= 0) { // a node without a child
      throw Retry.INSTANCE;
    }
    require(stripe, version, headerVersion);
    return null;
  }

  private static long child(Region region, long at, int position) {
    int place = SortedSearch.place(region, at, position);
    return Reference.address(SortedSearch.payload(region, at, place));
  }

  /** Checks the header's version as well: the blocks of a whole tree are freed under no stripes. */
  private void require(int stripe, long version, long headerVersion) {
    if (!stripes.valid(stripe, version) || !stripes.valid(tree.headerStripe(), headerVersion)) {
      throw Retry.INSTANCE;
    }
  }

  private V validated(long word, int stripe, long version, long headerVersion) {
    require(stripe, version, headerVersion);
    return values.decode(word);
  }

  /** Copies a value that an entry, or a cell if keys are words, holds. */
  private V load(
      long payload, @Nullable Encoded key, int stripe, long version, long headerVersion) {
    long source;
    int length;
    if (key == null) {
      length = entries.cellType(payload) == BlockType.VALUE_CELL ? entries.cellBytes(payload) : -1;
      source = Reference.payload(payload);
    } else {
      long entry = NodeLayout.node(payload);
      source = entry + NodeLayout.value(key.length);
      if (values.isWord()) {
        return validated(memory.getCommitted(source), stripe, version, headerVersion);
      }
      length = NodeLayout.valueBytes(memory.getCommitted(entry + NodeLayout.LENGTHS));
    }
    require(stripe, version, headerVersion);
    if (length < 0 || length > MANY_BYTES) {
      throw Retry.INSTANCE;
    }
    byte[] bytes = new byte[length];
    if (length > 0) { // else the block, and its extent, may end here
      memory.extent(source).copyTo(memory.offset(source), bytes, 0, length);
    }
    require(stripe, version, headerVersion);
    return values.decode(bytes, 0, length);
  }
}
