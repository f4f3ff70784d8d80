package io.everheap.structure.sorted;

import com.google.common.collect.testing.ConcurrentNavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.NavigableSetTestSuiteBuilder;
import com.google.common.collect.testing.SampleElements;
import com.google.common.collect.testing.TestSortedMapGenerator;
import com.google.common.collect.testing.TestSortedSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.GuavaSuites;
import io.everheap.collection.KeyOrder;
import io.everheap.structure.map.MapHeap;
import io.everheap.support.tier.Conformance;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** Guava's suites for sorted maps and sets, with every feature that they can have without nulls. */
@Conformance
class DurableSortedMapGuavaTest {
  private static final MapHeap HEAP = MapHeap.inMemory();

  /** Two below, five samples, two above. */
  private static final List<Long> LONGS = List.of(-9L, -8L, -2L, 1L, 3L, 4L, 5L, 100L, 200L);

  private static final List<String> STRINGS =
      List.of("", "a", "b", "b is longer than eight", "c", "d", "e", "\ud83d\ude00", "\uffff");

  private static final KeyOrder<String> REVERSE =
      KeyOrder.of("reverse", Comparator.<String>reverseOrder());

  @AfterAll
  static void nothingOfTheSuiteIsDamaged() {
    HEAP.close();
  }

  @TestFactory
  Stream<DynamicNode> wordsToWords() {
    return mapSuite(
        "words to words",
        SortedTypes.natural(Codecs.LONG, Codecs.LONG),
        CollectionSize.ANY,
        LONGS,
        LONGS,
        Long[]::new,
        Long[]::new);
  }

  @TestFactory
  Stream<DynamicNode> wordsToBytes() {
    return mapSuite(
        "words to bytes",
        SortedTypes.natural(Codecs.LONG, Codecs.STRING),
        CollectionSize.SEVERAL,
        LONGS,
        STRINGS,
        Long[]::new,
        String[]::new);
  }

  @TestFactory
  Stream<DynamicNode> bytesToBytes() {
    return mapSuite(
        "bytes to bytes",
        SortedTypes.natural(Codecs.STRING, Codecs.STRING),
        CollectionSize.SEVERAL,
        STRINGS,
        STRINGS,
        String[]::new,
        String[]::new);
  }

  @TestFactory
  Stream<DynamicNode> bytesToWordsInTheOrderOfAComparator() {
    return mapSuite(
        "compared bytes to words",
        SortedTypes.ordered(Codecs.STRING, Codecs.LONG, REVERSE),
        CollectionSize.SEVERAL,
        STRINGS.reversed(),
        LONGS,
        String[]::new,
        Long[]::new);
  }

  @TestFactory
  Stream<DynamicNode> setsOfWords() {
    return setSuite(
        "words",
        SortedTypes.natural(Codecs.LONG, Codecs.BOOLEAN),
        CollectionSize.ANY,
        LONGS,
        Long[]::new);
  }

  @TestFactory
  Stream<DynamicNode> setsOfBytes() {
    return setSuite(
        "bytes",
        SortedTypes.natural(Codecs.STRING, Codecs.BOOLEAN),
        CollectionSize.SEVERAL,
        STRINGS,
        String[]::new);
  }

  private static <K, V> Stream<DynamicNode> mapSuite(
      String name,
      SortedTypes<K, V> types,
      CollectionSize sizes,
      List<K> keys,
      List<V> values,
      IntFunction<K[]> keyArray,
      IntFunction<V[]> valueArray) {
    return GuavaSuites.nodes(
        ConcurrentNavigableMapTestSuiteBuilder.using(
                new Maps<>(types, keys, values, keyArray, valueArray))
            .named(name)
            .withFeatures(
                MapFeature.GENERAL_PURPOSE,
                CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionFeature.KNOWN_ORDER,
                sizes)
            .createTestSuite());
  }

  private static <E> Stream<DynamicNode> setSuite(
      String name,
      SortedTypes<E, Boolean> types,
      CollectionSize sizes,
      List<E> samples,
      IntFunction<E[]> array) {
    return GuavaSuites.nodes(
        NavigableSetTestSuiteBuilder.using(new Sets<>(types, samples, array))
            .named(name)
            .withFeatures(
                CollectionFeature.GENERAL_PURPOSE,
                CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                CollectionFeature.KNOWN_ORDER,
                sizes)
            .createTestSuite());
  }

  private static <T> SampleElements<T> samples(List<T> all) {
    return new SampleElements<>(all.get(2), all.get(3), all.get(4), all.get(5), all.get(6));
  }

  /** Makes the maps that a suite asks for. */
  private record Maps<K, V>(
      SortedTypes<K, V> types,
      List<K> keys,
      List<V> values,
      IntFunction<K[]> keyArray,
      IntFunction<V[]> valueArray)
      implements TestSortedMapGenerator<K, V> {

    private Map.Entry<K, V> entry(int i) {
      return Map.entry(keys.get(i), values.get(i));
    }

    @Override
    public SampleElements<Map.Entry<K, V>> samples() {
      return SampleElements.mapEntries(
          DurableSortedMapGuavaTest.samples(keys), DurableSortedMapGuavaTest.samples(values));
    }

    @Override
    @SuppressWarnings("unchecked") // the suite gives back the elements that it got from here
    public SortedMap<K, V> create(Object... elements) {
      DurableSortedMap<K, V> map = HEAP.make(SortedKind.MAP.definition(types));
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
      List<Map.Entry<K, V>> ordered = new ArrayList<>(insertionOrder);
      ordered.sort(Comparator.comparingInt(entry -> keys.indexOf(entry.getKey())));
      return ordered;
    }

    @Override
    public K[] createKeyArray(int length) {
      return keyArray.apply(length);
    }

    @Override
    public V[] createValueArray(int length) {
      return valueArray.apply(length);
    }

    @Override
    public Map.Entry<K, V> belowSamplesLesser() {
      return entry(0);
    }

    @Override
    public Map.Entry<K, V> belowSamplesGreater() {
      return entry(1);
    }

    @Override
    public Map.Entry<K, V> aboveSamplesLesser() {
      return entry(7);
    }

    @Override
    public Map.Entry<K, V> aboveSamplesGreater() {
      return entry(8);
    }
  }

  /** Makes the sets that a suite asks for. */
  private record Sets<E>(SortedTypes<E, Boolean> types, List<E> all, IntFunction<E[]> array)
      implements TestSortedSetGenerator<E> {

    @Override
    public SampleElements<E> samples() {
      return DurableSortedMapGuavaTest.samples(all);
    }

    @Override
    @SuppressWarnings("unchecked") // the suite gives back the elements that it got from here
    public SortedSet<E> create(Object... elements) {
      DurableSortedSet<E> set = HEAP.make(SortedKind.SET.definition(types));
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
      List<E> ordered = new ArrayList<>(insertionOrder);
      ordered.sort(Comparator.comparingInt(all::indexOf));
      return ordered;
    }

    @Override
    public E belowSamplesLesser() {
      return all.get(0);
    }

    @Override
    public E belowSamplesGreater() {
      return all.get(1);
    }

    @Override
    public E aboveSamplesLesser() {
      return all.get(7);
    }

    @Override
    public E aboveSamplesGreater() {
      return all.get(8);
    }
  }
}
