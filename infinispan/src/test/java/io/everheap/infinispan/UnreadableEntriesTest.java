package io.everheap.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.everheap.Heap;
import io.everheap.collection.Undecodable;
import io.everheap.error.CorruptValueException;
import io.everheap.support.tier.Campaign;
import io.reactivex.rxjava3.core.Flowable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.infinispan.Cache;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.io.ByteBufferImpl;
import org.infinispan.commons.marshall.JavaSerializationMarshaller;
import org.infinispan.commons.util.IntSets;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.context.Flag;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An entry that the marshaller cannot read hides no other, is named, and can be removed. */
@Campaign
class UnreadableEntriesTest {
  private static final String NAME = "any";
  private static final int SEGMENTS = 4;
  private static final int ENTRIES = 8;

  /** Whether the program is one that cannot read the bad entries. */
  private static boolean later;

  /** A key and a value that cannot be read later if it is negative. */
  static final class Amount implements Serializable {
    private static final long serialVersionUID = 1;

    private final int number;

    Amount(int number) {
      this.number = number;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      if (later && number < 0) {
        throw new InvalidObjectException("negative");
      }
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Amount that && that.number == number;
    }

    @Override
    public int hashCode() {
      return number;
    }

    @Override
    public String toString() {
      return "#" + number;
    }
  }

  @TempDir private Path directory;

  @BeforeEach
  @AfterEach
  void beTheEarlierProgram() {
    later = false;
  }

  private Cache<Object, Object> cache(
      DefaultCacheManager manager, Consumer<ConfigurationBuilder> more) {
    ConfigurationBuilder configuration =
        Managers.cache(store -> store.path(directory.toString()).logSize(16 << 20));
    configuration.clustering().hash().numSegments(SEGMENTS);
    more.accept(configuration);
    return Managers.define(manager, NAME, configuration.build());
  }

  private Cache<Object, Object> cache(DefaultCacheManager manager) {
    return cache(manager, configuration -> {});
  }

