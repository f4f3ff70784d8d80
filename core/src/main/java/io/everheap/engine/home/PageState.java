package io.everheap.engine.home;

/**
 * The state of all pages of an encrypted heap at a checkpoint.
 *
 * @param lsn of the checkpoint
 * @param digest 16 hexadecimal digits that name the data key, and 32 of a digest with it
 */
public record PageState(long lsn, String digest) {
  private static final int NAME = 16;

  /** Whether this is another state than one of the same checkpoint with the same data key. */
  public boolean contradicts(PageState other) {
    boolean comparable =
        lsn == other.lsn
            && other.digest.length() >= NAME
            && digest.startsWith(other.digest.substring(0, NAME));
    return comparable && !digest.equals(other.digest);
  }
}
