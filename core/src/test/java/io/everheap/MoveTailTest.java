package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.DurableList;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.KeyOrder;
import io.everheap.durable.Durable;
import io.everheap.error.GoneException;
import io.everheap.report.CollectProgress.Phase;
import io.everheap.report.VerifyReport;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The upper part of a sorted map or set moves to another one of the same heap. */
class MoveTailTest {
  private static final int ENTRIES = 5_000;

  @TempDir private Path directory;

  private final Heap heap = Heap.inMemory();
  private final DurableSortedMap<Long, String> map = numbers(heap);
  private final DurableSortedMap<Long, String> other =
      heap.sortedMap("other", Long.class, String.class);

  /** An object that values lead to. */
  @Durable
  public interface Node {
    int id();

    void id(int value);
  }

  @AfterEach
  void isSound() {
    VerifyReport report = heap.verify();
    assertThat(report.problems()).isEmpty();
    assertThat(report.dangling()).isEmpty();
    heap.close();
  }

  private static DurableSortedMap<Long, String> numbers(Heap heap) {
    return heap.sortedMap("map", Long.class, String.class);
  }

  private static void fill(DurableSortedMap<Long, String> map) {
    Map<Long, String> all = new TreeMap<>();
    for (long i = 0; i < ENTRIES; i++) {
      all.put(i, "value " + i);
    }
    map.putAll(all);
  }

