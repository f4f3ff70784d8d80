package io.everheap.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableSortedMap;
import io.everheap.durable.Zoo.Node;
import io.everheap.error.GoneException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds a reference to an object that is gone can be read, shown, compared and changed. */
class StaleReferencesTest {
  @Durable
  sealed interface Animal permits Cat, Dog {
    int legs();

    void legs(int value);
  }

  @Durable
  non-sealed interface Cat extends Animal {}

  @Durable
  non-sealed interface Dog extends Animal {}

  record Pair(String name, Node node, Optional<Node> other) {}

  private final Heap heap = Heap.inMemory();
  private final Node whole = node(1);
  private final Node gone = node(2);

  @AfterEach
  void isSound() {
    assertThat(heap.verify().problems()).isEmpty();
    heap.close();
  }

  private Node node(int id) {
    return heap.create(Node.class, n -> n.id(id));
  }

  private static void assertGone(Node node) {
    assertThatExceptionOfType(GoneException.class)
        .isThrownBy(node::id)
        .withMessageContaining("Node@")
        .withMessageContaining("freed")
        .withMessageContaining("rolled back");
    assertThatExceptionOfType(GoneException.class).isThrownBy(() -> node.id(3));
    assertThatExceptionOfType(GoneException.class).isThrownBy(node::next);
    assertThat(node.toString()).startsWith("<stale reference Node@").endsWith(">");
    assertThat(List.of(node)).contains(node);
  }

  private DurableMap<String, Node> mapWithOneGone() {
    DurableMap<String, Node> map = heap.map("map", String.class, Node.class);
    map.put("whole", whole);
    map.put("gone", gone);
    heap.free(gone);
    return map;
  }

  @Test
  void anEntryOfAMapIsReadAndShown() {
    DurableMap<String, Node> map = mapWithOneGone();
    assertGone(map.get("gone"));
    assertThat(map.get("gone")).isEqualTo(gone).isNotEqualTo(whole);
    assertThat(map.toString()).contains("gone=<stale reference Node@").contains("whole=Node@");
    assertThat(map.values().toString()).contains("<stale reference Node@");
    assertThat(map.entrySet().toString()).contains("gone=<stale reference Node@");
    List<Node> values = new ArrayList<>(map.values());
    assertThat(values).containsExactlyInAnyOrder(whole, gone);
    assertThat(map.containsValue(whole)).isTrue();
    assertThat(map.containsValue(gone)).isTrue();
    assertThat(map.containsValue(heap.create(Node.class))).isFalse();
    assertThat(map).isEqualTo(Map.of("whole", whole, "gone", gone));
    assertThat(map.hashCode()).isEqualTo(Map.of("whole", whole, "gone", gone).hashCode());
  }

  @Test
  void anEntryOfAMapIsRemovedAndReplaced() {
    DurableMap<String, Node> map = mapWithOneGone();
    assertGone(heap.transact(() -> map.put("gone", whole)));
    for (String key : List.of("a", "b", "c", "d", "e")) {
      Node freed = node(5);
      map.put(key, freed);
      heap.free(freed);
    }
    assertGone(map.remove("a"));
    assertGone(map.replace("b", whole));
    assertThat(map.replace("c", map.get("c"), whole)).isTrue();
    assertThat(map.remove("d", map.get("d"))).isTrue();
    map.compute("e", (key, old) -> whole);
    assertThat(map.values()).containsOnly(whole);
    Node freed = node(6);
    map.put("f", freed);
    heap.free(freed);
    map.values().removeIf(each -> each.equals(freed));
    assertThat(map).doesNotContainKey("f");
  }

  @Test
  void whatIsGoneCannotBeStoredAgain() {
    DurableMap<String, Node> map = mapWithOneGone();
    Node old = map.get("gone");
    assertThatThrownBy(() -> map.put("again", old))
        .isInstanceOf(GoneException.class)
        .hasMessageContaining("Node@");
    assertThatThrownBy(() -> whole.next(old)).isInstanceOf(GoneException.class);
    assertThatThrownBy(() -> heap.free(old)).isInstanceOf(GoneException.class);
  }

