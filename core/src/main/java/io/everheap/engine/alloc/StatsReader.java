package io.everheap.engine.alloc;

import io.everheap.engine.tx.HeapMemory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Adds up the counts of all chunks. Reads the bitmaps only of chunks that are not full. Used by one
 * thread, once.
 */
final class StatsReader {
  private final HeapMemory memory;
  private final ChunkTable table;
  private final SlotAllocator slots;
  private final long[] slotBlocks = new long[SizeClasses.COUNT];
  private final long[] slotChunks = new long[SizeClasses.COUNT];
  private long pageBlocks;
  private long pages;
  private long pageChunks;
  private long largeBlocks;
  private long largeChunks;
  private long freeChunks;
  private long metadataChunks;
  private long retired;

  StatsReader(HeapMemory memory, ChunkTable table, SlotAllocator slots) {
    this.memory = memory;
    this.table = table;
    this.slots = slots;
  }

  AllocatorStats read() {
    table.readAll();
    for (int chunk = 0; chunk < table.chunks(); chunk++) {
      add(chunk, table.kind(chunk));
    }
    List<AllocatorStats.SizeClass> classes = new ArrayList<>();
    for (int i = 0; i < SizeClasses.COUNT; i++) {
      classes.add(new AllocatorStats.SizeClass(SizeClasses.bytes(i), slotBlocks[i], slotChunks[i]));
    }
    classes.sort(Comparator.comparingInt(AllocatorStats.SizeClass::blockBytes));
    return new AllocatorStats(
        ChunkLayout.address(table.chunks()),
        classes,
        pageBlocks,
        pages << PageLayout.PAGE_SHIFT,
        pageChunks,
        largeBlocks,
        largeChunks,
        freeChunks,
        metadataChunks,
        retired);
  }

  private void add(int chunk, int kind) {
    if (kind == ChunkKind.FREE) {
      freeChunks++;
    } else if (kind == ChunkKind.METADATA) {
      metadataChunks++;
    } else if (kind == ChunkKind.LARGE) {
      largeBlocks++;
      largeChunks++;
    } else if (kind == ChunkKind.LARGE_REST) {
      largeChunks++;
    } else if (kind != ChunkKind.DAMAGED) {
      addShared(chunk, kind);
    }
  }

  private void addShared(int chunk, int kind) {
    int retiredHere = ChunkLayout.retired(memory.getLong(table.entry(chunk)));
    retired += retiredHere;
    if (ChunkKind.isSlots(kind)) {
      int sizeClass = ChunkKind.sizeClass(kind);
      slotBlocks[sizeClass] += slots.count(chunk, kind) - retiredHere;
      slotChunks[sizeClass]++;
    } else if (kind == ChunkKind.PAGES) {
      addPages(ChunkLayout.address(chunk), retiredHere > 0);
    }
  }

  private void addPages(long base, boolean someRetired) {
    long used = memory.getLong(base + PageLayout.USED);
    long first = memory.getLong(base + PageLayout.FIRST);
    pageChunks++;
    if (someRetired) {
      for (long rest = first; rest != 0; rest &= rest - 1) {
        int page = Long.numberOfTrailingZeros(rest);
        long header = memory.getLong(base + ((long) page << PageLayout.PAGE_SHIFT));
        if (BlockHeader.isAllocated(header)) {
          pageBlocks++;
          pages += PageLayout.length(used, first, page);
        }
      }
    } else {
      pageBlocks += Long.bitCount(first);
      pages += Long.bitCount(used) - 1;
    }
  }
}
