package io.everheap.engine.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.everheap.error.CorruptException;
import io.everheap.log.RecordSeal;
import io.everheap.memory.MediumFile;
import io.everheap.memory.MemoryMedium;
import io.everheap.memory.PendingRegion;
import io.everheap.memory.Region;
import io.everheap.support.Limit;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.BeforeTry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The redo of single pages leaves what all entries leave that are applied one after the other. */
class RedoTest {
  private static final int PAGE_SHIFT = 12;
  private static final long KEY = 77;
  private static final int CHUNK = 1 << 18;
  private static final int FIRST = 8192;
  private static final int SIZE = 2 * CHUNK;
  private static final int PAGES = SIZE >>> PAGE_SHIFT;
  private static final int FOLLOWED = FIRST + 64;

  private static final RedoIndex.Image IMAGE =
      new RedoIndex.Image(PAGE_SHIFT, 18, FIRST, SIZE, FOLLOWED);

  private final MemoryMedium medium = new MemoryMedium();
  private RedoIndex index;
  private long[] model;
  private long highest;
  private long lsn;
  private long end;
  private int tries;

  @BeforeTry
  @BeforeEach
  void start() {
    index = new RedoIndex(medium, IMAGE, 8 << 20);
    model = new long[SIZE / 8];
    highest = Long.MIN_VALUE;
    lsn = (1L << 36) - (1 << 20); // so that positions overflow on the way
    end = lsn;
  }

  /** A file of parts, which go to the index and, if they are committed, to the model. */
  private final class Log {
    private final ByteBuffer bytes = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
    private final MemorySegment memory = MemorySegment.ofBuffer(bytes);
    private final RecordSeal seal = new RecordSeal(KEY);
    private final String name;
    private final long[] after = model.clone();
    private int start;
    private boolean began;

    Log(String name) {
      this.name = name;
      begin(4096);
    }

    private void begin(int at) {
      start = at;
      bytes.position(at + PartLayout.HEADER_SIZE);
    }

    boolean hasRoom() {
      return bytes.remaining() > 4 * PartLayout.MAX_PART;
    }

    void run(long address, long... values) {
      bytes.putLong(EntryLayout.run(address, values.length));
      for (int i = 0; i < values.length; i++) {
        bytes.putLong(values[i]);
        if (address / 8 + i < after.length) {
          after[(int) (address / 8) + i] = values[i];
        }
      }
    }

    void fill(long address, long stride, long times, long value) {
      bytes.putLong(EntryLayout.fill(address));
      bytes.putLong(EntryLayout.fillShape(stride, times)).putLong(value);
      for (long i = 0; i < times; i++) {
        after[(int) ((address + i * stride) / 8)] = value;
      }
    }

    /** Ends the part; the index reads it. */
    void part(boolean more) {
      int length = (int) PartLayout.align(bytes.position() - start);
      bytes.putInt(start + PartLayout.LENGTH, length | (more ? PartLayout.MORE : 0));
      bytes.putInt(start + PartLayout.POSITION, PartLayout.position(lsn));
      seal.seal(bytes, start, start + length, lsn);
      index.part(name, bytes.capacity(), KEY, start, lsn, !began && !more);
      assertThat(EntryReader.read(memory, start, length, index)).isTrue();
      lsn += length;
      began = more;
      begin(start + length);
    }

    void commit() {
      part(false);
      index.committed(lsn);
      end = lsn;
      System.arraycopy(after, 0, model, 0, model.length);
      highest = Math.max(highest, model[FOLLOWED / 8]);
    }

    void write() {
      try (MediumFile file = medium.create(name)) {
        file.write(bytes.clear(), 0);
      }
    }
  }

  @Property(tries = 60)
  void pagesAreThoseThatTheLogLeaves(@ForAll long seed) {
    Random random = new Random(seed);
    int counter = FIRST + 8 * random.nextInt(1000);
    for (int file = 0; file < 3; file++) {
      Log log = new Log("log" + tries++);
      for (int n = random.nextInt(400); n > 0 && log.hasRoom(); n--) {
        for (int entries = random.nextInt(4); entries > 0; entries--) {
          entry(log, random, counter);
          if (random.nextInt(20) == 0) {
            log.part(true);
          }
        }
        entry(log, random, counter);
        log.commit();
      }
      if (file == 2) {
        entry(log, random, counter);
        log.part(true); // of a transaction that is not complete
      }
      log.write();
    }
    assertThat(index.highest()).isEqualTo(highest);
    assertRedo(random);
  }

