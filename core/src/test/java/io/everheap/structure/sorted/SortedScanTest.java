package io.everheap.structure.sorted;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.codec.OrderedCodec;
import io.everheap.codec.WordCodec;
import io.everheap.collection.DurableSortedMap;
import io.everheap.structure.map.MapHeap;
import io.everheap.support.tier.Campaign;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Scans of sorted maps whose trees are tall, and of entries of all sizes, next to a model. */
@Campaign
class SortedScanTest {
  private static final int TALL = 60_000; // more than two nodes above a leaf lead to

  private static <K, V> void check(
      Codec<K> keys, Codec<V> values, LongFunction<K> key, LongFunction<V> value, int entries)
      throws Exception {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableSortedMap<K, V> map =
          heap.make(SortedKind.MAP.definition(SortedTypes.natural(keys, values)));
      NavigableMap<K, V> model = new TreeMap<>();
      SplittableRandom random = new SplittableRandom(entries);
      for (int i = 0; i < entries; i++) {
        long n = random.nextLong() >> 20;
        model.put(key.apply(n), value.apply(n));
      }
      map.putAll(model);
      checkSame(map, model);
      checkSame(map.descendingMap(), model.descendingMap());
      List<K> all = new ArrayList<>(model.keySet());
      for (int i = 0; i < 50; i++) {
        int from = random.nextInt(all.size());
        int to = Math.min(all.size() - 1, from + random.nextInt(1 << random.nextInt(14)));
        boolean low = random.nextBoolean();
        boolean high = random.nextBoolean();
        NavigableMap<K, V> part = map.subMap(all.get(from), low, all.get(to), high);
        NavigableMap<K, V> expected = model.subMap(all.get(from), low, all.get(to), high);
        checkSame(part, expected);
        checkSame(part.descendingMap(), expected.descendingMap());
        assertThat(map.ceilingEntry(all.get(from))).isEqualTo(model.ceilingEntry(all.get(from)));
        assertThat(map.lowerKey(all.get(from))).isEqualTo(model.lowerKey(all.get(from)));
        assertThat(map.higherKey(all.get(to))).isEqualTo(model.higherKey(all.get(to)));
        assertThat(map.get(all.get(to))).isEqualTo(model.get(all.get(to)));
        assertThat(map.containsKey(all.get(to))).isTrue();
      }
    }
  }

  /** All at once if both have one order, so that a failure shows little. */
  private static <K, V> void checkSame(NavigableMap<K, V> map, NavigableMap<K, V> expected) {
    Iterator<Map.Entry<K, V>> entries = map.entrySet().iterator();
    Iterator<K> keys = map.navigableKeySet().iterator();
    for (Map.Entry<K, V> entry : expected.entrySet()) {
      assertThat(entries.next()).isEqualTo(entry);
      assertThat(keys.next()).isEqualTo(entry.getKey());
    }
    assertThat(entries.hasNext()).isFalse();
    assertThat(keys.hasNext()).isFalse();
    assertThat(map).hasSize(expected.size());
    List<V> values = new ArrayList<>();
    map.forEach((_, value) -> values.add(value));
    assertThat(values.equals(List.copyOf(expected.values()))).isTrue();
    assertThat(map.values().stream().toList().equals(values)).isTrue();
  }

  @Test
  void wordsOfATallTreeComeInTheirOrder() throws Exception {
    check(Codecs.LONG, Codecs.LONG, n -> n, n -> ~n, TALL);
  }

  @Test
  void textsOfATallTreeComeInTheirOrder() throws Exception {
    check(Codecs.STRING, Codecs.LONG, n -> "key " + n, n -> n, TALL);
  }

  @Test
  void textsUnderTextsComeInTheirOrder() throws Exception {
    check(Codecs.STRING, Codecs.STRING, n -> "ä".repeat((int) n & 7) + n, Long::toString, 5000);
  }

  @Test
  void textsUnderWordsComeInTheirOrder() throws Exception {
    check(Codecs.LONG, Codecs.STRING, n -> n, n -> "x".repeat((int) n & 63), 5000);
  }

  /** Also values that are kept in parts, and empty ones. */
  @Test
  void valuesOfAllSizesComeInTheirOrder() throws Exception {
    LongFunction<String> sizes =
        n -> "v".repeat((n & 63) == 0 ? 1_100_000 : (n & 7) == 1 ? 70_000 : (int) n & 15);
    check(Codecs.LONG, Codecs.STRING, n -> n, sizes, 300);
    check(Codecs.STRING, Codecs.STRING, Long::toString, sizes, 300);
  }

  @Test
  void anIteratorRemovesWhatItReturnedLast() throws Exception {
    checkRemovals(Codecs.LONG, 7L);
    checkRemovals(Codecs.STRING, "seven");
  }

  private static <V> void checkRemovals(Codec<V> values, V value) throws Exception {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableSortedMap<Long, V> map =
          heap.make(SortedKind.MAP.definition(SortedTypes.natural(Codecs.LONG, values)));
      for (long i = 0; i < 200; i++) {
        map.put(i, value);
      }
      Iterator<Long> keys = map.keySet().iterator();
      while (keys.hasNext()) {
        long key = keys.next();
        boolean looked = key % 2 == 0 && keys.hasNext(); // which may load the next leaf
        if (key % 3 == 0 || (looked && key % 5 == 0)) {
          keys.remove();
        }
      }
      for (long i = 0; i < 200; i++) {
        boolean removed = i % 3 == 0 || (i % 2 == 0 && i % 5 == 0);
        assertThat(map.containsKey(i)).as("key %s", i).isEqualTo(!removed);
      }
    }
  }

  /** Counts the words that it decodes. */
  private static final class Counting implements WordCodec<Long>, OrderedCodec<Long> {
    private int decoded;

    @Override
    public String name() {
      return "counting";
    }

    @Override
    public boolean canonical() {
      return true;
    }

    @Override
    public long toWord(Long value) {
      return value;
    }

    @Override
    public Long fromWord(long word) {
      decoded++;
      return word;
    }
  }

  @Test
  void aKeyThatIsAWordIsDecodedOnceAndOnlyIfAnEntryIsAskedForIt() throws Exception {
    try (MapHeap heap = MapHeap.inMemory()) {
      Counting codec = new Counting();
      DurableSortedMap<Long, Long> map =
          heap.make(SortedKind.MAP.definition(SortedTypes.natural(codec, Codecs.LONG)));
      for (long i = 0; i < 200; i++) {
        map.put(i, 2 * i);
      }
      codec.decoded = 0;
      long sum = 0;
      List<Map.Entry<Long, Long>> entries = new ArrayList<>();
      for (Map.Entry<Long, Long> entry : map.entrySet()) {
        sum += entry.getValue();
        entries.add(entry);
      }

      assertThat(sum).isEqualTo(199 * 200);
      assertThat(codec.decoded).isZero();

      map.clear(); // entries keep what they saw
      Map.Entry<Long, Long> seventh = entries.get(7);
      assertThat(seventh.getKey()).isEqualTo(7L).isSameAs(seventh.getKey());
      assertThat(seventh).isEqualTo(Map.entry(7L, 14L)).hasToString("7=14");
      assertThat(seventh.hashCode()).isEqualTo(Map.entry(7L, 14L).hashCode());
      assertThat(codec.decoded).isEqualTo(1);
      seventh.setValue(15L);
      assertThat(map).containsExactly(Map.entry(7L, 15L));
    }
  }
}
