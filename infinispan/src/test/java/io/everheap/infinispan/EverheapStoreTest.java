package io.everheap.infinispan;

import static io.everheap.infinispan.Managers.cache;
import static io.everheap.infinispan.Managers.define;
import static io.everheap.infinispan.Managers.local;
import static io.everheap.infinispan.Managers.store;
import static java.util.concurrent.TimeUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.HeapStats;
import io.everheap.infinispan.configuration.StoreDurability;
import io.reactivex.rxjava3.core.Flowable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.infinispan.Cache;
import org.infinispan.commons.ThreadGroups.ISPNBlockingThreadGroup;
import org.infinispan.commons.time.ControlledTimeService;
import org.infinispan.commons.time.TimeService;
import org.infinispan.commons.util.IntSets;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.health.HealthStatus;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.test.TestingUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Caches with a store, as a program sees them. */
class EverheapStoreTest {
  private static final String[] NAMES = {
    "orders", "a/b", "a/b/segment/1", "..", "ünï çødé", "*?\\:|\"<>", "x".repeat(240), "entries"
  };

  @TempDir Path directory;

  @Test
  void eachCacheHasAHeapOfItsOwnWhateverItsName() throws Exception {
    for (int round = 0; round < 2; round++) {
      try (DefaultCacheManager manager = local(directory)) {
        for (String name : NAMES) {
          Cache<String, String> cache = define(manager, name, cache(store -> {}).build());
          assertThat(cache.put("name", name)).isEqualTo(round == 0 ? null : name);
        }
      }
    }
    try (var heaps = Files.list(directory.resolve("everheap"))) {
      assertThat(heaps).hasSize(NAMES.length);
    }
  }

  @Test
  void severalCachesShareAHeapAndCloseItInAnyOrder() throws Exception {
    Configuration shared = cache(store -> store.path("shared")).build();
    try (DefaultCacheManager manager = local(directory)) {
      for (String name : NAMES) {
        define(manager, name, shared).put("name", name);
      }
      assertThat(store(manager.getCache(NAMES[0])).heap())
          .isSameAs(store(manager.getCache(NAMES[1])).heap());
      manager.getCache(NAMES[0]).stop();
      assertThat(manager.getCache(NAMES[1]).put("more", "there")).isNull();
      manager.getCache(NAMES[1]).stop();
      assertThat(manager.getCache(NAMES[2]).put("more", "there")).isNull();
    }
    try (DefaultCacheManager manager = local(directory)) {
      for (String name : NAMES) {
        Cache<String, String> cache = define(manager, name, shared);
        assertThat(cache.get("name")).isEqualTo(name);
      }
      assertThat(manager.getCache(NAMES[0])).hasSize(1);
      assertThat(manager.getCache(NAMES[1])).hasSize(2);
    }
  }

  @Test
  void aCacheThatIsRemovedLeavesTheOthersOfItsHeap() throws Exception {
    Configuration shared = cache(store -> store.path("shared")).build();
    try (DefaultCacheManager manager = local(directory)) {
      define(manager, "kept", shared).put("key", "value");
      define(manager, "removed", shared).put("key", "value");
      manager.administration().removeCache("removed");
      assertThat(define(manager, "removed", shared)).isEmpty();
      assertThat(manager.getCache("kept").get("key")).isEqualTo("value");
    }
  }

  @Test
  void aStoreThatIsDestroyedLeavesNothing() throws Exception {
    Configuration shared = cache(store -> store.path("shared")).build();
    try (DefaultCacheManager manager = local(directory)) {
      define(manager, "kept", shared).put("key", "value");
      define(manager, "destroyed", shared).put("key", "value");
      store(manager.getCache("destroyed")).destroy().toCompletableFuture().get();
      assertThat(store(manager.getCache("kept")).heap().names())
          .isNotEmpty()
          .noneMatch(name -> name.contains("destroyed"));
      define(manager, "own", cache(store -> {}).build()).put("key", "value");
      assertThat(directory.resolve("everheap").resolve("own")).exists();
      store(manager.getCache("own")).destroy().toCompletableFuture().get();
      assertThat(directory.resolve("everheap").resolve("own")).doesNotExist();
    }
  }

