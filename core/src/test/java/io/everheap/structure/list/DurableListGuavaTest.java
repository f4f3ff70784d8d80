package io.everheap.structure.list;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.testing.ListTestSuiteBuilder;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.TestListGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.ListFeature;
import io.everheap.Heap;
import io.everheap.collection.GuavaSuite;
import io.everheap.support.tier.Conformance;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** Guava's suite for lists, with every feature that a list without nulls can have. */
@Conformance
class DurableListGuavaTest {
  private static final Heap HEAP = Heap.inMemory();
  private static int lists;

  @AfterAll
  static void noListOfTheSuiteIsDamaged() {
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
        ListTestSuiteBuilder.using(new Generator<>(type, samples, array))
            .named(name)
            .withFeatures(
                ListFeature.GENERAL_PURPOSE,
                CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionSize.ANY)
            .createTestSuite());
  }

  private record Generator<E>(Class<E> type, SampleElements<E> samples, IntFunction<E[]> array)
      implements TestListGenerator<E> {
    @Override
    @SuppressWarnings("unchecked") // the suite gives back the elements that it got from here
    public List<E> create(Object... elements) {
      List<E> list = HEAP.list("list " + lists++, type);
      for (Object element : elements) {
        list.add((E) element);
      }
      return list;
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
