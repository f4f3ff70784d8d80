package io.everheap.jcache;

import static io.everheap.jcache.Caches.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.everheap.support.Limit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriter;
import javax.cache.integration.CacheWriterException;
import javax.cache.integration.CompletionListenerFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loaders and writers that fail, or do a part of what they should. */
class SourcesTest {
  /** Loads the length of a key; fails for "bad", and knows nothing of keys that begin with "no". */
  private static final class Lengths implements CacheLoader<String, Integer> {
    final AtomicInteger loads = new AtomicInteger();

    @Override
    public Integer load(String key) {
      loads.incrementAndGet();
      if (key.equals("bad")) {
        throw new UnsupportedOperationException(key);
      }
      return key.startsWith("no") ? null : key.length();
    }

    @Override
    public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
      Map<String, Integer> loaded = new HashMap<>();
      keys.forEach(key -> loaded.put(key, load(key)));
      loaded.put("unasked", 7);
      return loaded;
    }
  }

  /** Keeps what it writes; fails at "bad", of several entries after those before it. */
  private static final class Store implements CacheWriter<String, Integer> {
    final Map<String, Integer> written = new HashMap<>();
    final List<Object> deleted = new ArrayList<>();

    @Override
    public void write(Cache.Entry<? extends String, ? extends Integer> entry) {
      fail(entry.getKey());
      written.put(entry.getKey(), entry.getValue());
    }

    @Override
    public void writeAll(Collection<Cache.Entry<? extends String, ? extends Integer>> entries) {
      entries.removeIf(
          entry -> {
            boolean writes = !entry.getKey().equals("bad");
            if (writes) {
              write(entry);
            }
            return writes;
          });
      entries.forEach(entry -> fail(entry.getKey()));
    }

    @Override
    public void delete(Object key) {
      fail(key);
      deleted.add(key);
    }

    @Override
    public void deleteAll(Collection<?> keys) {
      keys.removeIf(
          key -> {
            boolean deletes = !key.equals("bad");
            if (deletes) {
              delete(key);
            }
            return deletes;
          });
      keys.forEach(Store::fail);
    }

    private static void fail(Object key) {
      if (key.equals("bad")) {
        throw new UnsupportedOperationException("bad");
      }
    }
  }

  @TempDir Path directory;
  private Caches caches;
  private final Lengths lengths = new Lengths();
  private final Store store = new Store();

  @BeforeEach
  void open() {
    caches = new Caches(directory);
  }

  @AfterEach
  void close() {
    caches.close();
  }

  private Cache<String, Integer> loading() {
    return caches.create(
        "loading", numbers().setReadThrough(true).setCacheLoaderFactory(() -> lengths));
  }

  private Cache<String, Integer> writing() {
    return caches.create(
        "writing", numbers().setWriteThrough(true).setCacheWriterFactory(() -> store));
  }

  @Test
  void whatIsMissingIsLoadedOnce() {
    Cache<String, Integer> cache = loading();
    assertThat(cache.get("four")).isEqualTo(4);
    assertThat(cache.get("four")).isEqualTo(4);
    assertThat(lengths.loads).hasValue(1);
    assertThat(cache.get("nothing")).isNull();
    assertThat(cache.containsKey("nothing")).isFalse();
    assertThat(cache.getAll(Set.of("four", "three", "none"))).containsOnlyKeys("four", "three");
    assertThat(cache.getAndPut("new", 1)).isNull();
    assertThat(cache.replace("other", 1)).isFalse();
    assertThat(lengths.loads).hasValue(4);
  }

  @Test
  void aLoaderThatFailsLeavesNothing() {
    Cache<String, Integer> cache = loading();
    assertThatThrownBy(() -> cache.get("bad"))
        .isInstanceOf(CacheLoaderException.class)
        .hasRootCauseMessage("bad");
    assertThatThrownBy(() -> cache.invoke("bad", (entry, arguments) -> entry.getValue()))
        .isInstanceOf(CacheLoaderException.class);
    assertThat(cache).isEmpty();
    assertThat(cache.get("good")).isEqualTo(4);
  }

  @Test
  void aProcessorLoadsWhatItReads() {
    Cache<String, Integer> cache = loading();
    Object loaded = cache.invoke("four", (entry, arguments) -> entry.getValue());
    assertThat(loaded).isEqualTo(4);
    assertThat(cache.containsKey("four")).isTrue();
    Object removed =
        cache.invoke(
            "three",
            (entry, arguments) -> {
              Integer value = entry.getValue();
              entry.remove();
              return value;
            });
    assertThat(removed).isEqualTo(5);
    assertThat(cache.containsKey("three")).isFalse();
  }

  @Test
  void severalAreLoadedTogetherAsFarAsTheyAreThere() throws Exception {
    Cache<String, Integer> cache = loading();
    cache.put("four", 1);
    load(cache, Set.of("four", "three", "none"), false);
    assertThat(cache)
        .extracting(each -> entry(each.getKey(), each.getValue()))
        .containsExactlyInAnyOrder(entry("four", 1), entry("three", 5));
    load(cache, Set.of("four"), true);
    assertThat(cache.get("four")).isEqualTo(4);
    assertThatThrownBy(() -> load(cache, Set.of("bad"), true))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(CacheLoaderException.class);
  }

  private static void load(Cache<String, Integer> cache, Set<String> keys, boolean replaces)
      throws InterruptedException, ExecutionException {
    CompletionListenerFuture done = new CompletionListenerFuture();
    cache.loadAll(keys, replaces, done);
    Limit.get(done);
  }

  @Test
  void threadsThatAskForAKeyGetTheResultOfOneLoad() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger loads = new AtomicInteger();
    CacheLoader<String, Integer> slow =
        new CacheLoader<>() {
          @Override
          public Integer load(String key) {
            asked.countDown();
            await(answer);
            return loads.incrementAndGet();
          }

          @Override
          public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
            throw new UnsupportedOperationException();
          }
        };
    Cache<String, Integer> cache =
        caches.create("slow", numbers().setReadThrough(true).setCacheLoaderFactory(() -> slow));
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<CompletableFuture<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(CompletableFuture.supplyAsync(() -> cache.get("a"), threads));
      }
      await(asked);
      answer.countDown();
      for (CompletableFuture<Integer> each : all) {
        assertThat(Limit.get(each)).isEqualTo(1);
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      Limit.await(latch);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aLoaderMayAskForOtherKeys() {
    Cache<?, ?>[] itself = new Cache<?, ?>[1];
    CacheLoader<String, Integer> sum =
        new CacheLoader<>() {
          @Override
          public Integer load(String key) {
            return key.equals("self") ? ask(key) : key.isEmpty() ? 0 : 1 + ask(key.substring(1));
          }

          @SuppressWarnings("unchecked")
          private int ask(String key) {
            return ((Cache<String, Integer>) itself[0]).get(key);
          }

          @Override
          public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
            throw new UnsupportedOperationException();
          }
        };
    Cache<String, Integer> cache =
        caches.create("sums", numbers().setReadThrough(true).setCacheLoaderFactory(() -> sum));
    itself[0] = cache;
    assertThat(cache.get("x".repeat(300))).isEqualTo(300);
    assertThatThrownBy(() -> cache.get("self"))
        .isInstanceOf(CacheLoaderException.class)
        .hasRootCauseInstanceOf(IllegalStateException.class);
    cache.put("self", 1);
    assertThat(cache.get("self")).isEqualTo(1);
  }

  @Test
  void aWriteThatFailsChangesNothing() {
    Cache<String, Integer> cache = writing();
    cache.put("a", 1);
    List<Runnable> changes =
        List.of(
            () -> cache.put("bad", 2),
            () -> cache.getAndPut("bad", 2),
            () -> cache.putIfAbsent("bad", 2),
            () -> cache.remove("bad"),
            () -> cache.getAndRemove("bad"),
            () ->
                cache.invoke(
                    "bad",
                    (entry, arguments) -> {
                      entry.setValue(2);
                      return null;
                    }));
    for (Runnable change : changes) {
      assertThatThrownBy(change::run)
          .isInstanceOf(CacheWriterException.class)
          .hasRootCauseMessage("bad");
    }
    assertThat(cache).extracting(Cache.Entry::getKey).containsExactly("a");
    assertThat(store.written).containsExactly(entry("a", 1));
  }

  @Test
  void whatWasWrittenBeforeAFailureIsPut() {
    Cache<String, Integer> cache = writing();
    assertThatThrownBy(() -> cache.putAll(Map.of("a", 1, "bad", 2, "c", 3)))
        .isInstanceOf(CacheWriterException.class);
    assertThat(cache).extracting(Cache.Entry::getKey).containsExactlyInAnyOrder("a", "c");
    assertThat(store.written).containsOnlyKeys("a", "c");
    assertThatThrownBy(() -> cache.removeAll(Set.of("a", "bad")))
        .isInstanceOf(CacheWriterException.class);
    assertThat(cache).extracting(Cache.Entry::getKey).containsExactly("c");
    cache.removeAll();
    assertThat(store.deleted).containsExactly("a", "c");
    cache.removeAll();
    assertThat(store.deleted).hasSize(2); // there was nothing to delete
  }

  @Test
  void removalsAreWrittenAlsoOfWhatIsNotThere() {
    Cache<String, Integer> cache = writing();
    assertThat(cache.remove("a")).isFalse();
    assertThat(cache.remove("a", 1)).isFalse();
    cache.removeAll(Set.of("b"));
    cache.clear();
    assertThat(store.deleted).containsExactly("a", "b");
  }

  @Test
  void whatIsLoadedIsNotWritten() throws Exception {
    Cache<String, Integer> cache =
        caches.create(
            "both",
            numbers()
                .setReadThrough(true)
                .setCacheLoaderFactory(() -> lengths)
                .setWriteThrough(true)
                .setCacheWriterFactory(() -> store));
    assertThat(cache.get("four")).isEqualTo(4);
    load(cache, Set.of("three"), true);
    assertThat(store.written).isEmpty();
  }
}
