package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.BYTES;
import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.DurableMap;
import io.everheap.structure.common.NodeLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values and keys from nothing to more than a block can hold. */
class DurableMapValueSizeTest {
  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new SplittableRandom(size).nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0, 1, 7, 8, 9, 4096, 8168, 8192, 100_000, 131_048, 131_072, 262_144, 1_048_000, 1_048_544,
        1_048_545, 1_048_552, 1_048_553, 1_048_560, 1_048_568, 1_048_569, 1_048_577, 2_097_136,
        2_097_137, 5_000_001
      })
  void aValueOfAnySizeComesBack(int size) {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, byte[]> words = heap.map(LONG, BYTES);
      DurableMap<String, byte[]> bytes = heap.map(STRING, BYTES);
      words.put(1L, random(size));
      bytes.put("a key", random(size));
      assertThat(words.get(1L)).isEqualTo(random(size));
      assertThat(bytes.get("a key")).isEqualTo(random(size));
      assertThat(words.values().iterator().next()).isEqualTo(random(size));
      heap.check();
      words.put(1L, random(3));
      bytes.replace("a key", random(2_000_000));
      assertThat(words.get(1L)).isEqualTo(random(3));
      assertThat(bytes.get("a key")).isEqualTo(random(2_000_000));
      heap.check();
      assertThat(words.remove(1L)).isEqualTo(random(3));
      heap.destroy(bytes);
      heap.check();
    }
  }

  @Test
  void aLargeValueCanBeRolledBack() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, byte[]> map = heap.map(LONG, BYTES);
      map.put(1L, random(3_000_000));
      heap.transact(
          () -> {
            map.put(1L, random(4_000_000));
            map.put(2L, random(5_000_000));
            assertThat(map.get(1L)).isEqualTo(random(4_000_000));
            map.remove(1L);
            return false;
          });
      assertThat(map).hasSize(1);
      assertThat(map.get(1L)).isEqualTo(random(3_000_000));
    }
  }

  @Test
  void keysOfAnySizeUpToTheLimitAreFound() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<String, Long> map = heap.map(STRING, LONG);
      for (int size = 0; size < 300; size++) {
        map.put("k".repeat(size), (long) size);
      }
      for (int size = 0; size < 300; size++) {
        assertThat(map.get("k".repeat(size))).isEqualTo(size);
      }
      String longest = "k".repeat(NodeLayout.MAX_KEY_BYTES - 8);
      map.put(longest, -1L);
      assertThat(map.get(longest)).isEqualTo(-1);
      assertThat(map.remove(longest)).isEqualTo(-1);
    }
  }

  @Test
  void aKeyBeyondTheLimitIsRefusedAndNeverFound() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<String, Long> map = heap.map(STRING, LONG);
      String tooLong = "k".repeat(NodeLayout.MAX_KEY_BYTES + 1);
      assertThatThrownBy(() -> map.put(tooLong, 1L))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("262144");
      assertThat(map.get(tooLong)).isNull();
      assertThat(map.containsKey(tooLong)).isFalse();
      assertThat(map.remove(tooLong)).isNull();
    }
  }
}
