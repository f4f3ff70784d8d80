package io.everheap.structure.map;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.GoneException;
import io.everheap.memory.Region;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.MapHash;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.NodeStore;
import io.everheap.structure.common.Retry;
import io.everheap.structure.common.StructureHeader;

/**
 * The hash table of one map, on encoded keys and values. Finding may be optimistic; the caller then
 * validates the stripe of the hash. Changes need a transaction.
 *
 * <h2>Implementation note: what a reader may meet</h2>
 *
 * <p>A reader of a hash knows its stripe from the low six bits, before it loads anything. It is
 * right to return what it found if no commit that changed anything on its way touched that stripe:
 *
 * <ul>
 *   <li><b>A link or a value in its bucket.</b> With 64 buckets or more, all hashes of a bucket
 *       share one stripe. A bucket of a smaller table serves several stripes, and a reader of each
 *       of them may stand on the node that is unlinked; so a change of a link touches all of them.
 *       A value that is changed in place concerns its own stripe alone.
 *   <li><b>A split.</b> Bucket {@code p} gives nodes to the new bucket; hashes of any other bucket
 *       stay where they are under the old and the new number of buckets, so a reader of theirs may
 *       load either. Only the stripes of {@code p} are touched. The directory entry of a new
 *       segment is loaded only for hashes of the new bucket, which are of these stripes.
 *   <li><b>A segment or the directory moves, or clear() swaps the table.</b> Every reader may have
 *       loaded the old reference: all stripes are touched. The old blocks are freed by the same
 *       commit or later, so nobody who still reads them validates.
 *   <li><b>The map is destroyed.</b> The commit touches all stripes and gives the header block
 *       another generation. The header word is compared in each operation, under the stripe.
 * </ul>
 *
 * <p>The count is one aligned word that no other load depends on: nothing validates it.
 *
 * <p>Freed blocks are reused by later transactions, whose stores into fresh blocks bypass the
 * stripes. That is after the commit that unlinked them, and thus after the touch that the reader
 * will notice.
 */
public final class HashTable extends StructureHeader {
  /** Nodes that an optimistic reader follows before it suspects that it is lost. */
  private static final int OPTIMISTIC_CHAIN = 4096;

  private final NodeStore nodes;
  private final TableGrowth growth;
  private final Guard exclusive;
  private final MapHash hash;
  private final long nearStart;
  private final int base;
  private final boolean wordKeys;
  private final int keyOffset;

  /**
   * The table behind a header.
   *
   * @param reference of the header, which exists
   */
  public HashTable(
      HeapMemory memory, Stripes stripes, Allocator allocator, long reference, MapHash hash) {
    this(
        memory,
        stripes,
        allocator,
        reference,
        false,
        memory.getLong(Reference.address(reference) + MapLayout.KINDS),
        hash);
  }

  /**
   * A table that is gone: whatever is asked of it throws.
   *
   * @param kinds as its header had them
   */
  public static HashTable dead(
      HeapMemory memory, Stripes stripes, Allocator allocator, long reference, long kinds) {
    MapHash hash = new MapHash(0, MapHash.ALL_BITS);
    return new HashTable(memory, stripes, allocator, reference, true, kinds, hash);
  }

  private HashTable(
      HeapMemory memory,
      Stripes stripes,
      Allocator allocator,
      long reference,
      boolean dead,
      long kinds,
      MapHash hash) {
    super(memory, allocator, reference, dead);
    this.nearStart = memory.extentStart(header);
    this.base = MapLayout.stripeBase(header);
    this.wordKeys = (kinds & MapLayout.WORD_KEYS) != 0;
    this.nodes = new NodeStore(memory, allocator, wordKeys, (kinds & MapLayout.WORD_VALUES) != 0);
    this.keyOffset = nodes.words() ? NodeLayout.WORD_KEY : NodeLayout.KEY;
    this.hash = hash;
    this.exclusive = new Guard(stripes, base).exclusive();
    this.growth = new TableGrowth(this, memory, allocator);
  }

  public NodeStore nodes() {
    return nodes;
  }

