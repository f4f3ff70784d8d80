package io.everheap.engine.tx;

/**
 * Follows what transactions do with references while a collection of unreachable objects runs.
 * Called by the writer.
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
   * @throws io.everheap.error.StaleReferenceException if it is as good as freed
   */
  void stored(long reference);
}