  @Test
  void anEntryOfASortedMapIsReadAndChanged() {
    DurableSortedMap<String, Node> map = heap.sortedMap("map", String.class, Node.class);
    map.put("a", gone);
    map.put("b", gone);
    map.put("c", gone);
    map.put("d", gone);
    map.put("e", whole);
    heap.free(gone);
    assertThat(map.toString()).startsWith("{a=<stale reference Node@");
    assertThat(map.containsValue(whole)).isTrue();
    assertThat(map.hashCode()).isEqualTo(Map.copyOf(map).hashCode());
    assertGone(map.get("a"));
    assertGone(map.remove("a"));
    assertGone(map.put("b", whole));
    assertGone(map.headMap("d").lastEntry().getValue());
    assertGone(map.pollFirstEntry() == null ? whole : map.replace("c", whole));
    Iterator<Map.Entry<String, Node>> all = map.entrySet().iterator();
    while (all.hasNext()) {
      if (all.next().getValue().equals(gone)) {
        all.remove();
      }
    }
    assertThat(map.keySet()).containsExactly("c", "e");
  }

  @Test
  void anObjectThatIsAKeyIsFoundAndRemoved() {
    DurableSet<Node> set = heap.set("set", Node.class);
    DurableMap<Node, String> words = heap.map("words", Node.class, String.class);
    DurableMap<Node, Long> longs = heap.map("longs", Node.class, Long.class);
    DurableMap<Pair, Long> pairs = heap.map("pairs", Pair.class, Long.class);
    Pair pair = new Pair("x", gone, Optional.of(gone));
    set.add(whole);
    set.add(gone);
    words.put(gone, "gone");
    longs.put(gone, 7L);
    pairs.put(pair, 8L);
    heap.free(gone);
    assertThat(set).containsExactlyInAnyOrder(whole, gone);
    assertThat(set.toString()).contains("<stale reference");
    assertThat(set.contains(gone)).isTrue();
    assertThat(words.get(gone)).isEqualTo("gone");
    assertThat(longs.get(gone)).isEqualTo(7);
    assertThat(longs.containsKey(gone)).isTrue();
    assertThat(pairs.toString()).contains("<stale reference");
    assertThat(pairs.get(pair)).isEqualTo(8);
    assertThat(set.remove(gone)).isTrue();
    assertThat(words.remove(gone)).isEqualTo("gone");
    assertThat(longs.remove(gone, 7L)).isTrue();
    assertThat(pairs.remove(pair)).isEqualTo(8);
    assertThat(set).containsExactly(whole);
    assertThat(words).isEmpty();
    assertThat(longs).isEmpty();
    assertThat(pairs).isEmpty();
    assertThatThrownBy(() -> set.add(gone)).isInstanceOf(GoneException.class);
  }

  @Test
  void anElementOfAListIsReadAndChanged() {
    DurableList<Node> list = heap.list("list", Node.class);
    for (int i = 0; i < 6; i++) {
      list.add(gone);
    }
    list.add(whole);
    heap.free(gone);
    assertThat(list.toString()).startsWith("[<stale reference Node@");
    assertThat(list.subList(1, 3).toString()).startsWith("[<stale reference Node@");
    assertThat(list.indexOf(whole)).isEqualTo(6);
    assertThat(list.lastIndexOf(gone)).isEqualTo(5);
    assertThat(list).isEqualTo(List.of(gone, gone, gone, gone, gone, gone, whole));
    assertThat(list.hashCode()).isEqualTo(List.copyOf(list).hashCode());
    assertGone(list.get(0));
    assertGone(list.set(0, whole));
    assertGone(list.remove(1));
    assertThat(list.remove(gone)).isTrue();
    ListIterator<Node> all = list.listIterator();
    while (all.hasNext()) {
      if (all.next().equals(gone)) {
        all.remove();
        break;
      }
    }
    assertThat(list.removeIf(gone::equals)).isTrue();
    assertThat(list).containsExactly(whole, whole);
  }

  @Test
  void anElementOfADequeIsReadAndTaken() throws InterruptedException {
    DurableDeque<Node> deque = heap.deque("deque", Node.class);
    for (int i = 0; i < 6; i++) {
      deque.add(gone);
    }
    deque.add(whole);
    heap.free(gone);
    assertThat(deque.toString()).startsWith("[<stale reference Node@");
    assertThat(deque.contains(whole)).isTrue();
    assertGone(deque.peek());
    assertGone(deque.poll());
    assertGone(deque.take());
    assertThat(deque.remove(gone)).isTrue();
    Iterator<Node> all = deque.iterator();
    assertGone(all.next());
    all.remove();
    assertThat(deque.removeLast()).isEqualTo(whole);
    assertGone(deque.pollLast());
    List<Node> rest = new ArrayList<>();
    assertThat(deque.drainTo(rest)).isEqualTo(1);
    assertGone(rest.getFirst());
  }

