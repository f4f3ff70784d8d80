package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.engine.HeapCopy;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.IntFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * A list, a deque and a priority queue, changed together at random, hold what those of the JDK
 * hold: after each transaction, after one that was undone, after reopening, and after a kill.
 */
@Campaign
class SequencesModelTest {
  @Property(tries = 12)
  void sequencesOfWordsFollowTheModel(
      @ForAll long seed, @ForAll @IntRange(min = 5, max = 40) int steps) throws IOException {
    follow(Long.class, i -> (long) i, seed, steps);
  }

  @Property(tries = 12)
  void sequencesOfTextsFollowTheModel(
      @ForAll long seed, @ForAll @IntRange(min = 5, max = 40) int steps) throws IOException {
    follow(String.class, i -> "x".repeat(i % 90) + i, seed, steps);
  }

  private static <E extends Comparable<E>> void follow(
      Class<E> type, IntFunction<E> element, long seed, int steps) throws IOException {
    Path directory = Files.createTempDirectory("sequences");
    try (Run<E> run = new Run<>(type, element, directory, new Random(seed))) {
      for (int i = 0; i < steps; i++) {
        run.step();
      }
    } finally {
      delete(directory);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** What the structures of the JDK hold. */
  private record Model<E>(List<E> list, ArrayDeque<E> deque, PriorityQueue<E> queue) {
    Model<E> copy() {
      return new Model<>(
          new ArrayList<>(list), new ArrayDeque<>(deque), new PriorityQueue<>(queue));
    }
  }

  private static final class Undo extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final class Run<E extends Comparable<E>> implements AutoCloseable {
    private final Class<E> type;
    private final IntFunction<E> element;
    private final Path directory;
    private final Random random;
    private Model<E> model =
        new Model<>(new ArrayList<>(), new ArrayDeque<>(), new PriorityQueue<>());
    private int copies;
    private Heap heap;
    private DurableList<E> list;
    private DurableDeque<E> deque;
    private DurablePriorityQueue<E> queue;

    Run(Class<E> type, IntFunction<E> element, Path directory, Random random) {
      this.type = type;
      this.element = element;
      this.directory = directory;
      this.random = random;
      this.heap = TestHeaps.open(directory.resolve("heap0"));
      this.list = heap.list("list", type);
      this.deque = heap.deque("deque", type);
      this.queue = heap.priorityQueue("queue", type);
    }

    void step() {
      switch (random.nextInt(6)) {
        case 0 -> reopen(random.nextBoolean());
        case 1 -> undone();
        default -> {
          Model<E> next = model.copy();
          heap.transact(() -> operations(next));
          model = next;
        }
      }
      assertThat(new ArrayList<>(list)).isEqualTo(model.list);
      assertThat(new ArrayList<>(deque)).isEqualTo(new ArrayList<>(model.deque));
      assertThat(queue).hasSameSizeAs(model.queue);
      assertThat(queue.peek()).isEqualTo(model.queue.peek());
    }

    private void reopen(boolean kill) {
      Path from = directory.resolve("heap" + copies);
      Path to = directory.resolve("heap" + ++copies);
      if (!kill) {
        heap.close();
      }
      HeapCopy.killed(from, to);
      heap.close();
      heap = TestHeaps.open(to);
      list = heap.list("list", type);
      deque = heap.deque("deque", type);
      queue = heap.priorityQueue("queue", type);
    }

    private void undone() {
      try {
        heap.transact(
            () -> {
              operations(model.copy());
              throw new Undo();
            });
      } catch (Undo e) {
        assertThat(heap.isOpen()).isTrue();
      }
    }

    private void operations(Model<E> expected) {
      for (int i = random.nextInt(6); i >= 0; i--) {
        switch (random.nextInt(3)) {
          case 0 -> onList(expected.list);
          case 1 -> onDeque(expected.deque);
          default -> onQueue(expected.queue);
        }
      }
    }

    private List<E> some() {
      return random.ints(random.nextInt(1, 120), 0, 400).mapToObj(element).toList();
    }

    private void onList(List<E> expected) {
      int size = expected.size();
      int at = random.nextInt(size + 1);
      List<E> some = some();
      switch (random.nextInt(6)) {
        case 0 -> assertThat(list.addAll(at, some)).isEqualTo(expected.addAll(at, some));
        case 1 -> {
          list.add(at, some.getFirst());
          expected.add(at, some.getFirst());
        }
        case 2 -> {
          if (at < size) {
            assertThat(list.remove(at)).isEqualTo(expected.remove(at));
          }
        }
        case 3 -> {
          if (at < size) {
            assertThat(list.set(at, some.getFirst())).isEqualTo(expected.set(at, some.getFirst()));
          }
        }
        case 4 -> {
          list.subList(at, Math.min(size, at + 60)).clear();
          expected.subList(at, Math.min(size, at + 60)).clear();
        }
        default -> {
          list.sort(null);
          expected.sort(null);
        }
      }
    }

    private void onDeque(ArrayDeque<E> expected) {
      List<E> some = some();
      switch (random.nextInt(5)) {
        case 0 -> assertThat(deque.addAll(some)).isEqualTo(expected.addAll(some));
        case 1 ->
            some.forEach(
                e -> {
                  deque.addFirst(e);
                  expected.addFirst(e);
                });
        case 2 -> some.forEach(e -> assertThat(deque.poll()).isEqualTo(expected.poll()));
        case 3 -> some.forEach(e -> assertThat(deque.pollLast()).isEqualTo(expected.pollLast()));
        default ->
            assertThat(deque.removeFirstOccurrence(some.getFirst()))
                .isEqualTo(expected.removeFirstOccurrence(some.getFirst()));
      }
    }

    private void onQueue(PriorityQueue<E> expected) {
      List<E> some = some();
      switch (random.nextInt(3)) {
        case 0 -> some.forEach(e -> assertThat(queue.offer(e)).isEqualTo(expected.offer(e)));
        case 1 -> some.forEach(e -> assertThat(queue.poll()).isEqualTo(expected.poll()));
        default ->
            assertThat(queue.remove(some.getFirst())).isEqualTo(expected.remove(some.getFirst()));
      }
    }

    @Override
    public void close() {
      try {
        List<E> left = new ArrayList<>();
        for (E e = queue.poll(); e != null; e = queue.poll()) {
          left.add(e);
        }
        List<E> wanted = new ArrayList<>(model.queue);
        wanted.sort(null);
        assertThat(left).isEqualTo(wanted);
        assertThat(heap.verify().problems()).isEmpty();
      } finally {
        heap.close();
      }
    }
  }
}
