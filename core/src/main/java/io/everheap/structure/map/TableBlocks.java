package io.everheap.structure.map;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.NodeStore;

/** Makes the blocks of a map's table, and frees those of one that no reader will validate. */
public final class TableBlocks {
  private final HeapMemory memory;
  private final Allocator allocator;

  public TableBlocks(HeapMemory memory, Allocator allocator) {
    this.memory = memory;
    this.allocator = allocator;
  }

  /**
   * Makes the header of an empty map or set and its table, and returns the header's reference.
   *
   * @param headerType tells maps from sets
   * @param types numbers of the types of keys and values; sets have no values
   */
  public long create(int headerType, long kinds, long[] types, long seed) {
    long reference = allocator.allocateRaw(headerType, MapLayout.HEADER_BYTES);
    long header = Reference.address(reference);
    memory.initLong(header + MapLayout.COUNT, 0);
    memory.initLong(header + MapLayout.BUCKETS, MapLayout.INITIAL_BUCKETS);
    memory.initLong(header + MapLayout.DIRECTORY, createTable());
    memory.initLong(header + MapLayout.KINDS, kinds);
    memory.initLong(header + MapLayout.KEY_TYPE, types[0]);
    memory.initLong(header + MapLayout.VALUE_TYPE, types.length > 1 ? types[1] : 0);
    memory.initLong(header + MapLayout.SEED, seed);
    return reference;
  }

  /** Makes an empty table and returns the reference of its directory. */
  public long createTable() {
    long segment = allocator.allocate(BlockType.MAP_SEGMENT, MapLayout.INITIAL_BUCKETS * 8L);
    long directory = allocator.allocateRaw(BlockType.MAP_DIRECTORY, 8);
    memory.initLong(Reference.payload(directory), segment);
    return directory;
  }

  /** Frees all nodes of the first {@code buckets} buckets. */
  public void freeNodes(NodeStore nodes, long directory, long buckets) {
    for (long bucket = 0; bucket < buckets; bucket++) {
      long segment = memory.getLong(MapLayout.segmentSlot(directory, bucket));
      long link = memory.getLong(MapLayout.bucketSlot(segment, bucket));
      while (link != 0) {
        long node = NodeLayout.node(link);
        link = nodes.next(node);
        nodes.free(Stripes.NONE, node);
      }
    }
  }

  /** Frees the segments from {@code first} on. */
  public void freeSegments(long directory, long first, long buckets) {
    for (long i = first; i < MapLayout.segments(buckets); i++) {
      long slot = MapLayout.segmentSlot(directory, i << MapLayout.SEGMENT_SHIFT);
      allocator.free(Stripes.NONE, memory.getLong(slot), BlockType.MAP_SEGMENT);
    }
  }

  /** Frees a table with its nodes at once. */
  public void freeTable(NodeStore nodes, long directory, long buckets) {
    freeNodes(nodes, directory, buckets);
    freeSegments(directory, 0, buckets);
    allocator.free(Stripes.NONE, directory, BlockType.MAP_DIRECTORY);
  }

  /** Zeroes the first {@code buckets} buckets, which lie in the first segment. */
  public void zeroBuckets(int stripe, long directory, int buckets) {
    long slot = MapLayout.bucketSlot(memory.getLong(Reference.payload(directory)), 0);
    for (int i = 0; i < buckets; i++) {
      memory.putLong(stripe, slot + i * 8L, 0);
    }
  }
}
