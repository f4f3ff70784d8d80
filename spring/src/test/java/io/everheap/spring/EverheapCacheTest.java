package io.everheap.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.cache.DurableCache;
import io.everheap.cache.EvictionPolicy;
import io.everheap.cache.codec.CacheCodecs;
import io.everheap.codec.CodecOutput;
import io.everheap.error.LockedException;
import io.everheap.support.Limit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.cache.Cache;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.util.unit.DataSize;

/** Caches of Spring and their manager, without an application context. */
class EverheapCacheTest {
  /** A value. */
  record Person(String name, int age) implements Serializable {}

  @TempDir Path directory;
  private EverheapCacheManager manager;

  @BeforeEach
  void open() {
    manager = builder().build();
  }

  @AfterEach
  void close() {
    manager.close();
  }

  private EverheapCacheManager.Builder builder() {
    var options = new EverheapCacheOptions();
    options.setCapacity(DataSize.ofMegabytes(2));
    return EverheapCacheManager.builder(directory)
        .packages(List.of("io.everheap.spring"))
        .defaults(options);
  }

  private void restart() {
    manager.close();
    manager = builder().build();
  }

  private EverheapCache cache() {
    var cache = (EverheapCache) manager.getCache("people");
    cache.getNativeCache().blocks().awaitIndexed();
    return cache;
  }

