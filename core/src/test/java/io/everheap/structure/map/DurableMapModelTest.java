package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableMap;
import io.everheap.support.tier.Campaign;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.lifecycle.AfterContainer;

/** Random operations, alone and in transactions, do to a durable map what they do to a HashMap. */
@Campaign
class DurableMapModelTest {
  private static final MapHeap HEAP = MapHeap.inMemory();

  @AfterContainer
  static void nothingIsLeft() {
    HEAP.close();
  }

  enum Kind {
    PUT,
    PUT_IF_ABSENT,
    REMOVE,
    REMOVE_VALUE,
    REPLACE,
    REPLACE_VALUE,
    COMPUTE,
    COMPUTE_IF_ABSENT,
    COMPUTE_IF_PRESENT,
    MERGE,
    PUT_ALL,
    REPLACE_ALL,
    REMOVE_SOME,
    ITERATOR_REMOVE,
    SET_VALUE,
    CLEAR,
    BEGIN,
    COMMIT,
    ROLL_BACK
  }

  /** One operation. */
  record Step(Kind kind, int key, int value) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Kind> kinds =
        Arbitraries.frequency(
                net.jqwik.api.Tuple.of(1, Kind.CLEAR),
                net.jqwik.api.Tuple.of(30, Kind.PUT),
                net.jqwik.api.Tuple.of(60, null))
            .flatMap(kind -> kind == null ? Arbitraries.of(Kind.class) : Arbitraries.just(kind));
    return Combinators.combine(
            kinds, Arbitraries.integers().between(0, 60), Arbitraries.integers().between(0, 200))
        .as(Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(400)
        .withSizeDistribution(RandomDistribution.uniform());
  }

  @Property(tries = 500)
  void mapsOfWordsFollowTheModel(@ForAll("steps") List<Step> steps) {
    follow(steps, LONG, LONG, i -> (long) i, i -> i * 3L, MapHeap.GOOD_HASH);
  }

  @Property(tries = 500)
  void mapsOfBytesFollowTheModel(@ForAll("steps") List<Step> steps) {
    follow(steps, STRING, STRING, i -> "key " + i, i -> "v".repeat(i * 3), MapHeap.GOOD_HASH);
  }

  @Property(tries = 250)
  void mapsOfWordsToBytesFollowTheModel(@ForAll("steps") List<Step> steps) {
    follow(steps, LONG, STRING, i -> (long) i, i -> "v".repeat(i), MapHeap.GOOD_HASH);
  }

  @Property(tries = 250)
  void mapsWithManyCollisionsFollowTheModel(@ForAll("steps") List<Step> steps) {
    follow(steps, STRING, LONG, i -> "key " + i, i -> (long) i, 3L << 62 | 5);
  }

  private static <K, V> void follow(
      List<Step> steps,
      Codec<K> keyCodec,
      Codec<V> valueCodec,
      Function<Integer, K> key,
      Function<Integer, V> value,
      long hashMask) {
    DurableMap<K, V> map = HEAP.map(keyCodec, valueCodec, hashMask);
    MapModel<K, V> model = new MapModel<>(HEAP, map);
    try {
      for (Step step : steps) {
        model.apply(step, key, value);
      }
      model.endTransactions();
      assertSame(map, model.expected());
      HEAP.check();
    } finally {
      model.abandonTransactions();
      HEAP.destroy(map);
    }
  }

  private static <K, V> void assertSame(DurableMap<K, V> map, Map<K, V> expected) {
    assertThat(map).isEqualTo(expected).hasSameSizeAs(expected);
    assertThat(new HashMap<>(map)).isEqualTo(expected);
    assertThat(map.hashCode()).isEqualTo(expected.hashCode());
    Map<K, V> byStream = new ConcurrentHashMap<>();
    map.entrySet().parallelStream().forEach(e -> byStream.put(e.getKey(), e.getValue()));
    assertThat(byStream).isEqualTo(expected);
  }
}
