package io.everheap.engine.alloc;

import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;

/**
 * Restores lost entries of the chunk table from the headers of the chunks. For salvage, on an image
 * in private memory. Used by one thread.
 */
public final class ChunkRepair {
  private final Home home;

  /**
   * Creates the repair of an image.
   *
   * @param home the image, whose chunk tables are changed
   */
  public ChunkRepair(Home home) {
    this.home = home;
  }

  /** Restores the entries and returns their number. */
  public int run() {
    int chunks = ChunkLayout.chunkOf(home.getLong(HomeLayout.CAPACITY_ADDRESS));
    int perExtent = ChunkLayout.chunksPerExtent(home.extentShift());
    int changed = 0;
    for (int chunk = 0; chunk < chunks; chunk++) {
      long entry = ChunkLayout.entry(chunk, home.extentShift());
      int kind = ChunkLayout.kind(home.getLong(entry));
      boolean lost = kind == ChunkKind.FREE || !ChunkKind.isStorable(kind);
      if ((chunk & (perExtent - 1)) != 0 && lost) {
        int found = kind(ChunkLayout.address(chunk));
        if (found != ChunkKind.FREE) {
          home.putLong(entry, found);
          changed++;
        }
      }
    }
    return changed;
  }

  /** The kind according to the chunk's header; free if the chunk has no blocks. */
  private int kind(long base) {
    long header = home.getLong(base);
    int kind = (int) header & 0xff;
    if (ChunkKind.isSlots(kind) && SlotLayout.isValid(header, kind)) {
      return hasBlocks(base, kind, SlotLayout.opened(header)) ? kind : ChunkKind.FREE;
    }
    long used = home.getLong(base + PageLayout.USED);
    long first = home.getLong(base + PageLayout.FIRST);
    boolean pages = header == ChunkKind.PAGES && (used & 1) != 0 && (first & ~used) == 0;
    return pages && first != 0 ? ChunkKind.PAGES : ChunkKind.FREE;
  }

  private boolean hasBlocks(long base, int kind, int opened) {
    int sizeClass = ChunkKind.sizeClass(kind);
    for (int word = 0; word < opened; word++) {
      long bits = home.getLong(base + SlotLayout.BITMAP + 8L * word);
      if ((bits & ~SlotLayout.padding(sizeClass, word)) != 0) {
        return true;
      }
    }
    return false;
  }
}
