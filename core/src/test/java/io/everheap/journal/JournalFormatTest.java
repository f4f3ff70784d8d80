package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.log.LogSeed;
import io.everheap.memory.MediumFile;
import io.everheap.memory.MemoryMedium;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The specification says what the code does. */
class JournalFormatTest {
  private static final Pattern CONSTANT =
      Pattern.compile("\\| (0x[0-9a-f]+|\\d+) \\| `(\\w+)\\.(\\w+)` \\|");

  private static String text;

  @BeforeAll
  static void read() throws Exception {
    Path docs = Files.isDirectory(Path.of("docs")) ? Path.of("docs") : Path.of("..", "docs");
    text = Files.readString(docs.resolve("journal-format.md"));
  }

  @Test
  void theConstantsAreThoseOfTheCode() throws Exception {
    List<MatchResult> rows = CONSTANT.matcher(text).results().toList();
    assertThat(rows).hasSizeGreaterThan(18);
    for (MatchResult row : rows) {
      Field field = type(row.group(2)).getDeclaredField(row.group(3));
      field.setAccessible(true);
      assertThat(Long.decode(row.group(1)))
          .as(row.group())
          .isEqualTo(((Number) field.get(null)).longValue());
    }
    assertThat(text).contains("Format version: " + JournalLayout.FORMAT_VERSION + "\n");
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    try {
      return Class.forName("io.everheap.journal." + name);
    } catch (ClassNotFoundException e) {
      return Class.forName("io.everheap.log." + name);
    }
  }

  @Test
  void noLineIsTooLong() {
    assertThat(text.lines()).allMatch(line -> line.length() <= 125 || line.startsWith("|"));
  }

  @Test
  void theTestVectorIsARecordThatTheCodeWritesAndReads() {
    UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    byte[] payload = "everheap".getBytes(StandardCharsets.US_ASCII);
    try (MemoryMedium medium = new MemoryMedium();
        MediumFile file = medium.create("x");
        var region = file.map(io.everheap.memory.Mapping.SHARED, 0, 8192)) {
      var sealer = new RecordSealer(uuid, 7, JournalLayout.FILE_ALIGNMENT);
      sealer.stamp(0x0102, RecordLayout.position(5, 4096));
      int flags = RecordLayout.FIRST | RecordLayout.LAST | RecordLayout.TIME | RecordLayout.DURABLE;
      sealer.put(flags, 1_000_000_007L, payload, 0, 8);
      long size = sealer.seal(region, RecordLayout.position(5, 4160), 0x01020304);
      assertThat(size).isEqualTo(40);
      byte[] bytes = new byte[40];
      region.copyTo(4160, bytes, 0, 40);
      String hex = HexFormat.of().formatHex(bytes);
      assertThat(text.replaceAll("\\s", "")).as(hex).contains(hex);

      ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      int stored = b.getInt(0);
      b.putInt(0, LogSeed.seed(LogSeed.key(uuid, 7), 5L << 28 | 4160 / 8));
      CRC32C crc = new CRC32C();
      crc.update(bytes);
      assertThat(stored).isEqualTo((int) crc.getValue());
      var scanner =
          new RecordScanner(region.view(), LogSeed.key(uuid, 7), 5, JournalLayout.FILE_ALIGNMENT);
      assertThat(scanner.follows(4160, 1_000_000_007L, 0x01020304)).isTrue();
      assertThat(scanner.at(4160, 1_000_000_008L)).isFalse();
      assertThat(scanner.at(4168, 1_000_000_007L)).isFalse();
    }
  }
}
