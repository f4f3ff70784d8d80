package io.everheap.engine.alloc;

import io.everheap.engine.tx.HeapMemory;
import java.util.ArrayList;
import java.util.List;

/** Tells for each chunk what it is used for. Used by one thread, once. */
final class ChunkUses {
  /** The first page of a chunk of pages holds its bitmaps. */
  private static final int PAGES = (ChunkLayout.CHUNK_BYTES >>> PageLayout.PAGE_SHIFT) - 1;

  private final HeapMemory memory;
  private final ChunkTable table;
  private final SlotAllocator slots;

  ChunkUses(HeapMemory memory, ChunkTable table, SlotAllocator slots) {
    this.memory = memory;
    this.table = table;
    this.slots = slots;
  }

  List<ChunkUse> read() {
    table.readAll();
    List<ChunkUse> uses = new ArrayList<>(table.chunks());
    for (int chunk = 0; chunk < table.chunks(); chunk++) {
      uses.add(of(chunk, table.kind(chunk)));
    }
    return uses;
  }

  private ChunkUse of(int chunk, int kind) {
    if (ChunkKind.isSlots(kind)) {
      int sizeClass = ChunkKind.sizeClass(kind);
      int bytes = SizeClasses.bytes(sizeClass);
      return new ChunkUse("slots", bytes, slots.count(chunk, kind), SizeClasses.slots(sizeClass));
    }
    return switch (kind) {
      case ChunkKind.FREE -> new ChunkUse("free", 0, 0, 1);
      case ChunkKind.PAGES -> {
        long used = memory.getLong(ChunkLayout.address(chunk) + PageLayout.USED);
        yield new ChunkUse("pages", 0, Long.bitCount(used) - 1, PAGES);
      }
      case ChunkKind.LARGE, ChunkKind.LARGE_REST -> new ChunkUse("large", 0, 1, 1);
      case ChunkKind.RETIRED -> new ChunkUse("retired", 0, 1, 1);
      case ChunkKind.METADATA -> new ChunkUse("metadata", 0, 1, 1);
      default -> new ChunkUse("damaged", 0, 0, 1);
    };
  }
}
