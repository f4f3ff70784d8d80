package io.everheap.engine.alloc;

/**
 * Generations that were given out by transactions which were rolled back.
 *
 * <p>The headers in the home image do not know about them, but references with them may still be in
 * someone's hands; so the next block at such a place needs a larger generation. Nothing of this is
 * kept across an open, as those references do not survive either.
 */
final class BurnedGenerations {
  private final AddressMap slots = new AddressMap();
  private final AddressMap chunks = new AddressMap();

  /** Whether any slot has a burned generation: false on the way that matters. */
  boolean hasSlots() {
    return !slots.isEmpty();
  }

  /** The generation that the next block at an address gets, given what its header says. */
  int slotAtLeast(long address, int generation) {
    return Math.max(generation, slots.get(address, 0));
  }

  /** The smallest generation of blocks that start in a chunk, given what its table entry says. */
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

  /** A slot's header has caught up. Allocates nothing. */
  void forgetSlot(long address) {
    slots.remove(address);
  }
}