  @Test
  void aHeapIsKeptWhoseDirectoryAnotherCacheNames() throws Exception {
    try (DefaultCacheManager manager = local(directory)) {
      define(manager, "own", cache(store -> {}).build()).put("key", "value");
      define(manager, "guest", cache(store -> store.path("everheap/own")).build())
          .put("key", "value");
      store(manager.getCache("own")).destroy().toCompletableFuture().get();
    }
    try (DefaultCacheManager manager = local(directory)) {
      Cache<String, String> guest =
          define(manager, "guest", cache(store -> store.path("everheap/own")).build());
      assertThat(guest.get("key")).isEqualTo("value");
    }
  }

  @Test
  void aCacheIsOpenOnce() throws Exception {
    Configuration shared = cache(store -> store.path("shared")).build();
    Path inner = directory.resolve("inner");
    Configuration same = cache(store -> store.path("inner/shared")).build();
    try (DefaultCacheManager manager = local(inner);
        DefaultCacheManager other = local(directory)) {
      define(manager, "orders", shared);
      assertThatThrownBy(() -> define(other, "orders", same))
          .hasStackTraceContaining("is open in this process already");
      assertThat(manager.getCache("orders").put("key", "value")).isNull();
    }
  }

  @Test
  void cachesOfOneHeapHaveTheSameSettings() throws Exception {
    try (DefaultCacheManager manager = local(directory)) {
      define(manager, "first", cache(store -> store.path("shared")).build());
      assertThatThrownBy(
              () ->
                  define(
                      manager,
                      "second",
                      cache(store -> store.path("shared").durability(StoreDurability.SYNC))
                          .build()))
          .hasStackTraceContaining("give them the same settings, or the cache another path");
    }
  }