  private static List<Long> range(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  @Test
  void entriesFromAKeyOnMoveAndTheOthersStay() {
    fill(map);
    assertThat(map.moveTailTo(1_234L, other)).isEqualTo(ENTRIES - 1_234);
    assertThat(map.keySet()).containsExactlyElementsOf(range(0, 1_234));
    assertThat(other.keySet()).containsExactlyElementsOf(range(1_234, ENTRIES));
    assertThat(map).hasSize(1_234);
    assertThat(other).hasSize(ENTRIES - 1_234);
    assertThat(other.get(1_234L)).isEqualTo("value 1234");
    assertThat(map.get(1_234L)).isNull();
    map.put(2_000L, "again");
    other.put(7L, "seven");
    assertThat(map.lastKey()).isEqualTo(2_000);
    assertThat(other.firstKey()).isEqualTo(7);
    assertThat(other.get(2_000L)).isEqualTo("value 2000");
  }

  @Test
  void nothingOrAllMoves() {
    assertThat(map.moveTailTo(0L, other)).isZero();
    fill(map);
    assertThat(map.moveTailTo((long) ENTRIES, other)).isZero();
    assertThat(map).hasSize(ENTRIES);
    assertThat(map.moveTailTo(Long.MIN_VALUE, other)).isEqualTo(ENTRIES);
    assertThat(map).isEmpty();
    assertThat(other).hasSize(ENTRIES);
    fill(map);
    assertThat(map).hasSize(ENTRIES);
  }

  @Test
  void aSetMovesItsTail() {
    DurableSortedSet<String> words = heap.sortedSet("words", String.class);
    DurableSortedSet<String> later = heap.sortedSet("later", String.class);
    words.addAll(List.of("a", "b", "c", "d"));
    assertThat(words.moveTailTo("bb", later)).isEqualTo(2);
    assertThat(words).containsExactly("a", "b");
    assertThat(later).containsExactly("c", "d");
    assertThatIllegalArgumentException().isThrownBy(() -> words.moveTailTo("a", later));
  }

  @Test
  void aMoveIsUndoneWithItsTransaction() {
    fill(map);
    assertThatThrownBy(
            () ->
                heap.transact(
                    () -> {
                      map.put(-1L, "new");
                      DurableSortedMap<Long, String> made =
                          heap.sortedMap("made", Long.class, String.class);
                      assertThat(map.moveTailTo(10L, made)).isEqualTo(ENTRIES - 10);
                      made.remove(20L);
                      map.put(30L, "other");
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");
    assertThat(map.keySet()).containsExactlyElementsOf(range(0, ENTRIES));
    assertThat(heap.contains("made")).isFalse();
  }

  @Test
  void bothPartsAreThereAfterReopening() {
    Path path = directory.resolve("heap");
    try (Heap first = Heap.open(path)) {
      fill(numbers(first));
      first.transact(
          () ->
              numbers(first)
                  .moveTailTo(100L, first.sortedMap("from 100", Long.class, String.class)));
    }
    try (Heap again = Heap.open(path)) {
      assertThat(numbers(again).keySet()).containsExactlyElementsOf(range(0, 100));
      assertThat(again.sortedMap("from 100", Long.class, String.class).keySet())
          .containsExactlyElementsOf(range(100, ENTRIES));
      assertThat(again.verify().problems()).isEmpty();
      assertThat(again.verify().unreachable()).isZero();
    }
  }

  @Test
  void nestedStructuresMoveBetweenNestedMaps() {
    var lists = DurableSortedMap.of(String.class, DurableList.of(String.class));
    DurableSortedMap<String, DurableSortedMap<String, DurableList<String>>> outer =
        heap.root("outer", DurableSortedMap.of(String.class, lists));
    heap.transact(
        () -> {
          outer.put("one", heap.create(lists));
          outer.put("two", heap.create(lists));
        });
    DurableSortedMap<String, DurableList<String>> one = outer.get("one");
    DurableSortedMap<String, DurableList<String>> two = outer.get("two");
    for (String key : List.of("a", "b", "c")) {
      heap.transact(
          () -> {
            DurableList<String> list = heap.create(DurableList.of(String.class));
            list.add("in " + key);
            one.put(key, list);
          });
    }
    DurableList<String> c = one.get("c");
    assertThat(one.moveTailTo("b", two)).isEqualTo(2);
    assertThat(one.keySet()).containsExactly("a");
    assertThat(two.get("b")).containsExactly("in b");
    assertThat(Objects.requireNonNull(two.get("c")).sameAs(c)).isTrue();
    c.add("more");
    assertThat(two.get("c")).containsExactly("in c", "more");
    assertThat(heap.verify().unreachable()).isZero();
  }

  @Test
  void aTargetThatDoesNotFitIsRefusedAndNothingMoves() {
    fill(map);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> map.moveTailTo(0L, map))
        .withMessageContaining("the map or set whose entries move");
    assertThatIllegalArgumentException().isThrownBy(() -> map.moveTailTo(0L, numbers(heap)));
    other.put(1L, "one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> map.moveTailTo(0L, other))
        .withMessage("the target is not empty");
    other.clear();
    DurableSortedMap<Long, String> backwards =
        heap.sortedMap(
            "backwards", Long.class, String.class, KeyOrder.of("back", Comparator.reverseOrder()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> map.moveTailTo(0L, backwards))
        .withMessage("the target has another order of keys");
    try (Heap second = Heap.inMemory()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> map.moveTailTo(0L, numbers(second)))
          .withMessage("the target belongs to another heap");
    }
    heap.remove("other");
    assertThatExceptionOfType(GoneException.class).isThrownBy(() -> map.moveTailTo(0L, other));
    assertThat(map).hasSize(ENTRIES);
  }

  @Test
  void anIteratorSkipsWhatMovedBeforeItsTurn() {
    fill(map);
    List<Long> seen = new ArrayList<>();
    Iterator<Long> keys = map.keySet().iterator();
    while (keys.hasNext()) {
      seen.add(keys.next());
      if (seen.size() == 500) {
        assertThat(map.moveTailTo(2_000L, other)).isEqualTo(ENTRIES - 2_000);
      }
    }
    assertThat(seen).containsExactlyElementsOf(range(0, 2_000));
  }

  private String problem() {
    long both = map.sizeLong() + other.sizeLong();
    boolean one = map.containsKey(4_000L) != other.containsKey(4_000L);
    boolean first = Objects.equals(map.get(10L), "value 10");
    boolean apart = other.isEmpty() || map.lastKey() < other.firstKey();
    return both == ENTRIES && one && first && apart
        ? ""
        : both + " " + one + " " + first + " " + apart;
  }

  @Test
  @Campaign
  void readersSeeAllOfAMoveOrNothing() throws Exception {
    fill(map);
    AtomicBoolean done = new AtomicBoolean();
    List<String> wrong = new ArrayList<>();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!done.get()) {
                    String problem = heap.read(() -> problem());
                    if (!problem.isEmpty()) {
                      wrong.add(problem);
                    }
                    if (map.values().stream().limit(100).count() != 100) {
                      wrong.add("a short stream");
                    }
                  }
                });
    for (long i = 0; i < 40; i++) {
      long from = 100 + i * 87;
      assertThat(map.moveTailTo(from, other)).isPositive();
      heap.transact(
          () -> {
            map.putAll(other);
            other.clear();
          });
    }
    done.set(true);
    reader.join();
    assertThat(wrong).isEmpty();
  }

  @Test
  void whatEntriesLeadToStaysWhenTheirMapWasUnreachable() {
    var shape = DurableSortedMap.of(String.class, Node.class);
    DurableSortedMap<String, Node> kept = heap.root("kept", shape);
    DurableSortedMap<String, Node> loose =
        heap.transact(() -> heap.create(DurableSortedMap.of(String.class, Node.class)));
    loose.put("a", heap.create(Node.class, node -> node.id(1)));
    loose.put("b", heap.create(Node.class, node -> node.id(2)));
    boolean[] moved = {false};
    heap.collect(
        (phase, done) -> {
          if (phase == Phase.MARKING && !moved[0]) {
            moved[0] = true;
            assertThat(loose.moveTailTo("b", kept)).isEqualTo(1);
          }
        });
    assertThat(moved[0]).isTrue();
    assertThat(Objects.requireNonNull(kept.get("b")).id()).isEqualTo(2);
  }

  @Test
  void anUnreachableMapThatIsBeingFreedMovesNothing() {
    var shape = DurableSortedMap.of(String.class, Node.class);
    DurableSortedMap<String, Node> kept = heap.root("kept", shape);
    DurableSortedMap<String, Node> loose =
        heap.transact(() -> heap.create(DurableSortedMap.of(String.class, Node.class)));
    DurableSortedMap<String, Node> empty =
        heap.transact(() -> heap.create(DurableSortedMap.of(String.class, Node.class)));
    loose.put("a", heap.create(Node.class, node -> node.id(1)));
    boolean[] refused = {false};
    heap.collect(
        (phase, done) -> {
          if (phase == Phase.FREEING && !refused[0]) {
            refused[0] = true;
            assertThatExceptionOfType(GoneException.class)
                .isThrownBy(() -> loose.moveTailTo("a", kept));
            assertThatExceptionOfType(GoneException.class)
                .isThrownBy(() -> kept.moveTailTo("a", empty));
          }
        });
    assertThat(refused[0]).isTrue();
    assertThat(kept).isEmpty();
  }
}
