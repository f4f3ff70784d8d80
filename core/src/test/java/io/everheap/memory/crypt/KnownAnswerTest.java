package io.everheap.memory.crypt;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.memory.FileMedium;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The test vectors of docs/format.md, which another implementation made. */
class KnownAnswerTest {
  private static final String KEY =
      "62866951af392a139eb68c4f91bf78bbafdfea242cbf0560280ce7266d246873";
  private static final String FIRST = "6e0d086ba80b4e9da32a8bb0d5968f9d";
  private static final String TAG = "2cfc84e91f1193673d853a3b93a5161c";
  private static final String ROOT_KEY =
      "bf455a6b8d4dd38119db3fea0428287f53aae4e7ec1be7e1b38046931ce73c52";
  private static final String ENTRY = "e11e847584c6be7f8d305ac7aab0f999";

  /**
   * The file of keys: magic, version, length, id, nonce, then the rest, of which these are parts.
   */
  private static final String KEYS = "455648504b45595301000000";

  private static final String WRAPPED =
      "b1a1aa11352a710a3c06001161048da0ccfd5d2c6ce36f17bae5c241ac173e26";
  private static final String WRAPPED_TAG = "e9f946705cdc773af6eb5145853be59c";
  private static final String KEYS_CRC = "38eab978";
  private static final String HEADER = "45565345414c45440100000000000000";
  private static final String HEADER_CRC = "9ac0b67b";

  @TempDir Path temp;

  private static byte[] from(int first, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (first + i);
    }
    return bytes;
  }

  private static SectorKeys keys() {
    return new SectorKeys(from(0, 32));
  }

  private static FileId file() {
    byte[] id = from(200, 16);
    return new FileId(Words.get(id, 0), Words.get(id, 8));
  }

  private static SectorKeys.Salt salt() {
    byte[] salt = from(100, 16);
    return new SectorKeys.Salt(Words.get(salt, 0), Words.get(salt, 8));
  }

  @Test
  void theKeyOfASalt() {
    assertThat(HexFormat.of().formatHex(keys().key(salt()).getEncoded())).isEqualTo(KEY);
  }

  @Test
  void aSectorIsSealedAsTheDocumentSays() {
    byte[] sector = new byte[SealedLayout.SECTOR];
    new SectorCipher(keys()).seal(salt(), 5, file(), 7, from(0, 456), sector, 0);
    HexFormat hex = HexFormat.of();
    assertThat(hex.formatHex(sector, 0, 16)).isEqualTo(hex.formatHex(from(100, 16)));
    assertThat(hex.formatHex(sector, 16, 24)).isEqualTo("0500000000000000");
    assertThat(hex.formatHex(sector, 40, 56)).isEqualTo(FIRST);
    assertThat(hex.formatHex(sector, 496, 512)).isEqualTo(TAG);

    byte[] plain = new byte[SealedLayout.PAYLOAD];
    assertThat(new SectorCipher(keys()).open(file(), 7, sector, 0, plain)).isTrue();
    assertThat(plain).isEqualTo(from(0, 456));
    assertThat(new SectorCipher(keys()).open(file(), 8, sector, 0, plain)).isFalse();
  }

  /** A forged file can name a salt in each sector: their keys do not fill the memory. */
  @Test
  void keysOfSaltsThatNobodyWroteWithAreNotKept() {
    SectorKeys keys = keys();
    SectorCipher cipher = new SectorCipher(keys);
    byte[] forged = new byte[SealedLayout.SECTOR];
    for (int i = 1; i <= 100; i++) {
      Words.put(forged, SealedLayout.SALT, i);
      assertThat(cipher.open(file(), 7, forged, 0, new byte[SealedLayout.PAYLOAD])).isFalse();
    }
    assertThat(keys.kept()).as("that of this opening").isOne();
    byte[] sector = new byte[SealedLayout.SECTOR];
    cipher.seal(salt(), 5, file(), 7, from(0, 456), sector, 0);
    assertThat(cipher.open(file(), 7, sector, 0, new byte[SealedLayout.PAYLOAD])).isTrue();
    assertThat(keys.kept()).isEqualTo(2);
  }

  @Test
  void theKeyOfTheRoot() throws Exception {
    byte[] key = keys().derivedKey("heap.root");
    assertThat(HexFormat.of().formatHex(key)).isEqualTo(ROOT_KEY);
    byte[] block = new byte[16];
    Words.put(block, 0, 9);
    Words.put(block, 8, 0x1122334455667788L);
    Cipher aes = Cipher.getInstance("AES/ECB/NoPadding");
    aes.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
    assertThat(HexFormat.of().formatHex(aes.doFinal(block))).isEqualTo(ENTRY);
  }

  /** Ids: data key 40 .. 4f, file c8 .. d7. The wrapping key is 20 .. 3f, the nonce 50 .. 5b. */
  @Test
  void aFileOfKeysIsReadAsTheDocumentSays() throws Exception {
    HexFormat hex = HexFormat.of();
    String id = hex.formatHex(from(0x40, 16));
    String nonce = hex.formatHex(from(0x50, 12));
    String stored = KEYS + "3c000000" + id + nonce + WRAPPED + WRAPPED_TAG + KEYS_CRC;
    Files.write(temp.resolve("keys"), hex.parseHex(stored));
    try (FileMedium medium = FileMedium.open(temp, false, false)) {
      KeyFile keys = KeyFile.read(medium);
      assertThat(keys.dataKey(medium, KeyProvider.of(from(0x20, 32)))).isEqualTo(from(0, 32));
      ByteBuffer header = new FileHeader(1, keys.id(), file()).encode();
      byte[] bytes = new byte[FileHeader.SIZE];
      header.get(0, bytes);
      assertThat(hex.formatHex(bytes))
          .isEqualTo(HEADER + id + hex.formatHex(from(200, 16)) + HEADER_CRC);
    }
  }

  @Test
  void theDocumentHasTheseVectors() throws Exception {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("docs/format.md"))) {
      at = at.getParent();
    }
    assertThat(Files.readString(at.resolve("docs/format.md")))
        .contains(Arrays.asList(KEY, FIRST, TAG, ROOT_KEY, ENTRY))
        .contains(Arrays.asList(WRAPPED, WRAPPED_TAG, KEYS_CRC, HEADER_CRC));
  }
}
