package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.log.EntryLayout;
import io.everheap.engine.log.Log;
import io.everheap.engine.log.LogOptions;
import io.everheap.engine.log.LogReader;
import io.everheap.engine.log.Logs;
import io.everheap.engine.log.PartLayout;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.error.StoppedException;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Situations that need an exact moment, such as a commit between two steps of a checkpoint, and
 * that a random exploration meets too seldom. Each throws when something is wrong; what they notice
 * is in {@code Mutants}.
 */
public final class RaceScenarios {
  private static final HeapSetup SYNC = new HeapSetup(true);
  private static final int SUPERBLOCKS_END = 8192;
  private static final int SEGMENT = 64 << 10;

  private RaceScenarios() {}

  /**
   * A large log and memory budget, so that nothing waits for a checkpoint that is held up, and
   * turns that are waited for however slow the machine is.
   */
  static Heap open(Medium medium) {
    EngineOptions o = SimulatedHeaps.options(Durability.SYNC);
    EngineOptions large =
        new EngineOptions(
            o.maxCapacity(),
            o.extentShift(),
            64L << 20,
            o.segmentSize(),
            o.ringSize(),
            o.maxTransaction(),
            64L << 20,
            TimeUnit.HOURS.toNanos(1),
            true,
            0,
            false);
    return HeapSettings.options(
            MediumSetting.medium(Heap.builder(Path.of("hooked")), medium), large)
        .open();
  }

  private static DurableMap<Long, byte[]> values(Heap heap) {
    return heap.map("values", Long.class, byte[].class);
  }

  private static void put(Heap heap, long from, long to, int bytes) {
    for (long i = from; i < to; i++) {
      values(heap).put(i, new byte[bytes]);
    }
  }

  private static void assertHolds(SimulatedMedium left, int entries) {
    try (Heap again = SYNC.open(left)) {
      assertThat(values(again)).hasSize(entries);
      SYNC.verify(again);
    }
  }