  /** The entries stay, so that another program may read them; the first one is reported. */
  @Test
  void refusedEntriesAreMissesWithOneWarning() throws IOException {
    List<String> warnings = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            warnings.add(entry.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("io.everheap.cache");
    logger.addHandler(handler);
    try {
      cache().put("sound", "value");
      DurableCache<Object, Object> durable = cache().getNativeCache();
      for (String key : List.of("a", "b")) {
        var bytes = new ByteArrayOutputStream();
        bytes.write(0); // the form of what is serialized
        try (var out = new ObjectOutputStream(bytes)) {
          out.writeObject(new javax.management.ObjectName("of:another=package"));
        } catch (javax.management.MalformedObjectNameException e) {
          throw new AssertionError(e);
        }
        var stored = new CodecOutput();
        CacheCodecs.keys(Object.class, getClass().getClassLoader()).write(key, stored);
        durable.blocks().put(stored.toByteArray(), bytes.toByteArray());
        assertThat(cache().get(key)).isNull();
        assertThat(cache().get(key, () -> "loaded")).isEqualTo("loaded");
      }
      assertThat(cache().get("sound", String.class)).isEqualTo("value");
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(warnings).hasSize(1);
  }

  /** Of another package than those of the program. */
  @Test
  void classesThatAreNotAllowedAreRefused() {
    manager.close();
    var options = new EverheapCacheOptions();
    options.setSerialFilter("!io.everheap.spring.EverheapCacheTest$Person");
    manager = builder().cache("people", options).build();
    assertThatThrownBy(() -> cache().put("ann", new Person("Ann", 30)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("serial filter");
    assertThat(cache().get("ann")).isNull();
    cache().put(new SimpleKey("ann", 1), List.of("of the JDK"));
    assertThat((Object) cache().get(new SimpleKey("ann", 1), List.class))
        .isEqualTo(List.of("of the JDK"));
  }

  @Test
  void entriesAreThereAfterARestart() {
    cache().put("ann", new Person("Ann", 30));
    cache().put(new SimpleKey("ann", 1), "of two parameters");
    cache().put(SimpleKey.EMPTY, "of none");
    cache().put("nobody", null);
    cache().put("gone", 1);
    cache().evict("gone");
    restart();
    assertThat(cache().get("ann", Person.class)).isEqualTo(new Person("Ann", 30));
    assertThat(cache().get(new SimpleKey(new String("ann"), 1)).get())
        .isEqualTo("of two parameters");
    assertThat(cache().get(new SimpleKey()).get()).isEqualTo("of none");
    assertThat(cache().get("nobody").get()).isNull();
    assertThat(cache().get("gone")).isNull();
  }

  /** A key as Spring makes it of parameters, with a list of its class. */
  private static SimpleKey of(List<Integer> list, Set<String> set) {
    return new SimpleKey(list, "text", set);
  }

  @Test
  void whatWasCachedForAListIsEvictedByAnEqualList() {
    EverheapCache cache = cache();
    cache.put(List.of(1, 2), "a list");
    cache.put(of(List.of(1, 2), Set.of("a", "b")), "of parameters");
    restart();
    cache = cache();
    assertThat(cache.get(Arrays.asList(1, 2)).get()).isEqualTo("a list");
    SimpleKey equal = of(Arrays.asList(1, 2), new LinkedHashSet<>(List.of("b", "a")));
    assertThat(equal).isEqualTo(of(List.of(1, 2), Set.of("a", "b")));
    assertThat(cache.get(equal).get()).isEqualTo("of parameters");
    assertThat(cache.get(equal, () -> "loaded")).isEqualTo("of parameters");
    assertThat(cache.putIfAbsent(equal, "other").get()).isEqualTo("of parameters");
    assertThat(cache.evictIfPresent(Arrays.asList(1, 2))).isTrue();
    assertThat(cache.get(List.of(1, 2))).isNull();
    cache.evict(equal);
    assertThat(cache.get(of(List.of(1, 2), Set.of("a", "b")))).isNull();
    assertThat(cache.invalidate()).isFalse();
  }

  @Test
  void equalParametersNeedNotBeTheSameObjects() {
    LocalDate date = LocalDate.of(2026, 2, 28);
    cache().put(new SimpleKey(date, date), "a day");
    assertThat(cache().get(new SimpleKey(date, LocalDate.of(2026, 2, 28))).get())
        .isEqualTo("a day");
    assertThat(cache().evictIfPresent(new SimpleKey(LocalDate.of(2026, 2, 28), date))).isTrue();
  }

  @Test
  void arraysOfParametersAreComparedByTheirElements() {
    cache().put(new SimpleKey((Object) new int[] {1}, new Object[] {List.of(1)}), "arrays");
    assertThat(
            cache()
                .get(new SimpleKey((Object) new int[] {1}, new Object[] {Arrays.asList(1)}))
                .get())
        .isEqualTo("arrays");
  }

  @Test
  void aKeyThatCannotBeFoundByAnEqualOneIsRefused() {
    assertThatThrownBy(
            () -> cache().get(new SimpleKey(1, new TreeSet<>(String.CASE_INSENSITIVE_ORDER))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("TreeSet");
  }

  @Test
  void recordsNeedNotBeSerializable() {
    record Pair(String name, List<Integer> numbers) {}
    record Page(List<Pair> pairs) {}
    Page page = new Page(List.of(new Pair("a", List.of(1, 2)), new Pair("b", List.of())));
    cache().put(new SimpleKey(new Pair("key", List.of(3))), page);
    restart();
    assertThat(cache().get(new SimpleKey(new Pair("key", List.of(3)))).get()).isEqualTo(page);
  }

  @Test
  void anEncryptedCacheNeedsItsKey() throws Exception {
    Path key = Files.writeString(directory.resolve("key"), "00".repeat(32));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    for (int opening = 0; opening < 2; opening++) {
      try (var encrypted = builder().cache("secrets", its -> its.setKey("file:" + key)).build()) {
        var cache = (EverheapCache) encrypted.getCache("secrets");
        cache.getNativeCache().blocks().awaitIndexed();
        assertThat(cache.get("a", String.class)).isEqualTo(opening == 0 ? null : "b");
        cache.put("a", "b");
      }
    }
    assertThatThrownBy(() -> manager.getCache("secrets")).hasStackTraceContaining("EH-ENCRYPTION");
  }

  @Test
  void theCacheDoesWhatSpringSays() {
    Cache cache = cache();
    assertThat(cache.putIfAbsent("a", 1)).isNull();
    assertThat(cache.putIfAbsent("a", 2).get()).isEqualTo(1);
    assertThat(cache.evictIfPresent("a")).isTrue();
    assertThat(cache.evictIfPresent("a")).isFalse();
    assertThat(cache.invalidate()).isFalse();
    cache.put("a", 1);
    assertThat(cache.invalidate()).isTrue();
    assertThat(cache.get("a")).isNull();
    cache.put("a", 1);
    assertThatThrownBy(() -> cache.get("a", String.class))
        .isInstanceOf(IllegalStateException.class);
    cache.clear();
    assertThat(cache.get("a", Integer.class)).isNull();
    assertThat(cache.getName()).isEqualTo("people");
  }

  @Test
  void aMissingValueIsLoadedOnceAlsoIfItIsNull() {
    AtomicInteger loads = new AtomicInteger();
    assertThat(cache().get("a", loads::incrementAndGet)).isEqualTo(1);
    assertThat(cache().get("a", loads::incrementAndGet)).isEqualTo(1);
    assertThat(
            cache()
                .<Object>get(
                    "none",
                    () -> {
                      loads.incrementAndGet();
                      return null;
                    }))
        .isNull();
    assertThat(cache().get("none", loads::incrementAndGet)).isNull();
    assertThat(loads).hasValue(2);
  }

  @Test
  void aLoaderThatFailsLeavesNothing() {
    assertThatThrownBy(
            () ->
                cache()
                    .get(
                        "a",
                        () -> {
                          throw new java.io.IOException("a loader");
                        }))
        .isInstanceOf(Cache.ValueRetrievalException.class)
        .hasRootCauseMessage("a loader");
    assertThat(cache().get("a")).isNull();
  }

  @Test
  void allThatAskGetTheResultOfOneLoad() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger loads = new AtomicInteger();
    EverheapCache cache = cache();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<CompletableFuture<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        all.add(
            CompletableFuture.supplyAsync(
                () ->
                    cache.get(
                        "a",
                        () -> {
                          asked.countDown();
                          Limit.await(answer);
                          return loads.incrementAndGet();
                        }),
                threads));
      }
      Limit.await(asked);
      answer.countDown();
      for (CompletableFuture<Integer> each : all) {
        assertThat(Limit.get(each)).isEqualTo(1);
      }
    }
  }

  @Test
  void valuesAreRetrievedInTheFuture() throws Exception {
    AtomicInteger loads = new AtomicInteger();
    assertThat(cache().retrieve("a")).isNull();
    CompletableFuture<Integer> source = new CompletableFuture<>();
    CompletableFuture<Integer> first =
        cache()
            .retrieve(
                "a",
                () -> {
                  loads.incrementAndGet();
                  return source;
                });
    assertThat(first).isNotDone();
    source.complete(7);
    assertThat(Limit.get(first)).isEqualTo(7);
    assertThat(Limit.get(cache().retrieve("a", () -> CompletableFuture.completedFuture(8))))
        .isEqualTo(7);
    assertThat(loads).hasValue(1);
    assertThat(((Cache.ValueWrapper) Limit.get(cache().retrieve("a"))).get()).isEqualTo(7);
    CompletableFuture<Integer> failed =
        cache()
            .retrieve(
                "b", () -> CompletableFuture.failedFuture(new UnsupportedOperationException("b")));
    assertThatThrownBy(() -> Limit.get(failed))
        .hasCauseInstanceOf(UnsupportedOperationException.class);
    assertThat(cache().retrieve("b")).isNull();
  }

  @Test
  void whatCannotBeRetrievedFailsInTheFuture() {
    Object unwritable = new Object();
    assertThat(cache().retrieve(unwritable)).isCompletedExceptionally();
    assertThat(cache().retrieve(unwritable, () -> CompletableFuture.completedFuture(1)))
        .isCompletedExceptionally();
  }

  @Test
  void cachesMayBeFixedAndHaveOptionsOfTheirOwn() {
    manager.close();
    manager =
        builder()
            .cache(
                "people",
                options -> {
                  options.setTimeToLive(Duration.ofHours(1));
                  options.setTimeToIdle(Duration.ofMinutes(1));
                  options.setPolicy(EvictionPolicy.LRU);
                  options.setCapacity(DataSize.ofMegabytes(4));
                  options.setStrict(true);
                })
            .fixed()
            .allowNullValues(false)
            .build();
    assertThat(manager.getCacheNames()).containsExactly("people");
    assertThat(manager.getCache("others")).isNull();
    assertThat(cache().getNativeCache().stats().capacityBytes()).isGreaterThan(3 << 20);
    assertThatThrownBy(() -> cache().put("a", null)).isInstanceOf(IllegalArgumentException.class);
    cache().put("a", 1);
    assertThat(cache().getNativeCache().timed().peek("a").expiresAt())
        .isBeforeOrEqualTo(java.time.Instant.now().plusSeconds(3600));
  }

  @Test
  void aDirectoryIsOfOneManager() {
    cache().put("a", 1);
    try (EverheapCacheManager other = builder().build()) {
      assertThatThrownBy(() -> other.getCache("people")).isInstanceOf(LockedException.class);
      assertThat(other.getCache("../others")).isNotNull();
    }
    manager.close();
    assertThatThrownBy(() -> manager.getCache("others")).isInstanceOf(IllegalStateException.class);
  }
}
