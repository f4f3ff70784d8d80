package io.everheap.structure.sorted;

import io.everheap.codec.Codecs;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.KeyOrder;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.map.MapHeap;
import io.everheap.support.tier.Campaign;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.IntFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;

/** Random operations, alone and in transactions, do to a sorted map what they do to a TreeMap. */
@Campaign
class DurableSortedMapModelTest {
  private static final MapHeap HEAP = MapHeap.inMemory();

  /** Not the natural order, and some keys are equal in it. */
  private static final Comparator<String> BY_LENGTH =
      Comparator.comparingInt(String::length).thenComparing(Comparator.reverseOrder());

  private static final Comparator<Long> BACKWARDS = Comparator.reverseOrder();

  @AfterContainer
  static void nothingIsLeft() {
    HEAP.close();
  }

  @Provide
  Arbitrary<List<SortedModel.Step>> steps() {
    Arbitrary<SortedModel.Kind> kinds =
        Arbitraries.frequency(
                Tuple.of(1, SortedModel.Kind.CLEAR),
                Tuple.of(15, SortedModel.Kind.PUT_MANY),
                Tuple.of(15, SortedModel.Kind.REMOVE_MANY),
                Tuple.of(60, null))
            .flatMap(
                kind ->
                    kind == null ? Arbitraries.of(SortedModel.Kind.class) : Arbitraries.just(kind));
    Arbitrary<Integer> keys = Arbitraries.integers().between(0, 900);
    return Combinators.combine(kinds, keys, keys, Arbitraries.integers().between(0, 250))
        .as(SortedModel.Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(120)
        .withSizeDistribution(RandomDistribution.uniform());
  }

  @Property(tries = 200)
  void mapsOfWordsFollowTheModel(@ForAll("steps") List<SortedModel.Step> steps) {
    follow(
        steps,
        SortedTypes.natural(Codecs.LONG, Codecs.LONG),
        null,
        i -> (i - 450) * 7L,
        i -> i * 3L);
  }

  @Property(tries = 150)
  void mapsOfWordsToBytesFollowTheModel(@ForAll("steps") List<SortedModel.Step> steps) {
    follow(
        steps,
        SortedTypes.natural(Codecs.INT, Codecs.STRING),
        null,
        i -> i * 1_000_003,
        i -> "v".repeat(i));
  }

  @Property(tries = 200)
  void mapsOfLikeTextsFollowTheModel(@ForAll("steps") List<SortedModel.Step> steps) {
    follow(
        steps,
        SortedTypes.natural(Codecs.STRING, Codecs.STRING),
        null,
        i ->
            "a long beginning that all share "
                + (i % 3 == 0 ? i : String.format(Locale.ROOT, "%09d", i)),
        i -> "v".repeat(i * 3));
  }

  @Property(tries = 200)
  void mapsOfTextsThatBeginOthersFollowTheModel(@ForAll("steps") List<SortedModel.Step> steps) {
    follow(
        steps,
        SortedTypes.natural(Codecs.STRING, Codecs.LONG),
        null,
        i -> "\0".repeat(i % 30) + "ab".repeat(i / 30) + "\0".repeat(i % 7),
        i -> (long) i);
  }

  @Property(tries = 100)
  void mapsOfComparedTextsFollowTheModel(@ForAll("steps") List<SortedModel.Step> steps) {
    follow(
        steps,
        SortedTypes.ordered(Codecs.STRING, Codecs.LONG, KeyOrder.of("by length", BY_LENGTH)),
        BY_LENGTH,
        i -> "k".repeat(i % 13) + i,
        i -> (long) i);
  }

  @Property(tries = 100)
  void mapsOfComparedWordsFollowTheModel(@ForAll("steps") List<SortedModel.Step> steps) {
    follow(
        steps,
        SortedTypes.ordered(Codecs.LONG, Codecs.STRING, KeyOrder.of("backwards", BACKWARDS)),
        BACKWARDS,
        i -> i * 5L,
        i -> "v".repeat(i));
  }

  private static <K, V> void follow(
      List<SortedModel.Step> steps,
      SortedTypes<K, V> types,
      Comparator<? super K> comparator,
      IntFunction<K> key,
      IntFunction<V> value) {
    DurableSortedMap<K, V> map = HEAP.make(SortedKind.MAP.definition(types));
    SortedModel<K, V> model = new SortedModel<>(HEAP, map, new TreeMap<>(comparator), key, value);
    try {
      for (SortedModel.Step step : steps) {
        model.apply(step);
      }
      model.endTransactions();
      model.compareAll();
      HEAP.check();
    } finally {
      model.abandonTransactions();
      HEAP.destroy(SortedKind.MAP, HeapStructureId.of(map).reference());
    }
  }
}
