package io.everheap.structure.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.testing.QueueTestSuiteBuilder;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.TestQueueGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import io.everheap.Heap;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.GuavaSuite;
import io.everheap.collection.KeyOrder;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.ClosedException;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.error.SchemaMismatchException;
import io.everheap.heap.OpenHeap;
import io.everheap.structure.list.DurableListTest;
import io.everheap.structure.list.TreeLayout;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Priority queues follow a model, keep their order, and refuse damage. */
@Campaign
class DurablePriorityQueueTest {
  private static final Heap HEAP = Heap.inMemory(); // of Guava's suite
  private static int queues;
  private static final KeyOrder<String> BY_LENGTH =
      KeyOrder.of("length", Comparator.comparingInt(String::length));

  @TestFactory
  Stream<DynamicNode> guavasSuite() {
    return GuavaSuite.nodes(
        QueueTestSuiteBuilder.using(new Generator())
            .named("texts")
            .withFeatures(
                CollectionFeature.GENERAL_PURPOSE,
                CollectionFeature.KNOWN_ORDER,
                CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionSize.ANY)
            .createTestSuite());
  }

  private static final class Generator implements TestQueueGenerator<String> {
    @Override
    public SampleElements<String> samples() {
      return new SampleElements<>("", "a longer text than the others", "c", "d", "e");
    }

    @Override
    public Queue<String> create(Object... elements) {
      Queue<String> queue = HEAP.priorityQueue("queue " + queues++, String.class);
      for (Object element : elements) {
        queue.add((String) element);
      }
      return queue;
    }

    @Override
    public String[] createArray(int length) {
      return new String[length];
    }

    @Override
    public Iterable<String> order(List<String> insertionOrder) {
      return insertionOrder.stream().sorted().toList();
    }
  }

