package io.everheap.structure.map;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.SetTestSuiteBuilder;
import com.google.common.collect.testing.TestSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import io.everheap.Heap;
import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableSet;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Guava's suite for sets, with every feature that a set without nulls can have. */
class DurableSetGuavaTest {
  private static final Heap HEAP = Heap.inMemory();
  private static int sets;

  @AfterAll
  static void noSetOfTheSuiteIsDamaged() {
    assertThat(HEAP.verify().problems()).isEmpty();
    HEAP.close();
  }

  @TestFactory
  Stream<DynamicNode> words() {
    return suite("words", Codecs.LONG, new SampleElements<>(1L, -2L, 3L, 4L, 5L), Long[]::new);
  }

  @TestFactory
  Stream<DynamicNode> bytes() {
    SampleElements<String> texts = new SampleElements<>("one", "", "three", "four", "f".repeat(99));
    return suite("bytes", Codecs.STRING, texts, String[]::new);
  }

  private static <E> Stream<DynamicNode> suite(
      String name, Codec<E> codec, SampleElements<E> samples, IntFunction<E[]> array) {
    TestSuite suite =
        SetTestSuiteBuilder.using(new Generator<>(codec, samples, array))
            .named(name)
            .withFeatures(CollectionFeature.GENERAL_PURPOSE, CollectionSize.ANY)
            .createTestSuite();
    return Collections.list(suite.tests()).stream().map(DurableSetGuavaTest::node);
  }

  /** A JUnit 3 test as a node of this platform. */
  private static DynamicNode node(Test test) {
    if (test instanceof TestSuite suite) {
      return DynamicContainer.dynamicContainer(
          suite.getName(), Collections.list(suite.tests()).stream().map(DurableSetGuavaTest::node));
    }
    return DynamicTest.dynamicTest(((TestCase) test).getName(), () -> run(test));
  }

  private static void run(Test test) throws Throwable {
    TestResult result = new TestResult();
    test.run(result);
    for (TestFailure failure : Collections.list(result.errors())) {
      throw failure.thrownException();
    }
    for (TestFailure failure : Collections.list(result.failures())) {
      throw failure.thrownException();
    }
  }

  /** Makes the sets that the suite asks for. */
  private record Generator<E>(Codec<E> codec, SampleElements<E> samples, IntFunction<E[]> array)
      implements TestSetGenerator<E> {
    @Override
    @SuppressWarnings("unchecked") // the suite gives back the elements that it got from here
    public Set<E> create(Object... elements) {
      DurableSet<E> set = HEAP.set("set " + sets++, codec);
      for (Object element : elements) {
        set.add((E) element);
      }
      return set;
    }

    @Override
    public E[] createArray(int length) {
      return array.apply(length);
    }

    @Override
    public List<E> order(List<E> insertionOrder) {
      return insertionOrder;
    }
  }
}