  private static void entry(Log log, Random random, int counter) {
    int most = (SIZE - FIRST) / 8;
    switch (random.nextInt(8)) {
      case 0 -> {
        int words = 1 + random.nextInt(random.nextInt(10) == 0 ? 400 : 4);
        log.run(FIRST + 8L * random.nextInt(most - words), random.longs(words).toArray());
      }
      case 1 -> {
        long chunk = (long) CHUNK * random.nextInt(2);
        long address = Math.max(FIRST, chunk + 8L * random.nextInt(CHUNK / 8));
        long stride = 8L * (1 + random.nextInt(random.nextBoolean() ? 8 : 2000));
        long room = ((address | CHUNK - 1) + 1 - address - 8) / stride + 1;
        log.fill(address, stride, 1 + random.nextInt((int) room), random.nextLong());
      }
      case 2 -> log.run(FOLLOWED, random.nextLong());
      case 3 -> log.run(FIRST + 8L * random.nextInt(100), random.nextLong(), random.nextLong());
      default -> log.run(counter, random.nextLong());
    }
  }

  private void assertRedo(Random random) {
    long changed = 0;
    try (Region home = Region.allocate(SIZE);
        Redo redo = new Redo(medium, index, "log" + (tries - 1), end)) {
      long[] pending = index.changed(0, PAGES);
      if (pending == null) {
        return;
      }
      for (long word : pending) {
        changed += Long.bitCount(word);
      }
      assertThat(index.pages()).isEqualTo(changed);
      PendingRegion region = new PendingRegion(home, 0, pending, redo);
      for (int i = 0; i < 100; i++) {
        int word = random.nextInt(model.length);
        assertThat(region.getLong(8L * word)).isEqualTo(model[word]);
        if (random.nextBoolean()) {
          model[word] = random.nextLong();
          region.putLong(8L * word, model[word]);
        }
      }
      redo.redoAll(page -> region);
      assertThat(region.pendingPages()).isZero();
      for (int word = 0; word < model.length; word++) {
        assertThat(home.getLong(8L * word)).as("word %d", word).isEqualTo(model[word]);
      }
    }
  }

  @Test
  void theLogOfAnotherImageIsRefused() {
    Log log = new Log("log");
    log.run(FIRST, 1);
    log.run(SIZE, 1);
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(log::commit)
        .withMessageContaining("changes address " + SIZE);
  }

  @Test
  void whatIsNotCommittedMayStoreAnywhere() {
    Log log = new Log("log");
    log.run(FIRST, 1);
    log.commit();
    log.run(SIZE, 1);
    log.part(true);
    assertThat(index.pages()).isEqualTo(1);
  }

  @Test
  void aLogOfTooManyPagesHasNoIndex() {
    index = new RedoIndex(medium, IMAGE, 1 << 16);
    Log log = new Log("log");
    log.run(FOLLOWED, 5);
    log.commit();
    assertThat(index.isComplete()).isFalse();
    assertThat(index.changed(0, PAGES)).isNull();
    log.run(FOLLOWED, 6);
    log.run(SIZE - 8, 6);
    log.commit();
    assertThat(index.highest()).isEqualTo(6);
    assertThat(index.end()).isEqualTo(SIZE);
    index.close();
  }

  /** Pages 4096 pages apart share an entry of the cache of runs that a newer part may replace. */
  @Test
  void aPartThatStoresTwiceToAPageIsNotReplaced() {
    long far = FIRST + (4096L << PAGE_SHIFT);
    index =
        new RedoIndex(medium, new RedoIndex.Image(PAGE_SHIFT, 18, FIRST, far + CHUNK, 0), 8 << 20);
    Log log = new Log("log" + tries++);
    log.run(FIRST, 1);
    log.commit();
    log.run(FIRST, 2); // replaces the part before
    log.run(far, 3);
    log.run(FIRST + 8, 4);
    log.commit();
    log.run(FIRST + 8, 5);
    log.commit();
    log.write();
    try (Region home = Region.allocate(SIZE);
        Redo redo = new Redo(medium, index, "none", end)) {
      PendingRegion region =
          new PendingRegion(home, 0, Objects.requireNonNull(index.changed(0, PAGES)), redo);
      assertThat(region.getLong(FIRST)).isEqualTo(2);
      assertThat(region.getLong(FIRST + 8)).isEqualTo(5);
    }
  }

