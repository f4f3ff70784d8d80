package io.everheap.structure.sorted;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codecs;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.KeyOrder;
import io.everheap.structure.map.MapHeap;
import io.everheap.support.tier.Campaign;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/**
 * Two sorted maps whose upper parts move to each other, and the TreeMaps that they must equal. Keys
 * come and go in runs, so that trees have several levels, nodes of few entries, and empty leaves.
 */
class SortedMoveTest {
  private static final int ROUNDS = 30;

  private static final Comparator<String> BACKWARDS = Comparator.reverseOrder();

  @Test
  void tailsOfEachFormOfKeysMove() {
    move(1, 1, 8, 1_500);
  }

  @Test
  @Campaign
  void tailsOfManyTreesMove() {
    move(100, ROUNDS, 40, 12_000);
  }

  private static void move(int seed, int rounds, int steps, int keys) {
    for (int round = seed; round < seed + rounds; round++) {
      follow(
          round,
          steps,
          keys,
          SortedTypes.natural(Codecs.LONG, Codecs.LONG),
          null,
          i -> i * 7L,
          i -> ~i);
      follow(
          round,
          steps,
          keys,
          SortedTypes.natural(Codecs.INT, Codecs.STRING),
          null,
          i -> i * 31,
          i -> "v".repeat((int) (i % 90)));
      follow(
          round,
          steps,
          keys,
          SortedTypes.natural(Codecs.STRING, Codecs.STRING),
          null,
          i -> String.format(Locale.ROOT, "a long beginning %02d and more of it %07d", i / 700, i),
          i -> "v".repeat((int) (i % 90)));
      follow(
          round,
          steps,
          keys,
          SortedTypes.natural(Codecs.STRING, Codecs.LONG),
          null,
          i -> "ab".repeat(i % 11) + "\0".repeat(i % 5) + "cd".repeat(i % 7) + i,
          i -> i);
      follow(
          round,
          steps,
          keys,
          SortedTypes.ordered(Codecs.STRING, Codecs.LONG, KeyOrder.of("back", BACKWARDS)),
          BACKWARDS,
          i -> "key " + i,
          i -> i);
    }
  }

  private static <K, V> void follow(
      int seed,
      int steps,
      int keys,
      SortedTypes<K, V> types,
      Comparator<? super K> order,
      IntFunction<K> key,
      LongFunction<V> value) {
    try (MapHeap heap = MapHeap.inMemory()) {
      var random = new SplittableRandom(seed);
      List<DurableSortedMap<K, V>> maps = new ArrayList<>();
      List<NavigableMap<K, V>> models = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        maps.add(heap.make(SortedKind.MAP.definition(types)));
        models.add(new TreeMap<>(order));
      }
      for (int step = 0; step < steps; step++) {
        int one = random.nextInt(2);
        DurableSortedMap<K, V> map = maps.get(one);
        NavigableMap<K, V> model = models.get(one);
        DurableSortedMap<K, V> other = maps.get(1 - one);
        NavigableMap<K, V> otherModel = models.get(1 - one);
        int from = random.nextInt(keys);
        int count = Math.min(keys / 3, 1 << random.nextInt(13));
        int by = 1 + random.nextInt(5);
        switch (random.nextInt(6)) {
          case 0, 1 ->
              heap.transact(
                  () -> {
                    for (int i = 0; i < count; i++) {
                      K k = key.apply((from + i * by) % keys);
                      V v = value.apply(random.nextInt(1000));
                      map.put(k, v);
                      model.put(k, v);
                    }
                    return true;
                  });
          case 2 ->
              heap.transact(
                  () -> {
                    for (int i = 0; i < count; i++) {
                      K k = key.apply((from + i * by) % keys);
                      assertThat(map.remove(k)).isEqualTo(model.remove(k));
                    }
                    return true;
                  });
          default -> {
            if (otherModel.isEmpty() || random.nextInt(3) == 0) {
              K at = at(model, key.apply(from), random);
              boolean commits = random.nextInt(4) > 0;
              heap.transact(
                  () -> {
                    other.clear();
                    assertThat(map.moveTailTo(at, other)).isEqualTo(model.tailMap(at).size());
                    assertThat(other.size()).isEqualTo(model.tailMap(at).size());
                    return commits;
                  });
              if (commits) {
                otherModel.clear();
                otherModel.putAll(model.tailMap(at));
                model.tailMap(at).clear();
              }
              heap.check();
            }
          }
        }
        compare(map, model);
        compare(other, otherModel);
      }
      heap.check();
    }
  }

  /** Mostly a key that is there, sometimes the first or one that every key is less than. */
  private static <K> K at(NavigableMap<K, ?> model, K near, SplittableRandom random) {
    K found = model.ceilingKey(near);
    return switch (random.nextInt(10)) {
      case 0 -> model.isEmpty() ? near : model.firstKey();
      case 1 -> model.isEmpty() ? near : model.lastKey();
      case 2, 3 -> near;
      default -> found == null ? near : found;
    };
  }

  private static <K, V> void compare(DurableSortedMap<K, V> map, NavigableMap<K, V> model) {
    assertThat(map.size()).isEqualTo(model.size());
    assertThat(List.copyOf(map.entrySet()).equals(List.copyOf(model.entrySet()))).isTrue();
    assertThat(List.copyOf(map.descendingKeySet()).equals(List.copyOf(model.descendingKeySet())))
        .isTrue();
  }
}
