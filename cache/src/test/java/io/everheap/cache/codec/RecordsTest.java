package io.everheap.cache.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.cache.DurableCache;
import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records that are not serializable, as keys and values of caches of any class. */
class RecordsTest {
  private static final ObjectInputFilter OWN =
      ObjectInputFilter.Config.createFilter("io.everheap.**");
  @TempDir private Path directory;
  private DurableCache<Object, Object> cache;

  /** A record of scalars. */
  record Point(int x, long y) {}

  /** A record of others. */
  @SuppressWarnings("ArrayRecordComponent") // compared by its components only
  record Shape(
      String name,
      @Nullable Point first,
      List<Point> points,
      Point[] array,
      Optional<Point> mark) {}

  /** A record that refuses some values. */
  record Age(int years) {
    static int least;

    Age {
      if (years < least) {
        throw new IllegalArgumentException("too young");
      }
    }
  }

  /** A class of serialization with a record in it. */
  record Order(Point where) implements Serializable {}

  /** A record whose parts can be changed. */
  record Node(List<Object> children) {}

  @BeforeEach
  void open() {
    ClassLoader loader = getClass().getClassLoader();
    cache =
        DurableCache.builder(
                directory,
                1 << 20,
                CacheCodecs.keys(Object.class, loader, OWN),
                CacheCodecs.values(Object.class, loader, OWN))
            .open();
    cache.blocks().awaitIndexed();
  }

  @AfterEach
  void close() {
    cache.close();
    Age.least = 0;
  }

  private Object stored(Object value) {
    cache.put("key", value);
    cache.close();
    open();
    return cache.getIfPresent("key");
  }

  @Test
  void aRecordIsStoredWithItsComponents() {
    assertThat(stored(new Point(1, -2))).isEqualTo(new Point(1, -2));
    assertThat(stored(new Order(new Point(3, 4)))).isEqualTo(new Order(new Point(3, 4)));
  }

  @Test
  void soAreRecordsWithinRecordsAndCollections() {
    var p = new Point(1, 2);
    var shape = new Shape("a", null, List.of(p, p), new Point[] {p, null}, Optional.of(p));
    var read = (Shape) stored(shape);
    assertThat(read).usingRecursiveComparison().isEqualTo(shape);
    Map<String, Object> map = new HashMap<>();
    map.put("a", new ArrayList<>(Arrays.asList(p, null, Optional.empty())));
    assertThat(stored(map)).isEqualTo(map);
  }

  @Test
  void equalRecordsAreTheSameKey() {
    var p = new Point(1, 2);
    cache.put(List.of(p, p), 1);
    cache.put(p, 2);
    assertThat(cache.getIfPresent(List.of(new Point(1, 2), new Point(1, 2)))).isEqualTo(1);
    assertThat(cache.getIfPresent(new Point(1, 2))).isEqualTo(2);
    assertThat(cache.getIfPresent(new Point(1, 3))).isNull();
  }

  @Test
  void aRecordThatIsRefusedWhenItIsReadIsAMiss() {
    cache.put("key", new Age(17));
    assertThat(cache.getIfPresent("key")).isEqualTo(new Age(17));
    Age.least = 18;
    assertThat(cache.getIfPresent("key")).isNull();
    cache.put("key", new Age(18));
    assertThat(cache.getIfPresent("key")).isEqualTo(new Age(18));
  }

  @Test
  void equalRecordsOfAValueStayTwo() {
    var read = (List<?>) stored(List.of(new Node(new ArrayList<>()), new Node(new ArrayList<>())));
    ((Node) read.get(0)).children().add(1);
    assertThat(((Node) read.get(1)).children()).isEmpty();
  }

  @Test
  void otherClassesAreRefusedByName() {
    assertThatThrownBy(() -> cache.put("key", new Thread()))
        .hasMessageContaining("java.lang.Thread")
        .hasMessageContaining("codec");
    assertThatThrownBy(() -> cache.put("key", new Node(List.of(new Thread()))))
        .hasStackTraceContaining("java.lang.Thread");
  }
}
