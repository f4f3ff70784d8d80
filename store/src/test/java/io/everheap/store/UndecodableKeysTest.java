package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.Codecs;
import io.everheap.codec.OrderedBytes;
import io.everheap.codec.OrderedCodec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.collection.Undecodable;
import io.everheap.error.CorruptValueException;
import io.everheap.support.tier.Campaign;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesException;
import java.time.zone.ZoneRulesProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys of a store that this program cannot decode block no others, and can be removed. */
@Campaign
class UndecodableKeysTest {
  private static final int ENTRIES = 40;

  /** Every fourth key does not decode later. */
  private static final int BAD = ENTRIES / 4;

  /** Whether the program is one that does not decode the bad keys. */
  private static boolean later;

  private static void refuse(int number) {
    if (later && number % 4 == 0) {
      throw new IllegalArgumentException("refused");
    }
  }

  /** A record whose constructor refuses what it accepted when it was stored. */
  record Amount(int number) {
    Amount {
      refuse(number);
    }
  }

  /** Throws for some values, which are stored in order. */
  record Throwing() implements OrderedCodec<Integer> {
    @Override
    public String name() {
      return "test.Throwing";
    }

    @Override
    public void write(Integer value, CodecOutput out) {
      OrderedBytes.writeInt(value, out);
    }

    @Override
    public Integer read(CodecInput in) {
      int number = OrderedBytes.readInt(in);
      refuse(number);
      return number;
    }
  }

  /** Has time zones that a later JVM lacks. */
  private static final class Zones extends ZoneRulesProvider {
    private static final List<String> IDS =
        IntStream.range(0, ENTRIES).mapToObj(i -> "Test/Zone" + i).toList();
    private static final List<ZoneId> ALL;

    @SuppressWarnings("InvalidZoneId") // this class registers it
    private static ZoneId zone(String id) {
      return ZoneId.of(id);
    }

    static {
      registerProvider(new Zones());
      later = false;
      ALL = IDS.stream().map(Zones::zone).toList();
    }

    @Override
    protected Set<String> provideZoneIds() {
      return Set.copyOf(IDS);
    }

    @Override
    protected @Nullable ZoneRules provideRules(String zoneId, boolean forCaching) {
      if (later && IDS.indexOf(zoneId) % 4 == 0) {
        throw new ZoneRulesException("Unknown time-zone ID: " + zoneId);
      }
      return forCaching ? null : ZoneRules.of(ZoneOffset.UTC);
    }

    @Override
    protected NavigableMap<String, ZoneRules> provideVersions(String zoneId) {
      return new TreeMap<>();
    }
  }

  /**
   * A kind of keys.
   *
   * @param of makes a key
   * @param cause name of the exception that the codec throws
   */
  record Keys<K>(
      String name,
      boolean sorted,
      Codec<K> codec,
      IntFunction<K> of,
      Class<? extends Throwable> cause) {
    @Override
    public String toString() {
      return name;
    }

    ShardedMap<K, String> in(ShardedStore store) {
      return sorted
          ? store.sortedMap("map", codec, Codecs.STRING)
          : store.map("map", codec, Codecs.STRING);
    }

    void fill(ShardedStore store) {
      later = false;
      ShardedMap<K, String> map = in(store);
      StoreBatch batch = store.batch();
      for (int i = 0; i < ENTRIES; i++) {
        batch.put(map, of.apply(i), "value " + i);
      }
      batch.commit();
      later = true;
    }
  }

  static Stream<Keys<?>> keys() {
    later = false;
    return Stream.of(
        new Keys<>(
            "a record",
            false,
            new CodecRegistry().lookup(MethodHandles.lookup()).forClass(Amount.class),
            Amount::new,
            IllegalArgumentException.class),
        new Keys<>("a codec", false, new Throwing(), i -> i, IllegalArgumentException.class),
        new Keys<>("a time zone", false, Codecs.ZONE_ID, Zones.ALL::get, ZoneRulesException.class),
        new Keys<>("a sorted codec", true, new Throwing(), i -> i, IllegalArgumentException.class));
  }

  @TempDir private Path directory;

  @BeforeEach
  @AfterEach
  void beTheEarlierProgram() {
    later = false;
  }

  private ShardedStore open() {
    return ShardedStore.builder(directory.resolve("store"))
        .shards(2)
        .durability(Durability.async(Duration.ofSeconds(1)))
        .heaps(heap -> heap.maxSize(64 << 20).logSize(16 << 20))
        .open();
  }

  private static List<String> goodValues() {
    return IntStream.range(0, ENTRIES).filter(i -> i % 4 != 0).mapToObj(i -> "value " + i).toList();
  }

