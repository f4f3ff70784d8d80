package io.everheap.structure.map;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.MapHash;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.NodeStore;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import org.jspecify.annotations.Nullable;

/**
 * Checks every block of a map: that each node is in the right bucket, under the right tag, only
 * once, within its block; that chains end; that the parts of large values are there; that keys and
 * values decode; that the count is the number of nodes.
 *
 * <p>The caller keeps writers out. The heap may be damaged in any way: whatever is wrong goes to
 * the findings, and what can still be reached is checked. Memory for the longest chain and the
 * largest value is needed.
 */
public final class MapVerifier {
  private static final String MAP = "map";
  private static final String NODE = "node";

  private final StructureContext heap;
  private final HeapMemory memory;
  private final Allocator allocator;
  private final StructureFindings findings;
  private final BlockCheck blocks;

  /**
   * A verifier.
   *
   * @param heap the heap
   * @param findings takes all that is found
   */
  public MapVerifier(StructureContext heap, StructureFindings findings) {
    this.heap = heap;
    this.memory = heap.memory();
    this.allocator = heap.allocator();
    this.findings = findings;
    this.blocks = new BlockCheck(heap, findings);
  }

  /**
   * Checks one map.
   *
   * @param reference of its header
   * @param keys codec of the keys, or null if they need not decode
   * @param values codec of the values, likewise
   * @return the number of entries found, sound or not
   */
  public long verify(long reference, @Nullable Codec<?> keys, @Nullable Codec<?> values) {
    return verify(reference, MapHash.ALL_BITS, keys, values);
  }

  /** Checks one map whose hash function yields only some bits. */
  public long verify(
      long reference, long hashMask, @Nullable Codec<?> keys, @Nullable Codec<?> values) {
    long header = Reference.address(reference);
    try {
      MapInfo info = MapInfo.read(heap, reference);
      if (!blocks.own(header, "the header", reference, info.headerType(), MapLayout.HEADER_BYTES)) {
        return 0;
      }
      if (info.kinds() != MapLayout.kinds(info.wordKeys(), info.wordValues())) {
        String kinds = "unknown kinds 0x" + Long.toHexString(info.kinds());
        findings.problem(MAP, header + MapLayout.KINDS, null, kinds);
        return 0;
      }
      MapHash hash = new MapHash(info.seed(), hashMask);
      HashTable table =
          new HashTable(memory, heap.transactions().stripes(), allocator, reference, hash);
      EntryCheck entries = new EntryCheck(findings, table, info);
      entries.decodeWith(
          fitting(header, "key", info.wordKeys(), keys),
          fitting(header, "value", info.wordValues(), values));
      long found = verifyTable(table, entries);
      if (found != table.count()) {
        String count = "the count is " + table.count() + ", the entries are " + found;
        findings.problem("count", header + MapLayout.COUNT, null, count);
      }
      return found;
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      findings.problem(MAP, header, null, String.valueOf(e.getMessage()));
      return 0;
    }
  }

  private @Nullable Codec<?> fitting(
      long header, String part, boolean words, @Nullable Codec<?> codec) {
    if (codec == null || codec instanceof WordCodec<?> == words) {
      return codec;
    }
    String message =
        "the " + part + " type " + codec.name() + " is " + (words ? "not " : "") + "one of words";
    findings.problem("type", header + MapLayout.KINDS, null, message);
    return null;
  }

  private long verifyTable(HashTable table, EntryCheck entries) {
    long buckets = table.buckets();
    long directory = table.directory();
    if (!blocks.ownDirectory(table.header() + MapLayout.DIRECTORY, directory, buckets)) {
      findings.cut(0, Long.MAX_VALUE);
      return 0;
    }
    long found = 0;
    for (long i = 0; i < MapLayout.segments(buckets); i++) {
      long first = i << MapLayout.SEGMENT_SHIFT;
      long end = Math.min(buckets, first + MapLayout.SEGMENT_BUCKETS);
      long segment = blocks.ownSegment(directory, i, buckets);
      if (segment == 0) {
        findings.cut(first, end);
      } else {
        for (long bucket = first; bucket < end; bucket++) {
          found += verifyBucket(table, entries, bucket, buckets, segment);
        }
      }
    }
    return found;
  }

  /** Follows one chain up to its end or to a link that leads astray; returns its length. */
  private long verifyBucket(
      HashTable table, EntryCheck entries, long bucket, long buckets, long segment) {
    NodeStore nodes = table.nodes();
    long slot = MapLayout.bucketSlot(segment, bucket);
    long found = 0;
    try {
      entries.beginChain();
      for (long link = memory.getLong(slot); link != 0; link = memory.getLong(slot)) {
        long node = NodeLayout.node(link);
        String problem = blocks.nodeProblem(nodes, node);
        if (problem == null && !entries.load(node, link)) {
          problem = "the link's tag is not that of the key";
        }
        if (problem != null) {
          findings.problem(
              "chain", slot, null, "bucket " + bucket + " cannot be followed: " + problem);
          findings.cut(bucket, bucket + 1);
          return found;
        }
        if (!findings.owned(nodes.reference(node))) {
          findings.cut(bucket, bucket + 1);
          return found; // a cycle, or another owner's node
        }
        found++;
        findings.counted();
        entries.check(blocks, bucket, buckets);
        slot = node + NodeLayout.NEXT;
      }
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      findings.problem("chain", slot, null, "bucket " + bucket + ": " + e.getMessage());
      findings.cut(bucket, bucket + 1);
    }
    return found;
  }

  /** The kind of problem that concerns one node. */
  static String node() {
    return NODE;
  }
}
