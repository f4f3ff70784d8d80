package io.everheap.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.everheap.cache.codec.CacheCodecs;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Equal keys of different classes are one key of a cache of objects. */
class EqualKeysTest {
  /** A key with a set. */
  record Tags(Set<String> tags) implements Serializable {}

  /** Keys that are equal. */
  record Keys(List<Object> all) {}

  @TempDir Path directory;
  private final List<String> removals = new CopyOnWriteArrayList<>();
  private DurableCache<Object, Object> cache;

  @BeforeEach
  void open() {
    cache = open(directory);
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private DurableCache<Object, Object> open(Path at) {
    ClassLoader loader = getClass().getClassLoader();
    return DurableCache.builder(
            at,
            Caches.SMALL,
            CacheCodecs.keys(Object.class, loader, Caches.OWN),
            CacheCodecs.values(Object.class, loader, Caches.OWN))
        .executor(Runnable::run)
        .removalListener((key, value, cause) -> removals.add(key + "=" + value + " " + cause))
        .open();
  }

  @SuppressWarnings("JdkObsolete") // a LinkedList is a key like others
  private static List<Keys> keys() {
    return List.of(
        new Keys(
            List.of(
                List.of(1, 2),
                Arrays.asList(1, 2),
                new ArrayList<>(List.of(1, 2)),
                new LinkedList<>(List.of(1, 2)))),
        new Keys(
            List.of(
                Set.of("a", "b", "c"),
                new LinkedHashSet<>(List.of("c", "a", "b")),
                new TreeSet<>(Set.of("a", "b", "c")),
                Map.of("a", 1, "b", 2, "c", 3).keySet())),
        new Keys(
            List.of(
                Map.of("a", 1, "b", 2),
                new TreeMap<>(Map.of("a", 1, "b", 2)),
                new HashMap<>(Map.of("b", 2, "a", 1)))),
        new Keys(
            List.of(
                new Tags(Set.of("x", "y")),
                new Tags(new TreeSet<>(Set.of("x", "y"))),
                new Tags(new LinkedHashSet<>(List.of("y", "x"))))),
        new Keys(
            List.of(
                Map.entry(1, List.of()),
                new HashMap<>(Map.of(1, new ArrayList<>())).entrySet().iterator().next())));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void anEntryIsFoundReplacedAndRemovedByAnEqualKey(Keys keys) {
    int count = 0;
    for (Object one : keys.all) {
      for (Object other : keys.all) {
        cache.put(one, "1");
        assertThat(cache.getIfPresent(other)).isEqualTo("1");
        assertThat(cache.timed().contains(other)).isTrue();
        cache.put(other, "2");
        assertThat(cache.estimatedSize()).isEqualTo(1);
        assertThat(cache.getIfPresent(one)).isEqualTo("2");
        assertThat(cache.putIfAbsent(one, "3")).isEqualTo("2");
        assertThat(cache.asMap().replace(other, "2", "4")).isTrue();
        assertThat(cache.timed().expireAt(one, Instant.MAX)).isTrue();
        cache.invalidate(other);
        assertThat(cache.getIfPresent(one)).isNull();
        count++;
      }
    }
    assertThat(cache.stats().invalidations()).isEqualTo(count);
    assertThat(cache.stats().replacements()).isEqualTo(2L * count);
    assertThat(removals).hasSize(3 * count);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void anEntryIsFoundByAnEqualKeyAfterARestart(Keys keys) {
    for (Object one : keys.all) {
      cache.put(one, "1");
      cache.close();
      cache = open(directory);
      cache.blocks().awaitIndexed();
      for (Object other : keys.all) {
        assertThat(cache.getIfPresent(other)).isEqualTo("1");
      }
      cache.invalidate(keys.all.getFirst());
      assertThat(cache.asMap()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("keys")
  void iteratorsReturnAKeyThatIsEqualToAll(Keys keys) {
    for (Object one : keys.all) {
      cache.put(one, "1");
      assertThat(cache.asMap()).containsExactly(entry(one, "1"));
      for (Object other : keys.all) {
        Object read = cache.asMap().keySet().iterator().next();
        assertThat(read).isEqualTo(other);
        assertThat(other).isEqualTo(read);
        assertThat(cache.asMap().remove(read)).isEqualTo("1");
        cache.put(other, "1");
      }
      cache.asMap().keySet().removeIf(key -> key.equals(one));
      assertThat(cache.asMap()).isEmpty();
    }
  }

  @Test
  void aLoadOfAnEqualKeyIsTheSame() {
    AtomicInteger loads = new AtomicInteger();
    assertThat(cache.get(List.of(1, 2), key -> loads.incrementAndGet())).isEqualTo(1);
    assertThat(cache.get(Arrays.asList(1, 2), key -> loads.incrementAndGet())).isEqualTo(1);
    assertThat(cache.getAllPresent(List.of(Arrays.asList(1, 2)))).hasSize(1);
    assertThatThrownBy(
            () ->
                cache.get(
                    Set.of(1, 2), key -> cache.get(new TreeSet<>(Set.of(1, 2)), same -> "never")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void elementsOfOtherClassesMakeOtherKeys() {
    List<Object> keys =
        List.of(
            List.of(1, 2),
            List.of(1L, 2L),
            List.of(2, 1),
            Set.of(1, 2),
            Map.of(1, 2),
            Map.entry(1, 2),
            List.of(List.of(1, 2)),
            List.of(0.0),
            List.of(-0.0),
            new int[] {1, 2});
    for (int i = 0; i < keys.size(); i++) {
      cache.put(keys.get(i), i);
    }
    for (int i = 0; i < keys.size(); i++) {
      assertThat(cache.getIfPresent(keys.get(i))).isEqualTo(i);
    }
  }

  @Test
  void aKeyThatCannotHaveOneFormIsRefusedAndNothingIsChanged() {
    Set<String> loose = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    loose.add("a");
    for (Object key : List.of(loose, new Tags(loose), List.of(loose))) {
      assertThatThrownBy(() -> cache.put(key, "1"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("TreeSet")
          .hasMessageContaining("HashSet");
      assertThatThrownBy(() -> cache.getIfPresent(key))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> cache.invalidate(key)).isInstanceOf(IllegalArgumentException.class);
    }
    cache.put(new HashSet<>(loose), "1");
    assertThat(cache.asMap()).containsExactly(entry(Set.of("a"), "1"));
  }

  @Test
  void aListThatIsChangedAfterItWasPutIsAnotherKey() {
    List<Integer> key = new ArrayList<>(List.of(1));
    cache.put(key, "1");
    key.add(2);
    assertThat(cache.getIfPresent(key)).isNull();
    assertThat(cache.getIfPresent(List.of(1))).isEqualTo("1");
  }

  @Test
  void aValueKeepsItsClass() {
    cache.put("key", new LinkedHashMap<>(Map.of(1, 2)));
    assertThat(cache.getIfPresent("key")).isExactlyInstanceOf(LinkedHashMap.class);
    cache.put("key", new TreeMap<>(Map.of(1, 2)));
    assertThat(cache.getIfPresent("key")).isExactlyInstanceOf(TreeMap.class);
  }
}
