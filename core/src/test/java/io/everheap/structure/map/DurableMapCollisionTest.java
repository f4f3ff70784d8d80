package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys whose hashes agree in their tags, in their buckets, or wholly. */
class DurableMapCollisionTest {
  private static final long NO_BITS = 0;
  private static final long TAG_ONLY = -1L << 40;
  private static final long BUCKET_ONLY = (1L << 40) - 1;
  private static final long FEW_BUCKETS = 0x13;
  private static final long HIGH_BUCKET_BITS = 0xf00;

  @ParameterizedTest
  @ValueSource(longs = {NO_BITS, TAG_ONLY, BUCKET_ONLY, FEW_BUCKETS, HIGH_BUCKET_BITS})
  void wordKeysAreToldApart(long hashMask) {
    tellApart(LONG, i -> (long) i, hashMask);
  }

  @ParameterizedTest
  @ValueSource(longs = {NO_BITS, TAG_ONLY, BUCKET_ONLY, FEW_BUCKETS, HIGH_BUCKET_BITS})
  void byteKeysAreToldApart(long hashMask) {
    tellApart(STRING, i -> "x".repeat(i % 20) + i, hashMask);
  }

  private static <K> void tellApart(Codec<K> codec, Function<Integer, K> key, long hashMask) {
    int n = 600;
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<K, Long> map = heap.map(codec, LONG, hashMask);
      Map<K, Long> expected = new HashMap<>();
      for (int i = 0; i < n; i++) {
        assertThat(map.put(key.apply(i), (long) i)).isNull();
        expected.put(key.apply(i), (long) i);
      }
      heap.check();
      for (int i = 0; i < n; i++) {
        assertThat(map.get(key.apply(i))).isEqualTo(i);
        assertThat(map.get(key.apply(i + n))).isNull();
      }
      assertThat(new HashMap<>(map)).isEqualTo(expected);
      for (int i = 0; i < n; i += 3) {
        assertThat(map.remove(key.apply(i))).isEqualTo(i);
        expected.remove(key.apply(i));
      }
      assertThat(new HashMap<>(map)).isEqualTo(expected);
      map.replaceAll((k, v) -> v + 1);
      assertThat(map.get(key.apply(1))).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {NO_BITS, TAG_ONLY})
  void aChainTooLongForOptimisticReadersIsReadAllTheSame(long hashMask) {
    int n = 5000;
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG, hashMask);
      heap.transact(
          () -> {
            for (long i = 0; i < n; i++) {
              map.put(i, i);
            }
            return true;
          });
      assertThat(map.get(0L)).isZero();
      assertThat(map.get((long) n)).isNull();
      assertThat(map.containsKey(1L)).isTrue();
      assertThat(map.keySet().stream().distinct().count()).isEqualTo(n);
    }
  }
}
