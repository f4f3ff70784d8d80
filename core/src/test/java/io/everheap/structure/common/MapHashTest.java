package io.everheap.structure.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.memory.Region;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The hash function spreads, depends on every byte and on the seed, and never changes. */
class MapHashTest {
  private static final MapHash HASH = new MapHash(42, MapHash.ALL_BITS);

  /** Bytes equal to a seed wipe out others: of a map that is a secret, which none guesses. */
  private static final MapHash SECRET = new MapHash(0xB5AD_4ECE_DA1C_E2A9L, MapHash.ALL_BITS);

  private static long ofText(MapHash hash, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return hash.ofBytes(bytes, bytes.length);
  }

  @Test
  void itIsTheFunctionOfVersionOne() {
    assertThat(HASH.ofWord(0)).isEqualTo(-9148929187392628276L);
    assertThat(HASH.ofWord(-1)).isEqualTo(1504683213200391175L);
    assertThat(ofText(HASH, "")).isEqualTo(8006469228942845643L);
    assertThat(ofText(HASH, "everheap")).isEqualTo(6620418420424596707L);
    assertThat(ofText(HASH, "a text that is longer than sixteen bytes"))
        .isEqualTo(-8366827932736798899L);
  }

  @Test
  void consecutiveWordsFillBucketsAndTagsEvenly() {
    assertEven(HASH::ofWord, 0);
    assertEven(HASH::ofWord, 40);
    assertEven(i -> HASH.ofWord(i << 32), 0);
    assertEven(i -> ofText(HASH, "key-" + i), 0);
    assertEven(i -> ofText(HASH, "key-" + i), 40);
    assertEven(i -> ofText(HASH, i + "-and-a-common-suffix-of-some-length"), 0);
  }

  /** Chi-squared over 1024 buckets: its mean is 1023 and its deviation 45. */
  private static void assertEven(LongUnaryOperator hash, int shift) {
    int buckets = 1024;
    int each = 64;
    int[] counts = new int[buckets];
    for (long i = 0; i < (long) buckets * each; i++) {
      counts[(int) (hash.applyAsLong(i) >>> shift) & (buckets - 1)]++;
    }
    double chiSquared =
        Arrays.stream(counts).mapToDouble(c -> (c - each) * (c - each)).sum() / each;
    assertThat(chiSquared).isBetween(1023.0 - 6 * 45, 1023.0 + 6 * 45);
  }

  @Property(tries = 300)
  void bytesInMemoryHaveTheSameHash(@ForAll @Size(max = 100) byte[] bytes) {
    try (Region memory = Region.allocate(112)) {
      memory.fill(0, 112, (byte) -1); // what follows the bytes does not count
      memory.copyFrom(8, bytes, 0, bytes.length);
      assertThat(HASH.ofBytes(memory, 8, bytes.length))
          .isEqualTo(HASH.ofBytes(bytes, bytes.length));
    }
  }

  @Property(tries = 300)
  void everyByteAndTheLengthMatter(
      @ForAll byte[] bytes, @ForAll @IntRange(max = 7) int bit, @ForAll int position) {
    long hash = SECRET.ofBytes(bytes, bytes.length);
    assertThat(SECRET.ofBytes(Arrays.copyOf(bytes, bytes.length + 1), bytes.length + 1))
        .isNotEqualTo(hash);
    assertThat(SECRET.ofBytes(Arrays.copyOf(bytes, bytes.length + 9), bytes.length))
        .isEqualTo(hash);
    if (bytes.length > 0) {
      byte[] changed = bytes.clone();
      changed[Math.floorMod(position, bytes.length)] ^= (byte) (1 << bit);
      assertThat(SECRET.ofBytes(changed, changed.length)).isNotEqualTo(hash);
    }
  }

  @Test
  void anotherSeedGivesOtherHashes() {
    Set<Long> words = new HashSet<>();
    Set<Long> texts = new HashSet<>();
    for (int seed = 0; seed < 1000; seed++) {
      words.add(new MapHash(seed, MapHash.ALL_BITS).ofWord(7));
      texts.add(ofText(new MapHash(seed, MapHash.ALL_BITS), "seven"));
    }
    assertThat(words).hasSize(1000);
    assertThat(texts).hasSize(1000);
  }
}
