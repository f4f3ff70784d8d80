package io.everheap.structure.common;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.error.ClosedException;
import io.everheap.error.StoppedException;
import org.jspecify.annotations.Nullable;

/**
 * Checks the blocks of a structure one by one, whatever their bytes are, and reports each to the
 * findings as owned. A block that is owned already is not followed again, so every walk ends, in
 * time bounded by the number of blocks.
 */
public final class BlockCheck {
  private final HeapMemory memory;
  private final Allocator allocator;
  private final StructureFindings findings;

  public BlockCheck(StructureContext heap, StructureFindings findings) {
    this.memory = heap.memory();
    this.allocator = heap.allocator();
    this.findings = findings;
  }

  /** The same for other findings. */
  public BlockCheck(BlockCheck other, StructureFindings findings) {
    this.memory = other.memory;
    this.allocator = other.allocator;
    this.findings = findings;
  }

  /** Throws a failure on that says nothing about the bytes. */
  public static void requireOpen(RuntimeException e) {
    if (e instanceof ClosedException || e instanceof StoppedException) {
      throw e;
    }
  }

  /**
   * Whether a reference leads to a block of this type and size that nothing else owns.
   *
   * @param at address of the reference
   * @param what it should lead to, for messages
   * @param least payload bytes
   */
  public boolean own(long at, String what, long reference, int type, long least) {
    String problem = problem(reference, type, least);
    if (problem != null) {
      findings.problem("reference", at, null, what + ": " + problem);
      return false;
    }
    return findings.owned(reference);
  }

  private @Nullable String problem(long reference, int type, long least) {
    try {
      int found = allocator.type(reference);
      if (found != type) {
        return "the block at " + Reference.describe(reference) + " has type " + found;
      }
      long size = allocator.size(reference);
      if (size < least) {
        return "the block has " + size + " bytes of the " + least + " that it needs";
      }
      return null;
    } catch (RuntimeException e) {
      requireOpen(e);
      return String.valueOf(e.getMessage());
    }
  }

  /** Whether a directory has room for the segments of so many buckets, and nothing else owns it. */
  public boolean ownDirectory(long at, long directory, long buckets) {
    if (buckets < MapLayout.INITIAL_BUCKETS || buckets > MapLayout.MAX_BUCKETS) {
      findings.problem("map", at, null, "impossible number of buckets: " + buckets);
      return false;
    }
    long bytes = MapLayout.segments(buckets) << 3;
    return own(
        at, "the directory of " + buckets + " buckets", directory, BlockType.MAP_DIRECTORY, bytes);
  }

  /**
   * The segment with this index, or 0 if it is damaged.
   *
   * @param directory that was checked
   */
  public long ownSegment(long directory, long index, long buckets) {
    long slot = MapLayout.segmentSlot(directory, index << MapLayout.SEGMENT_SHIFT);
    long segment = memory.getLong(slot);
    long bytes = MapLayout.segmentCapacity(index, buckets) * 8L;
    boolean sound = own(slot, "segment " + index, segment, BlockType.MAP_SEGMENT, bytes);
    return sound ? segment : Reference.NULL;
  }

  /** Why a link does not lead to a node; null if it does. */
  public @Nullable String nodeProblem(NodeStore nodes, long node) {
    try {
      long reference = nodes.reference(node);
      int type = allocator.type(reference);
      if (type != nodes.type()) {
        return "the block at 0x" + Long.toHexString(node) + " has type " + type;
      }
      return nodes.fits(node, allocator.size(reference))
          ? null
          : "key and value do not fit into the block at 0x" + Long.toHexString(node);
    } catch (RuntimeException e) {
      requireOpen(e);
      return String.valueOf(e.getMessage());
    }
  }

  /** Whether all parts of a value are there, which nothing else owns. */
  public boolean ownParts(NodeStore nodes, long node, @Nullable String key) {
    long stub = nodes.largeValue(node);
    if (stub < 0) {
      return true;
    }
    boolean sound = true;
    long left = memory.getLong(stub + LargeValues.TOTAL);
    long size = memory.getLong(stub + LargeValues.PART_BYTES);
    for (long at = stub + LargeValues.PARTS; left > 0; at += 8, left -= size) {
      long part = memory.getLong(at);
      String problem = problem(part, BlockType.VALUE_PART, Math.min(size, left));
      if (problem != null) {
        findings.problem("value", at, key, "a part of the value: " + problem);
        sound = false;
      } else {
        sound &= findings.owned(part);
      }
    }
    return sound;
  }
}
