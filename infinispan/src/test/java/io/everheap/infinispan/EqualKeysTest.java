package io.everheap.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.infinispan.Cache;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.util.IntSets;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.distribution.ch.KeyPartitioner;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Equal keys of different classes are one key of a store. */
@Campaign
@SuppressWarnings("JdkObsolete") // a LinkedList is a key like others
class EqualKeysTest {
  private static final String NAME = "any";

  @TempDir Path directory;

  private DefaultCacheManager manager(boolean serialization) {
    if (serialization) {
      return ReleasedInfinispanCaches.manager();
    }
    return new DefaultCacheManager(new GlobalConfigurationBuilder().nonClusteredDefault().build());
  }

  private Cache<Object, String> cache(DefaultCacheManager manager) {
    var configuration = Managers.cache(store -> store.path(directory.toString()).logSize(16 << 20));
    configuration.clustering().hash().numSegments(4);
    return Managers.define(manager, NAME, configuration.build());
  }

  private static long stored(Cache<?, ?> cache) {
    return Managers.store(cache).size(IntSets.immutableRangeSet(4)).toCompletableFuture().join();
  }

  private static List<List<Object>> keys(boolean serialization) {
    List<List<Object>> keys = new ArrayList<>();
    keys.add(
        List.of(
            List.of(1, 2),
            Arrays.asList(1, 2),
            new LinkedList<>(List.of(1, 2)),
            new ArrayList<>(List.of(1, 2))));
    keys.add(
        List.of(
            new HashSet<>(Set.of("a", "b", "c")),
            new LinkedHashSet<>(List.of("c", "b", "a")),
            new TreeSet<>(Set.of("a", "b", "c"))));
    keys.add(
        List.of(
            Arrays.asList(new HashSet<>(Set.of(1, 2)), new ArrayList<>(List.of("x", "x"))),
            Arrays.asList(
                new LinkedHashSet<>(List.of(2, 1)),
                new LinkedList<>(List.of("x", new String("x"))))));
    if (serialization) {
      keys.add(List.of(Map.of("a", 1, "b", 2), new TreeMap<>(Map.of("a", 1, "b", 2))));
      keys.add(List.of(Set.of("x", "y", "z"), new TreeSet<>(Set.of("x", "y", "z"))));
    }
    return keys;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEntryIsFoundReplacedAndRemovedByAnEqualKey(boolean serialization) throws IOException {
    try (DefaultCacheManager manager = manager(serialization)) {
      Cache<Object, String> cache = cache(manager);
      for (List<Object> keys : keys(serialization)) {
        for (Object one : keys) {
          for (Object other : keys) {
            cache.put(one, "1");
            cache.evict(one);
            assertThat(cache.get(other)).isEqualTo("1");
            cache.put(other, "2");
            assertThat(stored(cache)).isEqualTo(1);
            cache.evict(other);
            assertThat(cache.get(one)).isEqualTo("2");
            cache.evict(one);
            assertThat(cache.keySet()).containsExactly(one);
            assertThat(cache.remove(other)).isEqualTo("2");
            assertThat(stored(cache)).isZero();
          }
        }
      }
    }
  }

  @Test
  void aKeyThatCannotHaveOneFormIsRefused() throws IOException {
    try (DefaultCacheManager manager = manager(true)) {
      Cache<Object, String> cache = cache(manager);
      assertThatThrownBy(() -> cache.put(new TreeSet<>(String.CASE_INSENSITIVE_ORDER), "1"))
          .hasStackTraceContaining("comparator");
    }
  }

  // ---- Entries of earlier builds ------------------------------------------------------------

  /** What earlier builds stored of keys and values: each marshalled as it is. */
  private IdentityHashMap<Object, ByteBuffer> marshalled(Object... all) throws Exception {
    IdentityHashMap<Object, ByteBuffer> marshalled = new IdentityHashMap<>();
    try (DefaultCacheManager manager = manager(true)) {
      var marshaller = ComponentRegistry.of(cache(manager)).getPersistenceMarshaller();
      for (Object each : all) {
        marshalled.put(each, marshaller.objectToBuffer(each));
      }
    }
    return marshalled;
  }

  private static StoredEntry entry(ByteBuffer value) {
    return new StoredEntry(StoredEntry.NEVER, -1, -1, value, null, null);
  }

  private int segmentOf(Object key) throws IOException {
    try (DefaultCacheManager manager = manager(true)) {
      return ComponentRegistry.componentOf(cache(manager), KeyPartitioner.class).getSegment(key);
    }
  }

  /** Stores an entry as earlier builds did. */
  private void earlier(int segment, ByteBuffer key, ByteBuffer value) {
    try (Heap heap = Heap.builder(directory).open()) {
      Segment entries = Segment.open(heap, Locations.segment(NAME, segment));
      heap.transact(
          () -> {
            entries.put(key, entry(value));
            return null;
          });
    }
  }

  /** A heap that another program opened may have keys as earlier builds store them. */
  @Test
  void whatAnEarlierBuildStoredSinceIsFoundReplacedAndRemoved() throws Exception {
    int segment = segmentOf(List.of(1, 2));
    try (DefaultCacheManager manager = manager(true)) {
      cache(manager).put(List.of(1, 2), "of this build");
    }
    List<Integer> key = Arrays.asList(1, 2);
    String value = "of the earlier build";
    IdentityHashMap<Object, ByteBuffer> former = marshalled(key, value);
    earlier(segment, former.get(key), former.get(value));
    try (DefaultCacheManager manager = manager(true)) {
      Cache<Object, String> cache = cache(manager);
      assertThat(stored(cache)).isEqualTo(2);
      assertThat(cache.get(List.of(1, 2))).isEqualTo("of the earlier build");
      assertThat(stored(cache)).isEqualTo(1);
      cache.put(new LinkedList<>(List.of(1, 2)), "new");
      assertThat(stored(cache)).isEqualTo(1);
    }
    try (DefaultCacheManager manager = manager(true)) {
      Cache<Object, String> cache = cache(manager);
      assertThat(cache.remove(Arrays.asList(1, 2))).isEqualTo("new");
      assertThat(stored(cache)).isZero();
    }
  }

  @Test
  void keysOfOtherClassesDoNotWaitForFormerOnes() throws Exception {
    List<Integer> key = List.of(1, 2);
    int segment = segmentOf(key);
    IdentityHashMap<Object, ByteBuffer> former = marshalled(key, "1");
    earlier(segment, former.get(key), former.get("1"));
    try (DefaultCacheManager manager = manager(true)) {
      Cache<Object, String> cache = cache(manager);
      cache.put("text", "2");
      assertThat(cache.get(1)).isNull();
      Heap heap = Managers.store(cache).heap();
      Segment entries = Segment.open(heap, Locations.segment(NAME, segment));
      assertThat(entries.get(former.get(key))).isNotNull();
      assertThat(cache.containsKey(Arrays.asList(1, 2))).isTrue();
      assertThat(entries.get(former.get(key))).isNull();
    }
  }

  @Test
  void aTransactionThatAnEarlierBuildPreparedChangesTheEntryOfAnEqualKey() throws Exception {
    int segment = segmentOf(List.of(1, 2));
    try (DefaultCacheManager manager = manager(true)) {
      cache(manager).put(List.of(1, 2), "old");
    }
    List<Integer> key = Arrays.asList(1, 2);
    IdentityHashMap<Object, ByteBuffer> former = marshalled(key, "new");
    try (Heap heap = Heap.builder(directory).open()) {
      var prepared = new Prepared(heap, Locations.prepared(NAME));
      byte[] changes =
          Change.encode(List.of(new Change(segment, former.get(key), entry(former.get("new")))));
      heap.transact(
          () -> {
            prepared.keep("xid", changes);
            return null;
          });
    }
    try (DefaultCacheManager manager = manager(true)) {
      Cache<Object, String> cache = cache(manager);
      Managers.store(cache).commit("xid").toCompletableFuture().join();
      assertThat(cache.get(List.of(1, 2))).isEqualTo("new");
      assertThat(stored(cache)).isEqualTo(1);
      assertThat(Managers.store(cache).prepared()).isEmpty();
    }
  }
}
