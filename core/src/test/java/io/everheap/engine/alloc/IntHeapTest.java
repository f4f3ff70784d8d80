package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.PriorityQueue;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class IntHeapTest {
  @Property(tries = 30)
  void valuesComeOutLikeThoseOfAPriorityQueue(@ForAll long seed) {
    Random random = new Random(seed);
    IntHeap heap = new IntHeap();
    PriorityQueue<Integer> model = new PriorityQueue<>();
    for (int i = 0; i < 1000; i++) {
      boolean grows = i % 200 < 120;
      if (model.isEmpty() || random.nextInt(10) < (grows ? 8 : 2)) {
        int value = random.nextInt(50) - 10;
        heap.push(value);
        model.add(value);
      } else {
        assertThat(heap.pop()).isEqualTo(model.remove());
      }
      assertThat(heap.isEmpty()).isEqualTo(model.isEmpty());
      if (!model.isEmpty()) {
        assertThat(heap.peek()).isEqualTo(model.peek());
      }
    }
  }

  @Test
  void theSmallerOfTwoChildrenComesFirst() {
    IntHeap heap = new IntHeap();
    for (int value : new int[] {1, 5, 2, 7, 6, 4, 3}) {
      heap.push(value);
    }
    for (int expected = 1; expected <= 7; expected++) {
      assertThat(heap.pop()).isEqualTo(expected);
    }
    assertThat(heap.isEmpty()).isTrue();
  }
}