  @Test
  void entriesAreNotOpenedWithOtherSegments() throws Exception {
    try (DefaultCacheManager manager = local(directory)) {
      define(manager, "orders", cache(store -> {}).build()).put("key", "value");
    }
    var other = cache(store -> {});
    other.clustering().hash().numSegments(16);
    try (DefaultCacheManager manager = local(directory)) {
      assertThatThrownBy(() -> define(manager, "orders", other.build()))
          .hasStackTraceContaining("was stored with 256 segments")
          .hasStackTraceContaining("with 16 segments");
    }
    try (DefaultCacheManager manager = local(directory)) {
      assertThatThrownBy(
              () -> define(manager, "orders", cache(store -> store.segmented(false)).build()))
          .hasStackTraceContaining("is to be opened without segments");
    }
    other.persistence().stores().get(0).purgeOnStartup(true);
    try (DefaultCacheManager manager = local(directory)) {
      assertThat(define(manager, "orders", other.build())).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBatchAndAClearAreOneCommitEach(StoreDurability durability) throws Exception {
    try (DefaultCacheManager manager = local(directory)) {
      Cache<Integer, String> cache =
          define(manager, "orders", cache(store -> store.durability(durability)).build());
      Map<Integer, String> many = new HashMap<>();
      for (int i = 0; i < 90; i++) { // fewer than max-batch-size
        many.put(i, "value " + i);
      }
      long before = commits(cache);
      cache.putAll(many);
      assertThat(commits(cache) - before).isEqualTo(1);
      cache.clear();
      assertThat(commits(cache) - before).isEqualTo(2);
      assertThat(cache).isEmpty();
    }
  }

  private static long commits(Cache<?, ?> cache) {
    HeapStats stats = store(cache).heap().stats();
    return stats.commits();
  }

  @Test
  void sizesAreExactAndExpiredEntriesArePurgedAlone() throws Exception {
    var time = new ControlledTimeService();
    try (DefaultCacheManager manager = local(directory)) {
      TestingUtil.replaceComponent(manager, TimeService.class, time, true);
      Cache<Integer, String> cache = define(manager, "orders", cache(store -> {}).build());
      EverheapStore<?, ?> store = store(cache);
      for (int i = 0; i < 1000; i++) {
        cache.put(i, "immortal");
        cache.put(i, "mortal", i % 10 == 0 ? 1 : 100, HOURS);
      }
      for (int i = 0; i < 100; i++) {
        cache.put(i, "immortal again");
      }
      assertThat(size(store)).isEqualTo(1000);
      time.advance(HOURS.toMillis(2));
      assertThat(size(store)).isEqualTo(1000 - 90);
      assertThat(approximateSize(store)).isEqualTo(1000);
      var purged = Flowable.fromPublisher(store.purgeExpired()).toList().blockingGet();
      assertThat(purged).hasSize(90).allMatch(entry -> (Integer) entry.getKey() % 10 == 0);
      assertThat(approximateSize(store)).isEqualTo(size(store)).isEqualTo(1000 - 90);
      time.advance(HOURS.toMillis(200));
      assertThat(size(store)).isEqualTo(100);
    }
  }

  @ParameterizedTest
  @CsvSource({"2000, 10, 256", "20, 1000000, 2"})
  void noMoreIsPurgedThanIsTakenAndALittle(int entries, int bytes, int most) throws Exception {
    var time = new ControlledTimeService();
    try (DefaultCacheManager manager = local(directory)) {
      TestingUtil.replaceComponent(manager, TimeService.class, time, true);
      Cache<Integer, byte[]> cache =
          define(manager, "orders", cache(store -> store.segmented(false)).build());
      EverheapStore<?, ?> store = store(cache);
      for (int i = 0; i < entries; i++) {
        cache.put(i, new byte[bytes], 1, HOURS);
      }
      time.advance(HOURS.toMillis(2));
      var purging = // in a thread where the publisher does its work at once
          new Thread(
              new ISPNBlockingThreadGroup("purging"),
              () -> Flowable.fromPublisher(store.purgeExpired()).test(1).cancel());
      purging.start();
      purging.join();
      assertThat(approximateSize(store)).isBetween(entries - (long) most, entries - 1L);
      assertThat(size(store)).isZero();
    }
  }

  /** What is larger than the log is written beside it. */
  @Test
  void valuesMayBeLargerThanTheLogAndKeysHaveALimit() throws Exception {
    Configuration small =
        cache(store -> store.logSize(16 << 20).durability(StoreDurability.SYNC)).build();
    byte[] large = new byte[40 << 20];
    large[large.length - 1] = 1;
    try (DefaultCacheManager manager = local(directory)) {
      Cache<Object, byte[]> cache = define(manager, "orders", small);
      cache.put("large", large);
      assertThatThrownBy(() -> cache.put(new byte[300_000], new byte[1]))
          .hasStackTraceContaining("more than the limit of 262144");
    }
    try (DefaultCacheManager manager = local(directory)) {
      Cache<Object, byte[]> cache = define(manager, "orders", small);
      assertThat(cache.get("large")).isEqualTo(large);
      cache.clear();
    }
    try (DefaultCacheManager manager = local(directory)) {
      assertThat(define(manager, "orders", small)).isEmpty();
    }
  }

  private static long size(EverheapStore<?, ?> store) throws Exception {
    return store.size(IntSets.immutableRangeSet(256)).toCompletableFuture().get();
  }

  private static long approximateSize(EverheapStore<?, ?> store) throws Exception {
    return store.approximateSize(IntSets.immutableRangeSet(256)).toCompletableFuture().get();
  }

  @Test
  void aHeapWithCachesIsSound() throws Exception {
    try (DefaultCacheManager manager = local(directory)) {
      Cache<Integer, String> cache =
          define(manager, "orders", cache(store -> store.path("shared")).build());
      for (int i = 0; i < 1000; i++) {
        cache.put(i, "value " + i, i % 2 == 0 ? -1 : 1, HOURS);
        cache.remove(i - 100);
      }
      var report = store(cache).heap().verify();
      assertThat(report.problems()).isEmpty();
      assertThat(report.unreachable()).isZero();
    }
  }

  @Test
  void infinispanCountsWhatItStoresAndKnowsWhetherTheStoreIsThere() throws Exception {
    var configuration = cache(store -> {});
    configuration.statistics().enable();
    configuration.memory().maxCount(1);
    try (DefaultCacheManager manager = local(directory)) {
      Cache<Integer, String> cache = define(manager, "orders", configuration.build());
      for (int i = 0; i < 10; i++) {
        cache.put(i, "value");
      }
      assertThat(cache.getAdvancedCache().getStats().getApproximateEntriesUnique()).isEqualTo(10);
      assertThat(
              manager.getHealth().getCacheHealth(java.util.Set.of("orders")).getFirst().getStatus())
          .isEqualTo(HealthStatus.HEALTHY);
      EverheapStore<?, ?> store = store(cache);
      assertThat(store.isAvailable().toCompletableFuture().get()).isTrue();
      store.heap().close();
      assertThat(store.isAvailable().toCompletableFuture().get()).isFalse();
      assertThatThrownBy(() -> cache.put(11, "value")).hasStackTraceContaining("EH-");
    }
  }
}
