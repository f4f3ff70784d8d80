package io.everheap.structure.map;

import io.everheap.Heap;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.heap.OpenHeap;
import io.everheap.structure.common.LargeValues;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.NodeLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the words of a map are in the home image, for tests that damage them.
 *
 * @param header address of its header
 * @param count address of the count
 * @param buckets address of the number of buckets
 * @param directoryReference address of the reference to the directory
 * @param keyType address of the number of the key type
 * @param kinds address of the kinds
 * @param segmentReference address of the reference to the first segment
 * @param chains the chains that are not empty
 */
public record MapPlaces(
    long header,
    long count,
    long buckets,
    long directoryReference,
    long keyType,
    long kinds,
    long segmentReference,
    List<Chain> chains) {
  /**
   * A chain.
   *
   * @param slot address of the bucket
   * @param nodes addresses of the nodes
   */
  public record Chain(long slot, List<Long> nodes) {}

  /** Offset of the link to the next node. */
  public static final int NEXT = NodeLayout.NEXT;

  /** Offset of the lengths, in a node that has some. */
  public static final int LENGTHS = NodeLayout.LENGTHS;

  /** Offset of the key in such a node. */
  public static final int KEY = NodeLayout.KEY;

  /** Finds a root's map. */
  public static MapPlaces of(Heap heap, long reference) {
    Engine engine = OpenHeap.engine(heap);
    HeapMemory memory = engine.memory();
    long header = Reference.address(reference);
    long directory = memory.getLong(header + MapLayout.DIRECTORY);
    long buckets = memory.getLong(header + MapLayout.BUCKETS);
    List<Chain> chains = new ArrayList<>();
    for (long bucket = 0; bucket < buckets; bucket++) {
      long segment = memory.getLong(MapLayout.segmentSlot(directory, bucket));
      long slot = MapLayout.bucketSlot(segment, bucket);
      List<Long> nodes = new ArrayList<>();
      for (long link = memory.getLong(slot); link != 0; ) {
        nodes.add(NodeLayout.node(link));
        link = memory.getLong(nodes.getLast() + NodeLayout.NEXT);
      }
      if (!nodes.isEmpty()) {
        chains.add(new Chain(slot, nodes));
      }
    }
    return new MapPlaces(
        header,
        header + MapLayout.COUNT,
        header + MapLayout.BUCKETS,
        header + MapLayout.DIRECTORY,
        header + MapLayout.KEY_TYPE,
        header + MapLayout.KINDS,
        MapLayout.segmentSlot(directory, 0),
        chains);
  }

  /** The first chain with at least so many nodes. */
  public Chain chain(int nodes) {
    return chains.stream().filter(chain -> chain.nodes().size() >= nodes).findFirst().orElseThrow();
  }

  /** Address of the value in a node with a key of so many bytes. */
  public static long value(long node, int keyBytes) {
    return node + NodeLayout.value(keyBytes);
  }

  /** Address of the reference to a part of a large value in such a node. */
  public static long part(long node, int keyBytes, int part) {
    return value(node, keyBytes) + LargeValues.PARTS + 8L * part;
  }
}
