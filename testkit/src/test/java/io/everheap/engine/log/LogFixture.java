package io.everheap.engine.log;

import io.everheap.log.RecordBuffer;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.SimulatedMedium;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A heap's log with what a superblock would hold: starts epochs, appends, crashes, recovers. After
 * a crash, {@link #log} is still that of the process that ended; {@link #reopen} starts the next
 * one.
 */
final class LogFixture implements AutoCloseable {
  static final UUID HEAP = new UUID(0x1122_3344_5566_7788L, 0x99AA_BBCC_DDEE_FF00L);
  static final LogOptions SMALL =
      new LogOptions(64 << 10, 64 << 10, 512 << 10, 0, DurableWrite.FDATASYNC, false);

  private Medium medium;
  final LogOptions options;
  long epoch;
  long lsn;
  int chain;
  long leastEnd;
  Log log;

  private LogFixture(Medium medium, LogOptions options) {
    this.medium = medium;
    this.options = options;
  }

  /** A new heap. */
  static LogFixture create(Medium medium, LogOptions options) {
    LogFixture heap = new LogFixture(medium, options);
    heap.epoch = 1;
    heap.log = Logs.start(medium, options, HEAP, 1, 0, 0, Set.of());
    heap.log.recycleOld();
    return heap;
  }

  static LogFixture create(Medium medium) {
    return create(medium, SMALL);
  }

  /** A new heap on a simulated medium: of ordinary storage, or byte-addressable for "dax". */
  static LogFixture create(String kind) {
    return create(kind.equals("dax") ? SimulatedMedium.dax(1) : SimulatedMedium.file(1));
  }

  Medium medium() {
    return medium;
  }

  SimulatedMedium simulated() {
    return (SimulatedMedium) medium;
  }

  /** The power goes: what was not made durable is gone. */
  void powerLoss() {
    powerLoss(Chooser.none());
  }

  /** The power goes: of what was not made durable, some survives. */
  void powerLoss(Chooser survives) {
    medium = simulated().powerLoss(survives);
  }

  /** The medium as another boot of the kernel sees it, nothing lost. */
  void reboot() {
    powerLoss(Chooser.all());
  }

  byte[] bytes(String name) {
    try (MediumFile file = medium.open(name)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
      file.read(bytes, 0);
      return bytes.array();
    }
  }

  /** Changes a file durably, unseen by the log. */
  void damage(String name, long position, byte[] bytes) {
    try (MediumFile file = medium.open(name)) {
      file.write(ByteBuffer.wrap(bytes), position);
      file.sync();
    }
  }

  void flip(String name, long position, int bit) {
    simulated().flipBit(name, position, bit);
  }

  /** The same superblock over another medium. */
  LogFixture over(Medium other) {
    LogFixture heap = new LogFixture(other, options);
    heap.epoch = epoch;
    heap.lsn = lsn;
    heap.chain = chain;
    heap.leastEnd = leastEnd;
    return heap;
  }

  /** The same superblock over a copy of the simulated medium, to try something out on. */
  LogFixture copy() {
    return over(simulated().processKill());
  }

  /** Frees the medium's memory. */
  @Override
  public void close() {
    medium.close();
  }

  /** Appends a transaction that says {@code value}; its record takes {@code words} words. */
  long append(long value, int words) {
    log.reserve(words * 8L + 8);
    return appendReserved(value, words);
  }

  long append(long value) {
    return append(value, 3);
  }

  /** The entries: a run of words of which the first is the value and all others depend on it. */
  long appendReserved(long value, int words) {
    int most = (Log.maxPart() - PartLayout.HEADER_SIZE) / 8 - 1;
    int left = words;
    long end = 0;
    int index = 0;
    while (left > 0) {
      int n = Math.min(left, most);
      int length = PartLayout.HEADER_SIZE + 8 + n * 8;
      int at = log.openPart(length);
      RecordBuffer buffer = log.buffer();
      buffer.putLong(at + PartLayout.HEADER_SIZE, EntryLayout.run(value * 8, n));
      for (int i = 0; i < n; i++, index++) {
        buffer.putLong(at + PartLayout.HEADER_SIZE + 8 + i * 8, word(value, index));
      }
      left -= n;
      end = log.closePart(length, left > 0);
    }
    return end;
  }

  static long word(long value, int index) {
    return index == 0 ? value : value * 31 + index;
  }

  long commit(long value) {
    long end = append(value);
    log.awaitDurable(end);
    return end;
  }

  void checkpoint() {
    log.awaitDurable(log.appended());
    lsn = log.appended();
    chain = log.chain();
    leastEnd = lsn;
    log.recycleBelow(lsn);
  }

  private Collector found = new Collector();

  RecoveredLog read() {
    found = new Collector();
    List<EpochStart> epochs = List.of(new EpochStart(epoch, lsn, chain));
    return LogReader.read(medium, HEAP, epochs, leastEnd, found);
  }

  /** The values of the transactions that can be read; each must be whole. */
  List<Long> values() {
    return values(read());
  }

  /** The values that the last {@link #read} found, which returned this. */
  List<Long> values(RecoveredLog recovered) {
    if (found.values.size() != recovered.transactions()) {
      throw new AssertionError(found.values + " but " + recovered.transactions());
    }
    return found.values;
  }

  /** Recovers, makes that durable, and starts the next epoch; returns what was recovered. */
  List<Long> reopen() {
    RecoveredLog recovered = read();
    recovered.persist(options);
    List<Long> values = values(recovered);
    long next = recovered.highestEpoch() + 1;
    log =
        Logs.start(
            medium, options, HEAP, next, recovered.end(), recovered.chain(), recovered.segments());
    epoch = next;
    lsn = recovered.end();
    chain = recovered.chain();
    leastEnd = lsn;
    log.recycleOld();
    return values;
  }

  /** Checks each transaction word by word. */
  static final class Collector implements EntrySink {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    final List<Long> values = new ArrayList<>();
    private long current = -1;
    private String wrong; // of a transaction that may turn out not to be complete
    private int index;

    @Override
    public void run(long address, MemorySegment source, long offset, int words) {
      for (int i = 0; i < words; i++, index++) {
        long word = source.get(LONG, offset + i * 8L);
        if (index == 0) {
          current = word;
        }
        if (word != word(current, index) || address != current * 8) {
          wrong = "word " + index + " of " + current + " is " + word;
        }
      }
    }

    @Override
    public void fill(long address, long stride, long times, long value) {
      throw new AssertionError("no fill was written");
    }

    @Override
    public void committed(long lsn) {
      if (wrong != null) {
        throw new AssertionError(wrong);
      }
      values.add(current);
      current = -1;
      index = 0;
    }
  }
}
