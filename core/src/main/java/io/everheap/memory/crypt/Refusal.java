package io.everheap.memory.crypt;

/**
 * What becomes of encrypted bytes that are not authentic. They are never used: either this throws,
 * or zeros are read in their place. Thread-safe.
 */
@FunctionalInterface
public interface Refusal {
  /** Throws the reason. */
  Refusal THROW =
      (file, position, reason) -> {
        throw reason;
      };

  /**
   * Refuses bytes; throws, or returns to have zeros read.
   *
   * @param file with the location of its medium
   * @param position of the bytes in it, as it is stored
   * @param reason what to throw, for a heap
   */
  void refuse(String file, long position, RuntimeException reason);
}
