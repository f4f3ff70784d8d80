package io.everheap.engine.alloc;

/**
 * The position from which the next slot of one size class is allocated: a word of the bitmap of one
 * chunk. Guarded by the writer lock.
 */
final class SlotCursor {
  final int kind;
  final int sizeClass;
  final int bytes;
  final int slots;

  /** The chunk, or -1. */
  int chunk = -1;

  /** The chunk's number of slots in use is {@code used[index]}. */
  short[] used = new short[0];

  int index;

  /** The chunk's generation floor. */
  int floor;

  /** Index of the word at which the search for free slots continues. */
  int nextWord;

  long wordAddress;

  /** The bitmap word as the transaction sees it; valid while {@code available} is not 0. */
  long word;

  /** Free slots of the word when the cursor reached it, minus those taken since. */
  long available;

  /** The address of the word's first slot. */
  long firstSlot;

  /** The generation of all slots of the word, or -1 if it is in the header of each slot. */
  int generation;

  SlotCursor(int sizeClass) {
    this.kind = ChunkKind.ofClass(sizeClass);
    this.sizeClass = sizeClass;
    this.bytes = SizeClasses.bytes(sizeClass);
    this.slots = SizeClasses.slots(sizeClass);
  }

  void enter(int newChunk, short[] newUsed, int newIndex, int newFloor) {
    chunk = newChunk;
    used = newUsed;
    index = newIndex;
    floor = newFloor;
    nextWord = 0;
  }

  void leave() {
    chunk = -1;
    available = 0;
    wordAddress = 0;
  }

  /** Moves to a word of the chunk's bitmap. */
  void load(int index, long newWord, int newGeneration) {
    long base = ChunkLayout.address(chunk);
    wordAddress = base + SlotLayout.BITMAP + 8L * index;
    word = newWord;
    available = ~newWord;
    firstSlot = base + SizeClasses.first(sizeClass) + 64L * index * bytes;
    generation = newGeneration;
    nextWord = index + 1;
  }

  /** Called when the chunk's bitmap was changed at a word or behind it: loads it again later. */
  void reload(int index) {
    available = 0;
    wordAddress = 0;
    nextWord = Math.min(nextWord, index);
  }
}
