package io.everheap.engine.log;

/** The visitor of a walk that finds the end of the newest complete transaction. One thread. */
final class LogEnd implements LogWalk.Visitor {
  private final LogOrigin origin;
  private final EntrySink sink;
  private final long key;
  private long lsn;
  private int chain;
  private long transactions;
  private boolean inTransaction;

  /**
   * Creates a visitor for a walk from an origin.
   *
   * @param sink receives all entries, even those of a transaction that is not complete
   */
  LogEnd(LogOrigin origin, EntrySink sink) {
    this.origin = origin;
    this.sink = sink;
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
      sink.part(image.name(), image.memory().byteSize(), key, at, start, whole);
    }
    if (!pad && !EntryReader.read(image.memory(), at, length, sink)) {
      throw origin.corrupt(image.name(), at, "the entries at LSN " + start + " are invalid");
    }
    if (!pad) {
      inTransaction = (field & PartLayout.MORE) != 0;
    }
    if (!inTransaction) {
      lsn = start + length;
      chain = image.bytes().getInt(at);
      if (!pad) {
        transactions++;
        sink.committed(lsn);
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

  /** The number of complete transactions. */
  long transactions() {
    return transactions;
  }

  /** Whether the end is the start of an epoch. */
  boolean isAt(EpochStart start) {
    return lsn == start.lsn() && chain == start.chain();
  }
}
