package io.everheap.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.CorruptException;
import io.everheap.memory.MediumFile;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.CrashPoint;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Pages of the home image on their way between memory and the file: mapped anew, damaged, half
 * written. Each scenario throws when something is wrong.
 */
public final class PageScenarios {
  private static final HeapSetup SYNC = new HeapSetup(true);
  private static final int SUPERBLOCKS_END = 8192;

  /** Pages that may be in memory. */
  private static final int BUDGET = 256;

  private PageScenarios() {}

  private static DurableMap<Long, Long> map(Heap heap) {
    return heap.map("map", Long.class, Long.class);
  }

  /**
   * The thread that makes checkpoints runs one because of the pages in memory, and then maps
   * extents anew; a commit between the two changes the pages of all of them.
   */
  public static void anExtentIsMappedAnewWithItsChanges() throws Exception {
    var remapping = new Remapping();
    try (Engine engine =
        Engine.open(HookedMedium.of(SimulatedMedium.file(1), remapping), withFewPages(true))) {
      long[] blocks = new long[BUDGET];
      int used = fill(engine, blocks, 0, BUDGET / 3); // after the checkpoint of the opening
      engine.checkpoint();
      used = fill(engine, blocks, used, BUDGET * 7 / 10);
      int from = used;
      int to = from + BUDGET / 10; // a checkpoint is due, and no transaction waits for it
      remapping.begin(() -> store(engine, blocks, 0, to, 0, 2));
      transact(engine, () -> store(engine, blocks, from, to, 0, 1));
      long looked = engine.log().appended() + (128 << 10); // until a commit looks what is due
      while (engine.log().appended() < looked) {
        store(engine, blocks, 0, to, 8, 1);
      }
      remapping.await();
      engine.transactions().quiesced(() -> requireStored(engine, blocks, to, 2));
    }
  }

  /** Allocates blocks until so many pages are in memory; returns how many blocks there are. */
  private static int fill(Engine engine, long[] blocks, int from, int pages) {
    int used = from;
    while (engine.home().resident().count() < pages) {
      store(engine, blocks, used, ++used, 0, 1);
    }
    return used;
  }

  private static void requireStored(Engine engine, long[] blocks, int count, int round) {
    for (int i = 0; i < count; i++) {
      assertThat(engine.memory().getLong(Reference.payload(blocks[i])))
          .as("block " + i)
          .isEqualTo(round * 1000L + i);
    }
  }

  /** Another thread makes a checkpoint, at whose end something runs, and maps an extent. */
  private static final class Remapping implements HookedMedium.Hook {
    private final Thread self = Thread.currentThread();
    private final CountDownLatch mapped = new CountDownLatch(1);
    private volatile @Nullable Once end;

    void begin(Runnable atTheEnd) {
      Once next = new Once("write", "heap", SUPERBLOCKS_END, atTheEnd);
      next.at(2); // the first superblock says that pages are being written
      end = next;
    }

    @Override
    public void after(String call, String file, long position) {
      Once armed = end;
      if (armed != null && !Thread.currentThread().equals(self)) {
        armed.after(call, file, position);
        if (call.equals("map") && file.equals("heap")) {
          mapped.countDown();
        }
      }
    }

    void await() throws InterruptedException {
      Limit.await(mapped); // an extent is mapped again
    }
  }

  /** Allocates the blocks that are not there, of most of a page each, and stores to all. */
  private static void store(Engine engine, long[] blocks, int from, int to, int word, int round) {
    for (int i = from; i < to; i++) {
      int at = i;
      long value = round * 1000L + i;
      transact(
          engine,
          () -> {
            if (blocks[at] == 0) {
              blocks[at] = engine.allocator().allocate(300, 4000);
            }
            engine.memory().putLong(Stripes.NONE, Reference.payload(blocks[at]) + word, value);
          });
    }
  }

