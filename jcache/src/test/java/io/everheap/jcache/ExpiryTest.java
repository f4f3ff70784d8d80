package io.everheap.jcache;

import static io.everheap.jcache.Caches.numbers;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cache.DurableCache;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.expiry.EternalExpiryPolicy;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import javax.cache.expiry.TouchedExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When entries expire, at the corners that the conformance suite leaves out. */
class ExpiryTest {
  private static final Duration HUNDRED = new Duration(MILLISECONDS, 100);

  /** A policy of three answers. */
  private record Answers(Duration creation, Duration access, Duration update)
      implements ExpiryPolicy {
    @Override
    public Duration getExpiryForCreation() {
      return creation;
    }

    @Override
    public Duration getExpiryForAccess() {
      return access;
    }

    @Override
    public Duration getExpiryForUpdate() {
      return update;
    }
  }

  @TempDir Path directory;
  private Caches caches;
  private final List<String> events = new ArrayList<>();

  @BeforeEach
  void open() {
    caches = new Caches(directory);
  }

  @AfterEach
  void close() {
    caches.close();
  }

  private Cache<String, Integer> create(ExpiryPolicy policy) {
    return create(numbers().setExpiryPolicyFactory(() -> policy));
  }

  private Cache<String, Integer> create(MutableConfiguration<String, Integer> configuration) {
    Cache<String, Integer> cache = caches.create("numbers", configuration);
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(Told::new, null, true, true));
    return cache;
  }

  /** Notes events; made for each registration. */
  private final class Told
      implements CacheEntryCreatedListener<String, Integer>,
          CacheEntryExpiredListener<String, Integer> {
    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> created) {
      created.forEach(event -> events.add("created " + event.getKey()));
    }

    @Override
    public void onExpired(Iterable<CacheEntryEvent<? extends String, ? extends Integer>> expired) {
      expired.forEach(event -> events.add("expired " + event.getOldValue()));
    }
  }

  @Test
  void anEntryThatIsExpiredFromTheStartIsNotMade() {
    Cache<String, Integer> cache = create(new Answers(Duration.ZERO, null, null));
    cache.put("a", 1);
    assertThat(cache.putIfAbsent("a", 1)).isFalse();
    cache.putAll(Map.of("a", 1));
    assertThat(cache.getAndPut("a", 1)).isNull();
    Object result =
        cache.invoke(
            "a",
            (entry, arguments) -> {
              entry.setValue(1);
              return entry.exists();
            });
    assertThat(result).isEqualTo(true);
    assertThat(cache.containsKey("a")).isFalse();
    assertThat(events).isEmpty();
  }

  @Test
  void anEntryThatIsExpiredFromTheStartReplacesWhatWasNotFoundAgain() {
    create(new Answers(Duration.ETERNAL, null, null)).put("a", 1);
    caches.restart();
    Cache<String, Integer> cache = create(new Answers(Duration.ZERO, null, null));
    cache.put("a", 2);
    cache.unwrap(DurableCache.class).blocks().awaitIndexed();
    assertThat(cache.containsKey("a")).isFalse();
  }

  @Test
  void anEntryThatExpiresWhenItIsChangedIsGone() {
    Cache<String, Integer> cache = create(new Answers(Duration.ETERNAL, null, Duration.ZERO));
    cache.put("a", 1);
    cache.put("a", 2);
    assertThat(cache.containsKey("a")).isFalse();
    assertThat(events).containsExactly("created a", "expired 2");
  }

  @Test
  void anEntryThatExpiresWhenItIsReadIsReadOnce() {
    Cache<String, Integer> cache = create(new Answers(Duration.ETERNAL, Duration.ZERO, null));
    cache.put("a", 1);
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(cache.get("a")).isNull();
    cache.put("b", 2);
    assertThat(cache).hasSize(1);
    assertThat(cache).isEmpty();
    assertThat(events).containsExactly("created a", "expired 1", "created b", "expired 2");
  }

  @Test
  void anAccessIsAGetAndNotALook() {
    Cache<String, Integer> cache = create(new AccessedExpiryPolicy(HUNDRED));
    cache.put("a", 1);
    caches.now.addAndGet(60);
    assertThat(cache.get("a")).isEqualTo(1);
    caches.now.addAndGet(60);
    assertThat(cache.getAll(Set.of("a"))).containsOnlyKeys("a");
    caches.now.addAndGet(60);
    assertThat(cache.replace("a", 7, 8)).isFalse(); // it was compared
    caches.now.addAndGet(60);
    assertThat(cache.remove("a", 7)).isFalse();
    caches.now.addAndGet(60);
    Object value = cache.invoke("a", (entry, arguments) -> entry.getValue());
    assertThat(value).isEqualTo(1);
    caches.now.addAndGet(60);
    assertThat(cache.iterator().next().getValue()).isEqualTo(1);
    caches.now.addAndGet(60);
    assertThat(cache.containsKey("a")).isTrue();
    assertThat(cache.putIfAbsent("a", 2)).isFalse();
    Object exists = cache.invoke("a", (entry, arguments) -> entry.exists());
    assertThat(exists).isEqualTo(true);
    caches.now.addAndGet(40);
    assertThat(cache.containsKey("a")).isFalse();
  }

  @Test
  void eachPolicyCountsFromWhatItIsNamedAfter() {
    Cache<String, Integer> created = caches.create("c", with(new CreatedExpiryPolicy(HUNDRED)));
    Cache<String, Integer> modified = caches.create("m", with(new ModifiedExpiryPolicy(HUNDRED)));
    Cache<String, Integer> touched = caches.create("t", with(new TouchedExpiryPolicy(HUNDRED)));
    Cache<String, Integer> eternal = caches.create("e", with(new EternalExpiryPolicy()));
    List<Cache<String, Integer>> all = List.of(created, modified, touched, eternal);
    all.forEach(cache -> cache.put("a", 1));
    caches.now.addAndGet(60);
    all.forEach(cache -> cache.put("a", 2));
    caches.now.addAndGet(60);
    assertThat(all).map(cache -> cache.get("a")).containsExactly(null, 2, 2, 2);
    caches.now.addAndGet(60);
    assertThat(all).map(cache -> cache.get("a")).containsExactly(null, null, 2, 2);
    caches.now.addAndGet(1_000_000_000_000L);
    assertThat(all).map(cache -> cache.get("a")).containsExactly(null, null, null, 2);
  }

  private static MutableConfiguration<String, Integer> with(ExpiryPolicy policy) {
    return numbers().setExpiryPolicyFactory(() -> policy);
  }

  @Test
  void expiryHoldsAcrossARestart() {
    Cache<String, Integer> cache = create(new CreatedExpiryPolicy(HUNDRED));
    cache.put("early", 1);
    caches.now.addAndGet(60);
    cache.put("late", 2);
    cache.put("early", 3); // changes nothing in when it expires
    caches.restart();
    caches.now.addAndGet(40);
    cache = create(new EternalExpiryPolicy());
    assertThat(cache).extracting(Cache.Entry::getKey).containsExactly("late");
    caches.now.addAndGet(60);
    assertThat(cache.containsKey("late")).isFalse();
  }

  @Test
  void aPolicyThatFailsChangesNothing() {
    ExpiryPolicy failing =
        new ExpiryPolicy() {
          @Override
          public Duration getExpiryForCreation() {
            throw new UnsupportedOperationException("creation");
          }

          @Override
          public Duration getExpiryForAccess() {
            throw new UnsupportedOperationException("access");
          }

          @Override
          public Duration getExpiryForUpdate() {
            throw new UnsupportedOperationException("update");
          }
        };
    Cache<String, Integer> cache = create(failing);
    cache.put("a", 1);
    cache.put("a", 2);
    caches.now.addAndGet(1_000_000_000);
    assertThat(cache.get("a")).isEqualTo(2);
  }

  @Test
  void aTimeBeyondAllTimesIsNever() {
    Cache<String, Integer> cache =
        create(new CreatedExpiryPolicy(new Duration(DAYS, Long.MAX_VALUE)));
    cache.put("a", 1);
    caches.now.addAndGet(1_000_000_000);
    assertThat(cache.get("a")).isEqualTo(1);
  }

  @Test
  void anExpiredEntryIsToldOnceBeforeWhatTakesItsPlace() {
    Cache<String, Integer> cache = create(new CreatedExpiryPolicy(HUNDRED));
    cache.put("a", 1);
    caches.now.addAndGet(100);
    assertThat(events).containsExactly("created a"); // nothing looked for it yet
    cache.put("a", 2);
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(events).containsExactly("created a", "expired 1", "created a");
  }

  @Test
  void aListenerOfExpiredEntriesThatFailsDisturbsNoOperation() {
    Cache<String, Integer> cache = create(new CreatedExpiryPolicy(HUNDRED));
    CacheEntryExpiredListener<String, Integer> failing =
        expired -> {
          throw new UnsupportedOperationException("a listener");
        };
    cache.registerCacheEntryListener(
        new MutableCacheEntryListenerConfiguration<>(() -> failing, null, true, true));
    cache.put("a", 1);
    caches.now.addAndGet(100);
    assertThat(cache.get("a")).isNull();
    assertThat(events).containsExactly("created a", "expired 1");
  }

  @Test
  void anExpiredEntryIsNotThereForAnyOperation() {
    Cache<String, Integer> cache =
        create(
            numbers()
                .setStatisticsEnabled(true)
                .setExpiryPolicyFactory(() -> new CreatedExpiryPolicy(HUNDRED)));
    List<java.util.function.Supplier<Object>> operations =
        List.of(
            () -> cache.get("a"),
            () -> cache.getAndRemove("a"),
            () -> cache.remove("a") ? 1 : null,
            () -> cache.remove("a", 1) ? 1 : null,
            () -> cache.replace("a", 2) ? 1 : null,
            () -> cache.replace("a", 1, 2) ? 1 : null,
            () -> cache.getAndReplace("a", 2),
            () -> cache.containsKey("a") ? 1 : null,
            () -> cache.iterator().hasNext() ? 1 : null,
            () -> cache.invoke("a", (entry, arguments) -> entry.getValue()));
    for (var operation : operations) {
      events.clear();
      cache.put("a", 1);
      caches.now.addAndGet(100);
      assertThat(operation.get()).isNull();
      assertThat(events).containsExactly("created a", "expired 1");
    }
  }
}