  /** Priority and number: equal priorities come in the order of their numbers. */
  @Property(tries = 30)
  void aQueueFollowsAStablySortedList(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 300) int steps) {
    try (Heap heap = Heap.inMemory()) {
      KeyOrder<String> order =
          KeyOrder.of("first letter", Comparator.comparingInt(s -> s.charAt(0)));
      DurablePriorityQueue<String> queue =
          heap.root("queue", DurablePriorityQueue.of(String.class, order));
      List<String> model = new ArrayList<>();
      var random = new Random(seed);
      for (int i = 0; i < steps; i++) {
        List<String> before = List.copyOf(model);
        boolean keep = random.nextInt(5) > 0;
        int number = i * 1000;
        try {
          heap.transact(
              () -> {
                step(queue, model, order.comparator(), random, number);
                step(queue, model, order.comparator(), random, number + 500);
                if (!keep) {
                  throw new IllegalArgumentException();
                }
              });
        } catch (IllegalArgumentException e) {
          model.clear();
          model.addAll(before);
        }
        assertThat(queue.peek()).isEqualTo(model.isEmpty() ? null : model.getFirst());
        assertThat(queue.size()).isEqualTo(model.size());
      }
      assertThat(new ArrayList<>(queue)).isEqualTo(model);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  private static void step(
      DurablePriorityQueue<String> queue,
      List<String> model,
      Comparator<? super String> order,
      Random random,
      int number) {
    switch (random.nextInt(6)) {
      case 0 -> {
        for (int i = random.nextInt(40); i >= 0; i--) {
          assertThat(queue.poll()).isEqualTo(model.isEmpty() ? null : model.removeFirst());
        }
      }
      case 1 -> {
        String wanted = model.isEmpty() ? "none" : model.get(random.nextInt(model.size()));
        assertThat(queue.remove(wanted)).isEqualTo(model.remove(wanted));
      }
      case 2 -> {
        Iterator<String> actual = queue.iterator();
        Iterator<String> expected = model.iterator();
        for (int i = 0; i < 150 && expected.hasNext(); i++) {
          assertThat(actual.next()).isEqualTo(expected.next());
          if (random.nextInt(3) == 0) {
            actual.remove();
            expected.remove();
          }
        }
      }
      default -> {
        for (int i = random.nextInt(60); i >= 0; i--) {
          String element = (char) ('a' + random.nextInt(5)) + " " + (number + i);
          queue.add(element);
          model.add(element);
          model.sort(order);
        }
      }
    }
  }

  @Test
  void theOrderIsKeptAndNoOtherIsTaken(@TempDir Path directory) {
    try (Heap heap = Heap.open(directory)) {
      Queue<String> queue = heap.root("queue", DurablePriorityQueue.of(String.class, BY_LENGTH));
      queue.addAll(List.of("ccc", "bb", "a", "aa"));
    }
    try (Heap heap = Heap.open(directory)) {
      assertThatThrownBy(() -> heap.priorityQueue("queue", String.class))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("length");
      assertThat(heap.roots().getFirst().toString()).contains("priority queue", "length");
      assertThat(heap.entries("queue").findFirst()).contains(java.util.Map.entry(0L, "a"));
      DurablePriorityQueue<String> queue =
          heap.root("queue", DurablePriorityQueue.of(String.class, BY_LENGTH));
      assertThat(queue).containsExactly("a", "bb", "aa", "ccc");
      List<String> drained = new ArrayList<>();
      assertThat(queue.drainTo(drained, 3)).isEqualTo(3);
      assertThat(drained).containsExactly("a", "bb", "aa");
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void whatIsNotComparableIsRefused() {
    assertThatThrownBy(() -> DurablePriorityQueue.of(byte[].class))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aTakerWaitsForTheLeast() throws Exception {
    try (Heap heap = Heap.inMemory();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      DurablePriorityQueue<Long> queue = heap.priorityQueue("queue", Long.class);
      Future<Long> taker = threads.submit(queue::take);
      heap.transact(() -> queue.addAll(List.of(3L, 1L, 2L)));

      assertThat(Limit.get(taker)).isEqualTo(1L);
      assertThat(queue).containsExactly(2L, 3L);
    }
  }

  @Test
  void aLargeQueueIsRemovedInTheBackground() {
    try (Heap heap = Heap.inMemory()) {
      DurablePriorityQueue<Long> queue = heap.priorityQueue("queue", Long.class);
      heap.transact(
          () ->
              queue.addAll(
                  LongStream.range(0, 20_000).map(i -> i * 7919 % 20_000).boxed().toList()));
      assertThat(queue.peek()).isZero();
      assertThat(heap.verify().problems()).isEmpty();
      heap.remove("queue");
      OpenHeap.engine(heap).drainHousekeeping();
      assertThat(heap.verify().problems()).isEmpty();
      assertThatThrownBy(queue::poll).isInstanceOf(GoneException.class);
      assertThatThrownBy(() -> queue.offer(1L)).isInstanceOf(GoneException.class);
    }
  }

  @Test
  void aClosedHeapSaysSo() {
    Heap heap = Heap.inMemory();
    DurablePriorityQueue<Long> queue = heap.priorityQueue("queue", Long.class);
    heap.close();

    assertThatThrownBy(queue::peek).isInstanceOf(ClosedException.class);
    assertThatThrownBy(queue::take).isInstanceOf(ClosedException.class);
  }

  @Test
  void elementsOutOfOrderAreFound() {
    try (Heap heap = Heap.inMemory()) {
      DurablePriorityQueue<Long> queue = heap.priorityQueue("queue", Long.class);
      queue.addAll(List.of(1L, 2L, 3L));
      long header = DurableListTest.headerOf(heap, "queue");
      var memory = OpenHeap.engine(heap).memory();
      long root = memory.getLong(header + 24 + TreeLayout.ROOT);
      heap.transact(() -> memory.putLong(Stripes.NONE, TreeLayout.word(root, 2), 9));

      assertThat(heap.verify().problems())
          .singleElement()
          .satisfies(problem -> assertThat(problem.message()).contains("less than"));
    }
  }

  @Test
  void aDamagedQueueIsRefusedOrRead() {
    var random = new Random(5);
    for (int run = 0; run < 40; run++) {
      Heap heap = Heap.inMemory();
      DurablePriorityQueue<String> queue = heap.priorityQueue("queue", String.class);
      queue.addAll(LongStream.range(0, 300).mapToObj(i -> "t" + i).toList());
      long header = DurableListTest.headerOf(heap, "queue");
      var memory = OpenHeap.engine(heap).memory();
      long at = header + 8L * (1 + random.nextInt(7));
      long flipped = memory.getLong(at) ^ 1L << random.nextInt(64);
      heap.transact(() -> memory.putLong(Stripes.NONE, at, flipped));
      tolerate(() -> assertThat(queue.contains("nothing")).isFalse());
      tolerate(() -> queue.offer("new"));
      tolerate(queue::poll);
      tolerate(() -> queue.remove("t7"));
      tolerate(queue::clear);
      OpenHeap.engine(heap).drainHousekeeping();
      heap.close();
    }
  }

  private static void tolerate(Runnable call) {
    try {
      call.run();
    } catch (CorruptException | IllegalStateException | GoneException e) {
      assertThat(e).hasMessageNotContaining("null");
    }
  }

  /** Equals a number, and at the first comparison does something. */
  private record Probe(long number, AtomicReference<Runnable> first) {
    @Override
    public boolean equals(Object other) {
      Runnable action = first.getAndSet(() -> {});
      action.run();
      return other instanceof Long found && found == number;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(number);
    }
  }

  @Test
  void anIteratorRemovesEachOfEqualElements() {
    try (Heap heap = Heap.inMemory()) {
      DurablePriorityQueue<Long> queue = heap.priorityQueue("queue", Long.class);
      for (boolean inside : new boolean[] {false, true}) {
        queue.addAll(List.of(5L, 7L, 7L, 7L, 7L, 9L));
        if (inside) {
          heap.transact(() -> removeSevens(queue));
        } else {
          removeSevens(queue);
        }
        assertThat(queue).containsExactly(5L, 9L);
        queue.clear();
      }
    }
  }

  private static void removeSevens(DurablePriorityQueue<Long> queue) {
    for (Iterator<Long> i = queue.iterator(); i.hasNext(); ) {
      if (i.next() == 7) {
        i.remove();
      }
    }
  }

  @Test
  void containsFindsWhatIsThereAllTheTimeThoughElementsComeAndGo() {
    try (Heap heap = Heap.inMemory()) {
      DurablePriorityQueue<Long> queue = heap.priorityQueue("queue", Long.class);
      queue.addAll(List.of(1L, 2L, 3L));
      Runnable change =
          () -> {
            queue.poll();
            queue.addAll(List.of(10L, 11L, 12L, 13L));
          };

      Object there = new Probe(2, new AtomicReference<>(change));
      assertThat(queue.contains(there)).isTrue();
      Object missing = new Probe(99, new AtomicReference<>(change));
      assertThat(queue.contains(missing)).isFalse();
    }
  }
}
