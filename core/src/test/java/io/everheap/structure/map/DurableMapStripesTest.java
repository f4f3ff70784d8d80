package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableMap;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.MapHash;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.NodeLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every commit that changes a word on the way of a reader touches the stripe that this reader
 * validates: checked for readers of all hashes, after each of many changes, without any race.
 */
class DurableMapStripesTest {
  private static final int HASHES = 256;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void changesOfMapsOfWordsTouchTheirReaders(long seed) {
    assertTouched(LONG, LONG, i -> (long) i, i -> (long) i, seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void changesOfMapsOfBytesTouchTheirReaders(long seed) {
    assertTouched(STRING, STRING, i -> "key " + i, i -> "v".repeat(i % 300), seed);
  }

  private static <K, V> void assertTouched(
      Codec<K> keys, Codec<V> values, IntFunction<K> key, IntFunction<V> value, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<K, V> map = heap.map(keys, values);
      Readers readers = new Readers(heap, map);
      for (int i = 0; i < 900; i++) {
        int k = random.nextInt(1 + i);
        switch (random.nextInt(12)) {
          case 0, 1 -> map.remove(key.apply(k));
          case 2 -> map.replace(key.apply(k), value.apply(random.nextInt(1000)));
          case 3 -> {
            if (random.nextInt(20) == 0) {
              map.clear();
            }
          }
          case 4 ->
              heap.transact(
                  () -> {
                    map.put(key.apply(k), value.apply(7));
                    map.remove(key.apply(random.nextInt(200)));
                    return random.nextBoolean();
                  });
          default -> map.put(key.apply(k + random.nextInt(600)), value.apply(i));
        }
        readers.check();
      }
    }
  }

  @Test
  void destroyingAMapTouchesAllItsReaders() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      int base = MapLayout.stripeBase(Reference.address(HeapStructureId.of(map).reference()));
      Stripes stripes = heap.engine().transactions().stripes();
      long[] before = new long[MapLayout.STRIPES];
      for (int s = 0; s < before.length; s++) {
        before[s] = stripes.sample(base + s);
      }
      heap.destroy(map);
      for (int s = 0; s < before.length; s++) {
        assertThat(stripes.valid(base + s, before[s])).isFalse();
      }
    }
  }

  /** What readers of some hashes would load, and the versions that they would validate. */
  private static final class Readers {
    private final HeapMemory memory;
    private final Stripes stripes;
    private final long header;
    private final int base;
    private final boolean words;
    private final List<List<Long>> ways = new ArrayList<>();
    private final long[] versions = new long[HASHES];

    Readers(MapHeap heap, DurableMap<?, ?> map) {
      this.memory = heap.engine().memory();
      this.stripes = heap.engine().transactions().stripes();
      this.header = Reference.address(HeapStructureId.of(map).reference());
      this.base = MapLayout.stripeBase(header);
      long kinds = memory.getLong(header + MapLayout.KINDS);
      this.words = kinds == MapLayout.kinds(true, true);
      for (int h = 0; h < HASHES; h++) {
        ways.add(way(h));
        versions[h] = version(h);
      }
    }

    private long version(long h) {
      return stripes.sample(MapLayout.stripe(base, h));
    }

    /** Each word that a reader of this hash may load, but for the number of buckets. */
    private List<Long> way(long h) {
      List<Long> way = new ArrayList<>();
      long directory = load(way, header + MapLayout.DIRECTORY);
      long bucket = MapLayout.bucket(h, memory.getLong(header + MapLayout.BUCKETS));
      long segment = load(way, MapLayout.segmentSlot(directory, bucket));
      long link = load(way, MapLayout.bucketSlot(segment, bucket));
      while (link != 0) {
        long node = NodeLayout.node(link);
        boolean own = MapLayout.stripe(0, hashOf(node)) == MapLayout.stripe(0, h);
        link = load(way, node + NodeLayout.NEXT);
        load(way, node + NodeLayout.KEY - (words ? 8 : 0));
        if (own) {
          loadValue(way, node);
        }
      }
      return way;
    }

    private void loadValue(List<Long> way, long node) {
      if (words) {
        load(way, node + NodeLayout.WORD_VALUE);
        return;
      }
      long lengths = load(way, node + NodeLayout.LENGTHS);
      int value = NodeLayout.value(NodeLayout.keyBytes(lengths));
      for (int i = 0; i < NodeLayout.pad(NodeLayout.valueBytes(lengths)); i += 8) {
        load(way, node + value + i);
      }
    }

    private long hashOf(long node) {
      MapHash hash = new MapHash(memory.getLong(header + MapLayout.SEED), MapHash.ALL_BITS);
      if (words) {
        return hash.ofWord(memory.getLong(node + NodeLayout.WORD_KEY));
      }
      int length = NodeLayout.keyBytes(memory.getLong(node + NodeLayout.LENGTHS));
      byte[] key = new byte[length];
      memory.copyOut(node + NodeLayout.KEY, key, 0, length);
      return hash.ofBytes(key, length);
    }

    private long load(List<Long> way, long address) {
      long word = memory.getLong(address);
      way.add(address);
      way.add(word);
      return word;
    }

    /** Each reader whose way is another one now must find its version changed. */
    void check() {
      for (int h = 0; h < HASHES; h++) {
        List<Long> way = way(h);
        if (!way.equals(ways.get(h))) {
          assertThat(version(h))
              .as("version of the stripe of hash %s, whose way changed", h)
              .isNotEqualTo(versions[h]);
          ways.set(h, way);
        }
        versions[h] = version(h);
      }
    }
  }
}
