package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.engine.backup.BackupDirectory;
import io.everheap.engine.home.HomeLayout;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.MediumFile;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestorePoint;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What the tests of the tests run against deliberate mistakes in backups. */
public final class BackupScenarios {
  private static final int SEEDS = Integer.getInteger("everheap.crash.effort", 1);
  private static final HeapSetup SYNC = new HeapSetup(true);

  private BackupScenarios() {}

  /** Backs up and restores at random, crashed now and then. */
  public static void file() {
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(4, 20, 3), new Explorer.Effort(1, 1, 1));
    for (int seed = 1; seed <= SEEDS; seed++) {
      new Explorer(seed, efforts, new CrashReport())
          .explore(
              new BackupProcess(SYNC, seed, 24, new BackupProcess.Store(SYNC)),
              SimulatedMedium.file(seed));
    }
  }

  /** Power is lost when a checkpoint completed; what no one synced is lost. */
  public static void powerLossBehindACheckpoint() {
    BackupDirectory directory = new BackupProcess.Store(SYNC).directory;
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap heap = SYNC.open(medium);
    DurableMap<Integer, byte[]> map = heap.map("map", Integer.class, byte[].class);
    for (int i = 0; i < 100; i++) {
      map.put(i, new byte[8_000]);
    }
    take(directory, heap, Backup.Kind.FULL);
    byte[] changed = new byte[8_000];
    Arrays.fill(changed, (byte) 1);
    map.put(50, changed);
    heap.checkpoint();
    try (Heap again = SYNC.open(medium.powerLoss(Chooser.none()))) {
      requireEqual(again, directory, take(directory, again, Backup.Kind.INCREMENTAL));
    }
  }

  /** Restores, crashed at almost every moment. */
  public static void restore() {
    restore(SYNC, false, 1, List.of(new Explorer.Effort(40, 140, 4)), new CrashReport());
  }

  static void restore(
      HeapSetup setup, boolean dax, int seed, List<Explorer.Effort> efforts, CrashReport report) {
    BackupProcess.Store store = new BackupProcess.Store(setup);
    RestoreProcess process;
    try (Heap heap = setup.open(SimulatedMedium.file(seed))) {
      Random random = new Random(seed);
      take(store.directory, heap, Backup.Kind.FULL);
      for (int i = 0; i < 20; i++) {
        BackupProcess.change(heap, random);
        if (i % 8 == 7) {
          take(store.directory, heap, Backup.Kind.INCREMENTAL);
        }
      }
      Backup backup = take(store.directory, heap, Backup.Kind.INCREMENTAL);
      process = new RestoreProcess(setup, store, backup, BackupProcess.contents(heap), false);
    }
    new Explorer(seed, efforts, report)
        .explore(process, dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed));
  }

  private static Backup take(BackupDirectory directory, Heap heap, Backup.Kind kind) {
    return directory.take(OpenHeap.engine(heap), kind, 0, BackupProgress.NONE);
  }

  /** Checkpoints recycle all of the log between two pages of a backup. */
  public static void checkpointsMeanwhile() {
    BackupDirectory directory = new BackupProcess.Store(SYNC).directory;
    try (Heap heap = SYNC.open(SimulatedMedium.file(1))) {
      DurableMap<Integer, byte[]> map = heap.map("map", Integer.class, byte[].class);
      Random random = new Random(1);
      for (int i = 0; i < 60; i++) {
        BackupProcess.change(heap, random);
      }
      int[] steps = {0};
      Backup backup =
          directory.take(
              OpenHeap.engine(heap),
              Backup.Kind.FULL,
              0,
              (what, part) -> {
                if (steps[0]++ % 2 == 0) { // several segments, with pages that are copied already
                  for (int i = 0; i < 12; i++) {
                    byte[] value = new byte[4000];
                    random.nextBytes(value);
                    map.put(i, value);
                  }
                  heap.checkpoint();
                }
              });
      requireEqual(heap, directory, backup);
    }
  }

  /** Transactions commit between the last page and the end of a backup, and are not durable yet. */
  public static void commitsMeanwhile() {
    HeapSetup setup = new HeapSetup(false);
    BackupDirectory directory = new BackupProcess.Store(SYNC).directory;
    try (Heap heap = setup.open(SimulatedMedium.file(1))) {
      DurableMap<Integer, byte[]> map = heap.map("map", Integer.class, byte[].class);
      BackupProcess.change(heap, new Random(1));
      Backup backup =
          directory.take(
              OpenHeap.engine(heap),
              Backup.Kind.FULL,
              0,
              (what, part) -> map.put(0, new byte[(int) (100 * part)]));
      requireEqual(heap, directory, backup);
    }
  }

  /** The home image shrinks, and grows again by more than is used at once; then comes a crash. */
  public static void whatGrewAgainIsZero() {
    BackupDirectory directory = new BackupProcess.Store(SYNC).directory;
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap heap = backedUpAndShrunk(medium, directory);
    long shrunk = heap.stats().capacity();
    fill(heap, 0, 1_500_000);
    assertThat(heap.stats().capacity()).isGreaterThan(shrunk);
    SimulatedMedium killed = medium.processKill();
    try (Heap again = SYNC.open(killed)) {
      Backup backup = take(directory, again, Backup.Kind.INCREMENTAL);
      SimulatedMedium restored = requireEqual(again, directory, backup);
      ByteBuffer pages = pages(restored.processKill());
      assertThat(pages).isEqualTo(pages(killed).limit(pages.limit()));
    }
  }

  /** The home image behind the superblocks. */
  private static ByteBuffer pages(SimulatedMedium medium) {
    try (MediumFile home = medium.open("heap")) {
      int superblocks = Math.toIntExact(HomeLayout.CATALOG_ADDRESS);
      ByteBuffer pages = ByteBuffer.allocate(Math.toIntExact(home.size()) - superblocks);
      home.read(pages, superblocks);
      return pages.flip();
    }
  }

  /** The home image is smaller than in the backup before, and grows while the next one is made. */
  public static void growthMeanwhile() {
    BackupDirectory directory = new BackupProcess.Store(SYNC).directory;
    try (Heap heap = backedUpAndShrunk(SimulatedMedium.file(1), directory)) {
      boolean[] done = {false};
      Backup backup =
          directory.take(
              OpenHeap.engine(heap),
              Backup.Kind.INCREMENTAL,
              0,
              (what, part) -> {
                if (part == 1 && !done[0]) { // pages behind the end were left out
                  done[0] = true;
                  fill(heap, 0, 100_000); // less than the log: nothing is copied before it returns
                }
              });
      requireEqual(heap, directory, backup);
    }
  }

  /**
   * A heap of several extents, each of which has a table of its chunks, is emptied. Freeing stores
   * to the first page of a value only.
   */
  private static Heap backedUpAndShrunk(SimulatedMedium medium, BackupDirectory directory) {
    Heap heap = SYNC.open(medium);
    DurableMap<Integer, byte[]> map = heap.map("map", Integer.class, byte[].class);
    byte[] value = new byte[20_000];
    Arrays.fill(value, (byte) 1);
    for (int i = 0; i < 300; i++) {
      map.put(i, value);
    }
    take(directory, heap, Backup.Kind.FULL);
    heap.remove("map");
    OpenHeap.engine(heap).drainHousekeeping();
    assertThat(heap.shrink()).isGreaterThan(4_000_000);
    return heap;
  }

  private static void fill(Heap heap, int first, int bytes) {
    DurableMap<Integer, byte[]> map = heap.map("map", Integer.class, byte[].class);
    for (int i = first; i < first + bytes / 7_000; i++) {
      int key = i * 10;
      heap.transact(
          () -> {
            for (int n = 0; n < 10; n++) {
              map.put(key + n, new byte[700]);
            }
          });
    }
  }

  private static SimulatedMedium requireEqual(Heap heap, BackupDirectory directory, Backup backup) {
    SimulatedMedium restored = SimulatedMedium.file(9);
    directory.restore(
        backup,
        new RestorePoint.OfBackup(),
        () -> restored,
        SimulatedHeaps.options(SYNC.durability()),
        BackupProgress.NONE);
    try (Heap copy = SYNC.open(restored.processKill())) {
      SYNC.verify(copy);
      assertThat(BackupProcess.contents(copy)).isEqualTo(BackupProcess.contents(heap));
    }
    return restored;
  }
}
