package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.memory.MediumSetting;
import io.everheap.memory.MemoryMedium;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Maps of a store behave as those of the JDK, whatever is done to them. */
@Campaign
class StoreModelTest {
  /** What is done, and with which numbers. */
  record Step(int kind, String key, int number) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<String> keys = Arbitraries.strings().withCharRange('a', 'e').ofMaxLength(2);
    return Combinators.combine(
            Arbitraries.integers().between(0, 11), keys, Arbitraries.integers().between(1, 6))
        .as(Step::new)
        .list()
        .ofMaxSize(60);
  }

  @Property(tries = 10)
  void theyAreAsThoseOfTheJdk(@ForAll("steps") List<Step> steps) {
    try (ShardedStore store =
        MediumSetting.withoutThreads(
                MediumSetting.medium(
                    ShardedStore.builder(Path.of("memory"))
                        .shards(2)
                        .heaps(heap -> heap.maxSize(64 << 20).logSize(16 << 20)),
                    new MemoryMedium()))
            .open()) {
      ShardedMap<String, Integer> map = store.map("map", String.class, Integer.class);
      ShardedSortedMap<String, Integer> sorted =
          store.sortedMap("sorted", String.class, Integer.class);
      Map<String, Integer> model = new HashMap<>();
      TreeMap<String, Integer> ordered = new TreeMap<>();
      for (Step step : steps) {
        change(store, map, sorted, model, ordered, step);
        compare(sorted, ordered, step);
      }
      assertThat(map.asMap()).isEqualTo(model);
      assertThat(sorted.asMap()).isEqualTo(ordered);
      assertThat(store.verify().ok()).isTrue();
    }
  }

  private static void change(
      ShardedStore store,
      ShardedMap<String, Integer> map,
      ShardedMap<String, Integer> sorted,
      Map<String, Integer> model,
      NavigableMap<String, Integer> ordered,
      Step step) {
    String key = step.key;
    int number = step.number;
    switch (step.kind) {
      case 0, 1 -> assertThat(map.put(key, number)).isEqualTo(model.put(key, number));
      case 2, 3 -> assertThat(sorted.put(key, number)).isEqualTo(ordered.put(key, number));
      case 4 -> assertThat(map.remove(key)).isEqualTo(model.remove(key));
      case 5 -> assertThat(sorted.remove(key)).isEqualTo(ordered.remove(key));
      case 6 ->
          assertThat(map.merge(key, number, Integer::sum))
              .isEqualTo(model.merge(key, number, Integer::sum));
      case 7 ->
          assertThat(sorted.computeIfPresent(key, (k, v) -> v > 3 ? null : v + number))
              .isEqualTo(ordered.computeIfPresent(key, (k, v) -> v > 3 ? null : v + number));
      case 8 -> store.reshard(number);
      case 9 -> {
        store.batch().put(map, key, number).put(sorted, key, number).remove(map, "a").commit();
        model.put(key, number);
        model.remove("a");
        ordered.put(key, number);
      }
      case 10 -> {
        sorted.setAsync(key, number).toCompletableFuture().join();
        ordered.put(key, number);
      }
      default -> {
        assertThat(map.replace(key, number, 9)).isEqualTo(model.replace(key, number, 9));
        assertThat(map.putIfAbsent(key, number)).isEqualTo(model.putIfAbsent(key, number));
      }
    }
  }

  private static void compare(
      ShardedSortedMap<String, Integer> sorted, NavigableMap<String, Integer> model, Step step) {
    assertThat(sorted.sizeLong()).isEqualTo(model.size());
    assertThat(list(sorted.descendingEntries()))
        .isEqualTo(List.copyOf(model.descendingMap().entrySet()));
    assertThat(sorted.higherEntry(step.key)).isEqualTo(model.higherEntry(step.key));
    assertThat(sorted.floorEntry(step.key)).isEqualTo(model.floorEntry(step.key));
    boolean inclusive = step.number % 2 == 0;
    assertThat(list(sorted.scan(step.key, inclusive, null, true, false)))
        .isEqualTo(List.copyOf(model.tailMap(step.key, inclusive).entrySet()));
    assertThat(list(sorted.scan(null, true, step.key, inclusive, true)))
        .isEqualTo(List.copyOf(model.headMap(step.key, inclusive).descendingMap().entrySet()));
  }

  private static <T> List<T> list(Iterator<T> all) {
    List<T> list = new ArrayList<>();
    all.forEachRemaining(list::add);
    return list;
  }
}