  public MapHash hash() {
    return hash;
  }

  boolean wordKeys() {
    return wordKeys;
  }

  /** A guard that always holds, for the writer. */
  public Guard exclusive() {
    return exclusive;
  }

  /** The first of this map's stripes. */
  public int stripeBase() {
    return base;
  }

  public long count() {
    return memory.getLong(header + MapLayout.COUNT);
  }

  public long buckets() {
    return memory.getLong(header + MapLayout.BUCKETS);
  }

  public long directory() {
    return memory.getLong(header + MapLayout.DIRECTORY);
  }

  /** Address of the bucket that a hash belongs to. */
  private long slot(long h) {
    checkAlive();
    long directory = directory();
    return bucketSlot(directory, MapLayout.bucket(h, buckets()));
  }

  /** Reference of the segment that has a bucket. */
  long segment(long directory, long bucket) {
    return memory.getLong(MapLayout.segmentSlot(directory, bucket));
  }

  /** Address of a bucket that exists. */
  long bucketSlot(long directory, long bucket) {
    return MapLayout.bucketSlot(segment(directory, bucket), bucket);
  }

  /** The link to the first node of a bucket that exists. */
  long firstLink(long directory, long bucket) {
    return memory.getLong(bucketSlot(directory, bucket));
  }

  /**
   * The node of a word key, or 0.
   *
   * @param exclusive whether the chain cannot change meanwhile
   */
  long findWord(long h, long key, boolean exclusive) {
    long link = memory.getLong(slot(h));
    int steps = 0;
    while (link != 0) {
      long node = NodeLayout.node(link);
      if (NodeLayout.tagMatches(link, h) && memory.getLong(node + keyOffset) == key) {
        return node;
      }
      link = memory.getLong(node + NodeLayout.NEXT);
      if (++steps == OPTIMISTIC_CHAIN) {
        checkChain(steps, link, exclusive);
      }
    }
    return 0;
  }

  /**
   * The committed node of a word key, or 0; for optimistic readers that are not the writer. Does
   * what {@link #findWord} does in fewer dependent loads: most words are in the extent of the
   * header, and a guess that a branch checks costs less than asking for the extent at every step.
   *
   * @param near the extent of the header
   */
  public long findCommitted(Region near, long h, long key) {
    if (load(near, header) != headerWord) {
      throw stale();
    }
    long bucket = MapLayout.bucket(h, load(near, header + MapLayout.BUCKETS));
    long directory = load(near, header + MapLayout.DIRECTORY);
    long segment = load(near, MapLayout.segmentSlot(directory, bucket));
    long link = load(near, MapLayout.bucketSlot(segment, bucket));
    int steps = 0;
    while (link != 0) {
      long node = NodeLayout.node(link);
      if (NodeLayout.tagMatches(link, h) && load(near, node + keyOffset) == key) {
        return node;
      }
      link = load(near, node + NodeLayout.NEXT);
      if (++steps >= OPTIMISTIC_CHAIN) {
        throw Retry.INSTANCE;
      }
    }
    return 0;
  }

  /** The same for a key of bytes in a table that has such. */
  public long findCommitted(Region near, long h, byte[] key, int length) {
    if (load(near, header) != headerWord) {
      throw stale();
    }
    long bucket = MapLayout.bucket(h, load(near, header + MapLayout.BUCKETS));
    long directory = load(near, header + MapLayout.DIRECTORY);
    long segment = load(near, MapLayout.segmentSlot(directory, bucket));
    long link = load(near, MapLayout.bucketSlot(segment, bucket));
    int steps = 0;
    while (link != 0) {
      long node = NodeLayout.node(link);
      if (NodeLayout.tagMatches(link, h) && hasCommittedKey(near, node, key, length)) {
        return node;
      }
      link = load(near, node + NodeLayout.NEXT);
      if (++steps >= OPTIMISTIC_CHAIN) {
        throw Retry.INSTANCE;
      }
    }
    return 0;
  }

