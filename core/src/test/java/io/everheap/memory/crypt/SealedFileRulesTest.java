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
import io.everheap.memory.DurableWrite;
import io.everheap.memory.Mapping;
import io.everheap.memory.MediumFile;
import io.everheap.memory.RecordedMedium;
import io.everheap.memory.Region;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Reads and writes of encrypted files at the borders of sectors, blocks and buffers. */
class SealedFileRulesTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int AT_ONCE = Sealer.Bench.BLOCKS * BLOCK;

  private static final int[] PLACES = {
    0, 1, 455, 456, 457, 912, 3647, 3648, 3649, 4095, 4096, 4097, 4552, 8191, 8192
  };
  private static final int[] LENGTHS = {1, 2, 447, 448, 455, 456, 457, 912, 4096, 4097, 8192};

  private final RecordedMedium files = new RecordedMedium();

  private SealedMedium open() {
    return SealedMedium.open(files.open(), KEY);
  }

  private static byte[] random(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static byte[] read(MediumFile file) {
    byte[] bytes = new byte[(int) file.size()];
    assertThat(file.read(ByteBuffer.wrap(bytes), 0)).isEqualTo(bytes.length);
    return bytes;
  }

  private static ByteBuffer aligned(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length + BLOCK).alignedSlice(BLOCK);
    return buffer.limit(bytes.length).put(bytes).flip();
  }

  /** The numbers of the sectors that differ. */
  private static List<Integer> changed(byte[] before, byte[] after) {
    List<Integer> changed = new ArrayList<>();
    for (int at = HEADER; at < after.length; at += SECTOR) {
      if (at >= before.length || !Arrays.equals(before, at, at + SECTOR, after, at, at + SECTOR)) {
        changed.add((at - HEADER) / SECTOR);
      }
    }
    assertThat(Arrays.copyOf(after, HEADER)).isEqualTo(Arrays.copyOf(before, HEADER));
    return changed;
  }

  @Test
  void aWriteChangesItsBytesAndTheSectorsThatHaveThem() {
    byte[] model = random(1, 5 * BLOCK);
    try (SealedMedium medium = open();
        MediumFile file = medium.create("f")) {
      file.write(ByteBuffer.wrap(model), 0);
      int seed = 2;
      for (int at : PLACES) {
        for (int length : LENGTHS) {
          byte[] bytes = random(seed++, length + 7);
          byte[] before = files.bytes("f");
          ByteBuffer source = ByteBuffer.wrap(bytes, 3, length);
          file.write(source, at);
          assertThat(source.remaining()).isZero();
          System.arraycopy(bytes, 3, model, at, length);
          assertThat(read(file)).as("%s bytes at %s", length, at).isEqualTo(model);
          TreeSet<Integer> expected = new TreeSet<>();
          for (int i = at; i < at + length; i++) {
            expected.add(i / BLOCK * 9 + i % BLOCK / PAYLOAD);
          }
          assertThat(changed(before, files.bytes("f"))).containsExactlyElementsOf(expected);
        }
      }
    }
    try (SealedMedium medium = open();
        MediumFile file = medium.open("f")) {
      assertThat(read(file)).as("by another opening").isEqualTo(model);
    }
  }

  @Test
  void aReadReturnsWhatIsThere() {
    byte[] model = random(1, 3 * BLOCK);
    try (SealedMedium medium = open();
        MediumFile file = medium.create("f")) {
      file.write(ByteBuffer.wrap(model), 0);
      for (int at : PLACES) {
        for (int length : LENGTHS) {
          ByteBuffer target = ByteBuffer.allocate(length + 9).position(4).limit(length + 4);
          int there = Math.min(length, model.length - at);
          assertThat(file.read(target, at)).isEqualTo(there);
          assertThat(target.position()).isEqualTo(4 + there);
          assertThat(Arrays.copyOfRange(target.array(), 4, 4 + there))
              .as("%s bytes at %s", length, at)
              .isEqualTo(Arrays.copyOfRange(model, at, at + there));
          assertThat(target.array()[3]).isZero();
          assertThat(target.array()[4 + there]).isZero();
        }
      }
      assertThat(file.read(ByteBuffer.allocate(9), 3 * BLOCK - 1)).isOne();
      assertThat(file.read(ByteBuffer.allocate(9), 3 * BLOCK)).isZero();
      assertThat(file.read(ByteBuffer.allocate(9), 1L << 50)).isZero();
      assertThat(file.read(ByteBuffer.allocate(0), 5)).isZero();
    }
  }

  @Test
  void aFileGrowsByWholeBlocks() {
    for (int at : PLACES) {
      for (int length : new int[] {1, 456, 4095, 4096, 4097}) {
        files.remove("f");
        try (SealedMedium medium = open();
            MediumFile file = medium.create("f")) {
          assertThat(file.size()).isZero();
          byte[] bytes = random(at + length, length);
          file.write(ByteBuffer.wrap(bytes), at);
          int blocks = (at + length + BLOCK - 1) / BLOCK;
          byte[] model = new byte[blocks * BLOCK];
          System.arraycopy(bytes, 0, model, at, length);
          assertThat(file.size()).isEqualTo(model.length);
          assertThat(files.bytes("f")).hasSize(HEADER + blocks * STORED);
          assertThat(read(file)).isEqualTo(model);
          file.write(ByteBuffer.wrap(bytes), model.length - 1); // over the end
          byte[] more = Arrays.copyOf(model, (model.length - 1 + length + 4095) / BLOCK * BLOCK);
          System.arraycopy(bytes, 0, more, model.length - 1, length);
          assertThat(read(file)).isEqualTo(more);
        }
      }
    }
  }

  /** A crash can leave a part of a block that was being added: nothing of it may be read later. */
  @Test
  void aBlockThatIsAddedHasNothingOfWhatACrashLeft() {
    byte[] model = random(1, 3 * BLOCK);
    try (SealedMedium medium = open();
        MediumFile file = medium.create("f")) {
      file.write(ByteBuffer.wrap(model), 0);
    }
    byte[] stored = files.bytes("f");
    for (int sectors = 1; sectors < 9; sectors++) {
      files.put("f", Arrays.copyOf(stored, HEADER + 2 * STORED + sectors * SECTOR));
      try (SealedMedium medium = open();
          MediumFile file = medium.open("f")) {
        assertThat(file.size()).isEqualTo(2L * BLOCK);
        file.write(ByteBuffer.wrap(new byte[] {1}), 2 * BLOCK + 2000);
        byte[] expected = Arrays.copyOf(Arrays.copyOf(model, 2 * BLOCK), 3 * BLOCK);
        expected[2 * BLOCK + 2000] = 1;
        assertThat(read(file)).as("%s sectors", sectors).isEqualTo(expected);
      }
    }
  }

  @Test
  void largeWritesAndReadsAreDoneInParts() {
    for (int start : new int[] {0, 4095}) {
      for (int length : new int[] {AT_ONCE, AT_ONCE + 1}) {
        files.remove("f");
        byte[] model = new byte[3 * AT_ONCE];
        byte[] bytes = random(length, length);
        try (SealedMedium medium = open();
            MediumFile file = medium.create("f")) {
          file.write(ByteBuffer.wrap(bytes), start);
          System.arraycopy(bytes, 0, model, start, length);
          assertThat(read(file)).isEqualTo(Arrays.copyOf(model, (int) file.size()));
          byte[] part = new byte[length];
          assertThat(file.read(ByteBuffer.wrap(part), start)).isEqualTo(length);
          assertThat(part).isEqualTo(bytes);
          file.writeDurably(aligned(Arrays.copyOf(model, 2 * AT_ONCE)), BLOCK);
          System.arraycopy(model.clone(), 0, model, BLOCK, 2 * AT_ONCE);
          assertThat(read(file)).isEqualTo(Arrays.copyOf(model, (int) file.size()));
        }
      }
    }
  }

  @Test
  void aFileIsTruncatedAndExtended() {
    byte[] model = random(1, 4 * BLOCK);
    int[] sizes = {
      0, 1, 455, 456, 4095, 4096, 4097, 12_288, 12_289, 16_383, 16_384, 16_385, 20_480
    };
    for (int size : sizes) {
      files.remove("f");
      try (SealedMedium medium = open();
          MediumFile file = medium.create("f")) {
        file.write(ByteBuffer.wrap(model), 0);
        byte[] before = files.bytes("f");
        files.changes();
        file.truncate(size);
        int blocks = (size + BLOCK - 1) / BLOCK;
        byte[] expected = Arrays.copyOf(Arrays.copyOf(model, size), blocks * BLOCK);
        Arrays.fill(expected, Math.min(size, 4 * BLOCK), blocks * BLOCK, (byte) 0);
        assertThat(read(file)).as("%s bytes", size).isEqualTo(expected);
        List<String> changes = files.changes();
        String cut = "truncate f " + (HEADER + blocks * STORED);
        assertThat(changes.contains(cut)).as("%s", changes).isEqualTo(blocks != 4);
        if (size % BLOCK == 0 || size > 4 * BLOCK) {
          assertThat(changes).as("nothing is encrypted again").noneMatch(c -> c.startsWith("w"));
        } else {
          int first = size % BLOCK / PAYLOAD;
          assertThat(changes.getFirst())
              .isEqualTo(
                  "write f "
                      + (HEADER + (blocks - 1) * STORED + first * SECTOR)
                      + " "
                      + (9 - first) * SECTOR);
          assertThat(changed(before, files.bytes("f"))).hasSize(9 - first);
        }
        file.truncate(5L * BLOCK);
        assertThat(read(file)).as("grown again").isEqualTo(Arrays.copyOf(expected, 5 * BLOCK));
      }
    }
  }

  @Test
  void zerosAreStoredWithoutBeingEncrypted() {
    byte[] model = random(1, 5 * BLOCK);
    try (SealedMedium medium = open();
        MediumFile file = medium.create("f")) {
      file.write(ByteBuffer.wrap(model), 0);
      files.changes();
      ByteBuffer zeros = ByteBuffer.allocate(2 * BLOCK);
      file.writeZeros(zeros, 2L * BLOCK);
      assertThat(zeros.remaining()).isZero();
      assertThat(files.changes())
          .containsExactly("write f " + (HEADER + 2 * STORED) + " " + 2 * STORED);
      Arrays.fill(model, 2 * BLOCK, 4 * BLOCK, (byte) 0);
      assertThat(read(file)).isEqualTo(model);
      byte[] stored = files.bytes("f");
      assertThat(Arrays.copyOfRange(stored, HEADER + 2 * STORED, HEADER + 4 * STORED))
          .containsOnly(0);
    }
    files.put("unsynced", new byte[0]);
    try (SealedMedium medium = open();
        MediumFile file = medium.open("unsynced")) {
      file.writeZeros(ByteBuffer.allocate(BLOCK), BLOCK);
      assertThat(file.size()).isEqualTo(2L * BLOCK);
      assertThat(read(file)).containsOnly(0);
    }
    try (SealedMedium medium = open();
        MediumFile file = medium.open("unsynced")) {
      assertThat(file.size()).isEqualTo(2L * BLOCK);
    }
  }

  @Test
  void afterAFailureTheBufferIsAsBefore() {
    try (SealedMedium medium = open();
        MediumFile file = medium.create("f")) {
      file.write(ByteBuffer.allocate(2 * BLOCK), 0);
      files.fail("write");
      ByteBuffer source = ByteBuffer.allocate(100).position(10);
      assertThatThrownBy(() -> file.write(source, 5)).hasMessageContaining("made up");
      assertThat(source.position()).isEqualTo(10);
      ByteBuffer blocks = aligned(new byte[2 * BLOCK]).position(BLOCK);
      assertThatThrownBy(() -> file.writeDurably(blocks, 0)).hasMessageContaining("made up");
      assertThat(blocks.position()).isEqualTo(BLOCK);
      files.fail("");
      file.write(source, 5);
      file.writeDurably(blocks, 0);
      assertThat(source.remaining() + blocks.remaining()).isZero();
      assertThat(read(file)).containsOnly(0);
    }
  }

  @Test
  void aDamagedSectorIsNotKeptByAWriteOfAPartOfIt() {
    byte[] model = random(1, 2 * BLOCK);
    try (SealedMedium medium = open();
        MediumFile file = medium.create("f")) {
      file.write(ByteBuffer.wrap(model), 0);
      byte[] stored = files.bytes("f");
      stored[HEADER + 3 * SECTOR + 100] ^= 1;
      files.put("f", stored);
    }
    try (SealedMedium medium = open();
        MediumFile file = medium.open("f")) {
      int begin = 3 * PAYLOAD;
      for (int[] part : new int[][] {{begin, PAYLOAD - 1}, {begin + 1, PAYLOAD - 1}}) {
        assertThatThrownBy(() -> file.write(ByteBuffer.allocate(part[1]), part[0]))
            .isInstanceOf(CorruptException.class)
            .hasMessageContaining("at byte " + (HEADER + 3 * SECTOR));
      }
      assertThatThrownBy(() -> file.truncate(begin + 1)).isInstanceOf(CorruptException.class);
      file.write(ByteBuffer.allocate(PAYLOAD), begin);
      Arrays.fill(model, begin, begin + PAYLOAD, (byte) 0);
      assertThat(read(file)).as("written whole").isEqualTo(model);
    }
  }

  /** As salvage does, which reads what is left. */
  @Test
  void zerosAreReadWhereARefusalReturns() {
    byte[] model = random(1, 2 * BLOCK);
    try (SealedMedium medium = open();
        MediumFile file = medium.create("f");
        MediumFile other = medium.create("g")) {
      file.write(ByteBuffer.wrap(model), 0);
      other.write(ByteBuffer.wrap(model), 0);
    }
    byte[] stored = files.bytes("f");
    stored[HEADER + 10 * SECTOR + 511] ^= 1;
    files.put("f", stored);
    byte[] header = files.bytes("g");
    header[0] ^= 1;
    files.put("g", header);
    List<String> refused = new ArrayList<>();
    Refusal notes =
        (name, position, reason) ->
            refused.add(name + " " + position + " " + reason.getClass().getSimpleName());
    try (SealedMedium medium = SealedMedium.open(files.open(), KEY, notes);
        MediumFile file = medium.open("f");
        MediumFile other = medium.open("g")) {
      Arrays.fill(model, BLOCK + PAYLOAD, BLOCK + 2 * PAYLOAD, (byte) 0);
      assertThat(read(file)).isEqualTo(model);
      assertThat(other.size()).isZero();
    }
    assertThat(refused)
        .containsExactlyInAnyOrder(
            "/recorded/f " + (HEADER + 10 * SECTOR) + " CorruptException",
            "/recorded/g 0 CorruptException");
  }

  @Test
  void aPageIsCheckedWhenItIsFirstUsed() {
    byte[] model = random(1, 4 * BLOCK);
    List<Long> checked = new ArrayList<>();
    try (SealedMedium medium = open();
        MediumFile file = medium.create("f")) {
      file.write(ByteBuffer.wrap(model), 0);
      file.checkPages(
          (page, contents) -> {
            checked.add(page);
            byte[] found = new byte[BLOCK];
            contents.get(0, found);
            assertThat(found)
                .isEqualTo(Arrays.copyOfRange(model, (int) page * BLOCK, (int) (page + 1) * BLOCK));
            if (page == 3) {
              throw CorruptException.heap("made up");
            }
          });
      try (Region region = file.map(Mapping.PRIVATE, BLOCK, 5 * BLOCK)) {
        assertThat(checked).isEmpty();
        assertThat(region.getLong(BLOCK + 16)).isEqualTo(Words.get(model, 2 * BLOCK + 16));
        assertThat(region.getLong(BLOCK)).isEqualTo(Words.get(model, 2 * BLOCK));
        assertThat(checked).containsExactly(2L);
        assertThat(region.getLong(0)).isEqualTo(Words.get(model, BLOCK));
        assertThat(checked).containsExactly(2L, 1L);
        assertThatThrownBy(() -> region.getLong(2 * BLOCK)).hasMessageContaining("made up");
        assertThatThrownBy(() -> region.getLong(2 * BLOCK)).hasMessageContaining("made up");
        assertThat(region.getLong(3 * BLOCK)).as("behind the end").isZero();
        assertThat(checked).containsExactly(2L, 1L, 3L, 3L);
        region.putLong(0, 7);
        assertThat(region.getLong(0)).isEqualTo(7);
        assertThat(read(file)).as("a private page").isEqualTo(model);
      }
    }
  }

  @Test
  void sharedMemoryDoesNotReachTheFile() {
    byte[] model = random(1, 2 * BLOCK);
    try (SealedMedium medium = open();
        MediumFile file = medium.create("f")) {
      file.write(ByteBuffer.wrap(model), 0);
      files.changes();
      try (Region region = file.map(Mapping.SHARED, 0, 2 * BLOCK)) {
        region.putLong(0, 7);
        assertThat(region.getLong(BLOCK + 8)).isEqualTo(Words.get(model, BLOCK + 8));
      }
      assertThat(files.changes()).isEmpty();
      assertThat(read(file)).isEqualTo(model);
    }
  }

  @Test
  void itIsNamedAsTheFileUnderIt() {
    try (SealedMedium medium = open();
        MediumFile file = medium.create("f")) {
      assertThat(file.name()).isEqualTo("f");
      assertThat(file.durableWrite()).isEqualTo(DurableWrite.FDATASYNC);
      assertThat(file.toString()).doesNotContain("read-only");
      files.changes();
      file.sync();
      assertThat(files.changes()).containsExactly("sync f");
    }
    files.readOnly(true);
    try (SealedMedium medium = open();
        MediumFile file = medium.open("f")) {
      assertThat(file.toString()).endsWith(", read-only");
    }
    assertThat(files.openFiles()).isZero();
  }

  @Test
  void aDurableWriteMustBeAligned() {
    try (SealedMedium medium = open();
        MediumFile file = medium.create("f")) {
      ByteBuffer blocks = aligned(new byte[2 * BLOCK]);
      assertThatThrownBy(() -> file.writeDurably(blocks, 100))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> file.writeDurably(blocks.duplicate().position(8), 0))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> file.writeDurably(ByteBuffer.allocate(BLOCK), 0))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(file.size()).isZero();
    }
  }

  /** A file that a crash left without a header gets one, and both are durable. */
  @Test
  void aDurableWriteToAFileWithoutAHeaderIsDurable() {
    open().close();
    files.put("log", new byte[0]);
    byte[] bytes = random(1, BLOCK);
    try (SealedMedium medium = open();
        MediumFile file = medium.openLog("log", DurableWrite.FDATASYNC)) {
      files.changes();
      file.writeDurably(aligned(bytes), 0);
      assertThat(files.changes())
          .containsExactly("write log 0 4096", "write log 4096 4608", "sync log");
      assertThat(read(file)).isEqualTo(bytes);
    }
  }

  @Test
  void aDurableWriteOfMoreThanABufferIsSynced() {
    try (SealedMedium medium = open();
        MediumFile file = medium.create("log")) {
      file.writeDurably(aligned(new byte[AT_ONCE]), 0);
      assertThat(files.changes()).anyMatch(change -> change.startsWith("writeDurably log"));
      file.writeDurably(aligned(random(1, AT_ONCE + BLOCK)), 0);
      assertThat(files.changes())
          .noneMatch(change -> change.startsWith("writeDurably"))
          .last()
          .isEqualTo("sync log");
      assertThat(read(file)).isEqualTo(random(1, AT_ONCE + BLOCK));
    }
  }

  /** A short commit encrypts one sector; what follows it in its block is zeros. */
  @Test
  void theRestOfADurableBlockIsStoredAsZeros() {
    try (SealedMedium medium = open();
        MediumFile file = medium.create("log")) {
      file.write(ByteBuffer.wrap(random(5, 4 * BLOCK)), 0);
      for (int used : new int[] {0, 1, 8, 455, 456, 457, 464, 3648, 3649, 4095, 4096, 5000, 8192}) {
        byte[] bytes = Arrays.copyOf(random(used + 1, used), 2 * BLOCK);
        if (used > 0) {
          bytes[used - 1] = 1;
        }
        file.writeDurably(aligned(bytes), BLOCK);
        assertThat(Arrays.copyOfRange(read(file), BLOCK, 3 * BLOCK)).isEqualTo(bytes);
        byte[] stored = files.bytes("log");
        int words = (used + 7) / 8 * 8;
        for (int sector = 0; sector < 18; sector++) {
          int at = HEADER + STORED + sector * SECTOR;
          boolean zeros = Arrays.equals(stored, at, at + SECTOR, new byte[SECTOR], 0, SECTOR);
          int begins = sector / 9 * BLOCK + sector % 9 * PAYLOAD;
          assertThat(zeros).as("%s used, sector %s", used, sector).isEqualTo(begins >= words);
        }
      }
    }
  }

  /** Blocks of the device have parts of two blocks of contents: both must stay as they were. */
  @Test
  void theNeighboursOfADurableWriteStay() {
    byte[] model = random(1, 40 * BLOCK);
    try (SealedMedium medium = open();
        MediumFile file = medium.create("log")) {
      file.write(ByteBuffer.wrap(model), 0);
    }
    int seed = 2;
    try (SealedMedium medium = open();
        MediumFile file = medium.openLog("log", DurableWrite.FDATASYNC)) {
      for (int block : new int[] {0, 1, 2, 2, 5, 4, 20, 21, 39, 38, 40, 41, 3, 60, 7}) {
        for (int count : new int[] {1, 2, 3}) {
          byte[] before = files.bytes("log");
          byte[] bytes = random(seed++, count * BLOCK);
          file.writeDurably(aligned(bytes), (long) block * BLOCK);
          byte[] after = files.bytes("log");
          int end = Math.max(model.length, (block + count) * BLOCK);
          model = Arrays.copyOf(model, end);
          System.arraycopy(bytes, 0, model, block * BLOCK, bytes.length);
          assertThat(read(file))
              .as("block %s", block)
              .isEqualTo(Arrays.copyOf(model, (int) file.size()));
          assertThat(file.size()).isGreaterThanOrEqualTo(end);
          int from = HEADER + block * STORED;
          int to = from + count * STORED;
          assertThat(Arrays.copyOf(after, from))
              .isEqualTo(Arrays.copyOf(Arrays.copyOf(before, Math.min(from, before.length)), from));
          if (to < before.length) {
            assertThat(Arrays.copyOfRange(after, to, before.length))
                .isEqualTo(Arrays.copyOfRange(before, to, before.length));
          }
          model = Arrays.copyOf(model, (int) file.size());
        }
      }
    }
  }

  /** What a killed process wrote may be read but not be durable. */
  @Test
  void whatIsReadBackIsMadeDurableFirst() {
    byte[] model = random(1, 300 * BLOCK);
    try (SealedMedium medium = open();
        MediumFile file = medium.create("log")) {
      file.write(ByteBuffer.wrap(model), 0);
    }
    try (SealedMedium medium = open();
        MediumFile file = medium.openLog("log", DurableWrite.FDATASYNC);
        MediumFile other = medium.open("log")) {
      files.changes();
      file.writeDurably(aligned(random(2, BLOCK)), 0);
      assertThat(files.changes()).containsExactly("sync log", "writeDurably log 4096 8192");
      file.writeDurably(aligned(random(3, BLOCK)), BLOCK);
      assertThat(files.changes()).containsExactly("writeDurably log 8192 8192");
      file.writeDurably(aligned(random(4, BLOCK)), 7L * BLOCK);
      assertThat(files.changes()).containsExactly("writeDurably log 32768 8192");
      other.write(ByteBuffer.wrap(random(5, 10)), 9L * BLOCK);
      files.changes();
      file.writeDurably(aligned(random(6, BLOCK)), 8L * BLOCK);
      assertThat(files.changes()).containsExactly("sync log", "writeDurably log 40960 8192");
      file.writeDurably(aligned(random(7, BLOCK)), 200L * BLOCK);
      assertThat(files.changes()).as("far away").hasSize(1);
      byte[] found = read(file);
      assertThat(Arrays.copyOfRange(found, 9 * BLOCK, 9 * BLOCK + 10)).isEqualTo(random(5, 10));
      assertThat(Arrays.copyOfRange(found, 8 * BLOCK, 9 * BLOCK)).isEqualTo(random(6, BLOCK));
      assertThat(Arrays.copyOfRange(found, 9 * BLOCK + 10, 200 * BLOCK))
          .isEqualTo(Arrays.copyOfRange(model, 9 * BLOCK + 10, 200 * BLOCK));
    }
  }

  /** Most commits end with zeros that the file has there already. */
  @Test
  void theLastBlockIsNotWrittenAgainIfItIsThere() {
    try (SealedMedium medium = open();
        MediumFile file = medium.create("log")) {
      file.writeZeros(ByteBuffer.allocate(64 * BLOCK), 0);
      file.sync();
      files.changes();
      byte[] bytes = Arrays.copyOf(random(1, 100), BLOCK);
      file.writeDurably(aligned(bytes), 0);
      assertThat(files.changes()).containsExactly("sync log", "writeDurably log 4096 4096");
      bytes = Arrays.copyOf(random(2, 4000), BLOCK);
      file.writeDurably(aligned(bytes), 0);
      assertThat(files.changes())
          .as("it fills the block")
          .containsExactly("writeDurably log 4096 8192");
      file.writeDurably(aligned(bytes), 0);
      assertThat(files.changes()).as("another nonce").containsExactly("writeDurably log 4096 8192");
      assertThat(Arrays.copyOf(read(file), BLOCK)).isEqualTo(bytes);
      bytes = Arrays.copyOf(random(3, 100), BLOCK);
      file.writeDurably(aligned(bytes), 0);
      assertThat(files.changes()).as("zeros again").containsExactly("writeDurably log 4096 8192");
      assertThat(Arrays.copyOf(read(file), BLOCK)).isEqualTo(bytes);
    }
  }

  /** A sync reports an error once: what is read after it may never be durable. */
  @Test
  void afterAFailureAllIsWritten() {
    try (SealedMedium medium = open();
        MediumFile file = medium.create("log")) {
      file.writeZeros(ByteBuffer.allocate(64 * BLOCK), 0);
      byte[] bytes = Arrays.copyOf(random(1, 100), BLOCK);
      file.writeDurably(aligned(bytes), 0);
      files.fail("writeDurably");
      assertThatThrownBy(() -> file.writeDurably(aligned(bytes), BLOCK))
          .hasMessageContaining("made up");
      files.fail("");
      files.changes();
      for (int i = 0; i < 3; i++) {
        file.writeDurably(aligned(bytes), 0);
        assertThat(files.changes()).last().isEqualTo("writeDurably log 4096 8192");
      }
      assertThat(Arrays.copyOf(read(file), BLOCK)).isEqualTo(bytes);
    }
  }

  @Test
  void theLogGrowsOverItsEnd() {
    byte[] model = new byte[0];
    try (SealedMedium medium = open();
        MediumFile file = medium.create("log")) {
      for (int block = 0; block < 30; block++) {
        byte[] bytes = Arrays.copyOf(random(block, 1 + block * 130), BLOCK);
        file.writeDurably(aligned(bytes), (long) block * BLOCK);
        model = Arrays.copyOf(model, (block + 1) * BLOCK);
        System.arraycopy(bytes, 0, model, block * BLOCK, BLOCK);
        byte[] found = read(file);
        assertThat(Arrays.copyOf(found, model.length)).isEqualTo(model);
      }
    }
    try (SealedMedium medium = open();
        MediumFile file = medium.open("log")) {
      assertThat(Arrays.copyOf(read(file), model.length)).isEqualTo(model);
    }
  }
}
