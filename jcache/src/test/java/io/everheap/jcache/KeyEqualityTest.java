package io.everheap.jcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.jcache.statistics.Statistics;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.integration.CacheLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two keys are the same exactly if their bytes are, whatever their class says; equal lists, sets
 * and maps have the same bytes.
 */
class KeyEqualityTest {
  /** Equal whatever the case; its bytes have it. */
  static final class Loose implements Serializable {
    private static final long serialVersionUID = 1L;
    private final String text;

    Loose(String text) {
      this.text = text;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Loose loose && loose.text.equalsIgnoreCase(text);
    }

    @Override
    public int hashCode() {
      return text.toLowerCase(Locale.ROOT).hashCode();
    }
  }

  /** Never equal to another one; its bytes are. */
  static final class Strict implements Serializable {
    private static final long serialVersionUID = 1L;
    final int number;

    Strict(int number) {
      this.number = number;
    }
  }

  /** A key of two texts, as programs have them. */
  static final class Pair implements Serializable {
    private static final long serialVersionUID = 1L;
    private final String first;
    private final Object second;

    Pair(String first, Object second) {
      this.first = first;
      this.second = second;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Pair pair && pair.first.equals(first) && pair.second.equals(second);
    }

    @Override
    public int hashCode() {
      return Objects.hash(first, second);
    }
  }

  /** A key whose codec the library derives. */
  record Name(String first, LocalDate born) {}

  /** A key that is a set. */
  record Tags(Set<String> tags) implements Serializable {}

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

  private <K> Cache<K, Integer> keyedBy(Class<K> type) {
    return caches.create(
        type.getName(), new MutableConfiguration<K, Integer>().setTypes(type, Integer.class));
  }

  @Test
  void equalKeysOfDifferentBytesAreTwo() {
    Cache<Loose, Integer> cache = keyedBy(Loose.class);
    cache.put(new Loose("a"), 1);
    cache.put(new Loose("A"), 2);
    assertThat(cache.get(new Loose("a"))).isEqualTo(1);
    assertThat(cache.get(new Loose("A"))).isEqualTo(2);
    assertThat(cache).hasSize(2);
    cache.removeAll();
    assertThat(cache).isEmpty();
  }

  @Test
  void unequalKeysOfEqualBytesAreOne() {
    Cache<Strict, Integer> cache = keyedBy(Strict.class);
    cache.put(new Strict(1), 1);
    assertThat(cache.get(new Strict(1))).isEqualTo(1);
    assertThat(cache.putIfAbsent(new Strict(1), 2)).isFalse();
    Cache<byte[], Integer> arrays = keyedBy(byte[].class);
    arrays.put(new byte[] {1, 2}, 1);
    assertThat(arrays.get(new byte[] {1, 2})).isEqualTo(1);
  }

  @Test
  void equalPartsOfAKeyNeedNotBeTheSameObjects() {
    Cache<Pair, Integer> cache = keyedBy(Pair.class);
    String text = "text";
    cache.put(new Pair(text, text), 1);
    assertThat(cache.get(new Pair(text, new String(text)))).isEqualTo(1);
    Integer number = 1000;
    cache.put(new Pair("a", List.of(number, number)), 2);
    assertThat(cache.get(new Pair("a", List.of(number, Integer.valueOf("1000"))))).isEqualTo(2);
    assertThat(cache).hasSize(2);
  }

  @Test
  void keysOfAnyTypeAreToldApartByTheirTypes() {
    Cache<Object, Integer> cache = keyedBy(Object.class);
    List<Object> keys = List.of("1", 1, 1L, (short) 1, '1', 1.0, 1.0f, new Pair("1", 1));
    for (int i = 0; i < keys.size(); i++) {
      cache.put(keys.get(i), i);
    }
    for (int i = 0; i < keys.size(); i++) {
      assertThat(cache.get(keys.get(i))).isEqualTo(i);
    }
  }

  @Test
  void recordsAreKeysByTheirComponents() {
    Cache<Name, Integer> cache = keyedBy(Name.class);
    cache.put(new Name("ann", LocalDate.of(2000, 1, 1)), 1);
    assertThat(cache.get(new Name(new String("ann"), LocalDate.of(2000, 1, 1)))).isEqualTo(1);
    assertThat(cache.get(new Name(null, LocalDate.of(2000, 1, 1)))).isNull();
  }

  @Test
  void equalSetsOfDifferentOrderAreOneKey() {
    Cache<Tags, Integer> cache = keyedBy(Tags.class);
    cache.put(new Tags(new LinkedHashSet<>(List.of("a", "b"))), 1);
    assertThat(cache.get(new Tags(new LinkedHashSet<>(List.of("b", "a"))))).isEqualTo(1);
    assertThat(cache.get(new Tags(Set.of("a", "b")))).isEqualTo(1);
    assertThat(cache.remove(new Tags(new TreeSet<>(Set.of("a", "b"))))).isTrue();
    assertThat(cache).isEmpty();
  }

