package io.everheap.structure.list;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableList;
import io.everheap.heap.OpenHeap;
import io.everheap.support.tier.Campaign;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.ListIterator;
import java.util.Random;
import java.util.function.IntFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Random operations, alone and in transactions, do to a durable list, and to views of it, what they
 * do to an ArrayList.
 */
@Campaign
class DurableListModelTest {
  private static final Heap HEAP = Heap.inMemory();

  @AfterContainer
  static void nothingIsLeft() {
    OpenHeap.engine(HEAP).drainHousekeeping();
    assertThat(HEAP.verify().problems()).isEmpty();
    assertThat(HEAP.names()).isEmpty();
    HEAP.close();
  }

  @Property(tries = 40)
  void listsOfWordsFollowTheModel(@ForAll long seed, @ForAll @IntRange(min = 1, max = 400) int n) {
    follow("words", HEAP.list("words", Long.class), i -> (long) i, seed, n);
  }

  @Property(tries = 40)
  void listsOfTextsFollowTheModel(@ForAll long seed, @ForAll @IntRange(min = 1, max = 300) int n) {
    follow("texts", HEAP.list("texts", String.class), i -> "x".repeat(i % 90) + i, seed, n);
  }

  private static <E> void follow(
      String name, DurableList<E> list, IntFunction<E> element, long seed, int steps) {
    try {
      var run = new Run<>(list, element, new Random(seed));
      for (int i = 0; i < steps; i++) {
        run.step();
      }
      assertThat(list).isEqualTo(run.model).hasSameSizeAs(run.model);
      assertThat(list.hashCode()).isEqualTo(run.model.hashCode());
      assertThat(list.reversed()).isEqualTo(run.model.reversed());
      assertThat(list.parallelStream().toList()).isEqualTo(run.model);
      assertThat(HEAP.verify().problems()).isEmpty();
    } finally {
      HEAP.remove(name);
    }
  }

  private static final class Undo extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** A list and what it must equal. */
  private static final class Run<E> {
    private final List<E> list;
    private final IntFunction<E> element;
    private final Random random;
    private List<E> model = new ArrayList<>();

    Run(List<E> list, IntFunction<E> element, Random random) {
      this.list = list;
      this.element = element;
      this.random = random;
    }

    void step() {
      switch (random.nextInt(8)) {
        case 0 -> HEAP.transact(() -> several(list, model));
        case 1 -> rollBack(list);
        case 2 -> nested();
        case 3 -> view();
        default -> operation(list, model);
      }
      assertThat(list).hasSameSizeAs(model);
      if (!model.isEmpty()) {
        int index = random.nextInt(model.size());
        assertThat(list.get(index)).isEqualTo(model.get(index));
        assertThat(list.getLast()).isEqualTo(model.getLast());
      }
    }

    private void several(List<E> actual, List<E> expected) {
      for (int i = random.nextInt(6); i >= 0; i--) {
        operation(actual, expected);
      }
    }

    private void rollBack(List<E> actual) {
      List<E> before = new ArrayList<>(actual);
      try {
        HEAP.transact(
            () -> {
              several(actual, new ArrayList<>(before));
              throw new Undo();
            });
      } catch (Undo e) {
        assertThat(actual).isEqualTo(before);
      }
    }

    private void nested() {
      HEAP.transact(
          () -> {
            operation(list, model);
            rollBack(list);
            HEAP.transact(() -> operation(list, model));
          });
    }

    /** Works on a view of a view, which must stay right through rollbacks. */
    private void view() {
      int from = random.nextInt(model.size() + 1);
      int to = from + random.nextInt(model.size() - from + 1);
      List<E> part = list.subList(from, to);
      List<E> expected = model.subList(from, to);
      int inner = random.nextInt(part.size() + 1);
      List<E> innerPart = part.subList(inner, part.size());
      List<E> innerExpected = expected.subList(inner, expected.size());
      rollBack(innerPart);
      several(innerPart, innerExpected);
      assertThat(innerPart).isEqualTo(innerExpected);
      assertThat(part).isEqualTo(expected);
      assertThat(list).isEqualTo(model);
    }

