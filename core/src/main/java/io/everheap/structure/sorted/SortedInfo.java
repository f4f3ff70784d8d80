package io.everheap.structure.sorted;

import io.everheap.engine.HeapContext;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.OptimisticReads;

/**
 * What the header of a sorted map or set says of it and never changes.
 *
 * @param kinds see {@link SortedLayout}
 * @param key number of the type of its keys or elements
 * @param second number of the type of its values; of a set, its order
 * @param third number of the type of its order; of a set, 0
 */
public record SortedInfo(long kinds, long key, long second, long third) {
  /**
   * Reads a header.
   *
   * @param type of the header's block
   * @throws io.everheap.error.GoneException if there is no such block
   * @throws io.everheap.error.CorruptException if the block is not such a header
   */
  public static SortedInfo read(HeapContext heap, long reference, int type) {
    int found = heap.allocator().type(reference);
    long header = Reference.address(reference);
    if (found != type || heap.allocator().size(reference) < SortedLayout.HEADER_BYTES) {
      throw Damage.at(
          header,
          "the block "
              + Reference.describe(reference)
              + " has type "
              + found
              + ", not that of a sorted "
              + (type == BlockType.SORTED_MAP_HEADER ? "map" : "set"));
    }
    HeapMemory memory = heap.memory();
    long kinds = memory.getLong(header + SortedLayout.KINDS);
    if (!SortedLayout.isKnown(kinds)) {
      throw Damage.at(header, "unknown kinds 0x" + Long.toHexString(kinds));
    }
    return new SortedInfo(
        kinds,
        memory.getLong(header + SortedLayout.TYPES),
        memory.getLong(header + SortedLayout.TYPES + 8),
        memory.getLong(header + SortedLayout.TYPES + 16));
  }

  public boolean wordKeys() {
    return (kinds & SortedLayout.WORD_KEYS) != 0;
  }

  public boolean wordValues() {
    return (kinds & SortedLayout.WORD_VALUES) != 0;
  }

  public boolean compared() {
    return (kinds & SortedLayout.COMPARED) != 0;
  }

  /** Reads a header without a lock. */
  static SortedInfo committed(HeapContext heap, long reference, int header) {
    int stripe = SortedLayout.stripe(Reference.address(reference));
    return OptimisticReads.of(heap)
        .read(new Guard(heap.stripes(), stripe), guard -> read(heap, reference, header));
  }
}
