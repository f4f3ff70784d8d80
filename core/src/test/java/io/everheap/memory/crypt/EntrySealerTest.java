package io.everheap.memory.crypt;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What encrypted caches store, beside what another implementation made of the same. */
class EntrySealerTest {
  private static final String FIRST = "6e0d086ba80b4e9da32a8bb0d5968f9d";
  private static final String TAG = "ce0d46999d9dd999bd01b9a08f58962c";
  private static final String SHORT_TAG = "d8da54034dee4c8e859a8ae2076c99a6";
  private static final String RECORD =
      "f4ea8987058f12a0b1b54594b8f2fdf3d3c185e14ff9e01ff98718aeb1433578b3730ac83af85df4b5f85d4da144e4f4e28756c629c7842c";
  private static final String HASH = "e34568c7f5affa1c";
  private static final String DIGEST =
      "bfdc04aabc124dc042ee7c5de6c9a31633cbba4b2a257cf667be64e8eefed04d";
  private static final HexFormat HEX = HexFormat.of();

  private static byte[] from(int first, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (first + i);
    }
    return bytes;
  }

  private static EntrySealer sealer() {
    return new EntrySealer(from(0, 32));
  }

  private static final byte[] PLACE = from(10, 40);

  /** Under the salt 64 .. 73 and the counter 5. */
  private static byte[] sealed(byte[] plain) {
    byte[] salt = from(100, 16);
    byte[] block = new byte[plain.length + EntrySealer.BLOCK_OVERHEAD];
    sealer()
        .seal(
            Words.get(salt, 0),
            Words.get(salt, 8),
            5,
            PLACE,
            ByteBuffer.wrap(plain),
            (at, bytes, length) -> System.arraycopy(bytes, 0, block, (int) at, length));
    return block;
  }

  private static boolean opens(byte[] place, byte[] block, byte[] plain) {
    long tag = Words.get(block, block.length - 16);
    ByteBuffer to = ByteBuffer.allocateDirect(plain.length);
    boolean isAuthentic =
        sealer().open(place, ByteBuffer.allocateDirect(block.length).put(block).flip(), tag, to);
    to.get(0, plain);
    return isAuthentic;
  }

  @Test
  void aBlockIsSealedAsTheDocumentSays() {
    byte[] plain = from(0, 100_000);
    byte[] block = sealed(plain);
    assertThat(HEX.formatHex(block, 0, 24))
        .isEqualTo(HEX.formatHex(from(100, 16)) + "0500000000000000");
    assertThat(HEX.formatHex(block, 24, 40)).isEqualTo(FIRST);
    assertThat(HEX.formatHex(block, block.length - 16, block.length)).isEqualTo(TAG);
    byte[] opened = new byte[plain.length];
    assertThat(opens(PLACE, block, opened)).isTrue();
    assertThat(opened).isEqualTo(plain);
    byte[] shortBlock = sealed(from(0, 100));
    assertThat(HEX.formatHex(shortBlock, 124, 140)).isEqualTo(SHORT_TAG);
  }

  @Test
  void aChangedBlockOrPlaceIsRefused() {
    byte[] block = sealed(from(0, 50));
    assertThat(opens(from(11, 40), block, new byte[50])).isFalse();
    for (int bit = 0; bit < 8 * block.length; bit++) {
      byte[] changed = block.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(opens(PLACE, changed, new byte[50])).as("bit %s", bit).isFalse();
    }
  }

  @Test
  void aRecordIsSealedAsTheDocumentSays() {
    byte[] record = sealer().sealRecord(PLACE, from(60, 40));
    assertThat(HEX.formatHex(record)).isEqualTo(RECORD);
    assertThat(sealer().openRecord(PLACE, record)).isEqualTo(from(60, 40));
    assertThat(sealer().openRecord(from(11, 40), record)).isNull();
    for (int bit = 0; bit < 8 * record.length; bit++) {
      byte[] changed = record.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(sealer().openRecord(PLACE, changed)).as("bit %s", bit).isNull();
    }
  }

  @Test
  void hashesAndDigestsAreKeyed() {
    assertThat(HEX.toHexDigits(sealer().hash("key 1".getBytes(US_ASCII)))).isEqualTo(HASH);
    assertThat(HEX.formatHex(sealer().digest().doFinal(PLACE))).isEqualTo(DIGEST);
  }

  @Test
  void theDocumentHasTheseVectors() throws Exception {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("docs/cache.md"))) {
      at = at.getParent();
    }
    assertThat(Files.readString(at.resolve("docs/cache.md")))
        .contains(List.of(FIRST, TAG, SHORT_TAG, RECORD, HASH, DIGEST));
  }

  /** The vector of the paper. */
  @Test
  void theHashIsSipHash() {
    assertThat(new SipHash(from(0, 16)).hash(from(0, 15))).isEqualTo(0xa129_ca61_49be_45e5L);
    Set<Long> hashes = new HashSet<>();
    for (int length = 0; length < 40; length++) {
      assertThat(hashes.add(new SipHash(from(0, 16)).hash(new byte[length]))).isTrue();
    }
  }

  @Test
  void countersGrowWithTheBlock() {
    Set<Long> counters = new HashSet<>();
    EntrySealer sealer = sealer();
    byte[] header = new byte[24];
    for (int length : new int[] {0, 511, 512, 100_000, 1}) {
      long _ =
          sealer.seal(
              PLACE,
              ByteBuffer.allocate(length),
              (at, bytes, count) -> {
                if (at == 0) {
                  System.arraycopy(bytes, 0, header, 0, count);
                }
              });
      counters.add(Words.get(header, 16));
    }
    assertThat(counters).containsExactlyInAnyOrder(0L, 1L, 2L, 4L, 4L + 1 + 100_000 / 512);
  }
}
