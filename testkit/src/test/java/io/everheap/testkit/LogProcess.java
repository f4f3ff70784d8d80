package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.engine.log.EntryLayout;
import io.everheap.engine.log.EntrySink;
import io.everheap.engine.log.EpochStart;
import io.everheap.engine.log.Log;
import io.everheap.engine.log.LogOptions;
import io.everheap.engine.log.LogReader;
import io.everheap.engine.log.Logs;
import io.everheap.engine.log.RecoveredLog;
import io.everheap.log.RecordBuffer;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.MediumFile;
import io.everheap.testkit.machine.SimulatedMedium;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * A process that uses the redo log alone: it appends transactions with the numbers 1, 2, 3 and so
 * on, waits for some of them, and moves the start of the log now and then. A small file with two
 * slots takes the place of the superblock.
 */
final class LogProcess implements SimulatedProcess {
  private static final UUID HEAP = new UUID(17, 4);
  private static final LogOptions OPTIONS =
      new LogOptions(64 << 10, 64 << 10, 256 << 10, 0, DurableWrite.DSYNC, false);
  private static final int HEADER = 16;

  private final long seed;
  private final int work;
  private long least; // numbers that the predecessor promised
  private long most;
  private volatile long started;
  private volatile long finished;
  private volatile long durable;
  private Super current = new Super(0, 0, 0, 0, 0);

  private record Super(long generation, long epoch, long lsn, int chain, long number) {}

  LogProcess(long seed, int work) {
    this(seed, work, 0, 0, 0);
  }

  private LogProcess(long seed, int work, long safe, long least, long most) {
    this.seed = seed;
    this.work = work;
    this.least = least;
    this.most = most;
    this.durable = safe;
    this.finished = least;
    this.started = most;
  }

  @Override
  public Promise promise() {
    long atLeast = finished;
    long safe = durable;
    long atMost = started;
    return (powerLost, next) ->
        new LogProcess(next, Math.min(work, 12), safe, powerLost ? safe : atLeast, atMost);
  }

  @Override
  public void run(SimulatedMedium medium) {
    var random = new Random(seed);
    Log log = open(medium);
    for (int i = 0; i < work; i++) {
      append(log, random.nextInt(8) == 0 ? random.nextInt(1, 3000) : random.nextInt(1, 20));
      if (random.nextInt(4) != 0) {
        log.awaitDurable(log.appended());
        durable = finished;
      }
      if (random.nextInt(12) == 0) {
        checkpoint(medium, log);
      }
    }
    log.close();
  }

  private Log open(SimulatedMedium medium) {
    current = readSuper(medium);
    if (current == null) {
      assertThat(least).as("nothing was promised").isZero();
      current = new Super(0, 1, 0, 0, 0);
      Log log = Logs.start(medium, OPTIONS, HEAP, 1, 0, 0, Set.of());
      writeSuper(medium, current);
      log.recycleOld();
      return log;
    }
    // A killed process may have left it in the page cache only, and what the older one
    // needs is overwritten next.
    writeSuper(medium, current);
    var numbers = new Numbers(current.number);
    List<EpochStart> epochs = List.of(new EpochStart(current.epoch, current.lsn, current.chain));
    RecoveredLog recovered = LogReader.read(medium, HEAP, epochs, current.lsn, numbers);
    recovered.persist(OPTIONS);
    long found = current.number + numbers.found.size();
    assertThat(found).as("the last transaction").isBetween(least, most);
    least = found;
    most = found;
    started = found;
    finished = found;
    // The rest of the recovery: a checkpoint that starts a new epoch.
    long epoch = Math.max(recovered.highestEpoch(), current.epoch) + 1;
    Log log =
        Logs.start(
            medium, OPTIONS, HEAP, epoch, recovered.end(), recovered.chain(), recovered.segments());
    writeSuper(
        medium,
        new Super(current.generation + 1, epoch, recovered.end(), recovered.chain(), found));
    durable = found;
    log.recycleOld();
    return log;
  }

  private void append(Log log, int words) {
    long number = started + 1;
    log.reserve(words * 8L + 8);
    started = number;
    int most = (Log.maxPart() - HEADER - 8) / 8;
    for (int done = 0; done < words; ) {
      int n = Math.min(words - done, most);
      int length = HEADER + 8 + n * 8;
      int at = log.openPart(length);
      RecordBuffer buffer = log.buffer();
      buffer.putLong(at + HEADER, EntryLayout.run(number * 8, n));
      for (int i = 0; i < n; i++) {
        buffer.putLong(at + HEADER + 8 + i * 8, number * 100_000 + done + i);
      }
      done += n;
      log.closePart(length, done < words);
    }
    finished = number;
    if (log.durable() == log.appended()) {
      durable = number;
    }
  }

  private void checkpoint(SimulatedMedium medium, Log log) {
    log.awaitDurable(log.appended());
    durable = finished;
    writeSuper(
        medium,
        new Super(current.generation + 1, current.epoch, log.appended(), log.chain(), finished));
    log.recycleBelow(log.appended());
  }

  private void writeSuper(SimulatedMedium medium, Super next) {
    if (!medium.exists("super")) {
      try (MediumFile file = medium.create("super.new")) {
        file.write(ByteBuffer.allocate(8192), 0);
        file.write(encode(next), 0);
        file.sync();
      }
      medium.rename("super.new", "super");
      medium.syncDirectory("");
    } else {
      try (MediumFile file = medium.open("super")) {
        file.write(encode(next), (next.generation % 2) * 4096);
        file.sync();
      }
    }
    current = next;
  }

  private Super readSuper(SimulatedMedium medium) {
    medium.delete("super.new");
    if (!medium.exists("super")) {
      return null;
    }
    medium.syncDirectory(""); // a killed predecessor may have left that undone
    try (MediumFile file = medium.open("super")) {
      Super a = decode(file, 0);
      Super b = decode(file, 4096);
      if (a == null || b == null) {
        return a == null ? b : a;
      }
      return a.generation > b.generation ? a : b;
    }
  }

  private static ByteBuffer encode(Super s) {
    ByteBuffer b = ByteBuffer.allocate(48);
    b.putLong(s.generation).putLong(s.epoch).putLong(s.lsn).putLong(s.chain).putLong(s.number);
    return b.putLong(crc(b)).flip();
  }

  private static Super decode(MediumFile file, long position) {
    ByteBuffer b = ByteBuffer.allocate(48);
    file.read(b, position);
    if (b.getLong(40) != crc(b) || b.getLong(8) == 0) {
      return null;
    }
    return new Super(b.getLong(0), b.getLong(8), b.getLong(16), (int) b.getLong(24), b.getLong(32));
  }

  private static long crc(ByteBuffer b) {
    var crc = new CRC32C();
    crc.update(b.slice(0, 40));
    return crc.getValue();
  }

  /** Checks that transactions follow one another and are whole. */
  private static final class Numbers implements EntrySink {
    private final List<Long> found = new ArrayList<>();
    private final long before;
    private int index;

    Numbers(long before) {
      this.before = before;
    }

    @Override
    public void run(long address, MemorySegment source, long offset, int words) {
      long number = address / 8;
      assertThat(number).isEqualTo(before + found.size() + 1);
      for (int i = 0; i < words; i++, index++) {
        assertThat(source.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + i * 8L))
            .isEqualTo(number * 100_000 + index);
      }
    }

    @Override
    public void fill(long address, long stride, long times, long value) {
      throw new AssertionError("nobody wrote a fill");
    }

    @Override
    public void committed(long lsn) {
      found.add(before + found.size() + 1);
      index = 0;
    }
  }
}