    private E value() {
      return element.apply(random.nextInt(1000));
    }

    private List<E> values(int most) {
      List<E> values = new ArrayList<>();
      for (int i = random.nextInt(most); i >= 0; i--) {
        values.add(value());
      }
      return values;
    }

    private void operation(List<E> actual, List<E> expected) {
      int size = expected.size();
      switch (random.nextInt(size > 2000 ? 24 : 20)) {
        case 0, 1, 2 -> {
          E value = value();
          same(actual.add(value), expected.add(value));
        }
        case 3, 4 -> {
          int index = random.nextInt(size + 1);
          E value = value();
          actual.add(index, value);
          expected.add(index, value);
        }
        case 5 -> {
          List<E> values = values(random.nextInt(5) == 0 ? 700 : 60);
          int index = random.nextInt(size + 1);
          same(actual.addAll(index, values), expected.addAll(index, values));
        }
        case 6 -> {
          List<E> values = values(200);
          same(actual.addAll(values), expected.addAll(values));
        }
        case 7, 8 -> {
          if (size > 0) {
            int index = random.nextInt(size);
            same(actual.remove(index), expected.remove(index));
          }
        }
        case 9 -> {
          if (size > 0) {
            same(actual.removeLast(), expected.removeLast());
          }
        }
        case 10 -> {
          if (size > 0) {
            same(actual.removeFirst(), expected.removeFirst());
          }
        }
        case 11 -> {
          E value = value();
          same(actual.remove(value), expected.remove(value));
        }
        case 12, 13 -> {
          if (size > 0) {
            int index = random.nextInt(size);
            E value = value();
            same(actual.set(index, value), expected.set(index, value));
          }
        }
        case 14 -> {
          int modulus = 2 + random.nextInt(6);
          same(
              actual.removeIf(e -> e.hashCode() % modulus == 0),
              expected.removeIf(e -> e.hashCode() % modulus == 0));
        }
        case 15 -> {
          E value = value();
          actual.replaceAll(e -> e.hashCode() % 3 == 0 ? value : e);
          expected.replaceAll(e -> e.hashCode() % 3 == 0 ? value : e);
        }
        case 16 -> {
          Comparator<E> order = Comparator.comparingInt(Object::hashCode);
          actual.sort(order);
          expected.sort(order);
        }
        case 17 -> iterate(actual.listIterator(), expected.listIterator());
        case 18 -> {
          if (random.nextInt(8) == 0) {
            actual.clear();
            expected.clear();
          }
          E value = value();
          same(actual.indexOf(value), expected.indexOf(value));
          same(actual.lastIndexOf(value), expected.lastIndexOf(value));
        }
        case 19 -> {
          long shuffle = random.nextLong();
          Collections.shuffle(actual, new Random(shuffle));
          Collections.shuffle(expected, new Random(shuffle));
        }
        default -> {
          int from = random.nextInt(size + 1);
          int to = from + random.nextInt(size - from + 1);
          actual.subList(from, to).clear();
          expected.subList(from, to).clear();
        }
      }
    }

    private void iterate(ListIterator<E> actual, ListIterator<E> expected) {
      boolean returned = false;
      for (int i = random.nextInt(300); i >= 0; i--) {
        switch (random.nextInt(returned ? 14 : 10)) {
          case 0 -> {
            E value = value();
            actual.add(value);
            expected.add(value);
            returned = false;
          }
          case 1, 2 -> {
            same(actual.hasPrevious(), expected.hasPrevious());
            if (expected.hasPrevious()) {
              same(actual.previous(), expected.previous());
              returned = true;
            }
          }
          case 10, 11 -> {
            E value = value();
            actual.set(value);
            expected.set(value);
          }
          case 12 -> {
            actual.remove();
            expected.remove();
            returned = false;
          }
          default -> {
            same(actual.hasNext(), expected.hasNext());
            if (expected.hasNext()) {
              same(actual.next(), expected.next());
              returned = true;
            }
          }
        }
        same(actual.nextIndex(), expected.nextIndex());
      }
    }

    private static void same(Object actual, Object wanted) {
      assertThat(actual).isEqualTo(wanted);
    }
  }
}
