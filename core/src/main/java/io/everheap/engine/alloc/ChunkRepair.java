package io.everheap.engine.alloc;

import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;

/**
 * Gives chunks their kinds back whose entries in the chunk table are lost, where the chunks
 * themselves say what they are. For an image in private memory that is only read.
 */
public final class ChunkRepair {
  private final Home home;

  /**
   * For an image.
   *
   * @param home whose table is changed
   */
  public ChunkRepair(Home home) {
    this.home = home;
  }

  /** Returns how many entries were changed. Chunks that were free become empty ones. */
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

  /** What the chunk says that it is, if it has blocks. */
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
