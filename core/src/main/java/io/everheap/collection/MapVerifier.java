package io.everheap.collection;

import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.error.EverheapException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks every block of a map: that each node is in the right bucket, under the right tag, only
 * once, within its block; that chains end; that the count is the number of nodes. Needs no codec.
 * The caller keeps writers out; the heap may be damaged in any way.
 */
public final class MapVerifier {
  private final Engine engine;
  private final HeapMemory memory;
  private final Allocator allocator;
  private final Consumer<String> problems;
  private final LongConsumer blocks;

  /**
   * A verifier.
   *
   * @param engine of the heap
   * @param problems called with the description of each violation
   * @param blocks called with the reference of each block that a map owns
   */
  public MapVerifier(Engine engine, Consumer<String> problems, LongConsumer blocks) {
    this.engine = engine;
    this.memory = engine.memory();
    this.allocator = engine.allocator();
    this.problems = problems;
    this.blocks = blocks;
  }

  /**
   * Checks one map.
   *
   * @param reference of its header
   * @return the number of entries found
   */
  public long verify(long reference) {
    return verify(reference, MapHash.ALL_BITS);
  }

  /** Checks one map whose hash function yields only some bits. */
  long verify(long reference, long hashMask) {
    try {
      MapInfo info = MapInfo.read(engine, reference);
      MapHash hash = new MapHash(info.seed(), hashMask);
      HashTable table =
          new HashTable(memory, engine.transactions().stripes(), allocator, reference, hash);
      blocks.accept(reference);
      if (info.kinds() != MapLayout.kinds(info.wordKeys(), info.wordValues())) {
        problems.accept(at(reference) + "unknown kinds 0x" + Long.toHexString(info.kinds()));
        return 0;
      }
      long found = verifyTable(reference, table, info);
      if (found != table.count()) {
        problems.accept(
            at(reference) + "the count is " + table.count() + ", the entries are " + found);
      }
      return found;
    } catch (EverheapException | IllegalArgumentException | IllegalStateException e) {
      problems.accept(at(reference) + e.getMessage());
      return 0;
    }
  }

  private long verifyTable(long reference, HashTable table, MapInfo info) {
    long buckets = table.buckets();
    long directory = table.directory();
    if (!isBlock(reference, "the directory", directory, BlockType.MAP_DIRECTORY)) {
      return 0;
    }
    blocks.accept(directory);
    if (buckets < MapLayout.INITIAL_BUCKETS
        || buckets > MapLayout.MAX_BUCKETS
        || MapLayout.segments(buckets) << 3 > allocator.size(directory)) {
      problems.accept(at(reference) + "impossible number of buckets: " + buckets);
      return 0;
    }
    long found = 0;
    for (long i = 0; i < MapLayout.segments(buckets); i++) {
      long first = i << MapLayout.SEGMENT_SHIFT;
      long segment = memory.getLong(MapLayout.segmentSlot(directory, first));
      if (isBlock(reference, "segment " + i, segment, BlockType.MAP_SEGMENT)) {
        blocks.accept(segment);
        if (allocator.size(segment) < MapLayout.segmentCapacity(i, buckets) * 8L) {
          problems.accept(at(reference) + "segment " + i + " is too small");
        } else {
          long end = Math.min(buckets, first + MapLayout.SEGMENT_BUCKETS);
          for (long bucket = first; bucket < end; bucket++) {
            found += verifyBucket(reference, table, info, bucket, buckets, segment);
          }
        }
      }
    }
    return found;
  }

  private boolean isBlock(long map, String what, long reference, int type) {
    try {
      if (allocator.type(reference) == type) {
        return true;
      }
      problems.accept(at(map) + what + " has block type " + allocator.type(reference));
    } catch (RuntimeException e) {
      problems.accept(at(map) + what + ": " + e.getMessage());
    }
    return false;
  }

  /** Follows one chain; a second walker at half its speed is met if the chain has a cycle. */
  private long verifyBucket(
      long map, HashTable table, MapInfo info, long bucket, long buckets, long segment) {
    List<Encoded> keys = new ArrayList<>();
    long link = memory.getLong(MapLayout.bucketSlot(segment, bucket));
    long slow = link;
    long found = 0;
    try {
      while (link != 0) {
        long node = NodeLayout.node(link);
        String problem = verifyNode(table, info, link, bucket, buckets, keys);
        if (problem != null) {
          problems.accept(at(map) + "bucket " + bucket + ", node " + node + ": " + problem);
          return found;
        }
        found++;
        table.nodes().forEachBlock(node, blocks);
        link = table.nodes().next(node);
        if ((found & 1) == 0) {
          slow = table.nodes().next(NodeLayout.node(slow));
        }
        if (link != 0 && link == slow) {
          problems.accept(at(map) + "bucket " + bucket + ": the chain has a cycle");
          return found;
        }
      }
    } catch (RuntimeException e) {
      problems.accept(at(map) + "bucket " + bucket + ": " + e.getMessage());
    }
    return found;
  }

  /** What is wrong with a node, or null. */
  private @Nullable String verifyNode(
      HashTable table, MapInfo info, long link, long bucket, long buckets, List<Encoded> keys) {
    NodeStore nodes = table.nodes();
    long node = NodeLayout.node(link);
    long reference = nodes.reference(node);
    if (allocator.type(reference) != BlockType.MAP_NODE) {
      return "it has block type " + allocator.type(reference);
    }
    if (!nodes.fits(node, allocator.size(reference))) {
      return "key and value do not fit into the block";
    }
    Encoded key = nodes.key(node, info.wordKeys(), table.exclusive());
    long hash = key.hash(table.hash());
    if (!NodeLayout.tagMatches(link, hash)) {
      return "the link's tag is not that of the key";
    }
    if (MapLayout.bucket(hash, buckets) != bucket) {
      return "the key belongs into bucket " + MapLayout.bucket(hash, buckets);
    }
    for (Encoded other : keys) {
      if (key.sameAs(other)) {
        return "the key is there twice";
      }
    }
    keys.add(key);
    return null;
  }

  /** Checks the list of tables whose blocks are still to be freed, and passes their blocks on. */
  public void verifyPendingFrees() {
    try {
      new PendingFrees(engine).forEachBlock(blocks);
    } catch (RuntimeException e) {
      problems.accept("the list of pending frees: " + e.getMessage());
    }
  }

  private static String at(long map) {
    return "map at " + Reference.describe(map) + ": ";
  }
}
