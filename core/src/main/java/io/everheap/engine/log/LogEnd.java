package io.everheap.engine.log;

/** Follows a walk, and knows where the newest complete transaction ends. */
final class LogEnd implements LogWalk.Visitor {
  private final LogOrigin origin;
  private final EntrySink seen;
  private final long key;
  private long lsn;
  private int chain;
  private long transactions;
  private boolean inTransaction;

  /**
   * Begins at an origin.
   *
   * @param seen gets all entries, also those of a transaction that is not complete
   */
  LogEnd(LogOrigin origin, EntrySink seen) {
    this.origin = origin;
    this.seen = seen;
    this.key = origin.key();
    this.lsn = origin.lsn();
    this.chain = origin.chain();
  }

  @Override
  public void part(LogImage image, int at, int field, long start) {
    int length = PartLayout.length(field);
    boolean pad = (field & PartLayout.PAD) != 0;
    if (!pad) {
      boolean whole = !inTransaction && (field & PartLayout.MORE) == 0;
      seen.part(image.name(), image.memory().byteSize(), key, at, start, whole);
    }
    if (!pad && !EntryReader.read(image.memory(), at, length, seen)) {
      throw origin.corrupt(image.name(), at, "the entries at LSN " + start + " make no sense");
    }
    if (!pad) {
      inTransaction = (field & PartLayout.MORE) != 0;
    }
    if (!inTransaction) {
      lsn = start + length;
      chain = image.bytes().getInt(at);
      if (!pad) {
        transactions++;
        seen.committed(lsn);
      }
    }
  }

  /** The LSN behind the newest complete transaction. */
  long lsn() {
    return lsn;
  }

  /** The crc of the part before it. */
  int chain() {
    return chain;
  }

  /** How many transactions are complete. */
  long transactions() {
    return transactions;
  }

  /** Whether it is where an epoch starts. */
  boolean isAt(EpochStart start) {
    return lsn == start.lsn() && chain == start.chain();
  }
}
