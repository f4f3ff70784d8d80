package io.everheap.collection;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Additions and removals at the ends inside transactions set no savepoint; others undo them. */
class UndoneAdditionsTest {
  private static final class Undo extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** A list and a deque, and what they should hold. */
  private static final class Pair {
    final DurableList<Long> list;
    final DurableDeque<Long> deque;
    List<Long> expectedList = new ArrayList<>();
    Deque<Long> expectedDeque = new ArrayDeque<>();
    final Random random = new Random(5);
    long next;

    Pair(Heap heap) {
      list = heap.list("list", Long.class);
      deque = heap.deque("deque", Long.class);
    }

    void change(int times) {
      for (int i = 0; i < times; i++) {
        next++;
        list.add(next);
        expectedList.add(next);
        switch (random.nextInt(5)) {
          case 0 -> assertThat(deque.pollFirst()).isEqualTo(expectedDeque.pollFirst());
          case 1 -> assertThat(deque.pollLast()).isEqualTo(expectedDeque.pollLast());
          case 2 -> {
            deque.addFirst(next);
            expectedDeque.addFirst(next);
          }
          default -> {
            deque.addLast(next);
            expectedDeque.addLast(next);
          }
        }
      }
      if (random.nextInt(3) == 0) { // the last leaf goes
        int from = random.nextInt(list.size() + 1);
        list.subList(from, list.size()).clear();
        expectedList.subList(from, expectedList.size()).clear();
      }
    }

    void check() {
      assertThat(list.equals(expectedList)).isTrue();
      assertThat(deque.toArray()).isEqualTo(expectedDeque.toArray());
    }
  }

  /** Changes at several depths; each of them is undone half of the time. */
  private static void nest(Heap heap, Pair pair, int depth) {
    List<Long> list = new ArrayList<>(pair.expectedList);
    Deque<Long> deque = new ArrayDeque<>(pair.expectedDeque);
    try {
      heap.transact(
          () -> {
            pair.change(pair.random.nextInt(200));
            for (int i = 0; i < 2 && depth > 0; i++) {
              nest(heap, pair, depth - 1);
              pair.change(pair.random.nextInt(40));
            }
            pair.check();
            if (pair.random.nextBoolean()) {
              throw new Undo();
            }
          });
    } catch (Undo e) {
      pair.expectedList = list;
      pair.expectedDeque = deque;
    }
    pair.check();
  }

  @Test
  void whatIsAddedAndTakenAtAnyDepthIsUndoneWithIt() {
    try (Heap heap = Heap.inMemory()) {
      Pair pair = new Pair(heap);
      for (int round = 0; round < 60; round++) {
        nest(heap, pair, 2);
        assertThat(heap.verify().problems()).isEmpty();
      }
      assertThat(pair.list).isNotEmpty();
      assertThat(pair.deque).isNotEmpty();
    }
  }
}
