package io.everheap.engine.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.error.CorruptHeapException;
import io.everheap.memory.MediumFile;
import io.everheap.memory.MemoryMedium;
import io.everheap.memory.PendingRegion;
import io.everheap.memory.Region;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.BeforeTry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The redo of single pages leaves what all entries leave that are applied one after the other. */
class RedoTest {
  private static final int PAGE_SHIFT = 12;
  private static final int CHUNK = 1 << 18;
  private static final int FIRST = 8192;
  private static final int SIZE = 2 * CHUNK;
  private static final int PAGES = SIZE >>> PAGE_SHIFT;
  private static final int FOLLOWED = FIRST + 64;

  private final MemoryMedium medium = new MemoryMedium();
  private RedoIndex index;
  private long[] model;
  private long highest;
  private int tries;

  @BeforeTry
  @BeforeEach
  void start() {
    index = new RedoIndex(medium, new RedoIndex.Image(PAGE_SHIFT, 18, FIRST, SIZE, FOLLOWED));
    model = new long[SIZE / 8];
    highest = Long.MIN_VALUE;
  }

  /** A file of entries, each of which goes to the index and, if it is committed, to the model. */
  private final class Log {
    private final ByteBuffer words = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
    private final MemorySegment memory = MemorySegment.ofBuffer(words);
    private final String name;
    private long[] after = model.clone();

    Log(String name) {
      this.name = name;
      index.file(name, words.capacity());
    }

    boolean hasRoom() {
      return words.remaining() > 4096;
    }

    void run(long address, long... values) {
      index.entry(words.position());
      words.putLong(EntryLayout.run(address, values.length));
      int at = words.position();
      for (int i = 0; i < values.length; i++) {
        words.putLong(values[i]);
        after[(int) (address / 8) + i] = values[i];
      }
      index.run(address, memory, at, values.length);
    }

    void fill(long address, long stride, long times, long value) {
      index.entry(words.position());
      words.putLong(EntryLayout.fill(address));
      words.putLong(EntryLayout.fillShape(stride, times)).putLong(value);
      for (long i = 0; i < times; i++) {
        after[(int) ((address + i * stride) / 8)] = value;
      }
      index.fill(address, stride, times, value);
    }

    void commit() {
      index.committed(0);
      System.arraycopy(after, 0, model, 0, model.length);
      highest = Math.max(highest, model[FOLLOWED / 8]);
    }

    void write() {
      try (MediumFile file = medium.create(name)) {
        file.write(words.clear(), 0);
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
        for (int entries = 1 + random.nextInt(4); entries > 0; entries--) {
          entry(log, random, counter);
        }
        log.commit();
      }
      if (file == 2) {
        entry(log, random, counter); // of a transaction that is not complete
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
        Redo redo = new Redo(medium, index, "none")) {
      long[] pending = index.changed(0, PAGES, 0, Long.MAX_VALUE);
      if (pending == null) {
        return;
      }
      for (long word : pending) {
        changed += Long.bitCount(word);
      }
      assertThat(index.pages()).isEqualTo(changed);
      assertThat(index.behind(0, changed)).isLessThanOrEqualTo(PAGES);
      PendingRegion region = new PendingRegion(home, 0, pending, redo);
      for (int i = 0; i < 100; i++) {
        int word = random.nextInt(model.length);
        assertThat(region.getLong(8L * word)).isEqualTo(model[word]);
      }
      region.redoAll();
      for (int word = 0; word < model.length; word++) {
        assertThat(home.getLong(8L * word)).as("word %d", word).isEqualTo(model[word]);
      }
    }
  }

  @Test
  void theLogOfAnotherImageIsRefused() {
    Log log = new Log("log");
    log.run(FIRST, 1);
    index.run(SIZE, MemorySegment.ofArray(new long[1]), 0, 1);
    assertThatExceptionOfType(CorruptHeapException.class)
        .isThrownBy(log::commit)
        .withMessageContaining("changes address " + SIZE);
  }

  @Test
  void aWindowOfPagesIsThoseWithin() {
    Log log = new Log("log");
    for (int page = 2; page < 100; page += 2) {
      log.run((long) page << PAGE_SHIFT, page);
    }
    log.commit();
    long[] some = index.changed(64, 64, 70, 75);
    assertThat(some).containsExactly(1L << 6 | 1L << 8 | 1L << 10);
    assertThat(index.changed(0, 64, 70, 75)).isNull();
    assertThat(index.behind(0, 3)).isEqualTo(7);
    assertThat(index.behind(7, 1)).isEqualTo(9);
  }
}
