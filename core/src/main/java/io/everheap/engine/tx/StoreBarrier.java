package io.everheap.engine.tx;

/**
 * The barrier of the collector: is told of allocations and stores of references. Called by the
 * writer, with the writer lock held.
 */
public interface StoreBarrier {
  /**
   * A block was allocated.
   *
   * @param reference to it
   * @param bytes its payload
   */
  void allocated(long reference, long bytes);

  /**
   * A reference to an object or a structure is about to be stored.
   *
   * @param reference that was checked: its block is there
   * @throws io.everheap.error.GoneException if the collector has found it unreachable
   */
  void stored(long reference);
}
