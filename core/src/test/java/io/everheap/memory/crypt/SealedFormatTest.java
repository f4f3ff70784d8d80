package io.everheap.memory.crypt;

import static io.everheap.memory.crypt.SealedLayout.BLOCK;
import static io.everheap.memory.crypt.SealedLayout.HEADER;
import static io.everheap.memory.crypt.SealedLayout.PAYLOAD;
import static io.everheap.memory.crypt.SealedLayout.SECTOR;
import static io.everheap.memory.crypt.SealedLayout.STORED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.error.EncryptionException;
import io.everheap.memory.Mapping;
import io.everheap.memory.MediumFile;
import io.everheap.memory.RecordedMedium;
import io.everheap.memory.Region;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Known answers: files with fixed keys, ids, salts and contents, which another implementation makes
 * and reads, and sectors of them in places where they do not belong.
 */
class SealedFormatTest {
  private static final byte[] DATA_KEY = from(0, 32);
  private static final byte[] KEY_ID = from(0x40, 16);
  private static final byte[] FILE_ID = from(200, 16);
  private static final byte[] SALT = from(100, 16);
  private static final KeyProvider KEY = KeyProvider.of(from(0x20, 32));
  private static final int BLOCKS = 3;

  private final RecordedMedium files = new RecordedMedium();
  private final SealedByFormat format = new SealedByFormat(DATA_KEY, KEY_ID, FILE_ID);

  SealedFormatTest() {
    files.put("keys", keys());
  }

