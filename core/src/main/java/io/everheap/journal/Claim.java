package io.everheap.journal;

import java.lang.foreign.MemorySegment;

/**
 * The place of the next record, to be filled without a copy. Nobody else can append until it is
 * {@linkplain #commit committed} or {@linkplain #abort aborted}, so do that soon:
 *
 * <pre>{@code
 * try (Claim claim = journal.claim(16)) {
 *   claim.memory().set(ValueLayout.JAVA_LONG, 0, account);
 *   claim.memory().set(ValueLayout.JAVA_LONG, 8, amount);
 *   claim.commit();
 * }
 * }</pre>
 *
 * <p>Not thread-safe. The memory is the journal's own: after the commit it must not be stored to.
 */
public final class Claim implements AutoCloseable {
  /** Who gave the claim. */
  interface Owner {
    long commit(Claim claim);

    void abort(Claim claim);
  }

  private final Owner owner;
  private final MemorySegment memory;
  private final int flags;
  private final long offset;
  private boolean ended;

  Claim(Owner owner, MemorySegment memory, int flags, long offset) {
    this.owner = owner;
    this.memory = memory;
    this.flags = flags;
    this.offset = offset;
  }

  /**
   * Returns where to store the record. It may hold any bytes at first. Its address is a multiple of
   * 8.
   *
   * @return memory of the claimed length
   */
  public MemorySegment memory() {
    return memory;
  }

  /**
   * Appends the record, with the durability of {@link Journal#append(byte[])}.
   *
   * @return its sequence
   * @throws IllegalStateException if the claim ended before
   */
  public long commit() {
    end();
    return owner.commit(this);
  }

  /**
   * Gives the claim up: nothing is appended.
   *
   * @throws IllegalStateException if the claim ended before
   */
  public void abort() {
    end();
    owner.abort(this);
  }

  /** Aborts unless the claim was committed or aborted. */
  @Override
  public void close() {
    if (!ended) {
      abort();
    }
  }

  int flags() {
    return flags;
  }

  long offset() {
    return offset;
  }

  private void end() {
    if (ended) {
      throw new IllegalStateException("the claim was committed or aborted before");
    }
    ended = true;
  }
}
