package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.error.BackupException;
import io.everheap.error.ClosedException;
import io.everheap.error.CorruptException;
import io.everheap.error.ForeignException;
import io.everheap.error.LockedException;
import io.everheap.error.MissingException;
import io.everheap.error.SchemaMismatchException;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store in a directory: maps, batches, consistent reads, other numbers of shards, bad input. */
@Campaign
class ShardedStoreTest {
  private static final Durability FAST = Durability.async(Duration.ofMillis(10));
  private static final Durability LATE = Durability.async(Duration.ofHours(1));

  @TempDir Path directory;

  private ShardedStore open(int shards) {
    return ShardedStore.builder(directory).shards(shards).durability(FAST).open();
  }

  private ShardedStore sync() {
    return ShardedStore.builder(directory).shards(3).open();
  }

  /** A program may ask for a map with each operation, and a store may have many. */
  @Test
  void aMapIsFoundWithoutReadingTheEntriesOfOthers() {
    try (ShardedStore store = sync()) {
      store.map("numbers", String.class, Long.class).put("a", 1L);
    }
    try (Heap first = Heap.open(directory.resolve("shard-0000"))) {
      first.map("everheap.maps", String.class, String.class).put("other", "not an entry");
    }
    try (ShardedStore store = sync()) {
      assertThat(store.map("numbers", String.class, Long.class).get("a")).isEqualTo(1);
      store.sortedMap("new", String.class, Long.class).put("b", 2L);
      assertThatThrownBy(store::names).isInstanceOf(RuntimeException.class);
    }
  }

  @Test
  void aFunctionRunsOnceThoughManyThreadsChangeTheKey() throws Exception {
    int threads = 6;
    int each = 200;
    AtomicInteger calls = new AtomicInteger();
    try (ShardedStore store = open(2)) {
      ShardedMap<String, Integer> map = store.map("m", String.class, Integer.class);
      try (ExecutorService writers = Executors.newFixedThreadPool(threads)) {
        for (int t = 0; t < threads; t++) {
          writers.execute(
              () -> {
                for (int i = 0; i < each; i++) {
                  map.compute(
                      "key",
                      (key, value) -> {
                        calls.incrementAndGet();
                        return value == null ? 1 : value + 1;
                      });
                }
              });
        }
      }
      assertThat(map.get("key")).isEqualTo(threads * each);
      assertThat(calls).hasValue(threads * each);
    }
  }

  @Test
  void keepsWhatItWasGiven() {
    try (ShardedStore store = sync()) {
      ShardedMap<String, Long> map = store.map("numbers", String.class, Long.class);
      for (long i = 0; i < 100; i++) {
        assertThat(map.put("key " + i, i)).isNull();
      }
      assertThat(map.remove("key 7")).isEqualTo(7);
      assertThat(map.putIfAbsent("key 8", 9L)).isEqualTo(8);
      assertThat(map.replace("key 8", 8L, 80L)).isTrue();
      assertThat(map.merge("key 9", 1L, Long::sum)).isEqualTo(10);
      assertThat(map.sizeLong()).isEqualTo(99);
    }
    try (ShardedStore store = open(1)) {
      assertThat(store.shardCount()).isEqualTo(3);
      ShardedMap<String, Long> map = store.map("numbers", String.class, Long.class);
      assertThat(map.sizeLong()).isEqualTo(99);
      assertThat(map.get("key 7")).isNull();
      assertThat(map.get("key 8")).isEqualTo(80);
      assertThat(map.get("key 9")).isEqualTo(10);
      assertThat(map.asMap()).hasSize(99).containsEntry("key 10", 10L);
      assertThat(store.verify().ok()).isTrue();
      assertThat(store.verify().entries()).isEqualTo(99);
      assertThat(store.names()).containsExactly("numbers");
    }
  }

  @Test
  void asynchronousWritesComplete() throws Exception {
    for (Durability durability : List.of(FAST, Durability.SYNC)) {
      try (ShardedStore store =
          ShardedStore.builder(directory).shards(2).queue(16).durability(durability).open()) {
        ShardedMap<Long, String> map = store.map("texts", Long.class, String.class);
        List<CompletionStage<?>> all = new ArrayList<>();
        for (long i = 0; i < 500; i++) {
          all.add(map.setAsync(i, "text " + i));
          all.add(map.removeAsync(i / 2));
        }
        for (CompletionStage<?> stage : all) {
          Limit.get(stage.toCompletableFuture());
        }
        assertThat(map.get(499L)).isEqualTo("text 499");
        assertThat(map.get(0L)).isNull();
        assertThat(Limit.get(map.putAsync(499L, "new").toCompletableFuture()))
            .isEqualTo("text 499");
        CompletableFuture<String> absent = map.putIfAbsentAsync(0L, "zero").toCompletableFuture();
        assertThat(Limit.get(absent)).isNull();
        map.clear();
        assertThat(map.isEmpty()).isTrue();
      }
    }
  }

