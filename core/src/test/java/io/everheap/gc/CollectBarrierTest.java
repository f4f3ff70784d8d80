package io.everheap.gc;

import static io.everheap.gc.CollectHeaps.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.Heap;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.KeyOrder;
import io.everheap.error.GoneException;
import io.everheap.gc.CollectHeaps.Node;
import io.everheap.gc.CollectHeaps.Pair;
import io.everheap.heap.OpenHeap;
import io.everheap.report.CollectProgress.Phase;
import io.everheap.report.CollectReport;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every way to store a reference asks the collection that runs. */
class CollectBarrierTest {
  private static final KeyOrder<Node> BY_ID =
      KeyOrder.of("by id", Comparator.comparingInt(Node::id));

  private final Heap heap = CollectHeaps.open();
  private final Node root = heap.object("root", Node.class);
  private final DurableMap<Node, String> keys = heap.map("keys", Node.class, String.class);
  private final DurableMap<String, Node> values = heap.map("values", String.class, Node.class);
  private final DurableMap<String, Pair> records = heap.map("records", String.class, Pair.class);
  private final DurableSet<Node> set = heap.set("set", Node.class);
  private final DurableSortedMap<String, Node> sorted =
      heap.sortedMap("sorted", String.class, Node.class);
  private final DurableList<Node> list = heap.list("list", Node.class);
  private final DurableList<Pair> pairs = heap.list("pairs", Pair.class);
  private final DurableDeque<Node> deque = heap.deque("deque", Node.class);
  private final DurableDeque<Pair> pairDeque = heap.deque("pair deque", Pair.class);
  private final DurablePriorityQueue<Node> queue =
      heap.root("queue", DurablePriorityQueue.of(Node.class, BY_ID));
  private final DurableReference<Node> reference =
      heap.root("reference", DurableReference.of(Node.class));
  private final DurableArray<Node> array = heap.root("array", DurableArray.of(Node.class, 9));
  private final DurableMap<String, DurableList<Node>> nested =
      heap.root("nested", DurableMap.of(String.class, DurableList.of(Node.class)));

  @AfterEach
  void isSound() {
    assertThat(heap.verify().problems()).isEmpty();
    assertThat(heap.verify().notChecked()).isEmpty();
    assertThat(heap.verify().dangling()).isEmpty();
    heap.close();
  }

  private Map<String, ThrowingCallable> stores(Node node, DurableList<Node> structure) {
    Map<String, ThrowingCallable> all = new LinkedHashMap<>();
    Pair pair = new Pair("pair", null, node);
    all.put("field", () -> root.left(node));
    all.put("field of a list", () -> root.many(List.of(node)));
    all.put("field of a record", () -> root.pair(pair));
    all.put("field of a structure", () -> root.list(structure));
    all.put("map key", () -> keys.put(node, "x"));
    all.put("map.put", () -> values.put("put", node));
    all.put("map.putIfAbsent", () -> values.putIfAbsent("absent", node));
    all.put("map.set", () -> values.set("set", node));
    all.put("map.replace", () -> values.replace("there", node));
    all.put("map.replace if", () -> values.replace("there", root, node));
    all.put("map.compute", () -> values.compute("compute", (k, v) -> node));
    all.put("map.computeIfAbsent", () -> values.computeIfAbsent("computed", k -> node));
    all.put("map.computeIfPresent", () -> values.computeIfPresent("there", (k, v) -> node));
    all.put("map.merge", () -> values.merge("merge", node, (a, b) -> b));
    all.put("map.putAll", () -> values.putAll(Map.of("all", node)));
    all.put("map.replaceAll", () -> values.replaceAll((k, v) -> node));
    all.put("entry.setValue", () -> values.entrySet().iterator().next().setValue(node));
    all.put("map of records", () -> records.put("put", pair));
    all.put("set.add", () -> set.add(node));
    all.put("set.addAll", () -> set.addAll(List.of(node)));
    all.put("sorted.put", () -> sorted.put("put", node));
    all.put("sorted.putIfAbsent", () -> sorted.putIfAbsent("absent", node));
    all.put("sorted.replace", () -> sorted.replace("there", node));
    all.put("sorted.replace if", () -> sorted.replace("there", root, node));
    all.put("sorted.compute", () -> sorted.compute("compute", (k, v) -> node));
    all.put("sorted.computeIfAbsent", () -> sorted.computeIfAbsent("computed", k -> node));
    all.put("sorted.computeIfPresent", () -> sorted.computeIfPresent("there", (k, v) -> node));
    all.put("sorted.merge", () -> sorted.merge("merge", node, (a, b) -> b));
    all.put("sorted.putAll", () -> sorted.putAll(Map.of("all", node)));
    all.put("sorted.replaceAll", () -> sorted.replaceAll((k, v) -> node));
    all.put("part of sorted", () -> sorted.tailMap("a").put("tail", node));
    all.put("list.add", () -> list.add(node));
    all.put("list.add at", () -> list.add(0, node));
    all.put("list.addFirst", () -> list.addFirst(node));
    all.put("list.set", () -> list.set(0, node));
    all.put("list.addAll", () -> list.addAll(List.of(node)));
    all.put("list.addAll at", () -> list.addAll(0, List.of(node)));
    all.put("list.replaceAll", () -> list.replaceAll(old -> node));
    all.put("list of records", () -> pairs.add(pair));
    all.put("subList.add", () -> list.subList(0, 1).add(node));
    all.put("subList.set", () -> list.subList(0, 1).set(0, node));
    all.put("listIterator.add", () -> list.listIterator().add(node));
    all.put(
        "listIterator.set",
        () -> {
          var iterator = list.listIterator();
          iterator.next();
          iterator.set(node);
        });
    all.put("deque.offer", () -> deque.offer(node));
    all.put("deque.addFirst", () -> deque.addFirst(node));
    all.put("deque.put", () -> deque.put(node));
    all.put("deque.offer in time", () -> deque.offer(node, 1, TimeUnit.HOURS));
    all.put("deque.addAll", () -> deque.addAll(List.of(node)));
    all.put("deque of records", () -> pairDeque.offer(pair));
    all.put("deque of records in time", () -> pairDeque.put(pair));
    all.put("queue.offer", () -> queue.offer(node));
    all.put("queue.addAll", () -> queue.addAll(List.of(node)));
    all.put("reference.set", () -> reference.set(node));
    all.put("reference.getAndSet", () -> reference.getAndSet(node));
    all.put("reference.compareAndSet", () -> reference.compareAndSet(null, node));
    all.put("reference.updateAndGet", () -> reference.updateAndGet(old -> node));
    all.put("array.set", () -> array.set(1, node));
    all.put("array.getAndSet", () -> array.getAndSet(1, node));
    all.put("array.compareAndSet", () -> array.compareAndSet(2, null, node));
    all.put("array.updateAndGet", () -> array.updateAndGet(1, old -> node));
    all.put("array.fill", () -> array.fill(node));
    all.put("array as a list", () -> array.asList().set(3, node));
    all.put("map of structures", () -> nested.put("put", structure));
    return all;
  }