  /** Values 0 and 4 cannot be read later, nor can the key -9. */
  private void fill(long lifespan) throws IOException {
    try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
      Cache<Object, Object> cache = cache(manager);
      for (int i = 0; i < ENTRIES; i++) {
        cache.put(i, new Amount(i % 4 == 0 ? -1 : i), lifespan, TimeUnit.MILLISECONDS);
      }
      cache.put(new Amount(-9), "value", lifespan, TimeUnit.MILLISECONDS);
    }
    later = true;
  }

  @Test
  void othersAreServed() throws IOException {
    fill(-1);
    try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
      Cache<Object, Object> cache = cache(manager);
      assertThat(cache.get(1)).isEqualTo(new Amount(1));
      assertThat(cache).hasSize(ENTRIES + 1);
      assertThat(new TreeSet<>(cache.keySet().stream().map(String::valueOf).toList()))
          .containsExactly("0", "1", "2", "3", "4", "5", "6", "7");
      assertThat(cache.entrySet().stream().map(Map.Entry::getKey).toList())
          .containsExactlyInAnyOrder(1, 2, 3, 5, 6, 7);
      assertThat(cache.values().stream().toList()).hasSize(6).contains(new Amount(7));
      assertThatThrownBy(() -> cache.get(4))
          .hasStackTraceContaining("the entry of the key 4 of the cache 'any' in Heap[")
          .hasRootCauseMessage("negative");
    }
  }

  @Test
  void theyAreReplacedAndRemoved() throws IOException {
    fill(-1);
    try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
      Cache<Object, Object> cache = cache(manager);
      Cache<Object, Object> blind = cache.getAdvancedCache().withFlags(Flag.IGNORE_RETURN_VALUES);
      blind.put(0, new Amount(7));
      assertThat(cache.get(0)).isEqualTo(new Amount(7));
      blind.put(4, "any"); // a removal would load the entry
      assertThat(cache.remove(4)).isEqualTo("any");
      assertThat(cache).hasSize(ENTRIES);
      blind.put(new Amount(-9), "replaced");
      assertThat(cache.get(new Amount(-9))).isEqualTo("replaced");
      cache.remove(new Amount(-9));
      assertThat(cache).hasSize(ENTRIES - 1);
      assertThat(Managers.store(cache).undecodable().hasNext()).isFalse();
    }
  }

  @Test
  void theyAreFoundSetAsideAndRemoved() throws IOException {
    fill(-1);
    try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
      Cache<Object, Object> cache = cache(manager);
      List<Object> positions = new ArrayList<>();
      Iterator<Undecodable> bad = Managers.store(cache).undecodable();
      assertThatThrownBy(bad::remove).isInstanceOf(IllegalStateException.class);
      while (bad.hasNext()) {
        Undecodable found = bad.next();
        positions.add(found.position() instanceof byte[] ? "bytes" : found.position());
        assertThat(new String(found.bytes(), StandardCharsets.ISO_8859_1))
            .contains("UnreadableEntriesTest$Amount");
        assertThat(found.value().length > 0).isEqualTo(found.position() instanceof byte[]);
        assertThat(found.reason())
            .isInstanceOf(CorruptValueException.class)
            .hasMessageContaining("of the cache 'any' in Heap[")
            .hasRootCauseMessage("negative");
        bad.remove();
      }
      assertThat(positions).containsExactlyInAnyOrder(0, 4, "bytes");
      assertThat(cache).hasSize(ENTRIES - 2);
      assertThat(Managers.store(cache).undecodable().hasNext()).isFalse();
    }
  }

  @Test
  void anEntryThatWasReplacedInTheMeantimeStays() throws IOException {
    fill(-1);
    try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
      Cache<Object, Object> cache = cache(manager);
      Iterator<Undecodable> bad = Managers.store(cache).undecodable();
      Object position = bad.next().position();
      Object key = position instanceof byte[] ? new Amount(-9) : position;
      cache.getAdvancedCache().withFlags(Flag.IGNORE_RETURN_VALUES).put(key, "replaced");
      bad.remove();
      bad.forEachRemaining(found -> bad.remove());
      assertThat(Managers.store(cache).size(IntSets.immutableRangeSet(SEGMENTS)))
          .isCompletedWithValue(ENTRIES - 1L);
    }
  }

  @Test
  void preloadLeavesThemOut() throws IOException {
    fill(-1);
    try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
      Cache<Object, Object> cache =
          cache(manager, to -> to.persistence().stores().getFirst().preload(true));
      assertThat(
              cache.getAdvancedCache().withFlags(Flag.SKIP_CACHE_LOAD).keySet().stream().toList())
          .containsExactlyInAnyOrder(1, 2, 3, 5, 6, 7);
      assertThat(Managers.store(cache).undecodable()).toIterable().hasSize(3);
    }
  }

  @Test
  void purgingRemovesThem() throws IOException {
    fill(1);
    try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
      EverheapStore<?, ?> store = Managers.store(cache(manager));
      List<? extends MarshallableEntry<?, ?>> purged =
          Flowable.fromPublisher(store.purgeExpired()).toList().blockingGet();
      assertThat(purged.stream().<Object>map(MarshallableEntry::getKey).toList())
          .containsExactlyInAnyOrder(1, 2, 3, 5, 6, 7);
      assertThat(store.approximateSize(IntSets.immutableRangeSet(SEGMENTS)).toCompletableFuture())
          .isCompletedWithValue(0L);
    }
  }

  @Test
  void passivationServesOthers() throws IOException {
    fill(-1);
    Consumer<ConfigurationBuilder> passivating =
        to -> {
          to.persistence().passivation(true);
          to.memory().maxCount(2);
        };
    try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
      Cache<Object, Object> cache = cache(manager, passivating);
      for (int round = 0; round < 2; round++) {
        for (int i : new int[] {1, 2, 3, 5, 6, 7}) {
          assertThat(cache.get(i)).isEqualTo(new Amount(i));
        }
      }
      cache.evict(1);
      assertThatThrownBy(() -> cache.get(0)).hasStackTraceContaining("the key 0");
    }
    try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
      Cache<Object, Object> cache = cache(manager);
      assertThat(Managers.store(cache).undecodable()).toIterable().hasSize(3);
      later = false;
      assertThat(cache.get(0)).isEqualTo(new Amount(-1));
    }
  }

  @Test
  void stateTransferLeavesThemOut() throws IOException {
    assumeTrue(
        String.format(Locale.getDefault(), "%d", 1).equals("1"),
        "Infinispan's clusters cannot start in a locale with other digits");
    assumeTrue(
        Runtime.getRuntime().availableProcessors() > 1,
        "JGroups spins on the only carrier of virtual threads for ever");
    try (DefaultCacheManager alone = node("one")) {
      Cache<Object, Object> cache = replicated(alone);
      for (int i = 0; i < ENTRIES; i++) {
        cache.put(i, new Amount(i % 4 == 0 ? -1 : i));
      }
      cache.put(new Amount(-9), "value");
    }
    later = true;
    try (DefaultCacheManager one = node("one")) {
      Cache<Object, Object> source = replicated(one); // everything is in the store only
      try (DefaultCacheManager two = node("two")) {
        Cache<Object, Object> target = replicated(two);
        for (int i : new int[] {1, 2, 3, 5, 6, 7}) {
          assertThat(target.get(i)).isEqualTo(new Amount(i));
          assertThat(source.get(i)).isEqualTo(new Amount(i));
        }
        assertThat(Managers.store(target).size(IntSets.immutableRangeSet(SEGMENTS)))
            .isCompletedWithValue(6L);
        assertThat(Managers.store(source).undecodable()).toIterable().hasSize(3);
      }
    }
  }

  private Cache<Object, Object> replicated(DefaultCacheManager manager) {
    ConfigurationBuilder configuration = Managers.cache(store -> store.logSize(16 << 20));
    configuration.clustering().cacheMode(CacheMode.REPL_SYNC).hash().numSegments(SEGMENTS);
    return Managers.define(manager, NAME, configuration.build());
  }

  /** A node of a cluster within this process. */
  private DefaultCacheManager node(String name) {
    var global = GlobalConfigurationBuilder.defaultClusteredBuilder();
    global.globalState().enable().persistentLocation(directory.resolve(name).toString());
    global
        .serialization()
        .marshaller(new JavaSerializationMarshaller())
        .allowList()
        .addRegexp(".*");
    global.transport().addProperty(JGroupsTransport.CONFIGURATION_XML, StoreCopyTest.LOOPBACK);
    return new DefaultCacheManager(global.build());
  }

  /** Changes stored entries as if their classes were others. */
  private void change(UnaryOperator<byte[]> value) {
    try (Heap heap = Heap.builder(directory).open()) {
      for (int i = 0; i < SEGMENTS; i++) {
        Segment segment = Segment.open(heap, Locations.segment(NAME, i));
        List<Segment.Keyed> all = new ArrayList<>();
        segment.iterator(failure -> {}).forEachRemaining(all::add);
        for (Segment.Keyed each : all) {
          ByteBuffer before = each.entry().value();
          byte[] after = value.apply(before == null ? new byte[0] : before.trim());
          StoredEntry entry =
              new StoredEntry(StoredEntry.NEVER, -1, -1, ByteBufferImpl.create(after), null, null);
          heap.transact(
              () -> {
                segment.put(each.key(), entry);
                return null;
              });
        }
      }
    }
  }

  @Test
  void aClassThatIsMissingHidesNoOther() throws IOException {
    try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
      Cache<Object, Object> cache = cache(manager);
      cache.put("good", "value");
      cache.put("missing", new Amount(1));
      cache.put("garbage", "garbage");
    }
    change(
        bytes -> {
          String text = new String(bytes, StandardCharsets.ISO_8859_1);
          return text.contains("garbage")
              ? new byte[] {1, 2, 3}
              : text.replace("Test$Amount", "Test$Missed").getBytes(StandardCharsets.ISO_8859_1);
        });
    try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
      Cache<Object, Object> cache = cache(manager);
      assertThat(cache.get("good")).isEqualTo("value");
      assertThatThrownBy(() -> cache.get("missing"))
          .hasStackTraceContaining("the key missing of the cache 'any'")
          .hasStackTraceContaining("Test$Missed");
      assertThatThrownBy(() -> cache.get("garbage")).hasStackTraceContaining("the key garbage");
      assertThat(cache.entrySet().stream().map(Map.Entry::getKey).toList()).containsExactly("good");
      List<Object> positions = new ArrayList<>();
      Managers.store(cache)
          .undecodable()
          .forEachRemaining(found -> positions.add(found.position()));
      assertThat(positions).containsExactlyInAnyOrder("missing", "garbage");
      assertThat(Arrays.asList(cache.keySet().toArray()))
          .containsExactlyInAnyOrder("good", "missing", "garbage");
    }
  }
}
