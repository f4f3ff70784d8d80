package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.codec.Codecs;
import io.everheap.error.ClosedException;
import io.everheap.error.MediumException;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.MediumSetting;
import io.everheap.support.Limit;
import io.everheap.testkit.HookedMedium;
import io.everheap.testkit.SimulatedStores;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The move of all keys: what it reports, and how it continues in the background, fails and ends.
 */
class ReshardingTest {
  private static final Durability LATER = Durability.async(Duration.ofHours(1));
  private static final String MOVER = "everheap-reshard";
  private static final int KEYS = 60;

  /** Counts the stores, whose locations tell apart what they log. */
  private static final AtomicLong STORES = new AtomicLong();

  private SimulatedMedium medium = SimulatedMedium.file(STORES.incrementAndGet());
  private final Disk disk = new Disk();

  /** Runs something before a file call of the thread that moves keys. */
  private static final class Disk implements HookedMedium.Hook {
    private volatile @Nullable Runnable beforeLog;
    private volatile boolean descriptorFails;

    @Override
    public void before(String call, String file) {
      boolean isMover = Thread.currentThread().getName().equals(MOVER);
      if (call.equals("create") && file.equals("store.new") && descriptorFails && isMover) {
        throw new MediumException("the disk is broken", null);
      }
      Runnable action = beforeLog;
      if (action != null && file.contains("/log") && call.equals("writeDurably") && isMover) {
        beforeLog = null;
        action.run();
      }
    }
  }

  private ShardedStore open(int shards) {
    medium = medium.processKill(); // the store before was closed
    return SimulatedStores.open(HookedMedium.of(medium, disk), shards, LATER);
  }

  /** Opens a store that goes on with a move in the background. */
  private ShardedStore openWithThreads() {
    medium = medium.processKill();
    return MediumSetting.medium(
            ShardedStore.builder(Path.of(medium.location()))
                .durability(LATER)
                .heaps(heap -> HeapSettings.options(heap, SimulatedStores.options(LATER))),
            HookedMedium.of(medium, disk))
        .open();
  }

  private static ShardedMap<Integer, Integer> map(ShardedStore store, String name) {
    return store.map(name, Integer.class, Integer.class);
  }

  /** A store with two maps whose keys are in two of the three shards to which they belong. */
  private void interrupted() {
    try (ShardedStore store = open(2)) {
      for (String name : List.of("first", "second")) {
        ShardedMap<Integer, Integer> map = map(store, name);
        for (int key = 0; key < KEYS; key++) {
          map.put(key, key);
        }
      }
      synchronized (store.structure) {
        store.grow(3);
        store.place(new Placement(2, 3));
      }
    }
  }

  private static int moving(ShardedStore store) {
    Placement placement = new Placement(2, 3);
    int moving = 0;
    for (int key = 0; key < KEYS; key++) {
      int slot = Placement.slot(map(store, "first").encodeKey(key));
      moving += placement.source(slot) == placement.target(slot) ? 0 : 1;
    }
    return moving;
  }

  /** Moves a key of the first map; returns the number of keys that it moved. */
  private static int moveOne(ShardedStore store) {
    for (int key = 0; ; key++) {
      byte[] bytes = map(store, "first").encodeKey(key);
      int slot = Placement.slot(bytes);
      int source = store.placement().source(slot);
      if (source != store.placement().target(slot)) {
        Moves.move(
            store,
            Moves.Parts.of(store.shard(source), store.shard(2), "first", false),
            List.of(bytes));
        return 1;
      }
    }
  }

  private static void requireAll(ShardedStore store) {
    assertThat(store.verify().problems()).isEmpty();
    for (String name : List.of("first", "second")) {
      ShardedMap<Integer, Integer> map = map(store, name);
      assertThat(map.sizeLong()).isEqualTo(KEYS);
      for (int key = 0; key < KEYS; key++) {
        assertThat(map.get(key)).isEqualTo(key);
      }
    }
  }

  // ---- Reports -------------------------------------------------------------------------------

  /** One report for each part of a map, and one at the end. */
  @Test
  void theProgressCountsTheEntriesOfAllMaps() {
    interrupted();
    try (ShardedStore store = open(2)) {
      long left = 2L * KEYS - moveOne(store);
      List<Long> reports = new ArrayList<>();
      store.reshard(
          3,
          (done, total) -> {
            assertThat(total).isEqualTo(left);
            reports.add(done);
          });
      assertThat(reports).hasSize(5).isSorted();
      assertThat(reports.getFirst()).isPositive().isLessThan(KEYS);
      assertThat(reports.get(3)).isEqualTo(left);
      assertThat(reports.getLast()).isEqualTo(left);
      assertThat(store.stats().moved()).isEqualTo(2 * moving(store) - 1).isPositive();
      requireAll(store);
      store.reshard(3, (done, total) -> reports.add(total)); // nothing to do
      assertThat(reports).hasSize(5);
    }
  }

  /** What is removed in the meantime counts as done at the end. */
  @Test
  void theLastReportIsComplete() {
    interrupted();
    try (ShardedStore store = open(2)) {
      List<Long> reports = new ArrayList<>();
      store.reshard(
          3,
          (done, total) -> {
            map(store, "second").clear();
            reports.add(total - done);
          });
      assertThat(reports.getLast()).isZero();
      assertThat(reports.get(reports.size() - 2)).isPositive();
    }
  }