  @Test
  void aPartThatChangedSinceItWasReadIsRefused() {
    Log log = new Log("log" + tries++);
    log.run(FIRST, 1, 2, 3);
    log.commit();
    log.bytes.putLong(4096 + 24, 9);
    log.write();
    try (Region home = Region.allocate(SIZE);
        Redo redo = new Redo(medium, index, "none", end)) {
      PendingRegion region =
          new PendingRegion(home, 0, Objects.requireNonNull(index.changed(0, PAGES)), redo);
      assertThatExceptionOfType(CorruptException.class)
          .isThrownBy(() -> region.getLong(FIRST))
          .withMessageContaining("(EH-CORRUPT-LOG)")
          .returns(OptionalLong.of(4096), CorruptException::offset);
      assertThat(region.isPending(FIRST >>> PAGE_SHIFT)).isTrue();
      assertThatExceptionOfType(CorruptException.class)
          .isThrownBy(() -> redo.redoAll(page -> region))
          .withMessageContaining("(EH-CORRUPT-LOG)");
      assertThat(region.isPending(FIRST >>> PAGE_SHIFT)).isTrue();
    }
  }

  @Test
  void aPassThatFailedLeavesPagesThatCanBeBroughtUpToDate() {
    Log log = new Log("log" + tries++);
    for (int i = 0; i < 100; i++) {
      log.run(FIRST, i);
      log.run(FIRST + 8 + 8L * i, i);
      log.commit();
    }
    log.write();
    int[] asked = {0};
    try (Region home = Region.allocate(SIZE);
        Redo redo = new Redo(medium, index, "none", end)) {
      PendingRegion region =
          new PendingRegion(home, 0, Objects.requireNonNull(index.changed(0, PAGES)), redo);
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  redo.redoAll(
                      page -> {
                        if (asked[0]++ == 50) {
                          throw new IllegalStateException("in the middle");
                        }
                        return region;
                      }));
      assertThat(home.getLong(FIRST)).isEqualTo(24);
      assertThat(region.getLong(FIRST)).isEqualTo(99);
      redo.redoAll(page -> region);
      for (int word = 0; word < model.length; word++) {
        assertThat(region.getLong(8L * word)).isEqualTo(model[word]);
      }
    }
  }

  @Test
  void aPassLosesNoStoreOfThreadsThatGoOnMeanwhile() throws Exception {
    Log log = new Log("log" + tries++);
    for (int i = 0; log.hasRoom(); i++) {
      log.run(FIRST + 8L * (i * 31 % 50_000), i);
      log.run(FIRST + 8L * (i * 17 % 50_000), i, i, i);
      log.commit();
    }
    log.write();
    try (Region home = Region.allocate(SIZE);
        Redo redo = new Redo(medium, index, "none", end);
        ExecutorService pool = Executors.newFixedThreadPool(2)) {
      PendingRegion region =
          new PendingRegion(home, 0, Objects.requireNonNull(index.changed(0, PAGES)), redo);
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 2; thread++) {
        int own = thread;
        all.add(
            pool.submit(
                () -> {
                  for (int n = own; n < model.length; n += 2) {
                    int word = (int) (n * 7919L % model.length); // of any page
                    assertThat(region.getLong(8L * word)).isEqualTo(model[word]);
                    region.putLong(8L * word, ~model[word]);
                  }
                }));
      }
      redo.redoAll(page -> region);
      for (Future<?> each : all) {
        Limit.get(each);
      }
      for (int word = 0; word < model.length; word++) {
        assertThat(home.getLong(8L * word)).isEqualTo(~model[word]);
      }
    }
  }

  @Test
  void threadsBringEachPageUpToDateOnce() throws Exception {
    Log log = new Log("log" + tries++);
    for (int i = 0; i < 3000; i++) {
      log.run(FIRST + 8L * (i * 31 % 50_000), i);
      log.commit();
    }
    log.write();
    try (Region home = Region.allocate(SIZE);
        Redo redo = new Redo(medium, index, "none", end);
        ExecutorService pool = Executors.newFixedThreadPool(4)) {
      PendingRegion region =
          new PendingRegion(home, 0, Objects.requireNonNull(index.changed(0, PAGES)), redo);
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        all.add(
            pool.submit(
                () -> {
                  for (int word = 0; word < model.length; word++) {
                    assertThat(region.getLong(8L * word)).isEqualTo(model[word]);
                  }
                }));
      }
      for (Future<?> each : all) {
        Limit.get(each);
      }
      assertThat(region.pendingPages()).isZero();
    }
  }
}
