package io.everheap.store;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.ConcurrentNavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringMapGenerator;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import io.everheap.memory.MediumSetting;
import io.everheap.memory.MemoryMedium;
import io.everheap.support.tier.Conformance;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
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
class ShardedMapGuavaTest {
  private static final ShardedStore STORE =
      MediumSetting.withoutThreads(
              MediumSetting.medium(
                  ShardedStore.builder(Path.of("memory"))
                      .shards(3)
                      .heaps(heap -> heap.maxSize(64 << 20).logSize(16 << 20)),
                  new MemoryMedium()))
          .open();

  @AfterAll
  static void close() {
    STORE.close();
  }

  @TestFactory
  Stream<DynamicNode> theMapOfAStore() {
    return suite(STORE.map("map", String.class, String.class));
  }

  @TestFactory
  Stream<DynamicNode> theSortedMapOfAStore() {
    TestSuite suite =
        ConcurrentNavigableMapTestSuiteBuilder.using(
                new SortedGenerator(STORE.sortedMap("sorted", String.class, String.class)))
            .named("sorted")
            .withFeatures(
                MapFeature.GENERAL_PURPOSE,
                CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionFeature.KNOWN_ORDER,
                CollectionSize.ANY)
            .createTestSuite();
    return Collections.list(suite.tests()).stream().map(ShardedMapGuavaTest::node);
  }

  private static Stream<DynamicNode> suite(ShardedMap<String, String> map) {
    TestSuite suite =
        ConcurrentMapTestSuiteBuilder.using(new Generator(map))
            .named(map.name())
            .withFeatures(
                MapFeature.GENERAL_PURPOSE,
                CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionSize.ANY)
            .createTestSuite();
    return Collections.list(suite.tests()).stream().map(ShardedMapGuavaTest::node);
  }

  /** A JUnit 3 test as a node of this platform. */
  private static DynamicNode node(Test test) {
    if (test instanceof TestSuite suite) {
      return DynamicContainer.dynamicContainer(
          suite.getName(), Collections.list(suite.tests()).stream().map(ShardedMapGuavaTest::node));
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

  /** Empties the map for each map that the suite asks for. */
  private static final class Generator extends TestStringMapGenerator {
    private final ShardedMap<String, String> map;

    Generator(ShardedMap<String, String> map) {
      this.map = map;
    }

    @Override
    protected Map<String, String> create(Map.Entry<String, String>[] entries) {
      map.clear();
      for (Map.Entry<String, String> entry : entries) {
        map.put(entry.getKey(), entry.getValue());
      }
      return map.asMap();
    }
  }

  private static final class SortedGenerator extends TestStringSortedMapGenerator {
    private final ShardedSortedMap<String, String> map;

    SortedGenerator(ShardedSortedMap<String, String> map) {
      this.map = map;
    }

    @Override
    protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
      map.clear();
      for (Map.Entry<String, String> entry : entries) {
        map.put(entry.getKey(), entry.getValue());
      }
      return map.asMap();
    }
  }
}
