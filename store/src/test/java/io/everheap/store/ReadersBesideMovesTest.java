package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableSortedMap;
import io.everheap.support.Limit;
import io.everheap.support.Seeds;
import io.everheap.support.tier.Campaign;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Readers of whole maps whose keys move: lookups, scans and slow iterators, between all steps. */
@Campaign
class ReadersBesideMovesTest {
  private static final int KEYS = 40;
  private static MovingStore shared;

  @BeforeAll
  static void open() {
    shared = new MovingStore();
  }

  @AfterAll
  static void close() {
    shared.end();
  }

  // ---- Readers beside a step of a move -------------------------------------------------------

  /** Runs something in another thread, which finds all turns taken. */
  private static void beside(Runnable readers) {
    try {
      Limit.get(CompletableFuture.runAsync(readers));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"2, 3", "3, 2", "1, 4", "3, 1"})
  void readersSeeAllKeysBesideEachStep(int from, int to) {
    try (MovingStore moving = shared.at(from)) {
      TreeMap<Integer, Integer> model = new TreeMap<>();
      for (int key = 0; key < KEYS; key++) {
        moving.map.put(key, -key);
        moving.sorted.put(key, -key);
        model.put(key, -key);
      }
      moving.begin(to);
      int[] seen = {0};
      Runnable readers =
          () ->
              beside(
                  () -> {
                    requireAll(moving, model, model, true);
                    seen[0]++;
                  });
      for (int key = 0; key < KEYS; key += 3) {
        for (ShardedMap<Integer, Integer> map : List.of(moving.map, moving.sorted)) {
          if (moving.moves(map, key)) {
            Moves.Parts parts = moving.parts(map, key);
            Moves.move(
                moving.store,
                new Moves.Parts(
                    parts.from(),
                    parts.to(),
                    MovingStore.hooked(parts.source(), "remove", readers, readers),
                    MovingStore.hooked(parts.target(), "putIfAbsent", readers, readers)),
                List.of(map.encodeKey(key)));
            readers.run();
          }
        }
      }
      assertThat(seen[0]).isGreaterThan(20);
    }
  }

  /** Runs something before each call of a method of the second part of a map. */
  private static void watchSource(ShardedSortedMap<Integer, Integer> map, Runnable before) {
    ConcurrentMap<byte[], Object> source = map.rawPart(1);
    Object watched =
        Proxy.newProxyInstance(
            ReadersBesideMovesTest.class.getClassLoader(),
            new Class<?>[] {DurableSortedMap.class},
            (proxy, method, arguments) -> {
              before.run();
              return method.invoke(source, arguments);
            });
    @SuppressWarnings("unchecked")
    ConcurrentMap<byte[], Object> part = (ConcurrentMap<byte[], Object>) watched;
    map.rawParts = List.of(map.rawPart(0), part);
  }

  /** The reader has read the target, and not yet the source. */
  @Test
  void keysThatMoveBehindAScanAreSeen() {
    try (MovingStore moving = shared.at(2)) {
      ShardedSortedMap<Integer, Integer> map = moving.sorted;
      moving.begin(1);
      int low = moving.movingKey(map, 0);
      int staying = moving.stayingKey(map, low + 1);
      int high = moving.movingKey(map, staying + 1);
      List<Integer> keys = List.of(low, staying, high);
      List<Supplier<List<Integer>>> reads =
          List.of(
              () -> list(map.entries()).stream().map(Map.Entry::getKey).toList(),
              () -> list(map.descendingEntries()).stream().map(Map.Entry::getKey).toList(),
              () -> List.of(map.firstEntry().getKey()),
              () -> List.of(map.lastEntry().getKey()),
              () -> List.of(map.floorEntry(high).getKey()),
              () -> List.of(map.ceilingEntry(low).getKey()));
      List<List<Integer>> expected =
          List.of(keys, keys.reversed(), List.of(low), List.of(high), List.of(high), List.of(low));
      for (int i = 0; i < 2 * reads.size(); i++) {
        moving.at(2);
        keys.forEach(key -> map.put(key, key));
        moving.begin(1);
        int first = i % 2 == 0 ? low : high;
        int second = i % 2 == 0 ? high : low;
        int[] looks = {0};
        watchSource(
            map,
            () -> {
              if (looks[0] < 2) {
                moving.move(map, looks[0]++ == 0 ? first : second);
              }
            });
        assertThat(reads.get(i / 2).get()).as("read %s", i).isEqualTo(expected.get(i / 2));
        map.rawParts = List.of();
        assertThat(moving.isIn(map, 0, first)).as("it moved").isTrue();
      }
      map.clear();
    }
  }

