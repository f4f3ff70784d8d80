package io.everheap.structure.deque;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableDeque;
import io.everheap.heap.OpenHeap;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.function.IntFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;

/** Random operations, alone and in transactions, do to a deque what they do to one of the JDK's. */
class DurableDequeModelTest {
  private static final Heap HEAP = Heap.inMemory();

  @AfterContainer
  static void nothingIsLeft() {
    OpenHeap.engine(HEAP).drainHousekeeping();
    assertThat(HEAP.verify().problems()).isEmpty();
    assertThat(HEAP.names()).isEmpty();
    HEAP.close();
  }

  @Property(tries = 60)
  void dequesOfWordsFollowTheModel(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 500) int steps) {
    follow("words", HEAP.deque("words", Long.class), i -> (long) i, seed, steps);
  }

  @Property(tries = 60)
  void dequesOfTextsFollowTheModel(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 400) int steps) {
    follow("texts", HEAP.deque("texts", String.class), i -> "x".repeat(i % 90) + i, seed, steps);
  }

  private static <E> void follow(
      String name, DurableDeque<E> deque, IntFunction<E> element, long seed, int steps) {
    try {
      var run = new Run<>(deque, element, new Random(seed));
      for (int i = 0; i < steps; i++) {
        run.step();
      }
      assertThat(HEAP.verify().problems()).isEmpty();
    } finally {
      HEAP.remove(name);
    }
  }

  private static final class Undo extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** A deque and what it must equal. */
  private static final class Run<E> {
    private final DurableDeque<E> deque;
    private final IntFunction<E> element;
    private final Random random;
    private final Deque<E> model = new LinkedBlockingDeque<>();

    Run(DurableDeque<E> deque, IntFunction<E> element, Random random) {
      this.deque = deque;
      this.element = element;
      this.random = random;
    }

    void step() {
      switch (random.nextInt(8)) {
        case 0 -> HEAP.transact(() -> several(model));
        case 1 -> rollBack();
        case 2 ->
            HEAP.transact(
                () -> {
                  operation(model);
                  rollBack();
                  HEAP.transact(() -> operation(model));
                });
        default -> operation(model);
      }
      assertThat(deque.size()).isEqualTo(model.size());
      assertThat(deque.peekFirst()).isEqualTo(model.peekFirst());
      assertThat(deque.peekLast()).isEqualTo(model.peekLast());
      if (random.nextInt(10) == 0) {
        assertThat(new ArrayList<>(deque)).isEqualTo(new ArrayList<>(model));
        assertThat(new ArrayList<>(deque.reversed())).isEqualTo(new ArrayList<>(model.reversed()));
      }
    }

    private void several(Deque<E> expected) {
      for (int i = random.nextInt(6); i >= 0; i--) {
        operation(expected);
      }
    }

    private void rollBack() {
      List<E> before = new ArrayList<>(deque);
      try {
        HEAP.transact(
            () -> {
              several(new LinkedBlockingDeque<>(before));
              throw new Undo();
            });
      } catch (Undo e) {
        assertThat(new ArrayList<>(deque)).isEqualTo(before);
      }
    }

    private E value() {
      return element.apply(random.nextInt(300));
    }

    private void operation(Deque<E> expected) {
      switch (random.nextInt(22)) {
        case 0, 1, 2 -> {
          E value = value();
          same(deque.offerLast(value), expected.offerLast(value));
        }
        case 3, 4, 5 -> {
          E value = value();
          same(deque.offerFirst(value), expected.offerFirst(value));
        }
        case 6, 7 -> same(deque.pollFirst(), expected.pollFirst());
        case 8, 9 -> same(deque.pollLast(), expected.pollLast());
        case 10 -> {
          List<E> values = new ArrayList<>();
          for (int i = random.nextInt(150); i >= 0; i--) {
            values.add(value());
          }
          same(deque.addAll(values), expected.addAll(values));
        }
        case 11 -> {
          for (int i = random.nextInt(150); i >= 0; i--) {
            same(deque.pollFirst(), expected.pollFirst());
          }
        }
        case 12 -> {
          for (int i = random.nextInt(100); i >= 0; i--) {
            same(deque.pollLast(), expected.pollLast());
          }
        }
        case 13, 14 -> {
          E value = value();
          same(deque.removeFirstOccurrence(value), expected.removeFirstOccurrence(value));
          same(deque.contains(value), expected.contains(value));
        }
        case 15 -> {
          E value = value();
          same(deque.removeLastOccurrence(value), expected.removeLastOccurrence(value));
        }
        case 16 -> {
          int modulus = 2 + random.nextInt(4);
          same(
              deque.removeIf(e -> e.hashCode() % modulus == 0),
              expected.removeIf(e -> e.hashCode() % modulus == 0));
        }
        case 17 -> iterate(deque.iterator(), expected.iterator());
        case 18 -> iterate(deque.descendingIterator(), expected.descendingIterator());
        case 19 -> {
          List<E> actual = new ArrayList<>();
          List<E> wanted = new ArrayList<>();
          int most = random.nextInt(100);
          same(
              deque.drainTo(actual, most),
              ((LinkedBlockingDeque<E>) expected).drainTo(wanted, most));
          same(actual, wanted);
        }
        case 20 -> {
          if (random.nextInt(6) == 0) {
            deque.clear();
            expected.clear();
          }
        }
        default -> {
          int start = random.nextInt(200);
          removeRun(deque.iterator(), start);
          removeRun(expected.iterator(), start);
        }
      }
    }

    /** Removes a hundred elements that follow one another, and thus whole chunks. */
    private void removeRun(Iterator<E> i, int start) {
      for (int n = 0; n < start + 100 && i.hasNext(); n++) {
        i.next();
        if (n >= start) {
          i.remove();
        }
      }
    }

    private void iterate(Iterator<E> actual, Iterator<E> expected) {
      for (int i = random.nextInt(200); i >= 0; i--) {
        same(actual.hasNext(), expected.hasNext());
        if (!expected.hasNext()) {
          return;
        }
        same(actual.next(), expected.next());
        if (random.nextInt(4) == 0) {
          actual.remove();
          expected.remove();
        }
      }
    }

    private static void same(Object actual, Object wanted) {
      assertThat(actual).isEqualTo(wanted);
    }
  }
}
