package io.everheap.jcache;

import static io.everheap.jcache.Caches.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.cache.BlockCache;
import io.everheap.cache.DurableCache;
import io.everheap.cache.EvictionPolicy;
import io.everheap.error.LockedException;
import java.io.Closeable;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.integration.CacheLoader;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Managers, names and directories. */
class ManagerTest {
  @TempDir Path directory;
  private Caches caches;

  @BeforeEach
  void open() {
    caches = new Caches(directory);
  }

  @AfterEach
  void close() {
    caches.close();
  }

  @Test
  void theProviderIsFoundByTheServiceLoader() {
    assertThat(Caching.getCachingProviders())
        .hasAtLeastOneElementOfType(EverheapCachingProvider.class);
  }

  @Test
  void anEncryptedCacheNeedsItsKey() throws Exception {
    Path key = Files.writeString(directory.resolve("key"), "00".repeat(32));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    var properties = Caches.properties(directory.resolve("caches"));
    properties.setProperty("everheap.cache.numbers.key", "file:" + key);
    for (int opening = 0; opening < 2; opening++) {
      try (var provider = new EverheapCachingProvider()) {
        Cache<String, Integer> cache =
            provider.getCacheManager(null, null, properties).createCache("numbers", numbers());
        cache.unwrap(DurableCache.class).blocks().awaitIndexed();
        assertThat(cache.get("secret")).isEqualTo(opening == 0 ? null : 1);
        cache.put("secret", 1);
      }
    }
    properties.remove("everheap.cache.numbers.key");
    try (var provider = new EverheapCachingProvider()) {
      CacheManager manager = provider.getCacheManager(null, null, properties);
      assertThatThrownBy(() -> manager.createCache("numbers", numbers()))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("EH-ENCRYPTION");
    }
  }

  @Test
  void entriesAreThereAfterARestart() {
    caches.create("numbers", numbers()).put("a", 1);
    caches.restart();
    Cache<String, Integer> cache = caches.create("numbers", numbers());
    assertThat(cache.iterator().next().getValue()).isEqualTo(1);
    assertThat(cache.get("a")).isEqualTo(1);
  }

  @Test
  void whatIsRemovedBeforeItWasFoundAgainStaysAway() {
    List<String> keys = List.of("a", "b", "c", "d", "e");
    Cache<String, Integer> cache = caches.create("numbers", numbers());
    keys.forEach(key -> cache.put(key, 1));
    caches.restart();
    Cache<String, Integer> again = caches.create("numbers", numbers()); // which looks for nothing
    assertThat(again.get("a")).isNull();
    assertThat(again.remove("a")).isFalse();
    assertThat(again.getAndRemove("b")).isNull();
    again.removeAll(Set.of("c"));
    again.put("d", 2);
    assertThat(again.unwrap(BlockCache.class).isIndexed()).isFalse();
    assertThat(again)
        .extracting(entry -> entry.getKey() + entry.getValue())
        .containsExactlyInAnyOrder("d2", "e1");
  }

  @Test
  void changesThatDependOnAnEntryWaitUntilItIsFoundAgain() {
    List<Predicate<Cache<String, Integer>>> changes =
        List.of(
            cache -> !cache.putIfAbsent("a", 2),
            cache -> cache.replace("a", 2),
            cache -> cache.replace("a", 1, 2),
            cache -> cache.getAndReplace("a", 2) == 1,
            cache -> cache.remove("a", 1),
            cache -> cache.invoke("a", (entry, arguments) -> entry.exists()));
    for (Predicate<Cache<String, Integer>> change : changes) {
      caches.create("numbers", numbers()).put("a", 1);
      caches.restart();
      assertThat(change.test(caches.create("numbers", numbers()))).isTrue();
      caches.restart();
    }
  }

  @Test
  void aClosedCacheIsWarmWhenItIsOpenedAgain() {
    Cache<String, Integer> cache = caches.create("numbers", numbers());
    cache.put("a", 1);
    cache.close();
    assertThat(caches.manager().getCacheNames()).isEmpty();
    assertThatThrownBy(() -> cache.get("a")).isInstanceOf(IllegalStateException.class);
    assertThat(caches.create("numbers", numbers())).hasSize(1);
  }

