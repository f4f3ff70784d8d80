package io.everheap.cache.format;

import java.util.List;
import java.util.UUID;

/**
 * What a cache knows of itself as a whole.
 *
 * @param devices the exclusive or of the identities of all files that were open together
 * @param counter of superblocks
 * @param epoch counts openings
 * @param active the last epoch in which entries may have changed
 * @param synced everything up to this sequence is durable
 * @param reserved no entry has a larger sequence
 * @param validFrom entries with a smaller sequence are not served
 * @param token of the caller; entries written under another one are not served
 * @param flags bits of {@link #CLEAN}, {@link #EACH_DURABLE}, {@link #SCANNING}, {@link #REFORMED}
 * @param incarnation of the medium
 * @param formed keys of entries with this sequence or a larger one were written in the present
 *     form; 0 if no build since the last one that did not know of forms has opened the cache
 * @param voids the sequences that power losses took
 */
public record State(
    long devices,
    long counter,
    long epoch,
    long active,
    long synced,
    long reserved,
    long validFrom,
    long token,
    int flags,
    UUID incarnation,
    long formed,
    List<Span> voids) {
  /** The cache was closed, with everything durable. */
  public static final int CLEAN = 1;

  /** Each change was durable when it returned, so that a power loss makes nothing void. */
  public static final int EACH_DURABLE = 2;

  /** Not all entries of earlier openings were looked at. */
  public static final int SCANNING = 4;

  /**
   * No entry has a key in a former form. Counts only if {@link #formed} is not zero: earlier builds
   * keep the flag, and store zero there.
   */
  public static final int REFORMED = 8;

  /** The most spans that a superblock holds. */
  public static final int MAX_VOIDS = 16;

  private static final long LAST = 1L << 62; // sequence, which no cache reaches
  private static final UUID NO_INCARNATION = new UUID(0, 0);

  /** Of a cache that was never open. */
  public static State empty(long token) {
    return new State(0, 0, 0, 0, 0, 0, 0, token, CLEAN | REFORMED, NO_INCARNATION, 1, List.of());
  }

  /** Whether a cache can be in it, and sequences are left to be given out. */
  boolean isPossible() {
    return epoch >= 0
        && active >= 0
        && active <= epoch
        && synced >= 0
        && reserved >= synced
        && reserved < LAST
        && validFrom >= 0
        && formed >= 0;
  }

  /** Whether a flag is set. */
  public boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** Whether entries with a sequence can be served. */
  public boolean admits(long sequence) {
    return sequence >= validFrom
        && sequence <= reserved
        && voids.stream().noneMatch(span -> span.holds(sequence));
  }

  /** The next superblock's. */
  public State next() {
    Copy copy = new Copy(this);
    copy.counter++;
    return copy.state();
  }

  /** Of a new epoch, on files that are open together. */
  public State opening(long files, UUID kernel) {
    Copy copy = new Copy(this);
    copy.devices = files;
    copy.epoch++;
    copy.incarnation = kernel;
    return copy.state();
  }

  /** With entries that may change from now on. */
  public State activated() {
    Copy copy = new Copy(this);
    copy.active = epoch;
    return copy.state();
  }

  /** With everything durable up to a sequence. */
  public State synced(long through) {
    Copy copy = new Copy(this);
    copy.synced = through;
    return copy.state();
  }

  /** With more sequences to give out. */
  public State reserved(long through) {
    Copy copy = new Copy(this);
    copy.reserved = through;
    return copy.state();
  }

  /** Without the entries before a sequence. */
  public State validFrom(long first) {
    Copy copy = new Copy(this);
    copy.validFrom = first;
    return copy.state();
  }

  /** With another token, and without the entries before a sequence. */
  public State token(long other, long first) {
    Copy copy = new Copy(this);
    copy.token = other;
    copy.validFrom = first;
    return copy.state();
  }

  /** With a flag set or cleared. */
  public State flag(int flag, boolean set) {
    Copy copy = new Copy(this);
    copy.flags = set ? flags | flag : flags & ~flag;
    return copy.state();
  }

  /** With other void sequences. */
  public State voids(List<Span> taken) {
    Copy copy = new Copy(this);
    copy.voids = List.copyOf(taken);
    return copy.state();
  }

  /** With entries whose keys have the present form from a sequence on. */
  public State formed(long from) {
    Copy copy = new Copy(this);
    copy.formed = from;
    return copy.state();
  }

  /** Components to change. No lambda: a close may run after its class loader was closed. */
  private static final class Copy {
    private long devices;
    private long counter;
    private long epoch;
    private long active;
    private long synced;
    private long reserved;
    private long validFrom;
    private long token;
    private int flags;
    private UUID incarnation;
    private long formed;
    private List<Span> voids;

    Copy(State of) {
      devices = of.devices;
      counter = of.counter;
      epoch = of.epoch;
      active = of.active;
      synced = of.synced;
      reserved = of.reserved;
      validFrom = of.validFrom;
      token = of.token;
      flags = of.flags;
      incarnation = of.incarnation;
      formed = of.formed;
      voids = of.voids;
    }

    State state() {
      return new State(
          devices,
          counter,
          epoch,
          active,
          synced,
          reserved,
          validFrom,
          token,
          flags,
          incarnation,
          formed,
          voids);
    }
  }

  /** Whether no entry has a key in a former form. */
  public boolean isReformed() {
    return formed != 0 && has(REFORMED);
  }
}
