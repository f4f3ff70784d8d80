package io.everheap.gc;

import static io.everheap.gc.CollectHeaps.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.Structure;
import io.everheap.gc.CollectHeaps.Node;
import io.everheap.gc.CollectHeaps.Pair;
import io.everheap.heap.OpenHeap;
import io.everheap.report.CollectProgress.Phase;
import io.everheap.report.CollectReport;
import io.everheap.report.CollectReport.Outcome;
import io.everheap.report.VerifyReport;
import io.everheap.report.VerifyReport.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A collection that is stopped leaves garbage that leads to what was freed. That is no damage, and
 * the next collection frees it.
 */
class StoppedCollectTest {
  private static final String STOP = "stopped by the test";

  /** What nothing leads to holds each other in every way there is. */
  private static void garbage(Heap heap) {
    heap.transact(
        () -> {
          Node first = node(heap, 1);
          Node second = node(heap, 2);
          first.left(second);
          second.right(first);
          first.many(List.of(second, node(heap, 3)));
          second.pair(new Pair("pair", first, node(heap, 4)));
          var list = heap.create(DurableList.of(Node.class));
          list.addAll(List.of(first, second));
          second.list(list);
          var map = heap.create(DurableMap.of(String.class, Node.class));
          map.put("first", first);
          first.map(map);
          holders(heap, first, list);
        });
  }

  private static void holders(Heap heap, Node node, DurableList<Node> list) {
    var shape = DurableList.of(Node.class);
    var lists = heap.create(DurableMap.of(String.class, shape));
    lists.put("list", list);
    var sorted = heap.create(DurableSortedMap.of(String.class, shape));
    sorted.put("list", list);
    heap.create(DurableMap.of(Node.class, String.class)).put(node, "key");
    heap.create(DurableSet.of(Node.class)).add(node);
    heap.create(DurableDeque.of(shape)).add(list);
    heap.create(DurableArray.of(Pair.class, 3)).set(1, new Pair("in an array", node, null));
    heap.create(DurableReference.of(shape)).set(list);
    var outer = heap.create(DurableList.of(DurableMap.of(String.class, shape)));
    outer.add(lists);
  }

  private static Heap open() {
    Heap heap = CollectHeaps.open();
    Node root = heap.object("root", Node.class);
    root.left(node(heap, 100));
    return heap;
  }

  private static void assertSound(Heap heap, int stop) {
    VerifyReport report = heap.verify();
    assertThat(report.problems()).as("after step %s", stop).isEmpty();
    assertThat(report.dangling()).as("after step %s", stop).isEmpty();
    assertThat(report.notChecked()).as("after step %s", stop).isEmpty();
  }

  @Test
  void garbageThatLeadsToWhatWasFreedIsNoDamageAndIsFreedByTheNext() {
    boolean stopped = true;
    int stop = 0;
    for (; stopped; stop++) {
      try (Heap heap = open()) {
        OpenHeap.engine(heap).drainHousekeeping();
        long live = heap.verify().entries();
        garbage(heap);
        stopped = stopsAfter(heap, stop);
        OpenHeap.engine(heap).drainHousekeeping();
        assertSound(heap, stop);

        CollectReport report = heap.collect();
        OpenHeap.engine(heap).drainHousekeeping();
        assertThat(report.outcome()).isEqualTo(Outcome.COMPLETE);
        assertThat(report.leftAlone()).isEmpty();
        assertThat(heap.verify().unreachable()).isZero();
        assertThat(heap.verify().entries()).isEqualTo(live + typesOfGarbage(heap));
        assertSound(heap, stop);
      }
    }
    assertThat(stop).as("places to stop at").isGreaterThan(8);
  }

  /** They stay in the map of types. */
  private static long typesOfGarbage(Heap heap) {
    try (Heap fresh = open()) {
      return (long) heap.types().size() - fresh.types().size();
    }
  }

  /** Whether there was a step to stop at. */
  private static boolean stopsAfter(Heap heap, int steps) {
    int[] left = {steps};
    Collector collector = CollectHeaps.slow(heap);
    try {
      collector.collect(
          (phase, done) -> {
            if (phase == Phase.FREEING && left[0]-- == 0) {
              throw new IllegalStateException(STOP);
            }
          });
      return false;
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage(STOP);
      return true;
    }
  }

  @Test
  void whatRootsLeadToAndWasFreedIsFoundWithItsRootAndKey() {
    try (Heap heap = open()) {
      Node gone = node(heap, 1);
      DurableMap<String, Node> map = heap.map("map", String.class, Node.class);
      DurableMap<String, DurableList<Node>> lists =
          heap.root("lists", DurableMap.of(String.class, DurableList.of(Node.class)));
      Structure list =
          heap.transact(
              () -> {
                var made = heap.create(DurableList.of(Node.class));
                lists.put("nested", made);
                return made;
              });
      Node root = heap.object("root", Node.class);
      map.put("key", gone);
      root.right(gone);
      root.many(List.of(gone));
      heap.list("list", Node.class).add(gone);
      heap.sortedMap("sorted", String.class, Node.class).put("a", gone);
      heap.set("set", Node.class).add(gone);
      heap.free(gone);
      heap.free(list);

      VerifyReport report = heap.verify();
      assertThat(report.ok()).isTrue();
      assertThat(report.notChecked()).isEmpty();
      assertThat(report.foundDangling()).isEqualTo(7);
      assertThat(report.dangling())
          .allSatisfy(each -> assertThat(each.kind()).isEqualTo("dangling reference"))
          .extracting(Problem::root)
          .containsExactlyInAnyOrder("map", "lists", "root", "root", "list", "sorted", "set");
      assertThat(report.dangling())
          .extracting(Problem::key)
          .contains("key", "nested", "a", "0")
          .filteredOn(key -> key.contains("Node."))
          .satisfiesExactlyInAnyOrder(
              key -> assertThat(key).endsWith("Node.right"),
              key -> assertThat(key).endsWith("Node.many"));
      assertThat(report.dangling())
          .extracting(Problem::message)
          .allSatisfy(message -> assertThat(message).contains("is gone"));

      assertThat(heap.collect().outcome()).isEqualTo(Outcome.COMPLETE);
      map.clear();
      assertThat(heap.verify().foundDangling()).isEqualTo(6);
    }
  }

  @Test
  void aStoppedCollectionThrowsWhatItsProgressThrew() {
    try (Heap heap = open()) {
      garbage(heap);
      assertThatThrownBy(
              () ->
                  heap.collect(
                      (phase, done) -> {
                        throw new IllegalStateException(STOP);
                      }))
          .hasMessage(STOP);
      assertSound(heap, 0);
    }
  }
}