  @Test
  void aDestroyedCacheStaysDestroyed() {
    Cache<String, Integer> cache = caches.create("numbers", numbers());
    cache.put("a", 1);
    caches.manager().destroyCache("numbers");
    assertThat(cache.isClosed()).isTrue();
    assertThat(directory).isEmptyDirectory();
    caches.restart();
    assertThat(caches.create("numbers", numbers())).isEmpty();
    caches.restart();
    caches.manager().destroyCache("numbers"); // which this manager never opened
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aCacheOfDamagedPropertiesIsRefusedAndCanBeDestroyed() throws Exception {
    caches.create("numbers", numbers()).put("a", 1);
    caches.restart();
    try (var found = Files.newDirectoryStream(directory)) {
      Path its = found.iterator().next();
      Files.writeString(its.resolve("cache.properties"), "name=\\u00zz");
    }
    assertThatThrownBy(() -> caches.create("numbers", numbers()))
        .isInstanceOf(CacheException.class);
    caches.manager().destroyCache("numbers");
    assertThat(caches.create("numbers", numbers())).isEmpty();
  }

  @Test
  void whatIsLeftOfADestroyedCacheIsRemoved() throws Exception {
    Path left = Files.createDirectories(directory.resolve(".destroyed-1/entries"));
    Files.writeString(left.resolve("cache"), "a part");
    caches.create("numbers", numbers());
    assertThat(left.getParent()).doesNotExist();
  }

  @Test
  void otherTypesAreRefused() {
    caches.create("numbers", numbers()).put("a", 1);
    caches.restart();
    var others = new MutableConfiguration<String, Long>().setTypes(String.class, Long.class);
    assertThatThrownBy(() -> caches.create("numbers", others))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("java.lang.Integer")
        .hasMessageContaining("java.lang.Long")
        .hasMessageContaining("destroyCache");
    assertThat(caches.create("numbers", numbers())).hasSize(1);
    caches.manager().destroyCache("numbers");
    assertThat(caches.create("numbers", others)).isEmpty();
  }

  @Test
  void twoManagersCannotHaveTheSameCacheOpen() {
    caches.create("numbers", numbers()).put("a", 1);
    try (var provider = new EverheapCachingProvider()) {
      CacheManager other = provider.getCacheManager(null, null, Caches.properties(directory));
      assertThatThrownBy(() -> other.createCache("numbers", numbers()))
          .isInstanceOf(CacheException.class)
          .hasCauseInstanceOf(LockedException.class);
      assertThatThrownBy(() -> other.destroyCache("numbers")).isInstanceOf(CacheException.class);
      assertThat(other.createCache("others", numbers())).isEmpty();
      assertThat(other.getCacheNames()).containsExactly("others");
    }
    assertThat(caches.manager().getCache("numbers")).hasSize(1);
  }

  @Test
  void namesMayBeAnything() {
    List<String> names =
        List.of(
            "",
            ".",
            "..",
            "../../up",
            "/etc/passwd",
            "a/b\\c:d*e?f\"g<h>i|j",
            "con",
            "Case",
            "case",
            "x".repeat(5000),
            "x".repeat(5001),
            "\u00fcml\u00e4ut \u65e5\u672c \ud83d\ude00",
            "\ud800",
            "\ud801",
            "\u0000\n");
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < names.size(); i++) {
        Cache<String, Integer> cache = caches.create(names.get(i), numbers());
        assertThat(cache.getName()).isEqualTo(names.get(i));
        assertThat(cache).hasSize(round);
        assertThat(cache.get("number")).isEqualTo(round == 0 ? null : (Integer) i);
        cache.put("number", i);
      }
      caches.restart();
    }
    try (Stream<Path> found = Files.list(directory)) {
      assertThat(found.map(path -> path.getFileName().toString()))
          .hasSize(names.size())
          .allMatch(name -> name.matches("[a-z0-9_-]{1,80}"));
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void managementBeansHaveNamesForAnyCache() throws Exception {
    Cache<String, Integer> cache =
        caches.create("a=b:c,*?\"", numbers().setManagementEnabled(true));
    ObjectName name =
        new ObjectName(
            "javax.cache:type=CacheConfiguration,CacheManager=everheap.default,Cache=a.b.c....");
    var server = ManagementFactory.getPlatformMBeanServer();
    assertThat(server.getAttribute(name, "KeyType")).isEqualTo("java.lang.String");
    caches.create("a=b:c,*?.", numbers().setManagementEnabled(true)).close(); // the same name
    assertThat(server.isRegistered(name)).isTrue();
    cache.close();
    assertThat(server.isRegistered(name)).isFalse();
  }

  @Test
  void aClosedManagerRefusesEverything() {
    CacheManager manager = caches.manager();
    Cache<String, Integer> cache = caches.create("numbers", numbers());
    manager.close();
    manager.close();
    assertThat(manager.isClosed()).isTrue();
    assertThat(cache.isClosed()).isTrue();
    List<Runnable> uses =
        List.of(
            () -> manager.createCache("others", numbers()),
            () -> manager.getCache("numbers"),
            manager::getCacheNames,
            () -> manager.destroyCache("numbers"),
            () -> manager.enableStatistics("numbers", true),
            () -> cache.put("a", 1),
            () -> cache.forEach(entry -> {}),
            () -> cache.clear());
    for (Runnable use : uses) {
      assertThatThrownBy(use::run).isInstanceOf(IllegalStateException.class);
    }
    assertThat(caches.manager()).isNotSameAs(manager);
  }

  @Test
  void aCacheWithoutADirectoryIsRefused() {
    String before = System.clearProperty("everheap.directory");
    try (var provider = new EverheapCachingProvider()) {
      CacheManager manager = provider.getCacheManager(URI.create("any:name"), null);
      assertThatThrownBy(() -> manager.createCache("numbers", numbers()))
          .isInstanceOf(CacheException.class)
          .hasMessageContaining("everheap.directory");
      manager.destroyCache("numbers");
      var own = EverheapConfiguration.of(numbers()).withDirectory(directory);
      manager.createCache("numbers", own).put("a", 1);
      manager.destroyCache("numbers");
      assertThat(directory).isEmptyDirectory();
    } finally {
      if (before != null) {
        System.setProperty("everheap.directory", before);
      }
    }
  }

  @Test
  void aUriNamesADirectoryOrAFileOfProperties() throws Exception {
    Path file = Files.writeString(directory.resolve("caches.properties"), "everheap.directory=in");
    try (var provider = new EverheapCachingProvider()) {
      provider.getCacheManager(file.toUri(), null).createCache("numbers", numbers()).put("a", 1);
    }
    try (var provider = new EverheapCachingProvider()) {
      Cache<String, Integer> cache =
          provider
              .getCacheManager(directory.resolve("in").toUri(), null)
              .createCache("numbers", numbers());
      assertThat(cache).hasSize(1);
      assertThatThrownBy(
              () -> provider.getCacheManager(directory.resolve("no.properties").toUri(), null))
          .isInstanceOf(CacheException.class);
    }
  }

  @Test
  void capacityAndPolicyAreThoseOfTheConfiguration() {
    var configuration =
        EverheapConfiguration.of(numbers())
            .withCapacity(4 << 20)
            .withPolicy(EvictionPolicy.LRU)
            .withStrict(true);
    Cache<String, Integer> cache = caches.create("numbers", configuration);
    BlockCache blocks = cache.unwrap(DurableCache.class).blocks();
    assertThat(blocks.stats().capacityBytes()).isBetween(3L << 20, 4L << 20);
    assertThat(cache.unwrap(BlockCache.class)).isSameAs(blocks);
    assertThatThrownBy(() -> cache.unwrap(String.class))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aFullCacheMakesRoomWithoutEvents() {
    Cache<Integer, byte[]> cache =
        caches.create(
            "blocks",
            new MutableConfiguration<Integer, byte[]>()
                .setTypes(Integer.class, byte[].class)
                .setStatisticsEnabled(true));
    for (int i = 0; i < 200; i++) {
      cache.put(i, new byte[30_000]);
    }
    assertThat(cache).hasSizeBetween(10, 70);
    var statistics = cache.unwrap(EverheapCache.class).statistics();
    assertThat(statistics.getCacheEvictions()).isBetween(130L, 190L);
    assertThat(statistics.getCachePuts()).isEqualTo(200);
    statistics.clear();
    assertThat(statistics.getCacheEvictions()).isZero();
  }

  @Test
  void theConfigurationThatACacheReturnsIsACopy() {
    Cache<String, Integer> cache = caches.create("numbers", numbers());
    mutable(cache).setStatisticsEnabled(true);
    assertThat(Caches.configuration(cache).isStatisticsEnabled()).isFalse();
    caches.manager().enableStatistics("numbers", true);
    assertThat(Caches.configuration(cache).isStatisticsEnabled()).isTrue();
    assertThatThrownBy(
            () -> caches.manager().createCache("others", numbers().setStoreByValue(false)))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @SuppressWarnings("unchecked") // a class has no type arguments
  private static MutableConfiguration<String, Integer> mutable(Cache<String, Integer> cache) {
    return cache.getConfiguration(MutableConfiguration.class);
  }

  @Test
  void partsThatFailLeaveNoCacheOpen() {
    var failing =
        numbers()
            .setCacheLoaderFactory(
                () -> {
                  throw new UnsupportedOperationException("a factory");
                });
    assertThatThrownBy(() -> caches.create("numbers", failing))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(caches.create("numbers", numbers())).isEmpty();
  }

  @Test
  void propertiesOfTheManagerAreCopies() {
    Properties properties = caches.manager().getProperties();
    properties.clear();
    assertThat(caches.manager().getProperties()).containsKey("everheap.directory");
  }

  /** A loader that cannot be closed. */
  private static final class Stuck implements CacheLoader<String, Integer>, Closeable {
    @Override
    public Integer load(String key) {
      return 1;
    }

    @Override
    public Map<String, Integer> loadAll(Iterable<? extends String> keys) {
      return Map.of();
    }

    @Override
    public void close() {
      throw new AssertionError("of the test");
    }
  }

  @Test
  void aCacheIsClosedWhateverItsPartsThrow() {
    Cache<String, Integer> cache =
        caches.create("numbers", numbers().setCacheLoaderFactory(Stuck::new));
    cache.put("a", 1);
    assertThatThrownBy(cache::close).isInstanceOf(AssertionError.class);
    assertThat(caches.create("numbers", numbers())).hasSize(1);
  }
}