  /** What is dirty when a shrink maps the last extent anew must be in the file. */
  public static void aCommitDuringAShrinkIsKept() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap[] heap = new Heap[1];
    var commit = new Once("write", "heap", SUPERBLOCKS_END, () -> put(heap[0], 8, 9, 100));
    heap[0] = open(HookedMedium.of(medium, commit));
    put(heap[0], 0, 8, 100);
    heap[0].map("large", Long.class, byte[].class).put(1L, new byte[900_000]);
    heap[0].map("large", Long.class, byte[].class).clear();
    heap[0].checkpoint();
    put(heap[0], 0, 4, 100);
    commit.at(2); // the superblock that ends the first checkpoint of the shrink
    assertThat(heap[0].shrink()).isPositive();
    assertThat(values(heap[0])).hasSize(9);
    SYNC.verify(heap[0]);
    assertHolds(medium.processKill(), 9);
    heap[0].close();
    assertHolds(medium.powerLoss(Chooser.none()), 9);
  }

  /** Commits fill segments after a checkpoint began: it must not let them go. */
  public static void aCheckpointKeepsTheLogOfNewerCommits() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap[] heap = new Heap[1];
    var commits = new Once("write", "heap", SUPERBLOCKS_END, () -> put(heap[0], 8, 30, 10_000));
    heap[0] = open(HookedMedium.of(medium, commits));
    put(heap[0], 0, 8, 100);
    commits.at(2);
    heap[0].checkpoint();
    assertHolds(medium.processKill(), 30);
    assertHolds(medium.powerLoss(Chooser.none()), 30);
    put(heap[0], 30, 70, 10_000); // over segments that were let go
    assertHolds(medium.processKill(), 70);
    assertHolds(medium.powerLoss(Chooser.none()), 70);
    heap[0].close();
  }

  /**
   * A checkpoint ends where a segment ends, while the header of the next one is being written: the
   * one before is the only one that says where the log goes on. If it were free, it would be
   * deleted as the oldest one when a large transaction leaves more than are kept.
   */
  public static void aSegmentIsKeptUntilTheNextOneHasItsHeader() {
    for (int parts = 1; parts <= 8; parts++) {
      SimulatedMedium medium = SimulatedMedium.file(parts);
      var writing = new CountDownLatch(1);
      var goOn = new CountDownLatch(1);
      var armed = new AtomicBoolean();
      Medium hooked =
          HookedMedium.of(
              medium,
              new HookedMedium.Hook() {
                @Override
                public void before(String call, String file) {
                  if (armed.get() && call.equals("writeDurably")) {
                    writing.countDown();
                    await(goOn);
                  }
                }
              });
      UUID heap = new UUID(1, 2);
      var options = new LogOptions(SEGMENT, SEGMENT, 2 * SEGMENT, 0, DurableWrite.DSYNC, false);
      try (Log log = Logs.start(hooked, options, heap, 1, 0, 0, Set.of())) {
        log.recycleOld();
        append(log, 60);
        for (int i = 0; i < parts; i++) {
          append(log, 1);
        }
        log.awaitDurable(log.appended());
        long lsn = log.appended();
        int chain = log.chain();
        armed.set(true);
        append(log, 1);
        CompletableFuture<Void> leader = Threads.start(() -> log.awaitDurable(log.appended()));
        await(writing);
        log.recycleBelow(lsn);
        log.reserve(60 * 10_000);
        log.reserve(10_000); // instead
        log.recycleBelow(lsn);
        CrashImage image = medium.image();
        goOn.countDown();
        assertThat(leader).succeedsWithin(Limit.limit());
        for (SimulatedMedium left :
            List.of(image.processKill(), image.powerLoss(Chooser.random(parts)))) {
          assertThat(LogReader.read(left, heap, 1, lsn, chain, lsn).end())
              .isGreaterThanOrEqualTo(lsn);
        }
      }
    }
  }

  /** Appends a record of so many parts of 10,000 bytes. */
  private static void append(Log log, int parts) {
    int words = (10_000 - PartLayout.HEADER_SIZE - 8) / 8;
    log.reserve(parts * 10_000L);
    for (int i = parts - 1; i >= 0; i--) {
      int at = log.openPart(10_000) + PartLayout.HEADER_SIZE;
      log.buffer().putLong(at, EntryLayout.run(8192, words));
      for (int word = 1; word <= words; word++) {
        log.buffer().putLong(at + 8 * word, word);
      }
      log.closePart(PartLayout.HEADER_SIZE + 8 + 8 * words, i > 0);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      Limit.await(latch);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * A checkpoint begins, or copies its second round of pages, while another thread is in the middle
   * of a record that is larger than the ring: it must wait for the end, since neither may replay
   * begin in the middle of a record, nor may a superblock say that it must reach that.
   */
  public static void checkpointsNameNoMiddleOfARecord() throws Exception {
    new Meeting(true).run();
    new Meeting(false).run();
  }

  /** A record and a checkpoint, each of which goes on when the other one is in its middle. */
  private static final class Meeting implements HookedMedium.Hook {
    private final boolean recordFirst;
    private final SimulatedMedium medium = SimulatedMedium.file(1);
    private final Heap heap;
    private final CountDownLatch middle = new CountDownLatch(1);
    private final List<CrashImage> images = new ArrayList<>();
    private final Thread record = Thread.ofPlatform().unstarted(this::commit);
    private final Thread checkpoint = Thread.ofPlatform().unstarted(this::checkpoint);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final AtomicInteger progress = new AtomicInteger();
    private int seen = -1;
    private long awaited;

    Meeting(boolean recordFirst) {
      this.recordFirst = recordFirst;
      this.heap = open(HookedMedium.of(medium, this));
    }

    void run() throws Exception {
      fill(heap, 10); // more than one round of pages
      if (recordFirst) {
        record.start();
        RaceScenarios.await(middle);
      }
      checkpoint.start();
      Limit.join(checkpoint);
      Limit.join(record);
      assertThat(failures).isEmpty();
      for (CrashImage image : images) {
        try (Heap again = SYNC.open(image.powerLoss(Chooser.none()))) {
          assertThat(values(again)).hasSizeBetween(10, 11);
          SYNC.verify(again);
        }
      }
      assertHolds(medium.processKill(), 11);
      assertHolds(medium.powerLoss(Chooser.none()), 11);
      heap.close();
    }

    private void commit() {
      try {
        put(heap, 0, 1, 600_000);
      } catch (RuntimeException | Error e) {
        failures.add(e);
      }
    }

    private void checkpoint() {
      try {
        heap.checkpoint();
      } catch (RuntimeException | Error e) {
        failures.add(e);
      }
    }

    @Override
    public void before(String call, String file) {
      if (Thread.currentThread().equals(record) && call.equals("writeDurably")) {
        middle.countDown();
        Limit.spinUntil("the checkpoint waits for the record", this::mayGoOn);
      }
    }

    /**
     * Whether the checkpoint waits for the end of the record, or for what was in the log when it
     * was first seen to wait for that since its last call: it is woken later than that is durable.
     */
    private boolean mayGoOn() {
      if (checkpoint.getState() == Thread.State.TERMINATED) {
        return true;
      }
      Log log = OpenHeap.engine(heap).log();
      int calls = progress.get();
      if (Threads.isWaiting(checkpoint, "GroupCommit") && seen != calls) {
        seen = calls;
        awaited = log.appended();
      }
      return Threads.isWaiting(checkpoint, "WriterLock")
          || (seen == calls && log.durable() < awaited);
    }

    @Override
    public void after(String call, String file, long position) {
      if (!Thread.currentThread().equals(checkpoint)) {
        return;
      }
      progress.incrementAndGet();
      boolean page = file.equals("heap") && call.equals("write") && position >= SUPERBLOCKS_END;
      if (page && record.getState() == Thread.State.NEW) {
        record.start();
        RaceScenarios.await(middle);
      }
      if (call.equals("sync") && file.equals("heap")) {
        images.add(medium.image());
      }
    }
  }

  /**
   * The durable write of the first batch of a segment, with its header, failed: the next process
   * can read it, but the kernel takes it for written.
   */
  public static void aSegmentHeaderThatWasNotDurableIsWrittenAgain() {
    for (int nth = 1; nth <= 16; nth++) {
      SimulatedMedium medium = SimulatedMedium.file(nth);
      Heap heap = SYNC.open(medium);
      medium.faults().failDurableWrite(nth);
      try {
        put(heap, 0, 20, 10_000);
      } catch (EverheapException e) {
        assertThat(heap.isOpen()).isFalse();
      }
      SimulatedMedium killed = medium.processKill();
      Heap again = SYNC.open(killed);
      int entries = values(again).size();
      assertHolds(killed.powerLoss(Chooser.none()), entries);
      again.close();
    }
  }

  /** The newest superblock of a closed heap decays: the other one says the same. */
  public static void eitherSuperblockOfAClosedHeapSuffices() {
    for (int slot = 0; slot < 2; slot++) {
      SimulatedMedium medium = SimulatedMedium.file(1);
      try (Heap heap = open(medium)) {
        put(heap, 0, 40, 10_000); // more than the segments that a closed heap keeps
      }
      SimulatedMedium damaged = medium.processKill();
      damaged.flipBit("heap", slot * 4096L + 100, 1);
      assertHolds(damaged, 40);
    }
  }

  /** A write of pages was cut: they do not match their checksums, and are no damage. */
  public static void aPageThatWasHalfWrittenIsWrittenAgain() {
    for (int nth = 1; nth <= 40; nth++) {
      SimulatedMedium medium = SimulatedMedium.file(nth);
      try (Heap heap = SYNC.open(medium)) {
        put(heap, 0, 4, 10_000);
      }
      SimulatedMedium next = medium.processKill();
      Heap heap = SYNC.open(next);
      for (long i = 0; i < 4; i++) {
        byte[] value = new byte[10_000];
        java.util.Arrays.fill(value, (byte) 1);
        values(heap).put(i, value);
      }
      next.faults().cutWrite(nth + 1); // the first one is a superblock
      try {
        heap.checkpoint();
        assertThat(nth).as("writes of a checkpoint").isGreaterThan(2);
        return;
      } catch (MediumException e) {
        assertThat(heap.isOpen()).isTrue();
      }
      heap.checkpoint();
      SYNC.verify(heap);
      assertHolds(next.processKill(), 4);
      heap.close();
    }
  }

  /** Between two openings that go on, the disk is full: the next one must not need new space. */
  public static void aKilledHeapOpensOnAFullDisk() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap heap = SYNC.open(medium);
    put(heap, 0, 2, 100);
    for (int i = 0; i < 4; i++) {
      medium = medium.processKill();
      medium.faults().fillDisk(1);
      heap = SYNC.open(medium);
      assertThat(values(heap)).hasSize(2 + i);
      medium.faults().freeSpace();
      put(heap, 2 + i, 3 + i, 100);
    }
  }

  /**
   * The sync of a growth is told that the superblock of a checkpoint was lost; the checkpoint's own
   * sync is told nothing. The log before it is still needed.
   */
  public static void aSuperblockThatWasLostBeforeItsSyncDoesNotLetTheLogGo() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap[] heap = new Heap[1];
    var checkpoint = new AtomicReference<Thread>();
    var growth =
        new Once(
            "write",
            "heap",
            SUPERBLOCKS_END,
            () ->
                assertThatThrownBy(() -> fill(heap[0], 10)).isInstanceOf(EverheapException.class));
    Medium hooked =
        HookedMedium.of(
            medium,
            new HookedMedium.Hook() {
              @Override
              public void before(String call, String file) {
                Thread other = checkpoint.get();
                boolean grows = other != null && !other.equals(Thread.currentThread());
                if (grows && call.equals("sync") && file.equals("heap")) {
                  medium.faults().failSync(1);
                }
              }

              @Override
              public void after(String call, String file, long position) {
                growth.after(call, file, position);
              }
            });
    heap[0] = open(hooked);
    put(heap[0], 0, 12, 10_000);
    checkpoint.set(Thread.currentThread());
    growth.at(2); // the first superblock says that pages are being written
    assertThatThrownBy(heap[0]::checkpoint).isInstanceOf(StoppedException.class);
    assertThat(heap[0].isOpen()).isFalse();
    for (Chooser chooser : List.of(Chooser.none(), Chooser.all(), Chooser.random(3))) {
      assertHolds(medium.powerLoss(chooser), 12);
    }
    heap[0].close();
  }

  /** Makes the home image grow. */
  private static void fill(Heap heap, int values) {
    heap.transact(() -> put(heap, 200, 200 + values, 900_000));
  }
}
