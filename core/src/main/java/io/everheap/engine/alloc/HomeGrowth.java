package io.everheap.engine.alloc;

/** Enlarges the home image; implemented by the engine. Called with the writer lock held. */
public interface HomeGrowth {
  /**
   * Returns the largest capacity that {@link #grow} may be asked for.
   *
   * @return the limit in bytes
   */
  long limit();

  /**
   * Makes the home image at least as large as requested, and possibly larger. Called by the writer,
   * which stores the new capacity in the same transaction; if that is rolled back, the same
   * capacity may be requested again.
   *
   * <p>Chunk tables between the old and the new capacity must read as zero. Other bytes are
   * arbitrary.
   *
   * @param minimumCapacity the bytes needed from address 0
   * @return the bytes that can be used from address 0, a multiple of the chunk size, not above
   *     {@link #limit}
   * @throws io.everheap.error.FullException if the limit is below the minimum
   */
  long grow(long minimumCapacity);
}
