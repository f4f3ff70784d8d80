package io.everheap.engine.alloc;

import io.everheap.engine.tx.HeapMemory;
import io.everheap.error.GoneException;

/** Finds the block that a reference leads to. Thread-safe. */
final class BlockFinder {
  private final HeapMemory memory;
  private final ChunkKinds kinds;
  private final int extentShift;

  BlockFinder(HeapMemory memory, ChunkKinds kinds, int extentShift) {
    this.memory = memory;
    this.kinds = kinds;
    this.extentShift = extentShift;
  }

  /**
   * The header of an allocated block.
   *
   * @throws GoneException if the reference leads to no allocated block
   */
  long header(long reference) {
    long address = Reference.address(reference);
    int kind = kinds.at(address);
    if (ChunkKind.isSlots(kind)) {
      if (SizeClasses.slotAt(ChunkKind.sizeClass(kind), offset(address)) < 0) {
        throw stale(reference, "no slot starts there");
      }
    } else {
      checkStart(reference, address, kind);
    }
    long header = memory.getLong(address);
    if (!BlockHeader.matches(header, reference)) {
      throw stale(reference, header);
    }
    return header;
  }

  /** The header of an allocated block, or 0 if the reference leads to none. */
  long find(long reference) {
    long address = Reference.address(reference);
    int kind = kinds.at(address);
    if (ChunkKind.isSlots(kind)) {
      if (SizeClasses.slotAt(ChunkKind.sizeClass(kind), offset(address)) < 0) {
        return 0;
      }
      long header = memory.getLong(address);
      return BlockHeader.matches(header, reference) ? header : 0;
    }
    try {
      return header(reference);
    } catch (GoneException e) {
      return 0;
    }
  }

  /** The exact size of the payload of an allocated block. */
  long payload(long address, long header) {
    int kind = kinds.at(address);
    if (ChunkKind.isSlots(kind)) {
      return (long) SizeClasses.bytes(ChunkKind.sizeClass(kind))
          - Reference.HEADER_BYTES
          - BlockHeader.slack(header);
    }
    if (kind == ChunkKind.PAGES) {
      return ((long) BlockHeader.runPages(header) << PageLayout.PAGE_SHIFT)
          - Reference.HEADER_BYTES
          - BlockHeader.runRoom(header);
    }
    long entry = memory.getLong(ChunkLayout.entry(ChunkLayout.chunkOf(address), extentShift));
    return ChunkLayout.address(ChunkLayout.chunks(entry))
        - Reference.HEADER_BYTES
        - BlockHeader.slack(header);
  }

  /** The size of header and payload in bytes, rounded up to a multiple of 8. */
  long bytes(long address, long header) {
    return (payload(address, header) + Reference.HEADER_BYTES + 7) & -8;
  }

  private void checkStart(long reference, long address, int kind) {
    int offset = offset(address);
    switch (kind) {
      case ChunkKind.PAGES -> {
        long first = memory.getLong(address - offset + PageLayout.FIRST);
        if ((offset & PageLayout.PAGE_MASK) != 0
            || (first & (1L << (offset >>> PageLayout.PAGE_SHIFT))) == 0) {
          throw stale(reference, "no block starts at this page");
        }
      }
      case ChunkKind.LARGE -> {
        if (offset != 0) {
          throw stale(reference, "it is inside a large block");
        }
      }
      case ChunkKind.LARGE_REST -> throw stale(reference, "it is inside a large block");
      case ChunkKind.METADATA -> throw stale(reference, "no block can be there");
      case ChunkKind.BEYOND -> throw stale(reference, "it is behind the end of the heap");
      default -> throw stale(reference, "nothing is allocated there");
    }
  }

  private static int offset(long address) {
    return (int) address & ChunkLayout.CHUNK_MASK;
  }

  private static GoneException stale(long reference, long header) {
    if (BlockHeader.isAllocated(header)) {
      return stale(
          reference,
          "the block there has generation "
              + BlockHeader.generation(header)
              + ", so it is another block");
    }
    return stale(reference, "the block there was freed");
  }

  private static GoneException stale(long reference, String why) {
    return GoneException.reference(
        "The reference " + Reference.describe(reference) + " is stale: " + why + '.');
  }
}
