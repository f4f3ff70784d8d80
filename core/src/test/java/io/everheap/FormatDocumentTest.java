package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.engine.home.ChecksumLayout;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.EntryLayout;
import io.everheap.engine.log.PartLayout;
import io.everheap.log.LogSeed;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What docs/format.md says in numbers is what the code does. */
class FormatDocumentTest {
  private static final Pattern VERSION = Pattern.compile("(?m)^Format version: (\\d+)$");
  private static final Pattern CONSTANT =
      Pattern.compile("(?m)^\\| [^|]+ \\| (0x[0-9A-F]+|\\d+) \\| `(\\w+)\\.(\\w+)` \\|$");
  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final Pattern NAME = Pattern.compile("`([a-z-]+(\\[])?)`");
  private static final List<String> PACKAGES =
      List.of(
          "io.everheap",
          "io.everheap.codec",
          "io.everheap.codec.check",
          "io.everheap.structure.array",
          "io.everheap.structure.bytes",
          "io.everheap.structure.cell",
          "io.everheap.structure.common",
          "io.everheap.structure.deque",
          "io.everheap.structure.list",
          "io.everheap.structure.map",
          "io.everheap.structure.names",
          "io.everheap.structure.queue",
          "io.everheap.structure.sorted",
          "io.everheap.backup",
          "io.everheap.engine",
          "io.everheap.engine.alloc",
          "io.everheap.engine.backup",
          "io.everheap.engine.home",
          "io.everheap.engine.log",
          "io.everheap.log",
          "io.everheap.memory",
          "io.everheap.memory.crypt",
          "io.everheap.durable.type");

  private static String text;