  @Test
  void sortedMapsAreScannedInOrder() {
    try (ShardedStore store = open(4)) {
      ShardedSortedMap<Long, String> map = store.sortedMap("sorted", Long.class, String.class);
      TreeMap<Long, String> model = new TreeMap<>();
      for (long i = -50; i < 50; i++) {
        map.put(3 * i, "v" + i);
        model.put(3 * i, "v" + i);
      }
      assertThat(List.copyOf(model.entrySet())).isEqualTo(list(map.entries()));
      assertThat(List.copyOf(model.descendingMap().entrySet()))
          .isEqualTo(list(map.descendingEntries()));
      assertThat(list(map.scan(-6L, false, 9L, true, false)))
          .isEqualTo(List.copyOf(model.subMap(-6L, false, 9L, true).entrySet()));
      assertThat(list(map.scan(-6L, true, 9L, false, true)))
          .isEqualTo(List.copyOf(model.subMap(-6L, true, 9L, false).descendingMap().entrySet()));
      assertThat(list(map.scan(9L, true, -6L, true, false))).isEmpty();
      for (long i = -160; i < 160; i++) {
        assertThat(map.floorEntry(i)).isEqualTo(model.floorEntry(i));
        assertThat(map.lowerEntry(i)).isEqualTo(model.lowerEntry(i));
        assertThat(map.ceilingEntry(i)).isEqualTo(model.ceilingEntry(i));
        assertThat(map.higherEntry(i)).isEqualTo(model.higherEntry(i));
      }
      assertThat(map.firstEntry()).isEqualTo(model.firstEntry());
      assertThat(map.lastEntry()).isEqualTo(model.lastEntry());
    }
  }

  private static <T> List<T> list(java.util.Iterator<T> all) {
    List<T> list = new ArrayList<>();
    all.forEachRemaining(list::add);
    return list;
  }

