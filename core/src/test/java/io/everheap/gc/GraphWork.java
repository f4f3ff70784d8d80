package io.everheap.gc;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.error.GoneException;
import io.everheap.gc.CollectHeaps.Node;
import io.everheap.gc.CollectHeaps.Pair;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Random changes of a graph of nodes in a heap, and the same changes of a model in which nodes are
 * numbers.
 */
final class GraphWork {
  private static final int SLOTS = 8;

  /** What a node leads to, by numbers; null and absent ones are -1. */
  private static final class Edges {
    final int[] fields = {-1, -1, -1, -1};
    final int[] map = {-1, -1};
    final List<Integer> many = new ArrayList<>();
    final List<Integer> list = new ArrayList<>();

    List<Integer> all() {
      List<Integer> all = new ArrayList<>();
      Arrays.stream(fields).forEach(all::add);
      Arrays.stream(map).forEach(all::add);
      all.addAll(many);
      all.addAll(list);
      all.removeIf(n -> n < 0);
      return all;
    }
  }

  private final Heap heap;
  private final Random random;
  private final DurableArray<Node> array;
  private final DurableMap<Integer, Node> map;
  private final int[] inArray = new int[SLOTS];
  private final int[] inMap = new int[SLOTS];
  private final List<Edges> model = new ArrayList<>();
  private final List<Node> handles = new ArrayList<>();
  private int refused;
  private int accepted;

  GraphWork(Heap heap, long seed) {
    this.heap = heap;
    this.random = new Random(seed);
    this.array = heap.root("array", DurableArray.of(Node.class, SLOTS));
    this.map = heap.map("map", Integer.class, Node.class);
    Arrays.fill(inArray, -1);
    Arrays.fill(inMap, -1);
  }

  /** Stores of what nothing led to that were refused. */
  int refused() {
    return refused;
  }

  /** Stores of what nothing led to that went through. */
  int accepted() {
    return accepted;
  }

  /** Changes something, in a transaction that may be undone. */
  void step() {
    if (random.nextInt(8) == 0) {
      undone();
    } else if (random.nextInt(8) == 0) {
      resurrect();
    } else {
      change();
    }
  }

  private void undone() {
    try {
      heap.transact(
          () -> {
            Node made = CollectHeaps.node(heap, -5);
            for (int number : reachable()) {
              handles.get(number).left(made);
              handles.get(number).list(null);
              handles.get(number).many(List.of(made));
            }
            array.fill(made);
            map.clear();
            throw new IllegalStateException("undone");
          });
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("undone");
    }
  }

  /** Links something that the program has a handle to, and the heap need not have. */
  private void resurrect() {
    Set<Integer> live = reachable();
    int number = handles.isEmpty() ? -1 : random.nextInt(handles.size());
    if (number < 0 || live.contains(number)) {
      return;
    }
    int slot = random.nextInt(SLOTS);
    try {
      array.set(slot, handles.get(number));
      inArray[slot] = number;
      accepted++;
    } catch (GoneException e) {
      refused++;
    }
  }

  private void change() {
    heap.transact(
        () -> {
          List<Integer> live = new ArrayList<>(reachable());
          int number = random.nextInt(3) == 0 || live.isEmpty() ? make() : any(live);
          int slot = random.nextInt(SLOTS);
          if (live.isEmpty() || random.nextInt(3) == 0) {
            root(slot, random.nextInt(3) == 0 ? -1 : number);
          } else {
            edge(any(live), random.nextInt(4) == 0 ? -1 : number);
          }
        });
  }

  private int any(List<Integer> numbers) {
    return numbers.get(random.nextInt(numbers.size()));
  }

  private int make() {
    int number = handles.size();
    handles.add(CollectHeaps.node(heap, number));
    model.add(new Edges());
    return number;
  }

  private @Nullable Node handle(int number) {
    return number < 0 ? null : handles.get(number);
  }

  private void root(int slot, int number) {
    if (random.nextBoolean()) {
      array.set(slot, handle(number));
      inArray[slot] = number;
    } else if (number < 0) {
      map.remove(slot);
      inMap[slot] = -1;
    } else {
      map.put(slot, handles.get(number));
      inMap[slot] = number;
    }
  }

