package io.everheap.benchmarks.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class WordsTest {
  @Test
  void theSumOfAValueIsItsKeyWhereverItIs() {
    for (int bytes : new int[] {8, 32, 100, 64 << 10}) {
      byte[] value = Words.value(-77, bytes);

      assertThat(value).hasSize(bytes);
      assertThat(Words.sum(value)).isEqualTo(-77);
      assertThat(Words.sum(ByteBuffer.wrap(value))).isEqualTo(-77);
      assertThat(Words.sum(MemorySegment.ofArray(value))).isEqualTo(-77);
    }
  }

  @Test
  void aWordOfEachCacheLineIsRead() {
    byte[] value = Words.value(1, 200);
    value[64] = 2;
    value[192] = 4;

    assertThat(Words.sum(value)).isEqualTo(7);
    assertThat(Words.sum(ByteBuffer.wrap(value))).isEqualTo(7);
    assertThat(Words.sum(MemorySegment.ofArray(value))).isEqualTo(7);
  }
}