  private boolean hasCommittedKey(Region near, long node, byte[] key, int length) {
    if (NodeLayout.keyBytes(load(near, node + NodeLayout.LENGTHS)) != length) {
      return false;
    }
    long at = node + NodeLayout.KEY;
    int whole = length & ~7;
    for (int i = 0; i < whole; i += 8) {
      if (load(near, at + i) != MapHash.word(key, i)) {
        return false;
      }
    }
    return whole == length || load(near, at + whole) == MapHash.tail(key, whole, length - whole);
  }

  /** The extent of the header, to be asked for after the stripe's version. */
  public Region near() {
    return memory.extent(header);
  }

  /** Loads a committed word. */
  public long load(Region near, long address) {
    long offset = address - nearStart;
    return offset >= 0 && offset <= near.size() - Long.BYTES
        ? near.getLong(offset)
        : memory.getCommitted(address);
  }

  /** The node of a key, or 0. */
  public long find(long h, Encoded key, boolean exclusive) {
    if (key.bytes == null) {
      return findWord(h, key.word, exclusive);
    }
    long link = memory.getLong(slot(h));
    int steps = 0;
    while (link != 0) {
      long node = NodeLayout.node(link);
      if (NodeLayout.tagMatches(link, h) && nodes.hasKey(node, key)) {
        return node;
      }
      link = nodes.next(node);
      if (++steps == OPTIMISTIC_CHAIN) {
        checkChain(steps, link, exclusive);
      }
    }
    return 0;
  }

  /**
   * To be called at each step along a chain: ends a walk that would not end by itself.
   *
   * @param link the next one
   * @param exclusive whether the chain cannot change meanwhile
   */
  void checkChain(int steps, long link, boolean exclusive) {
    if (steps != OPTIMISTIC_CHAIN) {
      return;
    }
    if (!exclusive) {
      throw Retry.INSTANCE;
    }
    requireEnd(link);
  }

  /**
   * Walks to the end of a chain that nobody changes (R. P. Brent, An improved Monte Carlo
   * factorization algorithm, BIT 1980): a mark is met again if there is a cycle. The chain has
   * fewer nodes than the heap has places for them, whatever the map claims to hold.
   */
  private void requireEnd(long first) {
    long mark = 0;
    long link = first;
    long moveAt = 1;
    for (long steps = 1; link != 0; steps++) {
      if (steps == moveAt) {
        mark = link;
        moveAt <<= 1;
      }
      link = nodes.next(NodeLayout.node(link));
      if (link == mark) {
        throw Damage.at(NodeLayout.node(link), "a chain of a map has a cycle");
      }
    }
  }

  /**
   * Checks that the directory is one, with room for the segments of all buckets: then no bucket is
   * looked for outside of it.
   */
  public void checkShape() {
    long buckets = buckets();
    long directory = directory();
    boolean sound =
        buckets >= MapLayout.INITIAL_BUCKETS
            && buckets <= MapLayout.MAX_BUCKETS
            && MapLayout.segments(buckets) << 3 <= sizeOf(directory, BlockType.MAP_DIRECTORY);
    if (!sound) {
      throw Damage.at(
          header, "a map of " + buckets + " buckets, directory " + Reference.describe(directory));
    }
  }

  /** Payload bytes of a block of the table; negative if there is none of that type. */
  long sizeOf(long block, int type) {
    try {
      return allocator.type(block) == type ? allocator.size(block) : -1;
    } catch (GoneException e) {
      return -1;
    }
  }

  /**
   * Compares the pages on the way to all keys of a hash with their checksums; then a key of this
   * hash that {@link #find} does not find was never stored.
   *
   * @param exclusive whether the chain cannot change
   */
  void requireSound(long h, boolean exclusive) {
    checkAlive();
    if (!memory.comparesPages()) {
      return;
    }
    memory.requireSound(header, Long.BYTES + MapLayout.HEADER_BYTES);
    long directory = directory();
    long bucket = MapLayout.bucket(h, buckets());
    memory.requireSound(MapLayout.segmentSlot(directory, bucket), Long.BYTES);
    long slot = bucketSlot(directory, bucket);
    memory.requireSound(slot, Long.BYTES);
    long link = memory.getLong(slot);
    int steps = 0;
    while (link != 0) {
      long node = NodeLayout.node(link);
      memory.requireSound(node, NodeLayout.KEY + Long.BYTES);
      if (!wordKeys && NodeLayout.tagMatches(link, h)) {
        nodes.requireSoundKey(node);
      }
      link = nodes.next(node);
      checkChain(++steps, link, exclusive);
    }
  }

