package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.collection.DurableMap;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.backup.BackupDirectory;
import io.everheap.error.BackupException;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestorePoint;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/**
 * A process that changes a heap and backs it up, and restores each backup. Its successor continues
 * the chain of incremental backups, without reading the pages that did not change. The directory of
 * backups is on another machine, which does not crash.
 */
final class BackupProcess implements SimulatedProcess {
  private static final int KEYS = 60;

  private final HeapSetup setup;
  private final long seed;
  private final int work;
  private final Store store;
  private volatile boolean hasBase;

  /** The other machine. */
  static final class Store {
    private final HeapSetup setup;
    private final SimulatedMedium medium;
    private final SimulatedMedium archive;
    final BackupDirectory directory =
        new BackupDirectory(this::open, this::open, heap -> archived(), heap -> archived());

    Store(HeapSetup setup) {
      this(setup, SimulatedMedium.file(1), SimulatedMedium.file(2));
    }

    private Store(HeapSetup setup, SimulatedMedium medium, SimulatedMedium archive) {
      this.setup = setup;
      this.medium = medium;
      this.archive = archive;
    }

    /** Makes copies of what it has now, for processes with other histories. */
    Supplier<Store> fork() {
      CrashImage backups = medium.image();
      CrashImage log = archive.image();
      return () -> new Store(setup, backups.processKill(), log.processKill());
    }

    private Medium archived() {
      return setup.with(unclosed(archive));
    }

    private Medium open() {
      return setup.with(unclosed(medium));
    }
  }

  /** A medium that stays open when it is closed or abandoned. */
  static Medium unclosed(Medium medium) {
    return (Medium)
        Proxy.newProxyInstance(
            Medium.class.getClassLoader(),
            new Class<?>[] {Medium.class},
            (proxy, method, arguments) -> {
              boolean ends = List.of("close", "abandon").contains(method.getName());
              try {
                return ends ? null : method.invoke(medium, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  BackupProcess(HeapSetup setup, long seed, int work, Store store) {
    this.setup = setup;
    this.seed = seed;
    this.work = work;
    this.store = store;
  }

  @Override
  public Promise promise() {
    boolean base = hasBase;
    Supplier<Store> copies = store.fork();
    return new Promise() {
      @Override
      public SimulatedProcess successor(boolean powerLost, long next) {
        BackupProcess process = new BackupProcess(setup, next, Math.min(work, 12), copies.get());
        process.hasBase = base;
        return process;
      }

      @Override
      public Object key() {
        return base;
      }
    };
  }

  @Override
  public void run(SimulatedMedium medium) {
    Random random = new Random(seed);
    try (Heap heap = open(setup, store, medium)) {
      if (hasBase) {
        restore(heap, medium, store.directory.newest(), new RestorePoint.Newest());
      }
      backUp(heap, medium, Backup.Kind.INCREMENTAL);
      for (int i = 0; i < work; i++) {
        change(heap, random);
        archive(heap, random);
        if (random.nextInt(5) == 0) {
          Backup.Kind kind = random.nextInt(3) == 0 ? Backup.Kind.FULL : Backup.Kind.INCREMENTAL;
          backUp(heap, medium, kind);
        }
        if (random.nextInt(4) == 0) {
          restore(heap, medium, store.directory.newest(), new RestorePoint.Newest());
        }
        if (random.nextInt(6) == 0) {
          heap.checkpoint();
        }
        if (random.nextInt(10) == 0) {
          heap.shrink();
        }
      }
    }
  }

  /** Copies the log, as a thread does once a second; at the latest before it fills up. */
  private static void archive(Heap heap, Random random) {
    Engine engine = OpenHeap.engine(heap);
    if (random.nextInt(3) == 0 || engine.log().used() > engine.log().limit() / 4) {
      engine.archiver().copy();
    }
  }

  /** Opens a heap whose log is archived. */
  static Heap open(HeapSetup setup, Store store, SimulatedMedium medium) {
    EngineOptions options =
        SimulatedHeaps.options(setup.durability()).withArchive(heap -> store.archived());
    HeapBuilder builder =
        setup.configure(Heap.builder(Path.of(medium.location())).durability(setup.durability()));
    Heap heap = HeapSettings.options(MediumSetting.medium(builder, medium), options).open();
    medium.opened(OpenHeap.engine(heap));
    return heap;
  }

  static void change(Heap heap, Random random) {
    DurableMap<Integer, byte[]> map = heap.map("map", Integer.class, byte[].class);
    heap.transact(
        () -> {
          for (int n = random.nextInt(1, 6); n > 0; n--) {
            byte[] value = new byte[random.nextInt(20) == 0 ? 30_000 : random.nextInt(2_000)];
            random.nextBytes(value);
            if (random.nextInt(3) == 0) {
              map.remove(random.nextInt(KEYS));
            } else {
              map.put(random.nextInt(KEYS), value);
            }
          }
          if (random.nextInt(15) == 0) {
            map.clear();
          }
        });
  }

  private void backUp(Heap heap, SimulatedMedium medium, Backup.Kind kind) {
    Backup backup;
    try {
      backup = store.directory.take(OpenHeap.engine(heap), kind, 0, BackupProgress.NONE);
    } catch (BackupException e) {
      assertThat(hasBase).as("an incremental backup was refused: " + e.getMessage()).isFalse();
      backup =
          store.directory.take(OpenHeap.engine(heap), Backup.Kind.FULL, 0, BackupProgress.NONE);
    }
    hasBase = true;
    restore(heap, medium, backup, new RestorePoint.OfBackup());
  }

  private void restore(Heap heap, SimulatedMedium medium, Backup backup, RestorePoint point) {
    if (!(point instanceof RestorePoint.OfBackup)) {
      heap.sync();
      OpenHeap.engine(heap).archiver().copy();
    }
    setup.verify(heap);
    SimulatedMedium restored =
        medium.byteAddressable() ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
    store.directory.restore(
        backup,
        point,
        () -> setup.with(restored),
        SimulatedHeaps.options(setup.durability()),
        BackupProgress.NONE);
    try (Heap copy = setup.open(restored.processKill())) {
      assertThat(copy.verify().problems()).as(backup.name() + " " + point).isEmpty();
      assertThat(contents(copy)).as(backup.name() + " " + point).isEqualTo(contents(heap));
    }
  }

  static Map<Integer, Integer> contents(Heap heap) {
    Map<Integer, Integer> all = new HashMap<>();
    heap.map("map", Integer.class, byte[].class)
        .forEach((key, value) -> all.put(key, Arrays.hashCode(value)));
    return all;
  }
}
