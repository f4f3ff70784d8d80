package io.everheap.structure.deque;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.testing.QueueTestSuiteBuilder;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.TestQueueGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import io.everheap.Heap;
import io.everheap.collection.GuavaSuite;
import java.util.List;
import java.util.Queue;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** Guava's suite for queues, with every feature that a queue without nulls can have. */
class DurableDequeGuavaTest {
  private static final Heap HEAP = Heap.inMemory();
  private static int deques;

  @AfterAll
  static void noDequeOfTheSuiteIsDamaged() {
    assertThat(HEAP.verify().problems()).isEmpty();
    HEAP.close();
  }

  @TestFactory
  Stream<DynamicNode> words() {
    return suite("words", Long.class, new SampleElements<>(1L, -2L, 3L, 4L, 5L), Long[]::new);
  }

  @TestFactory
  Stream<DynamicNode> texts() {
    var samples = new SampleElements<>("b", "", "c", "d", "a longer text than the others");
    return suite("texts", String.class, samples, String[]::new);
  }

  private static <E> Stream<DynamicNode> suite(
      String name, Class<E> type, SampleElements<E> samples, IntFunction<E[]> array) {
    return GuavaSuite.nodes(
        QueueTestSuiteBuilder.using(new Generator<>(type, samples, array))
            .named(name)
            .withFeatures(
                CollectionFeature.GENERAL_PURPOSE,
                CollectionFeature.KNOWN_ORDER,
                CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionSize.ANY)
            .createTestSuite());
  }

  private record Generator<E>(Class<E> type, SampleElements<E> samples, IntFunction<E[]> array)
      implements TestQueueGenerator<E> {
    @Override
    @SuppressWarnings("unchecked") // the suite gives back the elements that it got from here
    public Queue<E> create(Object... elements) {
      Queue<E> deque = HEAP.deque("deque " + deques++, type);
      for (Object element : elements) {
        deque.add((E) element);
      }
      return deque;
    }

    @Override
    public E[] createArray(int length) {
      return array.apply(length);
    }

    @Override
    public Iterable<E> order(List<E> insertionOrder) {
      return insertionOrder;
    }
  }
}