  // ---- All keys ------------------------------------------------------------------------------

  private static <T> List<T> list(Iterator<T> all) {
    List<T> list = new ArrayList<>();
    all.forEachRemaining(list::add);
    return list;
  }

  private static void requireAll(
      MovingStore moving,
      Map<Integer, Integer> model,
      NavigableMap<Integer, Integer> ordered,
      boolean copies) {
    ShardedSortedMap<Integer, Integer> sorted = moving.sorted;
    for (int key = -1; key <= KEYS; key++) {
      assertThat(moving.map.get(key)).isEqualTo(model.get(key));
      assertThat(moving.map.containsKey(key)).isEqualTo(model.containsKey(key));
      assertThat(sorted.get(key)).isEqualTo(ordered.get(key));
      assertThat(sorted.containsKey(key)).isEqualTo(ordered.containsKey(key));
    }
    Map<Integer, Integer> seen = new HashMap<>();
    moving.map.entries().forEachRemaining(entry -> seen.put(entry.getKey(), entry.getValue()));
    assertThat(seen).isEqualTo(model);
    requireOrder(sorted, ordered);
    if (copies) {
      assertThat(moving.map.sizeLong()).isBetween((long) model.size(), 2L * model.size());
      assertThat(sorted.sizeLong()).isBetween((long) ordered.size(), 2L * ordered.size());
    } else {
      assertThat(moving.map.sizeLong()).isEqualTo(model.size());
      assertThat(sorted.sizeLong()).isEqualTo(ordered.size());
    }
  }

  private static void requireOrder(
      ShardedSortedMap<Integer, Integer> sorted, NavigableMap<Integer, Integer> ordered) {
    assertThat(list(sorted.entries())).isEqualTo(List.copyOf(ordered.entrySet()));
    assertThat(list(sorted.descendingEntries()))
        .isEqualTo(List.copyOf(ordered.descendingMap().entrySet()));
    assertThat(sorted.firstEntry()).isEqualTo(ordered.firstEntry());
    assertThat(sorted.lastEntry()).isEqualTo(ordered.lastEntry());
    for (int key = -1; key <= KEYS; key += 9) {
      assertThat(sorted.floorEntry(key)).isEqualTo(ordered.floorEntry(key));
      assertThat(sorted.lowerEntry(key)).isEqualTo(ordered.lowerEntry(key));
      assertThat(sorted.ceilingEntry(key)).isEqualTo(ordered.ceilingEntry(key));
      assertThat(sorted.higherEntry(key)).isEqualTo(ordered.higherEntry(key));
      for (boolean inclusive : new boolean[] {true, false}) {
        assertThat(list(sorted.scan(key, inclusive, key + 10, !inclusive, false)))
            .isEqualTo(
                List.copyOf(ordered.subMap(key, inclusive, key + 10, !inclusive).entrySet()));
        assertThat(list(sorted.scan(key, inclusive, key + 10, inclusive, true)))
            .isEqualTo(
                List.copyOf(
                    ordered
                        .subMap(key, inclusive, key + 10, inclusive)
                        .descendingMap()
                        .entrySet()));
      }
    }
    assertThat(sorted.asMap().subMap(3, 17)).hasSize(ordered.subMap(3, 17).size());
  }