  private void fill() {
    values.put("there", root);
    sorted.put("there", root);
    list.add(root);
  }

  @Test
  void whatIsAboutToBeFreedCannotBeStored() {
    fill();
    Node doomed = node(heap, 1);
    DurableList<Node> structure = heap.transact(() -> heap.create(DurableList.of(Node.class)));
    int[] refused = {0};
    heap.collect(
        (phase, done) -> {
          if (phase == Phase.FREEING && refused[0] == 0) {
            stores(doomed, structure)
                .forEach(
                    (name, store) -> {
                      assertThatExceptionOfType(GoneException.class).as(name).isThrownBy(store);
                      refused[0]++;
                    });
          }
        });
    assertThat(refused[0]).isGreaterThan(50);
    assertThat(deque).isEmpty();
    assertThat(root.left()).isNull();
  }

  @Test
  void whatIsStoredWhileItMarksStaysWithAllThatItLeadsTo() {
    fill();
    int count =
        stores(
                root,
                Objects.requireNonNull(
                    heap.transact(() -> heap.create(DurableList.of(Node.class)))))
            .size();
    for (int i = 0; i < count; i++) {
      Node kept = node(heap, i);
      kept.right(node(heap, -i));
      DurableList<Node> structure = heap.transact(() -> heap.create(DurableList.of(Node.class)));
      structure.add(kept);
      String[] name = {""};
      int number = i;
      heap.collect(
          (phase, done) -> {
            if (phase == Phase.MARKING && name[0].isEmpty()) {
              Map.Entry<String, ThrowingCallable> store =
                  stores(kept, structure).entrySet().stream()
                      .skip(number)
                      .findFirst()
                      .orElseThrow();
              name[0] = store.getKey();
              try {
                store.getValue().call();
              } catch (Throwable e) {
                throw new AssertionError(name[0], e);
              }
            }
          });
      assertThat(kept.id()).as(name[0]).isEqualTo(i);
      assertThat(Objects.requireNonNull(kept.right()).id()).as(name[0]).isEqualTo(-i);
      fill();
    }
  }

  @Test
  void whatWasFreedByTheProgramWhileItMarksIsNoConcern() {
    Node kept = node(heap, 1);
    Node freed = node(heap, 2);
    freed.left(kept);
    root.left(freed);
    boolean[] done = {false};
    CollectReport report =
        heap.collect(
            (phase, found) -> {
              if (!done[0]) {
                done[0] = true;
                heap.transact(
                    () -> {
                      root.left(kept);
                      heap.free(freed);
                    });
                for (int i = 0; i < 100; i++) { // at the place of the other one
                  list.add(node(heap, i));
                }
              }
            });
    assertThat(report.objects()).isZero();
    assertThat(Objects.requireNonNull(root.left()).id()).isEqualTo(1);
    assertThat(list).allMatch(node -> Objects.requireNonNull(node.text()).startsWith("node"));
  }

  @Test
  void aRootRemovedWithAllItHoldsWhileItMarksIsNoConcern() {
    Node kept = node(heap, 1);
    for (int i = 0; i < 50; i++) {
      String key = "key " + i;
      heap.transact(
          () -> {
            DurableList<Node> inner = heap.create(DurableList.of(Node.class));
            inner.add(kept);
            nested.put(key, inner);
          });
    }
    boolean[] done = {false};
    CollectReport report =
        CollectHeaps.slow(heap)
            .collect(
                (phase, found) -> {
                  if (!done[0] && found > 1) {
                    done[0] = true;
                    heap.transact(
                        () -> {
                          root.left(kept);
                          heap.removeDeep("nested");
                        });
                    OpenHeap.engine(heap).drainHousekeeping();
                  }
                });
    assertThat(report.complete()).isTrue();
    assertThat(kept.id()).isEqualTo(1);
    OpenHeap.engine(heap).drainHousekeeping();
    assertThat(heap.collect().objects()).isZero();
  }
}