  /** Adds a key that is not there; refuses if damage may have hidden it. */
  public void insert(long h, Encoded key, Encoded value) {
    requireSound(h, true);
    long buckets = buckets();
    long slot = bucketSlot(directory(), MapLayout.bucket(h, buckets));
    long node = nodes.create(key, value, memory.getLong(slot));
    relink(h, slot, NodeLayout.link(h, node), buckets);
    long count = count() + 1;
    setCount(count);
    growth.afterInsert(count, buckets);
  }

  /** Adds buckets up to a number, but not many at once; returns whether more are to be added. */
  boolean grow(long wanted) {
    checkAlive();
    return growth.grow(wanted, buckets());
  }

  /** Gives a key that is there, in {@code node}, another value. */
  public void update(long h, long node, Encoded key, Encoded value) {
    nodes.requireNode(node);
    if (!nodes.tryUpdate(stripe(h), node, key.length, value)) {
      long slot = slotOf(h, node);
      long replacement = nodes.create(key, value, nodes.next(node));
      relink(h, slot, NodeLayout.link(h, replacement), buckets());
      nodes.free(stripe(h), node);
    }
  }

  /** Removes a node. */
  public void remove(long h, long node) {
    nodes.requireNode(node);
    relink(h, slotOf(h, node), nodes.next(node), buckets());
    nodes.free(stripe(h), node);
    setCount(count() - 1);
  }

  /** Address of the link that leads to {@code node}. */
  private long slotOf(long h, long node) {
    long slot = slot(h);
    int steps = 0;
    long link = memory.getLong(slot);
    while (NodeLayout.node(link) != node) {
      slot = NodeLayout.node(link) + NodeLayout.NEXT;
      link = memory.getLong(slot);
      checkChain(++steps, link, true);
    }
    return slot;
  }

  private void relink(long h, long slot, long link, long buckets) {
    requireSlot(slot);
    memory.putLong(stripe(h), slot, link);
    if (buckets < MapLayout.STRIPES) {
      touchSharers(h, buckets);
    }
  }

  /** Checks that a link is not about to be stored where no block can be. */
  void requireSlot(long slot) {
    if (slot < HomeLayout.CHUNK_SIZE) {
      throw Damage.at(slot, "a bucket of the map at " + header + " cannot be there");
    }
  }

  /** Touches every stripe whose hashes may belong to the same bucket as this one. */
  void touchSharers(long h, long buckets) {
    int step = (int) Math.min(Long.highestOneBit(buckets), MapLayout.STRIPES);
    for (int s = (int) (h & (step - 1)); s < MapLayout.STRIPES; s += step) {
      memory.touch(base + s);
    }
  }

  /** Touches all stripes of this map: no reader that is on its way will validate. */
  void touchAll() {
    for (int s = 0; s < MapLayout.STRIPES; s++) {
      memory.touch(base + s);
    }
  }

  public int stripe(long h) {
    return MapLayout.stripe(base, h);
  }

  /** The hash of the key in a node, for the writer. */
  long hashOf(long node) {
    return nodes.hash(node, wordKeys, hash);
  }

  private void setCount(long count) {
    memory.putLong(Stripes.NONE, header + MapLayout.COUNT, count);
  }

  /** Exchanges the table for an empty one; the caller owns the blocks of the old one. */
  public void replaceTable(long directory, long buckets) {
    setCount(0);
    memory.putLong(base, header + MapLayout.BUCKETS, buckets);
    memory.putLong(base, header + MapLayout.DIRECTORY, directory);
    touchAll();
  }

  /** Frees the header; the caller owns the blocks of the table. */
  public void destroyHeader() {
    touchAll();
    allocator.free(base, reference, allocator.type(reference));
  }
}