  /** Reads and writes of any kind between the steps of moves, crashes and openings. */
  @Test
  void theStoreIsAsMapsOfTheJdkWhateverMoved() {
    Random random = new Random(Seeds.seed());
    Map<Integer, Integer> model = new HashMap<>();
    TreeMap<Integer, Integer> ordered = new TreeMap<>();
    try (MovingStore moving = shared.at(2)) {
      for (int step = 0; step < 250; step++) {
        int key = random.nextInt(KEYS);
        ShardedSortedMap<Integer, Integer> sorted = moving.sorted;
        switch (random.nextInt(15)) {
          case 0, 1 -> assertThat(moving.map.put(key, step)).isEqualTo(model.put(key, step));
          case 2, 3 -> assertThat(sorted.put(key, step)).isEqualTo(ordered.put(key, step));
          case 4 -> {
            int other = random.nextInt(KEYS);
            StoreBatch batch = moving.store.batch().put(moving.map, key, step);
            batch.put(sorted, key, step).remove(moving.map, other).remove(sorted, other).commit();
            model.put(key, step);
            model.remove(other);
            ordered.put(key, step);
            ordered.remove(other);
          }
          case 5 -> assertThat(moving.map.remove(key)).isEqualTo(model.remove(key));
          case 6 -> assertThat(sorted.remove(key)).isEqualTo(ordered.remove(key));
          case 7 ->
              assertThat(sorted.merge(key, 1, Integer::sum))
                  .isEqualTo(ordered.merge(key, 1, Integer::sum));
          case 8, 9 -> {
            moving.move(moving.map, key);
            moving.move(sorted, key);
          }
          case 10 -> {
            moving.copy(moving.map, key);
            moving.copy(sorted, key);
          }
          case 11 -> {
            if (random.nextInt(3) > 0) {
              assertThat(sorted.pollFirstEntry()).isEqualTo(ordered.pollFirstEntry());
            } else {
              assertThat(sorted.pollLastEntry()).isEqualTo(ordered.pollLastEntry());
            }
          }
          case 12 -> {
            if (!moving.store.placement().moving()) {
              moving.begin(1 + random.nextInt(4));
            } else if (random.nextInt(4) == 0) {
              moving.store.reshard(moving.store.shardCount());
              assertThat(moving.store.verify().problems()).isEmpty();
            }
          }
          case 13 -> {
            if (random.nextInt(5) == 0) {
              moving.reopen();
            }
          }
          default -> {
            if (random.nextInt(20) == 0) {
              moving.map.clear();
              model.clear();
            }
          }
        }
        if (step % 4 == 0) {
          requireAll(moving, model, ordered, moving.store.placement().moving());
        }
      }
      moving.store.reshard(3);
      requireAll(moving, model, ordered, false);
      assertThat(moving.store.verify().problems()).isEmpty();
    }
  }

  // ---- Slow iterators ------------------------------------------------------------------------

  /**
   * Iterators that stand still while keys move, are put and are removed see each entry that stays:
   * those of a sorted map once and in order, others at least once.
   */
  @ParameterizedTest
  @CsvSource({"2, 3", "3, 2", "1, 4", "4, 1"})
  void slowIteratorsSeeAllThatStays(int from, int to) {
    Random random = new Random(Seeds.seed());
    for (int round = 0; round < 6; round++) {
      try (MovingStore moving = shared.at(from)) {
        for (int key = 0; key < 2 * KEYS; key += 2) { // the even ones stay
          moving.map.put(key, key);
          moving.sorted.put(key, key);
        }
        boolean late = round % 3 == 0;
        if (!late) {
          moving.begin(to);
        }
        Iterator<Map.Entry<Integer, Integer>> all = moving.map.entries();
        Iterator<Map.Entry<Integer, Integer>> up = moving.sorted.entries();
        Iterator<Map.Entry<Integer, Integer>> down = moving.sorted.descendingEntries();
        Iterator<Map.Entry<Integer, Integer>> part = moving.sorted.scan(10, true, 50, true, false);
        if (late) {
          moving.begin(to);
        }
        List<Integer> ofAll = new ArrayList<>();
        List<Integer> ascending = new ArrayList<>();
        List<Integer> descending = new ArrayList<>();
        List<Integer> ofPart = new ArrayList<>();
        List<Integer> left = new ArrayList<>();
        for (int key = 0; key < 2 * KEYS; key++) {
          left.add(key);
        }
        Collections.shuffle(left, random);
        while (all.hasNext() || up.hasNext() || down.hasNext() || part.hasNext()) {
          for (int i = random.nextInt(5); i > 0 && !left.isEmpty(); i--) {
            int key = left.removeLast();
            if (key % 2 == 1) {
              moving.map.put(key, key);
              moving.sorted.put(key, key);
            }
            if (random.nextInt(4) == 0) {
              moving.copy(moving.map, key);
              moving.copy(moving.sorted, key);
            }
            moving.move(moving.map, key);
            moving.move(moving.sorted, key);
            if (key % 2 == 1 && random.nextBoolean()) {
              moving.map.remove(key);
              moving.sorted.remove(key);
            }
          }
          if (left.isEmpty() && moving.store.placement().moving() && random.nextInt(5) == 0) {
            moving.moved();
          }
          take(all, ofAll);
          take(up, ascending);
          take(down, descending);
          take(part, ofPart);
        }
        List<Integer> even = new ArrayList<>();
        for (int key = 0; key < 2 * KEYS; key += 2) {
          even.add(key);
        }
        assertThat(ofAll).containsAll(even);
        assertThat(even(ascending)).isEqualTo(even);
        assertThat(ascending).isSorted().doesNotHaveDuplicates();
        assertThat(even(descending)).isEqualTo(even.reversed());
        assertThat(descending.reversed()).isSorted().doesNotHaveDuplicates();
        assertThat(even(ofPart)).isEqualTo(even.subList(5, 26));
        assertThat(ofPart)
            .isSorted()
            .doesNotHaveDuplicates()
            .allMatch(key -> key >= 10 && key <= 50);
      }
    }
  }