  @Test
  void aBatchIsSeenAsAWhole() throws InterruptedException {
    try (ShardedStore store = open(3)) {
      ShardedMap<Integer, Integer> map = store.map("map", Integer.class, Integer.class);
      ShardedSortedMap<Integer, Integer> sorted =
          store.sortedMap("sorted", Integer.class, Integer.class);
      var done = new AtomicBoolean();
      var failure = new AtomicReference<Throwable>();
      Thread reader =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      while (!done.get()) {
                        List<Integer> seen =
                            store.read(
                                () -> {
                                  List<Integer> values = new ArrayList<>();
                                  for (int i = 0; i < 5; i++) {
                                    values.add(map.getOrDefault(i, 0));
                                  }
                                  Map.Entry<Integer, Integer> first = sorted.firstEntry();
                                  values.add(first == null ? 0 : first.getValue());
                                  return values;
                                });
                        assertThat(seen).containsOnly(seen.getFirst());
                      }
                    } catch (Throwable t) {
                      failure.set(t);
                    }
                  });
      for (int round = 1; round <= 300; round++) {
        StoreBatch batch = store.batch();
        for (int i = 0; i < 5; i++) {
          batch.put(map, i, round);
        }
        batch.put(sorted, 1, round).commit();
        assertThat(batch.size()).isZero();
      }
      done.set(true);
      Limit.join(reader);
      assertThat(failure.get()).isNull();
      store.batch().remove(map, 1).remove(map, 2).put(map, 3, -3).commit();
      assertThat(map.get(1)).isNull();
      assertThat(map.get(2)).isNull();
      assertThat(map.get(3)).isEqualTo(-3);
    }
  }

  @Test
  void writersOfAllKindsShareAShard() throws InterruptedException {
    try (ShardedStore store = open(2)) {
      ShardedMap<Integer, Long> map = store.map("counts", Integer.class, Long.class);
      int threads = 8;
      int rounds = 300;
      var failure = new AtomicReference<Throwable>();
      List<Thread> all = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int number = t;
        Thread.Builder kind = t % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform();
        all.add(
            kind.start(
                () -> {
                  try {
                    for (int i = 0; i < rounds; i++) {
                      map.merge(i % 7, 1L, Long::sum);
                      map.put(1000 + number, (long) i);
                      assertThat(map.get(1000 + number)).isEqualTo(i);
                      map.setAsync(2000 + number, (long) i);
                      store.batch().put(map, 3000, 0L).put(map, 3001 + number, 1L).commit();
                    }
                  } catch (Throwable e) {
                    failure.set(e);
                  }
                }));
      }
      for (Thread thread : all) {
        Limit.join(thread);
      }
      assertThat(failure.get()).isNull();
      long sum = 0;
      for (int i = 0; i < 7; i++) {
        sum += map.getOrDefault(i, 0L);
      }
      assertThat(sum).isEqualTo((long) threads * rounds);
      for (int t = 0; t < threads; t++) {
        assertThat(map.get(2000 + t)).isEqualTo(rounds - 1);
      }
    }
  }

  @Test
  void theNumberOfShardsChangesWhileItServes() throws InterruptedException {
    try (ShardedStore store = open(2)) {
      ShardedMap<Integer, Integer> map = store.map("map", Integer.class, Integer.class);
      ShardedSortedMap<Integer, Integer> sorted =
          store.sortedMap("sorted", Integer.class, Integer.class);
      int keys = 3000;
      for (int i = 0; i < keys; i++) {
        map.set(i, i);
        sorted.set(i, i);
      }
      var done = new AtomicBoolean();
      var failure = new AtomicReference<Throwable>();
      Runnable work =
          () -> {
            try {
              for (int i = 0; !done.get(); i = (i + 1) % keys) {
                assertThat(map.get(i)).isEqualTo(i);
                map.put(i, i);
                int extra = keys + i;
                map.put(extra, i);
                assertThat(map.remove(extra)).isEqualTo(i);
                assertThat(map.get(extra)).isNull();
                store.batch().put(map, i, i).put(sorted, i, i).commit();
                if (i % 100 == 0) {
                  List<Integer> seen = new ArrayList<>();
                  sorted.entries().forEachRemaining(e -> seen.add(e.getKey()));
                  assertThat(seen).hasSize(keys).isSorted();
                  List<Integer> back = new ArrayList<>();
                  sorted.descendingEntries().forEachRemaining(e -> back.add(e.getKey()));
                  assertThat(back).isEqualTo(seen.reversed());
                }
              }
            } catch (Throwable e) {
              failure.compareAndSet(null, e);
            }
          };
      Thread worker = Thread.ofPlatform().start(work);
      for (int shards : new int[] {5, 1, 3}) {
        store.reshard(shards);
        assertThat(store.shardCount()).isEqualTo(shards);
        assertThat(store.verify().problems()).isEmpty();
      }
      done.set(true);
      Limit.join(worker);
      assertThat(failure.get()).isNull();
      assertThat(map.sizeLong()).isEqualTo(keys);
      assertThat(sorted.sizeLong()).isEqualTo(keys);
      assertThat(store.stats().moved()).isPositive();
      assertThat(store.verify().ok()).isTrue();
    }
    try (ShardedStore store = open(9)) {
      assertThat(store.shardCount()).isEqualTo(3);
      assertThat(store.map("map", Integer.class, Integer.class).sizeLong()).isEqualTo(3000);
    }
  }

  @Test
  void aBackupIsRestored() {
    Path backup = directory.resolve("backup");
    Path restored = directory.resolve("restored");
    try (ShardedStore store =
        ShardedStore.builder(directory.resolve("live")).shards(3).durability(FAST).open()) {
      ShardedMap<Integer, String> map = store.map("map", Integer.class, String.class);
      for (int i = 0; i < 500; i++) {
        map.set(i, "value " + i);
      }
      store.backup(backup);
      map.clear();
    }
    ShardedStore.restore(backup, restored);
    try (ShardedStore store = ShardedStore.open(restored)) {
      ShardedMap<Integer, String> map = store.map("map", Integer.class, String.class);
      assertThat(map.sizeLong()).isEqualTo(500);
      assertThat(map.get(17)).isEqualTo("value 17");
      assertThat(store.verify().ok()).isTrue();
    }
    assertThatThrownBy(() -> ShardedStore.restore(restored.resolve("shard-0000"), directory))
        .isInstanceOf(BackupException.class);
    assertThatThrownBy(() -> ShardedStore.restore(backup, restored))
        .isInstanceOf(ForeignException.class);
  }

  @Test
  void writesInsideOfReadsAndWritesAreRefused() {
    try (ShardedStore store = open(1)) {
      ShardedMap<Integer, Integer> map = store.map("map", Integer.class, Integer.class);
      assertThatThrownBy(() -> store.read(() -> map.put(1, 1)))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> map.compute(1, (k, v) -> map.put(2, 2)))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> map.compute(1, (k, v) -> map.setAsync(2, 2) == null ? 1 : 2))
          .isInstanceOf(IllegalStateException.class);
      assertThat(map.isEmpty()).isTrue();
      assertThatThrownBy(() -> map.put(1, null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> map.get(null)).isInstanceOf(NullPointerException.class);
    }
  }

  /** Also one to another shard: two of them would wait for each other. */
  @Test
  void asynchronousWritesKeepTheirOrderWhileTheNumberOfShardsChanges() throws Exception {
    try (ShardedStore store = open(2)) {
      ShardedMap<Long, Long> map = store.map("m", Long.class, Long.class);
      AtomicBoolean ended = new AtomicBoolean();
      List<CompletableFuture<Void>> writers = new ArrayList<>();
      for (long w = 0; w < 3; w++) {
        long writer = w;
        writers.add(
            CompletableFuture.runAsync(
                () -> {
                  Map<Long, Long> last = new HashMap<>();
                  for (long n = 0; !ended.get(); n += 2) {
                    long key = writer + n % 30 * 3;
                    assertThat(map.get(key)).isEqualTo(last.put(key, n + 1));
                    map.setAsync(key, n);
                    map.put(key, n + 1);
                  }
                }));
      }
      for (int i = 0; i < 40 && writers.stream().noneMatch(CompletableFuture::isDone); i++) {
        store.reshard(3 - i % 2);
      }
      ended.set(true);
      for (CompletableFuture<Void> writer : writers) {
        Limit.get(writer);
      }
    }
  }

  /** What the last of them runs may have run in turns of a reader, a batch or a move. */
  @Test
  void whatDependsOnAnAsynchronousWriteCanWrite() throws Exception {
    try (ShardedStore store = open(4)) {
      ShardedMap<Integer, Integer> map = store.map("m", Integer.class, Integer.class);
      List<CompletableFuture<Void>> stages = new ArrayList<>();
      store.read(
          () -> {
            Thread writer =
                new Thread(
                    () -> {
                      for (int i = 0; i < 20; i++) {
                        int key = 100 * i;
                        stages.add(
                            map.setAsync(key, key)
                                .thenRun(() -> putAll(map, key))
                                .toCompletableFuture());
                      }
                    });
            writer.start();
            Limit.until( // this runs in the turns of all shards
                "the writer waits",
                () -> !writer.isAlive() || writer.getState() == Thread.State.WAITING);
            return map.get(0);
          });
      for (CompletableFuture<Void> stage : List.copyOf(stages)) {
        Limit.get(stage);
      }
      assertThat(stages).isNotEmpty();
    }
  }

  private static void putAll(ShardedMap<Integer, Integer> map, int from) {
    for (int key = from; key < from + 50; key++) {
      map.put(key, key);
    }
  }

  @Test
  void functionsCannotWriteToAnyShard() {
    try (ShardedStore store = open(8)) {
      ShardedMap<Integer, Integer> map = store.map("map", Integer.class, Integer.class);
      for (int i = 0; i < 50; i++) {
        int key = i;
        assertThatThrownBy(() -> map.compute(-1, (k, v) -> map.put(key, 1)))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("a write of the store inside another one");
        assertThatThrownBy(
                () ->
                    map.compute(
                        -1,
                        (k, v) -> {
                          store.batch().put(map, key, 1).commit();
                          return 1;
                        }))
            .isInstanceOf(IllegalStateException.class);
      }
      assertThatThrownBy(() -> map.compute(-1, (k, v) -> store.read(() -> map.get(1))))
          .isInstanceOf(IllegalStateException.class);
      assertThat(map.isEmpty()).isTrue();
      for (int i = 0; i < 50; i++) {
        map.put(i, 1); // in all shards: none of them has lost its turn
      }
    }
  }

  @Test
  void aNumberOfShardsThatFailedCanBeTriedAgain() throws IOException {
    Path stranger = directory.resolve("shard-0003");
    try (ShardedStore store = open(2)) {
      ShardedMap<Integer, Integer> map = store.map("map", Integer.class, Integer.class);
      for (int i = 0; i < 50; i++) {
        map.put(i, i);
      }
      try (Heap heap = Heap.open(stranger)) {
        heap.map("of another program", Integer.class, Integer.class);
      }
      assertThatThrownBy(() -> store.reshard(4)).isInstanceOf(ForeignException.class);
      assertThat(store.shardCount()).isEqualTo(2);
      Files.move(stranger, directory.resolve("moved"));
      store.reshard(4);
      assertThat(store.shardCount()).isEqualTo(4);
      assertThat(map.sizeLong()).isEqualTo(50);
      assertThat(store.verify().ok()).isTrue();
    }
  }

  /** All shards stayed open and locked until the process ended. */
  @Test
  void aCloseThatCannotEndItsBatchesClosesAllShards() {
    ShardedStore store = ShardedStore.builder(directory).shards(2).durability(LATE).open();
    ShardedMap<Integer, Integer> map = store.map("map", Integer.class, Integer.class);
    StoreBatch batch = store.batch();
    for (int i = 0; i < 50; i++) {
      batch.put(map, i, i);
    }
    batch.commit();
    store.shard(1).heap.close(); // as a poisoned one: it cannot be synced
    assertThatThrownBy(store::close).isInstanceOf(ClosedException.class);
    assertThat(store.shard(0).heap.isOpen()).isFalse();
    store.close();
    try (ShardedStore again = open(2)) {
      assertThat(again.map("map", Integer.class, Integer.class).sizeLong()).isEqualTo(50);
      assertThat(again.verify().ok()).isTrue();
    }
  }

  @Test
  void aCloseGoesOnWhereAnEarlierOneFailed() {
    ShardedStore store = open(2);
    store.map("map", Integer.class, Integer.class).put(1, 1);
    Heap heap = store.shard(1).heap;
    heap.transact(() -> assertThatThrownBy(store::close).isInstanceOf(IllegalStateException.class));
    assertThat(store.shard(0).heap.isOpen()).isFalse();
    assertThat(heap.isOpen()).isTrue();
    store.close();
    assertThat(heap.isOpen()).isFalse();
    try (ShardedStore again = open(2)) {
      assertThat(again.map("map", Integer.class, Integer.class).get(1)).isEqualTo(1);
    }
  }

  @Test
  void whatIsWrongIsRefused() throws IOException {
    assertThatThrownBy(() -> ShardedStore.builder(directory).mustExist().open())
        .isInstanceOf(MissingException.class);
    assertThatThrownBy(() -> ShardedStore.builder(directory).shards(0))
        .isInstanceOf(IllegalArgumentException.class);
    try (ShardedStore store = open(2)) {
      store.map("map", Integer.class, Integer.class);
      assertThatThrownBy(() -> store.map("map", Integer.class, Long.class))
          .isInstanceOf(SchemaMismatchException.class);
      assertThatThrownBy(() -> store.sortedMap("map", Integer.class, Integer.class))
          .isInstanceOf(SchemaMismatchException.class);
      assertThatThrownBy(() -> open(2)).isInstanceOf(LockedException.class);
      assertThatThrownBy(() -> Heap.open(directory.resolve("shard-0001")))
          .isInstanceOf(LockedException.class);
    }
    ShardedStore closed = open(2);
    closed.close();
    closed.close();
    assertThatThrownBy(closed::sync).isInstanceOf(ClosedException.class);
    Path one = directory.resolve("shard-0000");
    Path two = directory.resolve("shard-0001");
    Path aside = directory.resolve("aside");
    Files.move(one, aside);
    Files.move(two, one);
    Files.move(aside, two);
    assertThatThrownBy(() -> open(2)).isInstanceOf(ForeignException.class);
    Files.move(one, aside);
    assertThatThrownBy(() -> open(2)).isInstanceOf(MissingException.class);
    Files.move(two, one);
    Files.move(aside, two);
    open(2).close();
    Path descriptor = directory.resolve("store");
    byte[] bytes = Files.readAllBytes(descriptor);
    bytes[13] ^= 1;
    Files.write(descriptor, bytes);
    assertThatThrownBy(() -> open(2)).isInstanceOf(CorruptException.class);
    Files.write(descriptor, new byte[3]);
    assertThatThrownBy(() -> open(2)).isInstanceOf(CorruptException.class);
    Path heap = directory.resolve("heap only");
    Heap.open(heap).close();
    assertThatThrownBy(() -> ShardedStore.open(heap)).isInstanceOf(ForeignException.class);
  }
}
