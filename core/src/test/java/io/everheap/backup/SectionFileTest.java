package io.everheap.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.BackupException;
import io.everheap.error.ForeignException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.RecordedMedium;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The bytes of a backup's file, and which changes of them are refused. */
class SectionFileTest {
  private static final BackupFormat FORMAT = new BackupFormat(0x1122334455667788L, 3, 24, ".b");
  private static final UUID ORIGIN = new UUID(0x0102030405060708L, 0x090A0B0C0D0E0F10L);
  private static final UUID ID = new UUID(0x1112131415161718L, 0x191A1B1C1D1E1F20L);
  private static final UUID BASE = new UUID(0x2122232425262728L, 0x292A2B2C2D2E2F30L);

  private final RecordedMedium files = new RecordedMedium();
  private final Medium medium = files.open();

  private void write(Consumer<SectionWriter> content) {
    medium.delete("f");
    try (MediumFile file = medium.create("f")) {
      content.accept(new SectionWriter(new FileSink(medium, file), FORMAT));
    }
  }

  private void writeTwo(Backup.Kind kind, UUID base) {
    write(
        out -> {
          out.header(kind, ORIGIN, ID, base, 1234);
          out.data().putLong(0, 77);
          out.section(1, 5, 6, 8);
          out.section(2, 9, 10, 0);
          out.data().putLong(0, 88).putLong(8, 99);
          out.finish(55, 66);
        });
  }

  private SectionReader reader() {
    return new SectionReader(medium, "f", FORMAT);
  }

  private List<String> sections() {
    List<String> found = new ArrayList<>();
    reader().read(BackupProgress.NONE, s -> found.add(text(s)));
    return found;
  }

  private static String text(SectionReader.Section s) {
    byte[] data = new byte[s.data().capacity()];
    s.data().get(0, data);
    return s.at()
        + ": "
        + s.kind()
        + " "
        + s.number()
        + " "
        + s.count()
        + " "
        + Arrays.toString(data);
  }