  @Test
  void aReferenceAndAnArrayAreReadAndChanged() {
    DurableReference<Node> reference = heap.root("reference", DurableReference.of(Node.class));
    DurableArray<Node> array = heap.root("array", DurableArray.of(Node.class, 3));
    reference.set(gone);
    array.fill(gone);
    heap.free(gone);
    assertThat(reference.toString()).startsWith("<stale reference Node@");
    assertThat(array.asList().toString()).startsWith("[<stale reference Node@");
    assertGone(reference.getAndSet(whole));
    assertGone(array.getAndSet(0, whole));
    assertThat(array.compareAndSet(1, gone, whole)).isTrue();
    array.set(2, null);
    assertThat(array.asList()).containsExactly(whole, whole, null);
  }

  @Test
  void fieldsAndValuesMadeOfSeveralPartsAreRead() {
    DurableMap<String, Pair> pairs = heap.map("pairs", String.class, Pair.class);
    whole.next(gone);
    pairs.put("x", new Pair("x", gone, Optional.of(gone)));
    heap.free(gone);
    assertGone(whole.next());
    assertThat(whole.toString()).contains("next=<stale reference Node@");
    whole.next(whole);
    assertThat(whole.next()).isEqualTo(whole);
    assertGone(pairs.get("x").node());
    assertGone(pairs.get("x").other().orElseThrow());
    assertThat(pairs.toString()).contains("<stale reference Node@");
    assertThat(pairs.remove("x").name()).isEqualTo("x");
  }

  @Test
  void anObjectOfATransactionThatWasRolledBackIsNamed() {
    Node[] made = new Node[1];
    assertThatThrownBy(
            () ->
                heap.transact(
                    () -> {
                      made[0] = node(9);
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");
    assertGone(made[0]);
    assertThatThrownBy(() -> whole.next(made[0]))
        .isInstanceOf(GoneException.class)
        .hasMessageContaining("rolled back");
  }

  @Test
  void oneOfATypeWithoutObjectsStandsForOneThatHasThem() {
    DurableMap<String, Animal> animals = heap.map("animals", String.class, Animal.class);
    Dog dog = heap.create(Dog.class);
    animals.put("dog", dog);
    animals.put("cat", heap.create(Cat.class));
    heap.free(dog);
    Animal dead = animals.get("dog");
    assertThat(dead).isNotNull();
    assertThatThrownBy(dead::legs).isInstanceOf(GoneException.class);
    assertThat(animals.remove("dog")).isEqualTo(dog);
    assertThat(animals.values()).hasSize(1);
  }

  @Test
  void anObjectThatIsGoneSinceTheHeapWasClosed(@TempDir Path directory) {
    try (Heap first = Heap.open(directory)) {
      Node node = first.create(Node.class);
      first.list("list", Node.class).add(node);
      first.free(node);
    }
    try (Heap again = Heap.builder(directory).identityCache().open()) {
      DurableList<Node> list = again.list("list", Node.class);
      assertGone(list.getFirst());
      assertThat(list).contains(list.getFirst());
      assertGone(list.removeFirst());
      assertThat(again.verify().problems()).isEmpty();
    }
  }

  @Test
  void structuresThatAreGoneAreShownAndCompared() {
    DurableMap<String, DurableList<Node>> lists =
        heap.root("lists", DurableMap.of(String.class, DurableList.of(Node.class)));
    DurableList<Node> dead =
        heap.transact(
            () -> {
              DurableList<Node> made = heap.create(DurableList.of(Node.class));
              lists.put("dead", made);
              DurableList<Node> other = heap.create(DurableList.of(Node.class));
              other.add(whole);
              lists.put("other", other);
              return made;
            });
    heap.free(dead);
    assertThat(lists.toString()).contains("dead=<stale reference").contains("other=[Node@");
    assertThat(dead.toString()).startsWith("<stale reference");
    assertThat(lists.containsValue(List.of(whole))).isTrue();
    assertThat(lists.containsValue(dead)).isTrue();
    assertThat(lists.containsValue(List.of())).isFalse();
    assertThat(lists.equals(Map.of("dead", List.of(), "other", List.of(whole)))).isFalse();
    assertThat(lists.values().remove(dead)).isTrue();
    assertThat(lists.keySet()).containsExactly("other");
  }
}