  private static void transact(Engine engine, Runnable body) {
    engine.transactions().begin();
    boolean ok = false;
    try {
      body.run();
      ok = true;
    } finally {
      engine.transactions().end(ok);
    }
  }

  /**
   * Few pages may be in memory.
   *
   * @param background whether a thread of its own makes room, before transactions must wait for it
   */
  private static EngineOptions withFewPages(boolean background) {
    EngineOptions o = SimulatedHeaps.options(Durability.async(Duration.ofMinutes(30)));
    return new EngineOptions(
        o.maxCapacity(),
        o.extentShift(),
        8L << 20,
        o.segmentSize(),
        o.ringSize(),
        o.maxTransaction(),
        BUDGET * 4096L,
        o.lockTimeoutNanos(),
        false,
        o.asyncNanos(),
        background);
  }

  /** No page that decayed before it came to memory looks sound after a checkpoint wrote it. */
  public static void aDamagedPageIsNotWrittenAgain() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Set<Long> written;
    CrashImage image;
    try (Heap heap = SYNC.open(medium)) {
      map(heap).put(1L, 1L);
      heap.checkpoint();
      map(heap).put(1L, 2L);
      written = pagesWritten(medium, heap::checkpoint);
      assertThat(written).isNotEmpty();
      image = medium.image();
    }
    for (long page : written) {
      SimulatedMedium next = image.processKill();
      try (Heap heap = SYNC.open(next)) {
        map(heap).put(1L, page);
        next.flipBit("heap", page * 4096 + 4095, 1);
        assertThatThrownBy(heap::checkpoint)
            .isInstanceOf(CorruptException.class)
            .hasMessageContaining("page " + page + " ");
        assertThat(heap.verify().problems()).hasSize(1);
        next.flipBit("heap", page * 4096 + 4095, 1);
        heap.checkpoint();
        SYNC.verify(heap);
      }
    }
  }

  /** A page counts as being in memory only until its extent is mapped anew. */
  public static void aPageThatLeftMemoryIsCheckedAgain() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (Engine engine = Engine.open(medium, withFewPages(false))) {
      long[] blocks = new long[500];
      store(engine, blocks, 0, blocks.length, 0, 0);
      engine.checkpoint();
      long address = Reference.payload(blocks[0]);
      long page = address / 4096;
      for (int round = 1; round < 50 && !isMappedAnew(engine, address); round++) {
        store(engine, blocks, 250, 500, 0, round);
      }
      assertThat(isMappedAnew(engine, address)).isTrue();
      engine.checkpoint();
      medium.flipBit("heap", page * 4096 + 4095, 1);
      transact(engine, () -> engine.memory().putLong(Stripes.NONE, address, 7));
      assertThatThrownBy(engine::checkpoint)
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("page " + page + " ");
      medium.flipBit("heap", page * 4096 + 4095, 1);
    }
  }

  private static boolean isMappedAnew(Engine engine, long address) {
    return engine.transactions().exclusively(() -> !engine.home().resident().contains(address));
  }

  private static Set<Long> pagesWritten(SimulatedMedium medium, Runnable action) {
    Set<Long> pages = new TreeSet<>();
    medium.observe(
        point -> {
          if (point.file().equals("heap")
              && point.kind() == CrashPoint.Kind.WRITE
              && point.position() >= 8192) {
            pages.add(point.position() / 4096);
          }
        });
    action.run();
    medium.observe(point -> {});
    return pages;
  }

  /** A power cut at every moment of a checkpoint of one page, with each sector kept alone. */
  public static void aCheckpointOfOnePage() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    List<CrashImage> images = new ArrayList<>();
    try (Heap heap = SYNC.open(medium)) {
      map(heap).put(1L, 1L);
      heap.checkpoint();
      map(heap).put(1L, 2L);
      medium.observe(point -> images.add(medium.image()));
      heap.checkpoint();
      medium.observe(point -> {});
    }
    for (CrashImage image : images) {
      for (int[] state : CrashStates.of(image.units(), 40, 40, 1).all()) {
        try (Heap again = SYNC.open(image.powerLoss(unit -> state[unit.index()]))) {
          assertThat(map(again)).as("with " + Arrays.toString(state)).containsEntry(1L, 2L);
          SYNC.verify(again);
        }
      }
    }
  }

  /**
   * While a checkpoint writes pages in several rounds, a transaction changes a page that was
   * written, and one that is copied later. After a power cut its changes are there together.
   */
  public static void aCopyOfAPageIsNotAheadOfTheLog() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    var meanwhile = new BetweenRounds(medium);
    long[] blocks = new long[100];
    int last = blocks.length - 1;
    try (Engine engine = Engine.open(HookedMedium.of(medium, meanwhile), withFewPages(false))) {
      store(engine, blocks, 0, blocks.length, 0, 0);
      engine.checkpoint();
      store(engine, blocks, 0, blocks.length, 0, 1);
      engine.log().awaitDurable(engine.log().appended()); // so that the checkpoint need not
      meanwhile.action =
          () ->
              transact(
                  engine,
                  () -> {
                    engine.memory().putLong(Stripes.NONE, Reference.payload(blocks[0]), 2);
                    engine.memory().putLong(Stripes.NONE, Reference.payload(blocks[last]), 2);
                  });
      engine.checkpoint();
    }
    int changed = 0;
    for (CrashImage image : meanwhile.images) {
      try (Engine engine = Engine.open(image.powerLoss(Chooser.none()), withFewPages(false))) {
        boolean first = engine.memory().getLong(Reference.payload(blocks[0])) == 2;
        boolean other = engine.memory().getLong(Reference.payload(blocks[last])) == 2;
        assertThat(other).as("half of a transaction").isEqualTo(first);
        changed += first ? 1 : 0;
      }
    }
    assertThat(changed).as("states with the transaction").isPositive();
  }

  /** Runs a transaction after the first write of pages, then keeps a state for each sync. */
  private static final class BetweenRounds implements HookedMedium.Hook {
    private final SimulatedMedium medium;
    private final List<CrashImage> images = new ArrayList<>();
    private @Nullable Runnable action;
    private boolean ran;

    BetweenRounds(SimulatedMedium medium) {
      this.medium = medium;
    }

    @Override
    public void after(String call, String file, long position) {
      Runnable next = action;
      if (!file.equals("heap")) {
        return;
      }
      if (next != null && call.equals("write") && position >= SUPERBLOCKS_END) {
        action = null;
        ran = true;
        Threads.run(next);
      } else if (ran && call.equals("sync")) {
        images.add(medium.image());
      }
    }
  }

  /** A bit of the name of a root flips: nothing believes that the root does not exist. */
  public static void aRootWhoseNameIsDamagedIsNotMissing() {
    String name = "the name of a root";
    CrashImage image;
    try (SimulatedMedium medium = SimulatedMedium.file(1)) {
      Heap heap = SYNC.open(medium);
      heap.map(name, Long.class, Long.class).put(1L, 1L);
      heap.checkpoint();
      image = medium.image();
      heap.close();
    }
    try (SimulatedMedium damaged = image.powerLoss(Chooser.none())) {
      damaged.flipBit("heap", placeOf(damaged, name), 0);
      try (Heap heap = SYNC.open(damaged)) {
        assertThatThrownBy(() -> heap.map(name, Long.class, Long.class))
            .isInstanceOf(CorruptException.class);
        assertThatThrownBy(() -> heap.contains(name)).isInstanceOf(CorruptException.class);
      }
    }
  }

  private static int placeOf(SimulatedMedium medium, String text) {
    try (MediumFile file = medium.open("heap")) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
      file.read(bytes, 0);
      return new String(bytes.array(), ISO_8859_1).indexOf(text);
    }
  }
}
