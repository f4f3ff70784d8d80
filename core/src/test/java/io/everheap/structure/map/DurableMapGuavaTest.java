package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.TestMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import io.everheap.codec.Codec;
import io.everheap.collection.DurableMap;
import io.everheap.support.tier.Conformance;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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

/** Guava's suite for concurrent maps, with every feature that a map without nulls can have. */
@Conformance
class DurableMapGuavaTest {
  private static final MapHeap HEAP = MapHeap.inMemory();

  private static final SampleElements<Long> LONGS = new SampleElements<>(1L, -2L, 3L, 4L, 5L);
  private static final SampleElements<String> STRINGS =
      new SampleElements<>("one", "", "three", "four", "a longer string than the others");

  @AfterAll
  static void noMapOfTheSuiteIsDamaged() {
    HEAP.close();
  }

  @TestFactory
  Stream<DynamicNode> wordsToWords() {
    return suite("words to words", LONG, LONG, LONGS, LONGS, Long[]::new, Long[]::new);
  }

  @TestFactory
  Stream<DynamicNode> bytesToBytes() {
    return suite("bytes to bytes", STRING, STRING, STRINGS, STRINGS, String[]::new, String[]::new);
  }

  @TestFactory
  Stream<DynamicNode> wordsToBytes() {
    return suite("words to bytes", LONG, STRING, LONGS, STRINGS, Long[]::new, String[]::new);
  }

  @TestFactory
  Stream<DynamicNode> bytesToWords() {
    return suite("bytes to words", STRING, LONG, STRINGS, LONGS, String[]::new, Long[]::new);
  }

  private static <K, V> Stream<DynamicNode> suite(
      String name,
      Codec<K> keys,
      Codec<V> values,
      SampleElements<K> sampleKeys,
      SampleElements<V> sampleValues,
      java.util.function.IntFunction<K[]> keyArray,
      java.util.function.IntFunction<V[]> valueArray) {
    TestSuite suite =
        ConcurrentMapTestSuiteBuilder.using(
                new Generator<>(keys, values, sampleKeys, sampleValues, keyArray, valueArray))
            .named(name)
            .withFeatures(
                MapFeature.GENERAL_PURPOSE,
                CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionSize.ANY)
            .createTestSuite();
    return Collections.list(suite.tests()).stream().map(DurableMapGuavaTest::node);
  }

  /** A JUnit 3 test as a node of this platform. */
  private static DynamicNode node(Test test) {
    if (test instanceof TestSuite suite) {
      return DynamicContainer.dynamicContainer(
          suite.getName(), Collections.list(suite.tests()).stream().map(DurableMapGuavaTest::node));
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

  /** Makes the maps that the suite asks for. */
  private record Generator<K, V>(
      Codec<K> keys,
      Codec<V> values,
      SampleElements<K> sampleKeys,
      SampleElements<V> sampleValues,
      java.util.function.IntFunction<K[]> keyArray,
      java.util.function.IntFunction<V[]> valueArray)
      implements TestMapGenerator<K, V> {

    @Override
    public SampleElements<Map.Entry<K, V>> samples() {
      return SampleElements.mapEntries(sampleKeys, sampleValues);
    }

    @Override
    @SuppressWarnings("unchecked") // the suite gives back the elements that it got from here
    public Map<K, V> create(Object... elements) {
      DurableMap<K, V> map = HEAP.map(keys, values);
      for (Object element : elements) {
        Map.Entry<K, V> entry = (Map.Entry<K, V>) element;
        map.put(entry.getKey(), entry.getValue());
      }
      return map;
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // there is no generic array
    public Map.Entry<K, V>[] createArray(int length) {
      return new Map.Entry[length];
    }

    @Override
    public List<Map.Entry<K, V>> order(List<Map.Entry<K, V>> insertionOrder) {
      return new ArrayList<>(insertionOrder);
    }

    @Override
    public K[] createKeyArray(int length) {
      return keyArray.apply(length);
    }

    @Override
    public V[] createValueArray(int length) {
      return valueArray.apply(length);
    }
  }
}
