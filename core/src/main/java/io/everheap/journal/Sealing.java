package io.everheap.journal;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.memory.Medium;
import io.everheap.memory.crypt.Refusal;
import io.everheap.memory.crypt.SealedMedium;
import org.jspecify.annotations.Nullable;

/**
 * Opens encrypted journals. What is not authentic there is damage for who may write. Who only reads
 * gets zeros in its place: another process may be writing just there, and otherwise the records
 * behind prove the damage, so that all before it can be read. Stateless.
 */
final class Sealing {
  /** Reads zeros. */
  static final Refusal ZEROS = (file, position, reason) -> {};

  private Sealing() {}

  /**
   * Opens a journal for writing.
   *
   * @param keys of an encrypted journal; null if it is not encrypted
   */
  static Medium forWriting(Medium medium, @Nullable KeyProvider keys) {
    return SealedMedium.with(medium, keys, Sealing::refuse);
  }

  /**
   * Opens a journal for reading.
   *
   * @param refusal is told of what is not authentic, and may return
   */
  static Medium forReading(Medium medium, @Nullable KeyProvider keys, Refusal refusal) {
    return SealedMedium.with(medium, keys, refusal);
  }

  private static void refuse(String file, long position, RuntimeException reason) {
    throw CorruptException.journal(
        file,
        position,
        "what is there is not authentic: it was changed, or the key provider returned another data"
            + " key");
  }
}