  private void edge(int from, int to) {
    Node node = handles.get(from);
    Edges edges = model.get(from);
    Node target = handle(to);
    switch (random.nextInt(6)) {
      case 0 -> {
        node.left(target);
        edges.fields[0] = to;
      }
      case 1 -> {
        node.right(target);
        edges.fields[1] = to;
      }
      case 2 -> {
        node.pair(new Pair("pair", target, node.left()));
        edges.fields[2] = to;
        edges.fields[3] = edges.fields[0];
      }
      case 3 -> {
        node.many(target == null ? null : List.of(target, target));
        edges.many.clear();
        if (target != null) {
          edges.many.add(to);
        }
      }
      case 4 -> list(node, edges, to);
      default -> map(node, edges, to);
    }
  }

  private void list(Node node, Edges edges, int to) {
    DurableList<Node> list = node.list();
    if (to < 0) {
      node.list(null);
      edges.list.clear();
    } else {
      if (list == null) {
        list = heap.create(DurableList.of(Node.class));
        node.list(list);
      }
      list.add(0, handles.get(to));
      edges.list.add(0, to);
      if (list.size() > 3) {
        list.removeLast();
        edges.list.removeLast();
      }
    }
  }

  private void map(Node node, Edges edges, int to) {
    DurableMap<String, Node> inner = node.map();
    if (inner == null) {
      inner = heap.create(DurableMap.of(String.class, Node.class));
      node.map(inner);
    }
    int key = random.nextInt(2);
    if (to < 0) {
      inner.remove("key " + key);
    } else {
      inner.put("key " + key, handles.get(to));
    }
    edges.map[key] = to;
  }

  /** The numbers that the roots of the model lead to. */
  Set<Integer> reachable() {
    Set<Integer> found = new LinkedHashSet<>();
    Deque<Integer> left = new ArrayDeque<>();
    Arrays.stream(inArray).filter(n -> n >= 0).forEach(left::add);
    Arrays.stream(inMap).filter(n -> n >= 0).forEach(left::add);
    while (!left.isEmpty()) {
      int number = left.remove();
      if (found.add(number)) {
        left.addAll(model.get(number).all());
      }
    }
    return found;
  }

  /** Compares all that the roots lead to with the model, through references alone. */
  void check() {
    Map<Integer, Node> found = new HashMap<>();
    for (int i = 0; i < SLOTS; i++) {
      check(array.get(i), inArray[i], found);
      check(map.get(i), inMap[i], found);
    }
    assertThat(found.keySet()).isEqualTo(reachable());
  }

  private void check(@Nullable Node start, int number, Map<Integer, Node> found) {
    Deque<Map.Entry<Node, Integer>> left = new ArrayDeque<>();
    expect(start, number, left);
    while (!left.isEmpty()) {
      Map.Entry<Node, Integer> next = left.remove();
      Node node = next.getKey();
      assertThat(node).returns(next.getValue(), Node::id);
      assertThat(node).returns("node " + next.getValue(), Node::text);
      if (found.put(next.getValue(), node) == null) {
        follow(node, model.get(next.getValue()), left);
      }
    }
  }

  private static void follow(Node node, Edges edges, Deque<Map.Entry<Node, Integer>> left) {
    expect(node.left(), edges.fields[0], left);
    expect(node.right(), edges.fields[1], left);
    Pair pair = node.pair();
    expect(pair == null ? null : pair.first(), edges.fields[2], left);
    expect(pair == null ? null : pair.second(), edges.fields[3], left);
    List<Node> many = node.many();
    expect(
        many == null ? null : many.getFirst(), edges.many.isEmpty() ? -1 : edges.many.get(0), left);
    DurableList<Node> list = node.list();
    assertThat(list == null ? 0 : list.size()).isEqualTo(edges.list.size());
    for (int i = 0; i < edges.list.size(); i++) {
      expect(list.get(i), edges.list.get(i), left);
    }
    DurableMap<String, Node> map = node.map();
    for (int i = 0; i < 2; i++) {
      expect(map == null ? null : map.get("key " + i), edges.map[i], left);
    }
  }

  private static void expect(
      @Nullable Node node, int number, Deque<Map.Entry<Node, Integer>> left) {
    if (node == null) {
      assertThat(number).isNegative();
    } else {
      left.add(Map.entry(node, number));
    }
  }
}