  @BeforeAll
  static void readTheDocument() throws Exception {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("docs/format.md"))) {
      at = at.getParent(); // the module's directory, or the project's
    }
    text = Files.readString(at.resolve("docs/format.md"));
  }

  @Test
  void theDocumentDescribesTheVersionThatTheCodeWrites() {
    assertThat(all(VERSION))
        .extracting(found -> found.group(1))
        .containsExactly(String.valueOf(Superblock.FORMAT_VERSION));
  }

  @Test
  void theConstantsAreThoseOfTheCode() throws Exception {
    List<MatchResult> rows = all(CONSTANT);
    assertThat(rows).hasSizeGreaterThan(60);
    for (MatchResult row : rows) {
      Field field = type(row.group(2)).getDeclaredField(row.group(3));
      field.setAccessible(true);
      Object value = field.get(null);
      long expected = value instanceof Integer i ? i & 0xFFFF_FFFFL : ((Number) value).longValue();
      assertThat(Long.decode(row.group(1))).as(row.group()).isEqualTo(expected);
    }
  }

  @Test
  void theSizeClassesAreThoseOfTheCode() throws Exception {
    List<Integer> documented = list();
    documented.addAll(sizeClasses("| 16 |"));
    documented.addAll(sizeClasses("| 272 |"));
    List<Integer> expected = list();
    Object bytes = array("BYTES");
    for (int i = 0; i < Array.getLength(bytes); i++) {
      expected.add(Array.getInt(bytes, i));
      expected.add(Array.getInt(array("SLOTS"), i));
      expected.add(Array.getInt(array("FIRST"), i));
    }
    assertThat(documented).isEqualTo(expected);
  }

  /** The table whose first row begins so: four groups side by side, one after the other. */
  private List<Integer> sizeClasses(String firstRow) {
    String table = text.substring(text.indexOf("<!-- size classes"));
    String rows = table.substring(table.indexOf("\n" + firstRow) + 1);
    List<List<Integer>> groups = List.of(list(), list(), list(), list());
    for (String row : rows.substring(0, rows.indexOf("\n\n")).lines().toList()) {
      List<Integer> numbers =
          NUMBER.matcher(row).results().map(found -> Integer.valueOf(found.group())).toList();
      assertThat(numbers).hasSize(12);
      for (int i = 0; i < 12; i++) {
        groups.get(i / 3).add(numbers.get(i));
      }
    }
    return groups.stream().flatMap(List::stream).toList();
  }

  @Test
  void everyBuiltInCodecIsDescribed() throws Exception {
    Field field = type("BuiltIns").getDeclaredField("BY_NAME");
    field.setAccessible(true);
    List<String> described =
        text.substring(text.indexOf("### 10.1"), text.indexOf("### 10.3"))
            .lines()
            .filter(line -> line.startsWith("| `"))
            .flatMap(line -> names(line.substring(0, line.indexOf('|', 1))))
            .toList();
    assertThat(described)
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(
            ((Map<?, ?>) field.get(null)).keySet().stream().map(String::valueOf).toList());
  }

  @Test
  void theTestVectorsOfTheLogAreRight() {
    long key = LogSeed.key(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"), 7);
    assertVector("key", key);
    assertSeed("seed of LSN 0", key, 0);
    assertSeed("seed of LSN 64", key, 64);
    assertSeed("seed of LSN 2^40", key, 1L << 40);

    ByteBuffer part = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    part.putInt(PartLayout.CRC, LogSeed.seed(key, 64));
    part.putInt(PartLayout.PREVIOUS_CRC, 0x01020304).putInt(PartLayout.LENGTH, 64);
    part.putInt(PartLayout.POSITION, PartLayout.position(64));
    part.putLong(16, EntryLayout.run(8320, 1)).putLong(24, 0x1122_3344_5566_7788L);
    CRC32C crc = new CRC32C();
    crc.update(part.array());
    part.putInt(PartLayout.CRC, (int) crc.getValue());
    assertContains(text, "crc is " + HexFormat.of().toHexDigits((int) crc.getValue()));
    assertContains(text.replaceAll("\\s", ""), HexFormat.of().formatHex(part.array()));
  }

  @Test
  void theTestVectorOfThePageChecksumsIsRight() {
    CRC32C crc = new CRC32C();
    crc.update(new byte[4096]);
    long key = ChecksumLayout.key(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"));
    assertVector(
        "entry of page 2 if it is all zeros", ChecksumLayout.entry(key, 2, (int) crc.getValue()));
  }

  @Test
  void theTestVectorsOfTheMapsHashAreRight() throws Exception {
    Constructor<?> constructor = type("MapHash").getDeclaredConstructor(long.class, long.class);
    constructor.setAccessible(true);
    Object hash = constructor.newInstance(0x0123_4567_89ab_cdefL, -1L);
    Method ofWord = hash.getClass().getDeclaredMethod("ofWord", long.class);
    Method ofBytes = hash.getClass().getDeclaredMethod("ofBytes", byte[].class, int.class);
    ofWord.setAccessible(true);
    ofBytes.setAccessible(true);
    assertVector("the word 42", (long) ofWord.invoke(hash, 42L));
    assertVector("no bytes", (long) ofBytes.invoke(hash, new byte[0], 0));
    for (String key : List.of("everheap", "everheap, everheap, everheap")) {
      byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
      String row = "the " + bytes.length + " bytes `" + key + "`";
      assertVector(row, (long) ofBytes.invoke(hash, bytes, bytes.length));
    }
  }

  @Test
  void noLineIsTooLong() {
    assertThat(text.lines()).allMatch(line -> line.length() <= 120);
  }

  private static void assertSeed(String what, long key, long lsn) {
    int seed = LogSeed.seed(key, lsn);
    assertContains(text, "| " + what + " | " + HexFormat.of().toHexDigits(seed) + " |");
  }

  private static void assertVector(String what, long value) {
    assertContains(text, "| " + what + " | " + HexFormat.of().toHexDigits(value) + " |");
  }

  /** Without the whole document in the message. */
  private static void assertContains(String where, String wanted) {
    assertThat(where.contains(wanted)).as("the document says '%s'", wanted).isTrue();
  }

  private static Stream<String> names(String cell) {
    return NAME.matcher(cell).results().map(found -> found.group(1));
  }

  private static List<MatchResult> all(Pattern pattern) {
    return pattern.matcher(text).results().toList();
  }

  private static List<Integer> list() {
    return new ArrayList<>();
  }

  private static Object array(String name) throws ReflectiveOperationException {
    Field field = type("SizeClasses").getDeclaredField(name);
    field.setAccessible(true);
    return field.get(null);
  }

  private static Class<?> type(String simpleName) throws ClassNotFoundException {
    for (String name : PACKAGES) {
      try {
        return Class.forName(name + "." + simpleName);
      } catch (ClassNotFoundException e) {
        // it is in another package
      }
    }
    throw new ClassNotFoundException(simpleName);
  }
}