  @Test
  void equalListsOfDifferentClassesAreOneKey() {
    List<String> events = new CopyOnWriteArrayList<>();
    Cache<Object, Integer> cache =
        caches.create(
            "lists",
            new MutableConfiguration<Object, Integer>()
                .setTypes(Object.class, Integer.class)
                .setStatisticsEnabled(true)
                .addCacheEntryListenerConfiguration(
                    new MutableCacheEntryListenerConfiguration<Object, Integer>(
                        () -> new Told(events), null, true, true)));
    cache.put(List.of(1, 2), 1);
    cache.put(Arrays.asList(1, 2), 2);
    assertThat(cache.get(new ArrayList<>(List.of(1, 2)))).isEqualTo(2);
    assertThat(cache.containsKey(Arrays.asList(1, 2))).isTrue();
    assertThat(cache.putIfAbsent(Arrays.asList(1, 2), 3)).isFalse();
    assertThat(cache.replace(Arrays.asList(1, 2), 2, 4)).isTrue();
    assertThat(
            cache.<Integer>invoke(
                Arrays.asList(1, 2),
                (entry, arguments) -> {
                  entry.setValue(entry.getValue() + 1);
                  return entry.getValue();
                }))
        .isEqualTo(5);
    assertThat(cache.getAll(Set.of(Arrays.asList(1, 2))))
        .hasSize(1)
        .containsEntry(List.of(1, 2), 5);
    assertThat(cache.iterator().next().getKey()).isEqualTo(List.of(1, 2));
    assertThat(cache.remove(Arrays.asList(1, 2))).isTrue();
    assertThat(cache.get(List.of(1, 2))).isNull();
    assertThat(events)
        .containsExactly("CREATED 1", "UPDATED 2", "UPDATED 4", "UPDATED 5", "REMOVED 5");
    Statistics statistics = ((EverheapCache<?, ?>) cache).statistics();
    assertThat(statistics.getCachePuts()).isEqualTo(4);
    assertThat(statistics.getCacheRemovals()).isEqualTo(1);
    cache.putAll(Map.of(List.of(1), 1, List.of(2), 2, Set.of(1, 2), 3));
    cache.removeAll(Set.of(Arrays.asList(1), new HashSet<>(List.of(2, 1))));
    assertThat(cache).hasSize(1);
    cache.removeAll();
    assertThat(cache).isEmpty();
    assertThat(statistics.getCacheRemovals()).isEqualTo(4);
  }

  /** Notes what it is told. */
  private record Told(List<String> events)
      implements CacheEntryCreatedListener<Object, Integer>,
          CacheEntryUpdatedListener<Object, Integer>,
          CacheEntryRemovedListener<Object, Integer> {
    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends Object, ? extends Integer>> changes) {
      changes.forEach(change -> events.add(change.getEventType() + " " + change.getValue()));
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends Object, ? extends Integer>> changes) {
      onCreated(changes);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends Object, ? extends Integer>> changes) {
      onCreated(changes);
    }
  }

  @Test
  void equalListsOfDifferentClassesHaveOneLoad() {
    AtomicInteger loads = new AtomicInteger();
    Cache<Object, Integer> cache =
        caches.create(
            "loaded",
            new MutableConfiguration<Object, Integer>()
                .setTypes(Object.class, Integer.class)
                .setReadThrough(true)
                .setCacheLoaderFactory(
                    () ->
                        new CacheLoader<>() {
                          @Override
                          public Integer load(Object key) {
                            return loads.incrementAndGet();
                          }

                          @Override
                          public Map<Object, Integer> loadAll(Iterable<?> keys) {
                            Map<Object, Integer> all = new HashMap<>();
                            keys.forEach(key -> all.put(key, load(key)));
                            return all;
                          }
                        }));
    assertThat(cache.get(List.of(1, 2))).isEqualTo(1);
    assertThat(cache.get(Arrays.asList(1, 2))).isEqualTo(1);
  }

  @Test
  void keysThatCannotHaveOneFormAreRefused() {
    Cache<Object, Integer> cache = keyedBy(Object.class);
    assertThatThrownBy(() -> cache.put(new TreeSet<>(String.CASE_INSENSITIVE_ORDER), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("TreeSet")
        .hasMessageContaining("comparator");
  }

  @Test
  void keysThatHaveNoBytesAreRefused() {
    Cache<Object, Integer> cache = keyedBy(Object.class);
    assertThatThrownBy(() -> cache.put(new Object(), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not Serializable");
  }

  @Test
  void valuesAreCopies() {
    Cache<String, StringBuilder> cache =
        caches.create(
            "texts",
            new MutableConfiguration<String, StringBuilder>()
                .setTypes(String.class, StringBuilder.class));
    StringBuilder text = new StringBuilder("a");
    cache.put("key", text);
    text.append("b");
    assertThat(cache.get("key")).hasToString("a");
    cache.get("key").append("c");
    assertThat(cache.get("key")).hasToString("a");
  }

  /** Keys whose bytes are others after they were decoded and encoded again. */
  @Test
  void entriesAreRemovedWhateverTheirKeysAreEncodedToNow() {
    Cache<HashSet<String>, String> cache =
        caches.create("sets", new MutableConfiguration<HashSet<String>, String>());
    for (int i = 0; i < 4; i++) {
      HashSet<String> key = new HashSet<>(1000); // the capacity is serialized, and not kept
      key.add("key " + i);
      cache.put(key, "value");
    }
    Iterator<Cache.Entry<HashSet<String>, String>> all = cache.iterator();
    all.next();
    all.remove();
    assertThat(cache).hasSize(3);
    cache.removeAll();
    assertThat(cache).isEmpty();
    caches.restart();
    assertThat(caches.create("sets", new MutableConfiguration<HashSet<String>, String>()))
        .isEmpty();
  }
}