  // ---- The thread ----------------------------------------------------------------------------

  @Test
  void anOpeningContinuesInTheBackground() {
    interrupted();
    try (ShardedStore store = openWithThreads()) {
      Limit.until("all keys have moved", () -> !store.placement().moving());
      requireAll(store);
      assertThat(store.resharding().failure()).isNull();
      assertThat(store.stats().moved()).isEqualTo(2L * moving(store));
    }
    try (ShardedStore store = openWithThreads()) {
      assertThat(store.stats().moved()).as("nothing moves").isZero();
      requireAll(store);
    }
  }

  @Test
  void aMoveThatFailsInTheBackgroundIsReportedAndCanBeRepeated() {
    interrupted();
    disk.descriptorFails = true;
    List<LogRecord> logged = new CopyOnWriteArrayList<>();
    try (Log _ = new Log(medium.location() + "]", logged);
        ShardedStore store = openWithThreads()) {
      Limit.until("it failed", () -> store.resharding().failure() != null);
      assertThat(store.resharding().failure()).isInstanceOf(MediumException.class);
      Limit.until("it is logged", () -> !logged.isEmpty());
      assertThat(logged.getFirst().getLevel()).isEqualTo(Level.WARNING);
      assertThat(store.placement().moving()).isTrue();
      requireAll(store);
      disk.descriptorFails = false;
      store.reshard(3);
      assertThat(store.placement().moving()).isFalse();
      requireAll(store);
    }
    assertThat(logged).hasSize(1);
  }

  /** Collects the messages of a store. */
  private static final class Log implements AutoCloseable {
    private final Logger logger = Logger.getLogger(ShardedStore.class.getName());
    private final Level level = logger.getLevel();
    private final Handler handler;

    Log(String location, List<LogRecord> records) {
      handler =
          new Handler() {
            @Override
            public void publish(LogRecord entry) {
              if (entry.getMessage().contains(location)) {
                records.add(entry);
              }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
          };
      logger.setLevel(Level.ALL);
      logger.addHandler(handler);
    }

    @Override
    public void close() {
      logger.removeHandler(handler);
      logger.setLevel(level);
    }
  }

  @Test
  void closeWaitsForTheThreadAndKeepsTheInterrupt() throws Exception {
    interrupted();
    CompletableFuture<Thread> moves = new CompletableFuture<>();
    CompletableFuture<Void> released = new CompletableFuture<>();
    disk.beforeLog =
        () -> {
          moves.complete(Thread.currentThread());
          released.join();
        };
    List<LogRecord> logged = new CopyOnWriteArrayList<>();
    try (Log _ = new Log(medium.location() + "]", logged)) {
      ShardedStore store = openWithThreads();
      Thread mover = Limit.get(moves);
      CompletableFuture<Boolean> closed = new CompletableFuture<>();
      Thread closer =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    store.close();
                    closed.complete(Thread.currentThread().isInterrupted());
                  });
      Limit.until("it waits", () -> closer.getState() == Thread.State.WAITING);
      closer.interrupt();
      Limit.until("it waits on", () -> !closer.isInterrupted());
      assertThat(closed).isNotDone();
      released.complete(null);
      assertThat(Limit.get(closed)).as("the interrupt is kept").isTrue();
      assertThat(mover.isAlive()).isFalse();
      assertThat(store.resharding().failure()).hasMessageContaining("being closed");
      assertThatThrownBy(() -> map(store, "first")).isInstanceOf(ClosedException.class);
    }
    assertThat(logged).as("it is no failure").isEmpty();
    try (ShardedStore store = openWithThreads()) {
      Limit.until("all keys have moved", () -> !store.placement().moving());
      requireAll(store);
    }
  }

  /** An asynchronous write completes in the thread that moves keys, and code after it closes. */
  @Test
  void theThreadItselfCanCloseTheStore() throws Exception {
    interrupted();
    CompletableFuture<Void> moves = new CompletableFuture<>();
    CompletableFuture<Void> released = new CompletableFuture<>();
    disk.beforeLog =
        () -> {
          moves.complete(null);
          released.join();
        };
    ShardedStore store = openWithThreads();
    Limit.get(moves);
    // ShardedStore.map would wait for the thread, which holds the monitor of the structure.
    ShardedMap<Integer, Integer> map =
        new ShardedMap<>(store, "first", KeyCodec.hashed(Codecs.INT), Codecs.INT, false);
    List<CompletableFuture<String>> closes = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      int slot = Placement.slot(map.encodeKey(key));
      if (store.placement().source(slot) == 0 && store.placement().target(slot) == 0) {
        closes.add(
            map.setAsync(key, key)
                .thenApply(
                    done -> {
                      store.close();
                      return Thread.currentThread().getName();
                    })
                .toCompletableFuture());
        break;
      }
    }
    released.complete(null);
    assertThat(Limit.get(closes.getFirst())).isEqualTo(MOVER);
    assertThatThrownBy(store::sync).isInstanceOf(ClosedException.class);
  }
}
