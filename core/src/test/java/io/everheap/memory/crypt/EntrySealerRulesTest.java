package io.everheap.memory.crypt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.memory.Medium;
import io.everheap.memory.RecordedMedium;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Blocks of caches of all sizes, and the keys of a cache in several directories. */
class EntrySealerRulesTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final byte[] PLACE = {1, 2, 3};
  private static final int PART = 64 << 10;

  private final RecordedMedium first = new RecordedMedium();
  private final RecordedMedium second = new RecordedMedium();

  private static EntrySealer sealer() {
    byte[] key = new byte[32];
    key[5] = 5;
    return new EntrySealer(key);
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @Test
  void aBlockOfAnySizeIsSealedAndOpened() {
    try (EntrySealer sealer = sealer();
        EntrySealer another = sealer()) {
      for (int length :
          new int[] {0, 1, 15, 16, 17, PART - 1, PART, PART + 1, 2 * PART, 2 * PART + 1, 200_000}) {
        byte[] plain = random(length);
        byte[] block = new byte[length + EntrySealer.BLOCK_OVERHEAD];
        ByteBuffer source = ByteBuffer.allocateDirect(length + 9).put(4, plain);
        source.position(4).limit(4 + length);
        List<Long> places = new ArrayList<>();
        long[] end = {0};
        long tag =
            sealer.seal(
                PLACE,
                source,
                (at, bytes, count) -> {
                  assertThat(at).as("no gap").isEqualTo(end[0]);
                  places.add(at);
                  end[0] = at + count;
                  System.arraycopy(bytes, 0, block, (int) at, count);
                });
        assertThat(end[0]).isEqualTo(block.length);
        assertThat(places).hasSizeLessThanOrEqualTo(2 + length / PART);
        assertThat(tag).isEqualTo(Words.get(block, block.length - 16));
        ByteBuffer opened = ByteBuffer.allocateDirect(length);
        assertThat(
                another.open(
                    PLACE, ByteBuffer.allocateDirect(block.length).put(block).flip(), tag, opened))
            .as("%s bytes", length)
            .isTrue();
        byte[] found = new byte[length];
        opened.get(0, found);
        assertThat(found).isEqualTo(plain);
        ByteBuffer sealed = ByteBuffer.wrap(block);
        assertThat(another.open(PLACE, sealed, tag + 1, ByteBuffer.allocate(length))).isFalse();
        assertThat(another.open(new byte[3], sealed, tag, ByteBuffer.allocate(length))).isFalse();
        assertThat(sealed.position()).as("unchanged").isZero();
      }
    }
  }

  /** An attacker who writes another tag into the block does not know that of the index. */
  @Test
  void anotherBlockInThePlaceOfOneIsRefused() {
    try (EntrySealer sealer = sealer()) {
      byte[][] blocks = new byte[2][40 + 50];
      long[] tags = new long[2];
      for (int i = 0; i < 2; i++) {
        byte[] block = blocks[i];
        tags[i] =
            sealer.seal(
                PLACE,
                ByteBuffer.wrap(random(50)),
                (at, bytes, count) -> System.arraycopy(bytes, 0, block, (int) at, count));
      }
      assertThat(tags[0]).isNotEqualTo(tags[1]);
      ByteBuffer plain = ByteBuffer.allocate(50);
      assertThat(sealer.open(PLACE, ByteBuffer.wrap(blocks[1]), tags[0], plain)).isFalse();
      assertThat(sealer.open(PLACE, ByteBuffer.wrap(blocks[1]), tags[1], plain)).isTrue();
    }
  }

  private EntrySealer open(RecordedMedium... media) {
    return EntrySealer.open(Arrays.stream(media).map(RecordedMedium::open).toList(), KEY);
  }

  private static long hash(EntrySealer sealer) {
    try (sealer) {
      return sealer.hash(PLACE);
    }
  }

  @Test
  void allDirectoriesGetTheSameKeys() {
    long hash = hash(open(first, second));
    assertThat(first.bytes("keys")).isEqualTo(second.bytes("keys"));
    byte[] keys = first.bytes("keys");
    first.changes();
    assertThat(hash(open(second, first))).isEqualTo(hash);
    assertThat(first.changes()).as("nothing is written again").isEmpty();
    second.remove("keys");
    assertThat(hash(open(first, second))).isEqualTo(hash);
    assertThat(second.bytes("keys")).isEqualTo(keys);
    first.remove("keys");
    assertThat(hash(open(first, second))).as("from the second one").isEqualTo(hash);
    assertThat(first.bytes("keys")).isEqualTo(keys);
  }

  /** The provider may change what it gets: what the other directory gets is the wrapped key. */
  @Test
  void aProviderThatDecryptsInPlaceWritesNoKeyToAnotherDirectory() {
    KeyProvider inPlace =
        new KeyProvider() {
          @Override
          public byte[] wrap(byte[] dataKey, byte[] context) {
            return KEY.wrap(dataKey, context);
          }

          @Override
          public byte[] unwrap(byte[] wrapped, byte[] context) {
            byte[] key = KEY.unwrap(wrapped, context);
            Arrays.fill(wrapped, (byte) 0);
            System.arraycopy(key, 0, wrapped, 0, key.length);
            return key;
          }
        };
    long hash = hash(EntrySealer.open(List.of(first.open(), second.open()), inPlace));
    assertThat(second.bytes("keys")).isEqualTo(first.bytes("keys"));
    assertThat(hash(open(second))).isEqualTo(hash);
  }

  @Test
  void directoriesOfTwoCachesAreRefused() {
    hash(open(first));
    hash(open(second));
    byte[] before = second.bytes("keys");
    assertThatThrownBy(() -> open(first, second))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("belongs to another cache");
    assertThat(second.bytes("keys")).isEqualTo(before);
  }

  @Test
  void aDirectoryWithAnotherWrappingKeyIsRefused() {
    byte[] bytes = new byte[32];
    bytes[0] = 1;
    KeyProvider other = KeyProvider.of(bytes);
    hash(open(first));
    assertThatThrownBy(() -> EntrySealer.open(List.of(first.open()), other))
        .isInstanceOf(EncryptionException.class);
  }

  @Test
  void nothingIsMadeWhereOnlyReadingIsAllowed() {
    first.readOnly(true);
    assertThatThrownBy(() -> open(first))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("Nothing is encrypted in /recorded.");
    assertThat(first.names()).isEmpty();
    first.readOnly(false);
    long hash = hash(open(first));
    first.readOnly(true);
    assertThat(hash(open(first))).isEqualTo(hash);
  }

  @Test
  void keysAreFound() {
    assertThat(EntrySealer.hasKeys(first.open())).isFalse();
    hash(open(first));
    assertThat(EntrySealer.hasKeys(first.open())).isTrue();
  }

  @Test
  void aCacheIsFoundByEitherSuperblock() {
    Medium medium = first.open();
    assertThat(EntrySealer.hasCache(medium, "cache")).isFalse();
    for (int at : new int[] {0, EntrySealer.CACHE_SUPERBLOCK}) {
      first.put("cache", superblock(at, EntrySealer.CACHE_MAGIC, EntrySealer.CACHE_VERSION));
      assertThat(EntrySealer.hasCache(medium, "cache")).as("at %s", at).isTrue();
      first.put("cache", superblock(at, EntrySealer.CACHE_MAGIC, 2));
      assertThat(EntrySealer.hasCache(medium, "cache")).as("not encrypted").isFalse();
      first.put("cache", superblock(at, EntrySealer.CACHE_MAGIC + 1, EntrySealer.CACHE_VERSION));
      assertThat(EntrySealer.hasCache(medium, "cache")).isFalse();
    }
    first.put("cache", superblock(512, EntrySealer.CACHE_MAGIC, EntrySealer.CACHE_VERSION));
    assertThat(EntrySealer.hasCache(medium, "cache")).as("elsewhere").isFalse();
    first.put("cache", new byte[0]);
    assertThat(EntrySealer.hasCache(medium, "cache")).as("empty").isFalse();
    assertThat(first.openFiles()).isZero();
  }

  private static byte[] superblock(int at, long magic, int version) {
    ByteBuffer b = ByteBuffer.allocate(8192).order(ByteOrder.LITTLE_ENDIAN);
    return b.putLong(at, magic).putInt(at + 8, version).array();
  }
}