  private static void take(Iterator<Map.Entry<Integer, Integer>> from, List<Integer> to) {
    if (from.hasNext()) {
      Map.Entry<Integer, Integer> entry = from.next();
      assertThat(entry.getValue()).isEqualTo(entry.getKey());
      to.add(entry.getKey());
    }
  }

  private static List<Integer> even(List<Integer> keys) {
    return keys.stream().filter(key -> key % 2 == 0).toList();
  }

  @Test
  void anIteratorOfAnUnorderedMapSeesEachEntryOnceWhileNothingMoves() {
    try (MovingStore moving = shared.at(3)) {
      for (int key = 0; key < KEYS; key++) {
        moving.map.put(key, key);
      }
      assertThat(list(moving.map.entries())).hasSize(KEYS).doesNotHaveDuplicates();
      moving.begin(2); // no key was moved yet
      assertThat(list(moving.map.entries())).hasSize(KEYS).doesNotHaveDuplicates();
    }
  }

  // ---- Openings between steps ----------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"2, 3", "3, 1"})
  void anOpeningBetweenStepsFindsAllKeysAndTheNextReshardingEndsTheMove(int from, int to) {
    try (MovingStore moving = shared.at(from)) {
      TreeMap<Integer, Integer> model = new TreeMap<>();
      for (int key = 0; key < KEYS; key++) {
        moving.map.put(key, key);
        moving.sorted.put(key, key);
        model.put(key, key);
      }
      moving.begin(to);
      moving.reopen(); // nothing has moved
      assertThat(moving.store.placement().moving()).isTrue();
      assertThat(moving.store.shardCount()).isEqualTo(to);
      requireAll(moving, model, model, false);
      for (int key = 0; key < KEYS; key++) {
        if (key % 3 == 0) {
          moving.move(moving.map, key);
          moving.move(moving.sorted, key);
        } else if (key % 3 == 1) {
          moving.copy(moving.map, key);
          moving.copy(moving.sorted, key);
        }
      }
      moving.reopen(); // in the middle
      requireAll(moving, model, model, true);
      List<Long> reports = new ArrayList<>();
      moving.store.reshard(
          to,
          (done, total) -> {
            assertThat(done).isLessThanOrEqualTo(total);
            reports.add(done);
            requireAll(moving, model, model, true);
          });
      assertThat(reports).isSorted();
      assertThat(moving.store.placement().moving()).isFalse();
      requireAll(moving, model, model, false);
      moving.reopen();
      assertThat(moving.store.shardCount()).isEqualTo(to);
      requireAll(moving, model, model, false);
      assertThat(moving.store.verify().problems()).isEmpty();
      moving.store.reshard(from);
      requireAll(moving, model, model, false);
    }
  }
}