  private static byte[] from(int first, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (first + i);
    }
    return bytes;
  }

  /** The data key of {@link #KEY_ID}, wrapped as the document says. */
  private static byte[] keys() {
    byte[] context = Arrays.copyOf(SealedByFormat.keys(KEY_ID, new byte[0]), 32);
    return SealedByFormat.keys(KEY_ID, KEY.wrap(DATA_KEY, context));
  }

  private static byte[] contents(int seed, int blocks) {
    byte[] contents = new byte[blocks * BLOCK];
    new Random(seed).nextBytes(contents);
    return contents;
  }

  private SealedMedium open() {
    return SealedMedium.open(files.open(), KEY);
  }

  private byte[] read(String name) {
    try (SealedMedium medium = open();
        MediumFile file = medium.open(name)) {
      byte[] bytes = new byte[(int) file.size()];
      assertThat(file.read(ByteBuffer.wrap(bytes), 0)).isEqualTo(bytes.length);
      return bytes;
    }
  }

  private static String sha(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 16);
  }

  /** Files that exist have these bytes: if the digest changes, they cannot be read. */
  @Test
  void theStoredBytesOfAFileAreKnown() throws Exception {
    byte[] stored = format.file(contents(1, BLOCKS), SALT);
    assertThat(sha(stored)).isEqualTo("49bd85f66cc759036e552f2f71db3004");
    files.put("heap", stored);
    assertThat(read("heap")).isEqualTo(contents(1, BLOCKS));
  }

  /** The library makes the same bytes of the same salt and counters, in each place. */
  @Test
  void theLibrarySealsTheSameBytes() {
    byte[] contents = contents(1, BLOCKS);
    byte[] expected = format.file(contents, SALT);
    SectorCipher cipher = new SectorCipher(new SectorKeys(DATA_KEY.clone()));
    SectorKeys.Salt salt = new SectorKeys.Salt(Words.get(SALT, 0), Words.get(SALT, 8));
    FileId id = new FileId(Words.get(FILE_ID, 0), Words.get(FILE_ID, 8));
    byte[] stored = new byte[expected.length];
    byte[] header = new byte[HEADER];
    FileId key = new FileId(Words.get(KEY_ID, 0), Words.get(KEY_ID, 8));
    new FileHeader(1, key, id).encode().get(0, header);
    System.arraycopy(header, 0, stored, 0, HEADER);
    for (int number = 0; number < 9 * BLOCKS; number++) {
      int start = number / 9 * BLOCK + number % 9 * PAYLOAD;
      int end = Math.min(start + PAYLOAD, (number / 9 + 1) * BLOCK);
      byte[] plain = Arrays.copyOf(Arrays.copyOfRange(contents, start, end), PAYLOAD);
      Arrays.fill(stored, HEADER + number * SECTOR, HEADER + (number + 1) * SECTOR, (byte) 0x55);
      cipher.seal(salt, number, id, number, plain, stored, HEADER + number * SECTOR);
    }
    assertThat(stored).isEqualTo(expected);
  }

  @Test
  void theOtherImplementationReadsWhatTheLibraryWrites() {
    byte[] contents = contents(2, 70); // more than are written at once
    byte[] patch = contents(3, 1);
    try (SealedMedium medium = open();
        MediumFile file = medium.create("changed")) {
      file.write(ByteBuffer.wrap(contents), 0);
      file.write(ByteBuffer.wrap(patch, 0, 1000), 5 * BLOCK + 300);
      System.arraycopy(patch, 0, contents, 5 * BLOCK + 300, 1000);
      ByteBuffer blocks = ByteBuffer.allocateDirect(4 * BLOCK).alignedSlice(BLOCK);
      blocks.limit(2 * BLOCK).put(contents, 0, 600).rewind();
      file.writeDurably(blocks, 30L * BLOCK);
      Arrays.fill(contents, 30 * BLOCK, 32 * BLOCK, (byte) 0);
      System.arraycopy(contents, 0, contents, 30 * BLOCK, 600);
      file.writeZeros(ByteBuffer.allocate(BLOCK), 40L * BLOCK);
      Arrays.fill(contents, 40 * BLOCK, 41 * BLOCK, (byte) 0);
      file.truncate(66L * BLOCK + 10);
    }
    byte[] stored = files.bytes("changed");
    byte[] id = Arrays.copyOfRange(stored, 32, 48);
    SealedByFormat reads = new SealedByFormat(DATA_KEY, KEY_ID, id);
    assertThat(Arrays.copyOf(stored, HEADER)).isEqualTo(reads.header());
    byte[] expected = Arrays.copyOf(contents, 67 * BLOCK);
    Arrays.fill(expected, 66 * BLOCK + 10, 67 * BLOCK, (byte) 0);
    assertThat(reads.contents(stored)).isEqualTo(expected);
    assertThat(read("changed")).isEqualTo(expected);
    assertThat(id).as("random").isNotEqualTo(new byte[16]).isNotEqualTo(FILE_ID);
  }

  /** The last 8 bytes of the last sector of a block are zeros, whatever came before. */
  @Test
  void thePaddingOfABlockIsZeros() {
    byte[] ones = new byte[2 * BLOCK];
    Arrays.fill(ones, (byte) -1);
    try (SealedMedium medium = open();
        MediumFile file = medium.create("heap")) {
      file.write(ByteBuffer.wrap(ones), 0);
      file.write(ByteBuffer.wrap(ones, 0, 448), 8 * PAYLOAD);
      file.write(ByteBuffer.wrap(ones, 0, 10), BLOCK - 10);
    }
    byte[] stored = files.bytes("heap");
    SealedByFormat reads = new SealedByFormat(DATA_KEY, KEY_ID, Arrays.copyOfRange(stored, 32, 48));
    for (int block = 0; block < 2; block++) {
      int at = HEADER + block * STORED + 8 * SECTOR;
      byte[] plain = reads.plain(9L * block + 8, Arrays.copyOfRange(stored, at, at + SECTOR));
      assertThat(Arrays.copyOfRange(plain, 448, 456)).isEqualTo(new byte[8]);
      assertThat(Arrays.copyOf(plain, 448)).isEqualTo(Arrays.copyOf(ones, 448));
    }
  }

  private static byte[] sector(byte[] stored, int number) {
    return Arrays.copyOfRange(stored, HEADER + number * SECTOR, HEADER + (number + 1) * SECTOR);
  }

  private static byte[] with(byte[] stored, int number, byte[] sector) {
    byte[] changed = stored.clone();
    System.arraycopy(sector, 0, changed, HEADER + number * SECTOR, SECTOR);
    return changed;
  }

  private void requireRefused(String what, byte[] stored, int number) {
    files.put("heap", stored);
    try (SealedMedium medium = open();
        MediumFile file = medium.open("heap")) {
      for (int other = 0; other < 9 * BLOCKS; other++) {
        long at = other / 9L * BLOCK + other % 9L * PAYLOAD;
        ByteBuffer one = ByteBuffer.allocate(1);
        if (other == number) {
          assertThatThrownBy(() -> file.read(one, at))
              .as("%s in %s", what, number)
              .isInstanceOf(CorruptException.class)
              .hasMessageContaining(
                  "/recorded/heap was damaged or changed at byte "
                      + (HEADER + number * SECTOR)
                      + ": the sector there, of contents from byte "
                      + at
                      + " on, is not authentic");
        } else {
          assertThat(file.read(one, at)).isOne();
        }
      }
    }
  }

  @Test
  void aSectorIsRefusedInEachOtherPlaceOfItsFile() {
    byte[] stored = format.file(contents(1, BLOCKS), SALT);
    for (int from = 0; from < 9 * BLOCKS; from += 4) {
      for (int to = 0; to < 9 * BLOCKS; to += 5) {
        if (from != to) {
          requireRefused("sector " + from, with(stored, to, sector(stored, from)), to);
        }
      }
    }
    requireRefused("the next one", with(stored, 9, sector(stored, 10)), 9);
    requireRefused("that of the next block", with(stored, 0, sector(stored, 9)), 0);
    requireRefused("the last one of the block before", with(stored, 9, sector(stored, 8)), 9);
  }

  @Test
  void sectorsThatAreSwappedOrShiftedAreRefused() {
    byte[] stored = format.file(contents(1, BLOCKS), SALT);
    byte[] shifted = stored.clone();
    System.arraycopy(stored, HEADER, shifted, HEADER + SECTOR, stored.length - HEADER - SECTOR);
    byte[] pages = stored.clone();
    System.arraycopy(stored, HEADER, pages, HEADER + STORED, STORED);
    System.arraycopy(stored, HEADER + STORED, pages, HEADER, STORED);
    for (byte[] changed : List.of(shifted, pages)) {
      files.put("heap", changed);
      try (SealedMedium medium = open();
          MediumFile file = medium.open("heap")) {
        for (int number = 1; number < 18; number++) {
          long at = number / 9L * BLOCK + number % 9L * PAYLOAD;
          assertThatThrownBy(() -> file.read(ByteBuffer.allocate(1), at))
              .as("sector %s", number)
              .isInstanceOf(CorruptException.class);
        }
      }
    }
  }

  /** Sectors of another file, another heap, another salt or counter, and with another layout. */
  @Test
  void aSectorOfAnotherOriginIsRefused() {
    byte[] contents = contents(1, BLOCKS);
    byte[] stored = format.file(contents, SALT);
    byte[] plain = Arrays.copyOfRange(contents, 4 * PAYLOAD, 5 * PAYLOAD);
    byte[] otherFile = FILE_ID.clone();
    otherFile[15] ^= 1;
    byte[] firstByte = FILE_ID.clone();
    firstByte[0] ^= 1;
    byte[] otherKey = DATA_KEY.clone();
    otherKey[31] ^= 1;
    List<byte[]> forged = new ArrayList<>();
    forged.add(new SealedByFormat(DATA_KEY, KEY_ID, otherFile).sector(4, SALT, 4, plain));
    forged.add(new SealedByFormat(DATA_KEY, KEY_ID, firstByte).sector(4, SALT, 4, plain));
    forged.add(new SealedByFormat(otherKey, KEY_ID, FILE_ID).sector(4, SALT, 4, plain));
    byte[] salt = format.sector(4, SALT, 4, plain);
    salt[15] ^= 1;
    forged.add(salt);
    byte[] counter = format.sector(4, SALT, 4, plain);
    counter[16]++;
    forged.add(counter);
    byte[] high = format.sector(4, SALT, 4, plain);
    high[23]++;
    forged.add(high);
    for (int at = 24; at < 40; at++) {
      byte[] reserved = format.sector(4, SALT, 4, plain);
      reserved[at] = 1;
      forged.add(reserved);
    }
    forged.add(format.sector(4L + (1L << 32), SALT, 4, plain));
    forged.add(format.sector(4L | 1L << 63, SALT, 4, plain));
    byte[] noSalt = format.sector(4, new byte[16], 4, plain);
    forged.add(noSalt); // only zeros alone read as zeros
    byte[] oneByte = new byte[SECTOR];
    oneByte[SECTOR - 1] = 1;
    forged.add(oneByte);
    byte[] reservedByte = new byte[SECTOR];
    reservedByte[24] = 1;
    forged.add(reservedByte);
    for (int i = 0; i < forged.size(); i++) {
      requireRefused("forged " + i, with(stored, 4, forged.get(i)), 4);
    }
    byte[] large = format.sector(4, from(0, 16), -1, plain);
    files.put("heap", with(stored, 4, large));
    assertThat(read("heap")).as("any salt and counter").isEqualTo(contents);
  }

  /** Salts are drawn with their last bit set; others are read as well. */
  @Test
  void aSaltWithOneBitIsASalt() {
    byte[] contents = contents(1, 1);
    for (int bit : new int[] {0, 63, 64, 127}) {
      byte[] salt = new byte[16];
      salt[bit / 8] = (byte) (1 << bit % 8);
      files.put("heap", format.file(contents, salt));
      assertThat(read("heap")).as("bit %s", bit).isEqualTo(contents);
    }
  }

  @Test
  void aSectorOfZerosReadsAsZeros() {
    byte[] contents = contents(1, BLOCKS);
    byte[] stored = format.file(contents, SALT);
    files.put("heap", with(stored, 4, new byte[SECTOR]));
    byte[] expected = contents.clone();
    Arrays.fill(expected, 4 * PAYLOAD, 5 * PAYLOAD, (byte) 0);
    assertThat(read("heap")).isEqualTo(expected);
  }

  @Test
  void aPartOfABlockAtTheEndDoesNotCount() {
    byte[] stored = format.file(contents(1, BLOCKS), SALT);
    for (int more : new int[] {0, 1, SECTOR, STORED - 1}) {
      files.put("heap", Arrays.copyOf(stored, stored.length + more));
      assertThat(read("heap")).as("%s more", more).isEqualTo(contents(1, BLOCKS));
      files.put("heap", Arrays.copyOf(stored, HEADER + 2 * STORED + more));
      assertThat(read("heap"))
          .as("a block is missing but for %s", more)
          .isEqualTo(Arrays.copyOf(contents(1, BLOCKS), 2 * BLOCK));
    }
  }

  @Test
  void aFileOfAnotherHeapOrVersionIsRefused() {
    byte[] stored = format.file(contents(1, 1), SALT);
    byte[] otherId = KEY_ID.clone();
    otherId[15]++;
    byte[] foreign = new SealedByFormat(DATA_KEY, otherId, FILE_ID).file(contents(1, 1), SALT);
    byte[] firstByte = KEY_ID.clone();
    firstByte[0]++;
    byte[] alsoForeign = new SealedByFormat(DATA_KEY, firstByte, FILE_ID).header();
    for (byte[] file : List.of(foreign, alsoForeign)) {
      files.put("heap", file);
      assertThatThrownBy(() -> read("heap"))
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("/recorded/heap belongs to another heap");
    }
    for (int at = 0; at < FileHeader.SIZE; at++) {
      byte[] changed = stored.clone();
      changed[at] ^= 1;
      files.put("heap", changed);
      boolean version = at >= 8 && at < 12;
      assertThatThrownBy(() -> read("heap"))
          .as("byte %s", at)
          .isInstanceOf(version ? EncryptionException.class : CorruptException.class)
          .hasMessageContaining(version ? "in version" : "has no header of an encrypted file");
    }
    assertThat(files.openFiles()).as("left open").isZero();
  }

  /** Files with the pages of a heap have the version of its home image, others the first one. */
  @Test
  void filesWithPagesHaveTheVersionOfTheirHeap() {
    try (SealedMedium medium = open()) {
      assertThat(medium.hasKeyedPages()).isTrue();
      for (String name : List.of("heap.new", "heap.crc", "changed")) {
        medium.create(name).close();
      }
    }
    assertThat(files.bytes("heap.new")[8]).isEqualTo((byte) 2);
    assertThat(files.bytes("heap.crc")[8]).isEqualTo((byte) 2);
    assertThat(files.bytes("changed")[8]).isEqualTo((byte) 1);
    files.put("heap", format.file(contents(1, 1), SALT));
    try (SealedMedium medium = open()) {
      assertThat(medium.hasKeyedPages()).isFalse();
      medium.create("heap.root").close();
    }
    assertThat(files.bytes("heap.root")[8]).isEqualTo((byte) 1);
  }

  /** A crash can leave a file whose header was never synced: it has no contents yet. */
  @Test
  void aFileWithoutAHeaderIsEmptyAndBegunAgain() {
    for (int length : new int[] {0, 1, 51, 52, HEADER, HEADER + STORED, HEADER + 3 * STORED}) {
      files.put("heap", new byte[length]);
      assertThat(read("heap")).isEmpty();
      try (SealedMedium medium = open();
          MediumFile file = medium.open("heap")) {
        assertThat(file.read(ByteBuffer.allocate(10), 0)).isZero();
        file.write(ByteBuffer.wrap(contents(1, 1)), 0);
      }
      assertThat(files.bytes("heap")).hasSize(HEADER + STORED);
      assertThat(read("heap")).isEqualTo(contents(1, 1));
    }
    byte[] late = new byte[HEADER + STORED];
    late[51] = 1;
    files.put("heap", late);
    assertThatThrownBy(() -> read("heap")).isInstanceOf(CorruptException.class);
  }

  @Test
  void aMappedPageIsAsTheFileHasIt() {
    byte[] contents = contents(1, 70);
    files.put("heap", format.file(contents, SALT));
    try (SealedMedium medium = open();
        MediumFile file = medium.open("heap")) {
      for (Mapping mapping : Mapping.values()) {
        int size = 66 * BLOCK;
        try (Region region = file.map(mapping, 3L * BLOCK, size)) {
          byte[] found = new byte[size];
          region.copyTo(0, found, 0, size);
          assertThat(found)
              .as("%s", mapping)
              .isEqualTo(Arrays.copyOfRange(contents, 3 * BLOCK, 69 * BLOCK));
        }
        try (Region region = file.map(mapping, 68L * BLOCK, 5 * BLOCK)) {
          byte[] found = new byte[5 * BLOCK];
          region.copyTo(0, found, 0, found.length);
          assertThat(found)
              .as("%s behind the end", mapping)
              .isEqualTo(
                  Arrays.copyOf(Arrays.copyOfRange(contents, 68 * BLOCK, 70 * BLOCK), 5 * BLOCK));
        }
      }
    }
  }
}