  /** Made from the description alone. */
  private static byte[] expected(int kind, UUID base) {
    ByteBuffer b = ByteBuffer.allocate(80 + 40 + 32 + 56).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0x1122334455667788L).putInt(3).putInt(kind);
    for (UUID uuid : List.of(ORIGIN, ID, base)) {
      b.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
    }
    b.putLong(1234).putInt(crc(b.array(), 0, 72)).putInt(0);
    section(b, 1, 5, 6, 77);
    section(b, 2, 9, 10);
    int end = b.position();
    section(b, 5, 55, 66, 88, 99, 3);
    CRC32C crc = new CRC32C();
    crc.update(b.array(), end, 4);
    crc.update(b.array(), end + 8, 48);
    crc.update(b.array(), 72, 4); // the header's
    b.putInt(end + 4, (int) crc.getValue());
    return b.array();
  }

  private static void section(ByteBuffer b, int kind, long number, long count, long... data) {
    int at = b.position();
    b.putInt(kind).putInt(0).putLong(number).putLong(count).putLong(8L * data.length);
    for (long word : data) {
      b.putLong(word);
    }
    b.putInt(at + 4, sectionCrc(b, at, b.position()));
  }

  private static int sectionCrc(ByteBuffer bytes, int at, int end) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(at, 4));
    crc.update(bytes.slice(at + 8, end - at - 8));
    return (int) crc.getValue();
  }

  private static int crc(byte[] bytes, int at, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, at, length);
    return (int) crc.getValue();
  }

  @Test
  void theBytesAreAsTheFormatSays() {
    writeTwo(Backup.Kind.FULL, null);
    assertThat(files.bytes("f")).isEqualTo(expected(0, new UUID(0, 0)));
    writeTwo(Backup.Kind.INCREMENTAL, BASE);
    assertThat(files.bytes("f")).isEqualTo(expected(1, BASE));
  }

  @Test
  void theHeadAndTheEndAreRead() {
    writeTwo(Backup.Kind.INCREMENTAL, BASE);
    SectionReader.Summary summary = reader().summary();
    BackupHead head =
        new BackupHead(
            "f", Backup.Kind.INCREMENTAL, ID, BASE, ORIGIN, Instant.ofEpochMilli(1234), 55);
    assertThat(summary.head()).isEqualTo(head);
    assertThat(summary.size()).isEqualTo(208);
    assertThat(summary.end().count()).isEqualTo(66);
    assertThat(summary.end().at()).isEqualTo(152);
    assertThat(summary.end().data().getLong(0)).isEqualTo(88);
    writeTwo(Backup.Kind.FULL, null);
    assertThat(reader().summary().head().kind()).isEqualTo(Backup.Kind.FULL);
    assertThat(reader().summary().head().base()).isNull();
    assertThat(files.openFiles()).isZero();
  }

  @Test
  void theSectionsAreReadInTheirOrder() {
    writeTwo(Backup.Kind.FULL, null);
    assertThat(sections())
        .containsExactly(
            "80: 1 5 6 [77, 0, 0, 0, 0, 0, 0, 0]",
            "120: 2 9 10 []",
            "152: 5 55 66 [88, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]");
    assertThat(text(reader().first(8))).isEqualTo("80: 1 5 6 [77, 0, 0, 0, 0, 0, 0, 0]");
    assertThatThrownBy(() -> reader().first(9))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("its first section is damaged (byte 80)");
    assertThatThrownBy(() -> reader().first(0)).isInstanceOf(BackupException.class);
    assertThatThrownBy(() -> reader().first(1000))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("it is cut off");
    List<Double> parts = new ArrayList<>();
    reader().read((what, part) -> parts.add(part), s -> {});
    assertThat(parts).containsExactly(120 / 208.0, 152 / 208.0, 1.0);
    assertThat(files.openFiles()).isZero();
  }

  private void requireRefused(String what, UnaryOperator<byte[]> change) {
    writeTwo(Backup.Kind.INCREMENTAL, BASE);
    files.put("f", change.apply(files.bytes("f")));
    assertThatThrownBy(
            () -> {
              SectionReader reader = reader();
              SectionReader.Summary _ = reader.summary();
              reader.read(BackupProgress.NONE, s -> {});
            })
        .as(what)
        .isInstanceOfAny(BackupException.class, ForeignException.class)
        .hasMessageContaining("recorded/f");
    assertThat(files.openFiles()).isZero();
  }

  @Test
  void eachChangedByteIsRefused() {
    for (int at = 0; at < 208; at++) {
      if (at < 76 || at >= 80) { // the header has zeros at its end, which mean nothing
        int place = at;
        requireRefused(
            "byte " + at,
            bytes -> {
              bytes[place] ^= 1;
              return bytes;
            });
      }
    }
  }

  @Test
  void eachLengthIsRefused() {
    for (int length = 0; length < 260; length++) {
      if (length != 208) {
        int size = length;
        requireRefused(length + " bytes", bytes -> Arrays.copyOf(bytes, size));
      }
    }
  }

  @Test
  void theMessageNamesWhatIsWrong() {
    requireMessage("it is not a backup (byte 0)", bytes -> bytes[0]++);
    requireMessage("its header is damaged (byte 0)", bytes -> bytes[20]++);
    requireMessage(
        "its end is damaged, cut off or that of another backup (byte 152)", bytes -> bytes[200]++);
    requireMessage(
        "its end is damaged, cut off or that of another backup (byte 152)", bytes -> bytes[152]++);
    requireMessage("a section does not match its checksum (byte 120)", bytes -> bytes[130]++);
    writeTwo(Backup.Kind.FULL, null);
    byte[] version = files.bytes("f");
    ByteBuffer.wrap(version).order(ByteOrder.LITTLE_ENDIAN).putInt(8, 4).putInt(72, 0);
    ByteBuffer.wrap(version).order(ByteOrder.LITTLE_ENDIAN).putInt(72, crc(version, 0, 72));
    files.put("f", version);
    assertThatThrownBy(() -> reader().summary())
        .isInstanceOf(ForeignException.class)
        .hasMessageContaining("(EH-FORMAT)");
  }

  /** A header that is sound names another backup, and with it another time and another base. */
  @Test
  void theHeaderOfAnotherBackupIsNoticed() {
    writeTwo(Backup.Kind.INCREMENTAL, BASE);
    byte[] other = Arrays.copyOf(files.bytes("f"), 80);
    requireMessage(
        "its end is damaged, cut off or that of another backup (byte 152)",
        bytes -> System.arraycopy(other, 0, bytes, 0, 80));
  }

  private void requireMessage(String message, Consumer<byte[]> change) {
    writeTwo(Backup.Kind.FULL, null);
    byte[] bytes = files.bytes("f");
    change.accept(bytes);
    files.put("f", bytes);
    assertThatThrownBy(
            () -> {
              SectionReader reader = reader();
              SectionReader.Summary _ = reader.summary();
              reader.read(BackupProgress.NONE, s -> {});
            })
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("The backup /recorded/f cannot be used: " + message);
  }

  /** A file whose checksums are right. */
  private void forge(Consumer<ByteBuffer> content) {
    writeTwo(Backup.Kind.FULL, null);
    ByteBuffer b = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
    b.put(Arrays.copyOf(files.bytes("f"), 80));
    content.accept(b);
    files.put("f", Arrays.copyOf(b.array(), b.position()));
  }

  private void requireForged(String message) {
    assertThatThrownBy(this::sections)
        .isInstanceOf(BackupException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aSectionThatIsMissingAddedOrRepeatedIsNoticed() {
    forge(
        b -> {
          section(b, 2, 9, 10);
          section(b, 5, 55, 66, 88, 99, 2);
        });
    assertThat(sections()).hasSize(2);
    forge(
        b -> {
          section(b, 2, 9, 10);
          section(b, 5, 55, 66, 88, 99, 3);
        });
    requireForged("sections are missing");
    forge(
        b -> {
          section(b, 2, 9, 10);
          section(b, 2, 9, 10);
          section(b, 5, 55, 66, 88, 99, 2);
        });
    requireForged("sections are missing");
    forge(b -> section(b, 2, 9, 10));
    requireForged("sections are missing");
    forge(b -> {});
    requireForged("sections are missing");
    forge(b -> section(b, 5, 55, 66, 88, 1));
    requireForged("its end is invalid");
    forge(
        b -> {
          section(b, 5, 55, 66, 88, 99, 1);
          section(b, 2, 9, 10);
        });
    requireForged("sections are missing");
  }

  @Test
  void anImpossibleLengthIsRefused() {
    for (long length :
        new long[] {-1, Long.MIN_VALUE, SectionLayout.MAX_LENGTH + 1L, Integer.MAX_VALUE + 1L}) {
      forge(
          b -> {
            section(b, 2, 9, 10);
            b.putLong(b.position() - 8, length);
          });
      requireForged("a section has an impossible length (byte 80)");
    }
    forge(
        b -> {
          section(b, 2, 9, 10);
          b.putLong(b.position() - 8, SectionLayout.MAX_LENGTH);
        });
    requireForged("it is cut off (byte 80)");
  }

  @Test
  void aSectionOfTheLargestSizeIsWrittenAndRead() {
    byte[] data = new byte[SectionLayout.MAX_LENGTH];
    new Random(1).nextBytes(data);
    write(
        out -> {
          out.header(Backup.Kind.FULL, ORIGIN, ID, null, 1);
          assertThat(out.size()).isEqualTo(80);
          out.data().put(0, data);
          out.section(1, 0, 0, data.length);
          assertThat(out.size()).isEqualTo(80 + 32 + data.length);
          out.section(64, 2, 0, 0, 100);
          out.section(1, 0, 0, 1 << 20);
          out.finish(1, 2);
        });
    List<Integer> sizes = new ArrayList<>();
    reader()
        .read(
            BackupProgress.NONE,
            s -> {
              sizes.add(s.data().capacity());
              if (s.kind() == 2) {
                byte[] found = new byte[100];
                s.data().get(0, found);
                assertThat(found).isEqualTo(Arrays.copyOfRange(data, 64, 164));
              }
            });
    assertThat(sizes).containsExactly(data.length, 100, 1 << 20, 24);
  }

  /** Small sections are written together; large ones are not copied first. */
  @Test
  void theOrderOfBytesDoesNotDependOnTheirSizes() {
    Random random = new Random(3);
    int limit = 1 << 20;
    for (int[] sizes :
        new int[][] {
          {limit},
          {limit + 1},
          {1, limit},
          {limit - 1, 1},
          {limit - 1, 1, 1},
          {limit - 1, 2},
          {5, limit + 5, 7}
        }) {
      medium.delete("f");
      byte[] all = new byte[Arrays.stream(sizes).sum()];
      random.nextBytes(all);
      try (MediumFile file = medium.create("f")) {
        FileSink sink = new FileSink(medium, file);
        int at = 0;
        for (int size : sizes) {
          sink.append(ByteBuffer.wrap(all, at, size));
          at += size;
        }
        files.changes();
        sink.sync();
        assertThat(files.changes()).last().isEqualTo("sync f");
      }
      assertThat(files.bytes("f")).as("%s", Arrays.toString(sizes)).isEqualTo(all);
    }
  }

  @Test
  void smallPartsAreWrittenTogether() {
    try (MediumFile file = medium.create("f")) {
      FileSink sink = new FileSink(medium, file);
      files.changes();
      for (int i = 0; i < 1000; i++) {
        sink.append(ByteBuffer.allocate(100));
      }
      assertThat(files.changes()).isEmpty();
      assertThat(sink.block()).isOne();
      sink.sync();
      assertThat(files.changes()).containsExactly("write f 0 100000", "sync f");
      sink.sync();
      assertThat(files.changes()).containsExactly("sync f");
    }
  }

  /** An encrypted file has whole blocks, so a section fills it up. */
  @Test
  void anEncryptedBackupHasWholeBlocks() {
    KeyProvider key = KeyProvider.of(new byte[32]);
    try (Medium sealed = SealedMedium.open(files.open(), key)) {
      for (int length = 0; length < 4096 * 2; length += 8 * 61) {
        int size = length;
        sealed.delete("f");
        try (MediumFile file = sealed.create("f")) {
          SectionWriter out = new SectionWriter(new FileSink(sealed, file), FORMAT);
          out.header(Backup.Kind.FULL, ORIGIN, ID, null, 1);
          out.section(1, 0, 0, size);
          out.data().putLong(0, 88).putLong(8, 99);
          out.finish(55, 66);
          assertThat(out.size() % 4096).as("%s", size).isZero();
          assertThat(file.size()).isEqualTo(out.size());
          assertThat(out.size()).isLessThan(80 + 32 + size + 32 + 56 + 4096);
        }
        SectionReader reader = new SectionReader(sealed, "f", FORMAT);
        List<Integer> kinds = new ArrayList<>();
        reader.read(BackupProgress.NONE, s -> kinds.add(s.kind()));
        assertThat(kinds).as("without what fills up").containsExactly(1, 5);
        assertThat(reader.summary().end().data().getLong(0)).isEqualTo(88);
        assertThat(reader.summary().end().data().getLong(8)).isEqualTo(99);
      }
    }
  }

  @Test
  void aRateIsNotNegative() {
    assertThatThrownBy(() -> new Pace(-1)).isInstanceOf(IllegalArgumentException.class);
    int[] calls = {0};
    new Pace(0).await(Long.MAX_VALUE, () -> calls[0]++);
    new Pace(1L << 50).await(1, () -> calls[0]++);
    assertThat(calls[0]).as("nothing to wait for").isZero();
    Thread.currentThread().interrupt();
    new Pace(1).await(1_000_000, () -> calls[0]++);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(calls[0]).as("an interrupt ends the wait").isOne();
  }
}
