package io.everheap.journal;

/**
 * Damage that a check of a journal found.
 *
 * @param file where it is
 * @param offset in the file, in bytes
 * @param sequence of the first record that is lost or doubtful
 * @param message what is wrong
 */
public record JournalProblem(String file, long offset, long sequence, String message) {
  @Override
  public String toString() {
    return "%s, byte %d, record %d: %s".formatted(file, offset, sequence, message);
  }
}
