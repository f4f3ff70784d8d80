package io.everheap.structure.common;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.error.GoneException;

/**
 * The header of a structure that is in use. The word with which its block begins has the generation
 * of the block, so it tells whether the structure is still there. Immutable.
 */
public abstract class StructureHeader {
  private static final long ANYWHERE = 0; // a word that can always be loaded

  protected final HeapMemory memory;
  protected final Allocator allocator;
  protected final long reference;
  protected final long header;
  protected final long headerWord;

  /**
   * A header that exists, or that of a structure that is gone: then {@link #checkAlive} throws.
   *
   * @param dead whether it is gone
   */
  protected StructureHeader(HeapMemory memory, Allocator allocator, long reference, boolean dead) {
    this.memory = memory;
    this.allocator = allocator;
    this.reference = reference;
    this.header = dead ? ANYWHERE : Reference.address(reference);
    this.headerWord = dead ? ~memory.getLong(header) : memory.getLong(header);
  }

  /** Loads and stores of words. */
  public final HeapMemory memory() {
    return memory;
  }

  /** Address of the header. */
  public final long header() {
    return header;
  }

  /** Throws when the structure was destroyed, or its creation rolled back. */
  public final void checkAlive() {
    if (memory.getLong(header) != headerWord) {
      throw stale();
    }
  }

  /** What is thrown when the structure is gone. */
  protected final GoneException stale() {
    return GoneException.reference(
        "the structure at " + Reference.describe(reference) + " was removed from its heap");
  }
}
