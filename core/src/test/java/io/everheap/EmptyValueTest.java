package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codecs;
import io.everheap.collection.DurableSortedMap;
import io.everheap.support.tier.Campaign;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A value of no bytes begins where its block ends, and that may be where an extent of the home
 * image ends: behind it there is nothing to copy from.
 */
@Campaign
class EmptyValueTest {
  /** With a key of 1000 bytes a node fills a slot of 1024 bytes; 4096 of those fill an extent. */
  private static final int KEY_BYTES = 1000;

  private static final int ENTRIES = 9000;

  @TempDir Path directory;

  private static byte[] key(int i) {
    byte[] key = new byte[KEY_BYTES];
    ByteBuffer.wrap(key).putInt(i);
    return key;
  }

  private static void assertEmptyValues(Heap heap, Map<byte[], byte[]> map) {
    int found = 0;
    for (Map.Entry<byte[], byte[]> entry : map.entrySet()) {
      assertThat(entry.getValue()).isEmpty();
      found++;
    }
    assertThat(found).isEqualTo(ENTRIES);
    for (int i = 0; i < ENTRIES; i++) {
      assertThat(map.get(key(i))).isEmpty();
    }
    assertThat(heap.verify().problems()).isEmpty();
  }

  private static Map<byte[], byte[]> hashed(Heap heap) {
    return heap.map("map", Codecs.BYTES, Codecs.BYTES);
  }

  private static Map<byte[], byte[]> sorted(Heap heap) {
    return heap.root("sorted", DurableSortedMap.of(Codecs.BYTES, Codecs.BYTES));
  }

  @Test
  void emptyValuesOfAMapAreReadAtTheEndOfExtents() {
    try (Heap heap = TestHeaps.open(directory)) {
      heap.transact(() -> fill(hashed(heap)));
      assertEmptyValues(heap, hashed(heap));
    }
    try (Heap heap = TestHeaps.open(directory)) {
      assertEmptyValues(heap, hashed(heap));
      hashed(heap).put(key(1), new byte[0]);
      assertThat(hashed(heap).remove(key(2))).isEmpty();
    }
  }

  @Test
  void emptyValuesOfASortedMapAreReadAtTheEndOfExtents() {
    try (Heap heap = TestHeaps.open(directory)) {
      heap.transact(() -> fill(sorted(heap)));
      assertEmptyValues(heap, sorted(heap));
    }
  }

  private static void fill(Map<byte[], byte[]> map) {
    for (int i = 0; i < ENTRIES; i++) {
      map.put(key(i), new byte[0]);
    }
  }
}
