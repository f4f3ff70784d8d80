package io.everheap.engine.alloc;

/**
 * Generations of blocks whose allocation was rolled back.
 *
 * <p>The headers in the home image do not contain them, but the program may still have references
 * with them; so the next block at such a place needs a larger generation. They are kept in memory
 * only, because those references do not survive a reopening either. Guarded by the writer lock.
 */
final class BurnedGenerations {
  private final AddressMap slots = new AddressMap();
  private final AddressMap chunks = new AddressMap();

  /** Whether any slot has a burned generation; false in the common case. */
  boolean hasSlots() {
    return !slots.isEmpty();
  }

  /** The generation that the next block at an address gets, given the one in its header. */
  int slotAtLeast(long address, int generation) {
    return Math.max(generation, slots.get(address, 0));
  }

  /** The smallest generation of blocks that start in a chunk, given the one in its table entry. */
  int chunkAtLeast(int chunk, int generation) {
    return Math.max(generation, chunks.get(ChunkLayout.address(chunk), 0));
  }

  /** Notes that a block in a slot had this generation and was rolled back. */
  void burnSlot(long reference) {
    slots.put(Reference.address(reference), Reference.generation(reference) + 1);
    burnChunk(reference);
  }

  /** Notes that a block in a chunk had this generation and was rolled back. */
  void burnChunk(long reference) {
    int chunk = ChunkLayout.chunkOf(Reference.address(reference));
    int generation = Reference.generation(reference) + 1;
    chunks.put(ChunkLayout.address(chunk), chunkAtLeast(chunk, generation));
  }

  /** Called when a commit wrote a header with a later generation. Allocates nothing. */
  void forgetSlot(long address) {
    slots.remove(address);
  }
}