  @ParameterizedTest
  @MethodSource("keys")
  <K> void othersAreServed(Keys<K> kind) {
    try (ShardedStore store = open()) {
      kind.fill(store);
      ShardedMap<K, String> map = kind.in(store);
      assertThat(map.sizeLong()).isEqualTo(ENTRIES);
      assertThat(map.get(kind.of.apply(1))).isEqualTo("value 1");
      List<String> values = new ArrayList<>();
      List<CorruptValueException> failures = decode(map.entries(), e -> values.add(e.getValue()));
      assertThat(values).containsExactlyInAnyOrderElementsOf(goodValues());
      assertThat(failures).hasSize(BAD).allSatisfy(e -> assertNamed(e, kind));
      List<K> keys = new ArrayList<>();
      assertThat(decode(map.asMap().keySet().iterator(), keys::add)).hasSize(BAD);
      assertThat(keys).hasSize(ENTRIES - BAD).contains(kind.of.apply(1), kind.of.apply(39));
      assertThat(map.asMap().values()).hasSize(ENTRIES).contains("value 0", "value 36");
      assertThat(map.asMap().toString()).contains("<undecodable", "=value 1");
      assertThat(map.asMap().keySet().removeIf(key -> false)).isFalse();
      assertThat(map.asMap().entrySet().contains(Map.entry(kind.of.apply(1), "value 1"))).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("keys")
  <K> void theyAreFoundSetAsideAndRemoved(Keys<K> kind) {
    try (ShardedStore store = open()) {
      kind.fill(store);
      ShardedMap<K, String> map = kind.in(store);
      ShardedMap<byte[], byte[]> aside = store.map("aside", byte[].class, byte[].class);
      int count = 0;
      for (Iterator<Undecodable> bad = map.undecodable(); bad.hasNext(); count++) {
        Undecodable found = bad.next();
        assertThat(found.position()).isEqualTo(found.bytes());
        assertThat(found.type()).isEqualTo(kind.codec.name());
        assertThat(Codecs.STRING.read(new CodecInput(found.value()))).startsWith("value ");
        assertNamed(found.reason(), kind);
        aside.set(found.bytes(), found.bytes());
        bad.remove();
        assertThatThrownBy(bad::remove).isInstanceOf(IllegalStateException.class);
      }
      assertThat(count).isEqualTo(BAD);
      assertThat(map.undecodable().hasNext()).isFalse();
      assertThat(map.sizeLong()).isEqualTo(ENTRIES - BAD);
      assertThat(map.asMap().values()).containsExactlyInAnyOrderElementsOf(goodValues());
      later = false;
      aside.forEach(
          (key, value) -> {
            CodecInput in = new CodecInput(key);
            assertThat(map.containsKey(kind.codec.read(in))).isFalse();
          });
    }
  }

  @ParameterizedTest
  @MethodSource("keys")
  <K> void iteratorsOfViewsRemoveThem(Keys<K> kind) {
    try (ShardedStore store = open()) {
      for (int view = 0; view < 3; view++) {
        kind.fill(store);
        ConcurrentMap<K, String> map = kind.in(store).asMap();
        Iterator<?> all =
            switch (view) {
              case 0 -> map.keySet().iterator();
              case 1 -> map.entrySet().iterator();
              default -> map.values().iterator();
            };
        int removed = 0;
        while (all.hasNext()) {
          Object next;
          try {
            next = all.next();
          } catch (CorruptValueException e) {
            next = null;
          }
          if (next == null || next.equals("value 0")) {
            all.remove();
            removed++;
          }
        }
        assertThat(removed).isEqualTo(view == 2 ? 1 : BAD);
        assertThat(map).hasSize(ENTRIES - removed);
        kind.in(store).clear();
        assertThat(kind.in(store).sizeLong()).isZero();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("keys")
  <K> void reshardingMovesThem(Keys<K> kind) {
    try (ShardedStore store = open()) {
      kind.fill(store);
      store.reshard(3);
      assertWhole(kind, store);
      store.reshard(1);
      assertWhole(kind, store);
    }
  }

  @ParameterizedTest
  @MethodSource("keys")
  <K> void backupsHaveThem(Keys<K> kind) {
    Path backups = directory.resolve("backups");
    Path restored = directory.resolve("restored");
    try (ShardedStore store = open()) {
      kind.fill(store);
      StoreBackups.in(backups).take(store);
    }
    StoreBackups stored = StoreBackups.in(backups);
    stored.verify(stored.newest(), (done, total) -> {});
    stored.restore(stored.newest(), restored);
    try (ShardedStore store = ShardedStore.open(restored)) {
      assertWhole(kind, store);
    }
  }

  private static <K> void assertWhole(Keys<K> kind, ShardedStore store) {
    StoreReport report = store.verify();
    assertThat(report.ok()).isTrue();
    assertThat(report.entries()).isEqualTo(ENTRIES);
    ShardedMap<K, String> map = kind.in(store);
    assertThat(map.sizeLong()).isEqualTo(ENTRIES);
    assertThat(map.undecodable()).toIterable().hasSize(BAD);
    later = false;
    for (int i = 0; i < ENTRIES; i++) {
      assertThat(map.get(kind.of.apply(i))).isEqualTo("value " + i);
    }
    later = true;
  }

  @Test
  void rangesOfSortedMapsPassOverThem() {
    try (ShardedStore store = open()) {
      ShardedSortedMap<Integer, String> sorted = sorted(store);
      ConcurrentNavigableMap<Integer, String> range = sorted.asMap().subMap(7, true, 17, true);
      assertThat(range).hasSize(11);
      assertThat(range.isEmpty()).isFalse();
      List<Integer> seen = new ArrayList<>();
      assertThat(decode(range.keySet().iterator(), seen::add)).hasSize(3);
      assertThat(seen).containsExactly(7, 9, 10, 11, 13, 14, 15, 17);
      seen.clear();
      decode(sorted.scan(7, true, 17, true, true), e -> seen.add(e.getKey()));
      assertThat(seen).containsExactly(17, 15, 14, 13, 11, 10, 9, 7);
      NavigableSet<Integer> keys = range.navigableKeySet();
      assertThat(keys.lower(10)).isEqualTo(9);
      assertThatThrownBy(() -> keys.higher(11)).isInstanceOf(CorruptValueException.class);
      assertThat(keys.remove(9)).isTrue();
      assertThat(keys.remove(9)).isFalse();
      range.clear();
      assertThat(range.isEmpty()).isTrue();
      assertThat(sorted.sizeLong()).isEqualTo(ENTRIES - 11);
    }
  }

  @Test
  void aFirstKeyThatDoesNotDecodeIsNotPolled() {
    try (ShardedStore store = open()) {
      ShardedSortedMap<Integer, String> sorted = sorted(store);
      assertThatThrownBy(sorted::pollFirstEntry)
          .isInstanceOf(CorruptValueException.class)
          .hasMessageContaining("the key with the bytes 80000000");
      assertThatThrownBy(sorted::firstEntry).isInstanceOf(CorruptValueException.class);
      assertThat(sorted.pollLastEntry()).isEqualTo(Map.entry(39, "value 39"));
      Iterator<Undecodable> bad = sorted.undecodable();
      bad.forEachRemaining(found -> bad.remove());
      assertThat(sorted.pollFirstEntry()).isEqualTo(Map.entry(1, "value 1"));
    }
  }

  private static ShardedSortedMap<Integer, String> sorted(ShardedStore store) {
    later = false;
    ShardedSortedMap<Integer, String> map = store.sortedMap("map", new Throwing(), Codecs.STRING);
    StoreBatch batch = store.batch();
    for (int i = 0; i < ENTRIES; i++) {
      batch.put(map, i, "value " + i);
    }
    batch.commit();
    later = true;
    return map;
  }

  @Test
  void theStoredBytesOfAKeyAreShown() {
    Keys<?> zones = keys().filter(kind -> kind.name.equals("a time zone")).findAny().orElseThrow();
    try (ShardedStore store = open()) {
      zones.fill(store);
      Undecodable found = zones.in(store).undecodable().next();
      assertThat(new String(found.bytes(), StandardCharsets.UTF_8)).contains("Test/Zone");
      assertThat(found.reason()).hasMessageContaining("546573742f5a6f6e65");
    }
  }

  private static <T> List<CorruptValueException> decode(
      Iterator<T> all, java.util.function.Consumer<T> action) {
    List<CorruptValueException> failures = new ArrayList<>();
    while (all.hasNext()) {
      T next;
      try {
        next = all.next();
      } catch (CorruptValueException e) {
        failures.add(e);
        continue;
      }
      action.accept(next);
    }
    return failures;
  }

  private static void assertNamed(CorruptValueException e, Keys<?> kind) {
    assertThat(e)
        .hasMessageContaining("the key with the bytes ")
        .hasMessageContaining("map map in ")
        .hasMessageContaining(kind.codec.name());
    assertThat(e).hasRootCauseInstanceOf(kind.cause);
  }
}
