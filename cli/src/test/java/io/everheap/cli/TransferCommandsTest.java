package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableAtomicLong;
import io.everheap.collection.DurableCounter;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSet;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.invoke.MethodHandles;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code export}, {@code import}, {@code compact} and {@code upgrade}. */
class TransferCommandsTest {
  enum Kind {
    PRIVATE,
    BUSINESS
  }

  sealed interface Payment {}

  record Cash(int amount) implements Payment {}

  record Card(String number) implements Payment {}

  record Customer(
      String name,
      Kind kind,
      List<Integer> numbers,
      Map<Integer, Double> credit,
      Set<LocalDate> visits,
      Optional<Long> boss,
      Payment payment) {}

  record Lines(List<String> all) {}

  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "\"quoted\"",
          "a,b",
          "line\nline\r\nline",
          "\ttab\0nul",
          "ä€😀",
          "\uFEFF",
          "null",
          "1",
          " blank ",
          "'",
          "\\",
          "{}");

  @TempDir private Path temporary;
  private String heap;
  private String other;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void create() {
    heap = temporary.resolve("heap").toString();
    other = temporary.resolve("other").toString();
    try (Heap open = open(heap)) {
      var customers = open.map("customers", Long.class, Customer.class);
      customers.put(1L, customer("Ada", Map.of(1, -0.0, 2, Double.NaN), Optional.of(7L)));
      customers.put(-2L, customer("Bob\"", Map.of(), Optional.empty()));
      var texts = open.map("texts", String.class, String.class);
      TEXTS.forEach(text -> texts.put(text, text));
      var sorted = open.sortedMap("sorted", UUID.class, BigDecimal.class);
      sorted.put(new UUID(1, 2), new BigDecimal("1.10"));
      sorted.put(new UUID(3, 4), new BigDecimal("-1E+30"));
      open.set("moments", Instant.class).add(Instant.parse("2026-01-02T03:04:05.000000006Z"));
      open.sortedSet("big", BigInteger.class).add(BigInteger.TWO.pow(200));
      open.list("floats", Float.class)
          .addAll(List.of(0.1f, -0.0f, Float.MIN_VALUE, Float.MAX_VALUE, Float.NEGATIVE_INFINITY));
      open.list("doubles", Double.class)
          .addAll(List.of(0.1, -0.0, 0.0, Double.MIN_VALUE, Double.MAX_VALUE, 1e300, Double.NaN));
      open.list("bytes", byte[].class).add(new byte[] {0, -1, 34});
      open.list("long", Long.class)
          .addAll(IntStream.range(0, 2_500).mapToObj(i -> ~(long) i).toList());
      open.deque("deque", Kind.class).addAll(List.of(Kind.BUSINESS, Kind.PRIVATE));
      open.root("counter", DurableCounter.of()).add(-5);
      open.root("number", DurableAtomicLong.of()).set(Long.MIN_VALUE);
      open.map("empty", String.class, Long.class);
    }
  }

  private static Customer customer(String name, Map<Integer, Double> credit, Optional<Long> boss) {
    return new Customer(
        name, Kind.BUSINESS, List.of(1, 2), credit, Set.of(LocalDate.EPOCH), boss, new Cash(3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--csv"})
  void whatIsImportedIsTheSameForTheProgramAndInANewExport(String format) throws IOException {
    String first = temporary.resolve("first").toString();
    String second = temporary.resolve("second").toString();
    assertThat(run("export", heap, "--to", first, format)).as(err.toString()).isZero();
    assertThat(run("import", other, first)).as(err.toString()).isZero();
    assertThat(out.toString()).contains("Imported customers: 2 entries.", "Imported empty: 0");
    assertThat(run("export", other, "--to", second, format)).isZero();
    assertThat(sorted(second)).isEqualTo(sorted(first));
    assertThat(run("verify", other)).isZero();

    try (Heap from = open(heap);
        Heap to = open(other)) {
      assertThat(to.map("customers", Long.class, Customer.class))
          .containsExactlyInAnyOrderEntriesOf(from.map("customers", Long.class, Customer.class));
      assertThat(to.map("texts", String.class, String.class)).hasSize(TEXTS.size());
      TEXTS.forEach(
          text ->
              assertThat(to.map("texts", String.class, String.class)).containsEntry(text, text));
      assertThat(to.list("floats", Float.class))
          .containsExactlyElementsOf(from.list("floats", Float.class));
      assertThat(to.list("doubles", Double.class))
          .containsExactlyElementsOf(from.list("doubles", Double.class));
      assertThat(to.list("long", Long.class))
          .containsExactlyElementsOf(from.list("long", Long.class));
      assertThat(to.list("bytes", byte[].class).get(0)).containsExactly(0, -1, 34);
      assertThat(to.deque("deque", Kind.class)).containsExactly(Kind.BUSINESS, Kind.PRIVATE);
      assertThat(to.root("counter", DurableCounter.of()).sum()).isEqualTo(-5);
      assertThat(to.root("number", DurableAtomicLong.of()).get()).isEqualTo(Long.MIN_VALUE);
      assertThat(to.sortedMap("sorted", UUID.class, BigDecimal.class))
          .isEqualTo(from.sortedMap("sorted", UUID.class, BigDecimal.class));
      assertThat(to.sortedSet("big", BigInteger.class)).containsExactly(BigInteger.TWO.pow(200));
      assertThat(to.set("moments", Instant.class)).isEqualTo(from.set("moments", Instant.class));
    }
  }

  @Test
  void oneRootGoesToTheStandardOutputAndAnExistingFileStays() throws IOException {
    assertThat(run("export", heap, "sorted")).isZero();
    assertThat(out.toString().lines())
        .hasSize(4)
        .first()
        .isEqualTo("{\"everheap\":\"export\",\"version\":1}");
    Path file = Files.writeString(temporary.resolve("file"), "holidays");
    assertThat(run("export", heap, "--to", file.toString())).isEqualTo(1);
    Path exported = temporary.resolve("exported");
    assertThat(run("export", heap, "--to", exported.toString())).isZero();
    assertThat(Files.getPosixFilePermissions(exported))
        .as("as private as the heap")
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(file).hasContent("holidays");
    assertThat(run("export", heap, "no")).isEqualTo(1);
  }

  @Test
  void whatCannotBeReadBackIsLeftOutAndNamed() {
    try (Heap open = open(heap)) {
      open.root("sets", DurableMap.of(Codecs.STRING, DurableSet.of(Long.class)));
      open.workQueue("work", String.class);
    }
    assertThat(run("export", heap, "--to", temporary.resolve("file").toString())).isEqualTo(1);
    assertThat(err.toString()).contains("sets is left out", "work is left out: it is a work queue");
    assertThat(err.toString().lines()).hasSize(2);
    assertThat(run("import", other, temporary.resolve("file").toString())).isZero();
  }

  @Test
  void nothingIsOverwrittenAndNoHalfRootAppears() throws IOException {
    Path file = temporary.resolve("file");
    assertThat(run("export", heap, "long", "--to", file.toString())).isZero();
    assertThat(run("import", heap, file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("there is a root long already");

    List<String> lines = Files.readAllLines(file);
    Files.write(file, lines.subList(0, lines.size() - 1));
    assertThat(run("import", other, file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("the file ends within long");
    Files.write(file, List.of(lines.get(0), lines.get(1), "{\"value\":\"x\"}"));
    assertThat(run("import", other, file.toString())).isEqualTo(1);
    Files.writeString(file, "holidays");
    assertThat(run("import", other, file.toString())).isEqualTo(1);
    try (Heap open = open(other)) {
      assertThat(open.names()).isEmpty();
    }
    Files.write(file, lines);
    assertThat(run("import", "--json", other, file.toString())).isZero();
    assertThat(out.toString()).contains("\"entries\" : 2500");
  }

  @Test
  void compactGivesSpaceBackAndUpgradeHasNothingToDo() {
    try (Heap open = open(heap)) {
      var big = open.list("big list", byte[].class);
      for (int i = 0; i < 40; i++) {
        big.add(new byte[1 << 20]);
      }
      open.remove("big list");
    }
    assertThat(run("compact", heap)).isZero();
    assertThat(out.toString()).contains("Gave back ").doesNotContain("Gave back 0 B");
    assertThat(run("compact", "--json", heap)).isZero();
    assertThat(out.toString()).contains("\"givenBack\" : 0");
    assertThat(run("upgrade", heap)).isZero();
    assertThat(out.toString()).contains("format version 2, the newest");
    assertThat(run("upgrade", "--json", heap)).isZero();
    assertThat(run("verify", heap)).isZero();
  }

  private static List<String> sorted(String file) throws IOException {
    return Files.readString(Path.of(file)).lines().sorted().toList();
  }

  private static Heap open(String directory) {
    return Heap.builder(Path.of(directory)).lookup(MethodHandles.lookup()).open();
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(List.of(arguments).stream().filter(a -> !a.isEmpty()).toArray(String[]::new));
  }

  @Test
  void noRootOfTheProgramIsTakenForAnUnfinishedImport() throws IOException {
    Path file = temporary.resolve("file");
    assertThat(run("export", heap, "long", "--to", file.toString())).isZero();
    try (Heap open = open(other)) {
      open.list("long.import", Long.class).add(7L);
    }
    assertThat(run("import", other, file.toString())).as(err.toString()).isZero();
    try (Heap open = open(other)) {
      assertThat(open.names()).containsExactlyInAnyOrder("long", "long.import");
      assertThat(open.list("long.import", Long.class)).containsExactly(7L);
    }
  }

  /** Each begins as an export, and goes on for longer than any memory. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{\"everheap\":\"export\",\"version\":1}\n",
        "\"\n\n",
        "everheap,export,1\r\n"
      })
  void aLineWithoutAnEndIsRefused(String begin) {
    InputStream before = System.in;
    try (Endless endless = new Endless(begin.getBytes(StandardCharsets.UTF_8))) {
      System.setIn(endless);
      assertThat(run("import", other)).isEqualTo(1);
      assertThat(err.toString()).contains("longer than").hasSizeLessThan(1_000);
    } finally {
      System.setIn(before);
    }
  }

  /** Some bytes, and then one again and again, far beyond the limit. */
  private static final class Endless extends InputStream {
    private static final long LIMIT = ExportedRoot.MAX_LINE + 1_000_000L;

    private final byte[] begin;
    private long read;

    Endless(byte[] begin) {
      this.begin = begin;
    }

    @Override
    public int read() {
      int next = read < begin.length ? begin[(int) read] : 'x';
      read++;
      return next;
    }

    @Override
    public int read(byte[] to, int from, int length) {
      assertThat(read).as("nothing ended it").isLessThan(LIMIT);
      for (int i = 0; i < length; i++) {
        to[from + i] = (byte) read();
      }
      return length;
    }

    @Override
    public void close() {}
  }

  @Test
  void aRowThatIsNoneIsNotRepeatedAsAWhole() throws IOException {
    Path file = temporary.resolve("file");
    Files.writeString(file, "everheap,export,1\r\n" + "x".repeat(1_000_000) + "\r\n");
    assertThat(run("import", other, file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("a root was expected").hasSizeLessThan(1_000);
  }

  @Test
  void aValueThatNoImportReadsIsLeftOut() {
    try (Heap open = open(heap)) {
      String half = "x".repeat(ExportedRoot.MAX_TEXT / 2);
      open.list("lines", Lines.class).add(new Lines(List.of(half, half)));
    }
    assertThat(run("export", heap, "lines", "--to", temporary.resolve("f").toString()))
        .isEqualTo(1);
    assertThat(err.toString()).contains("lines is left out").hasSizeLessThan(1_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "-1", "9223372036854775808", "1e99999", "-9223372036854775808"})
  void aNumberOfEntriesThatIsNoneIsRefused(String entries) throws IOException {
    Path file = temporary.resolve("file");
    Files.write(
        file,
        List.of(
            "{\"everheap\":\"export\",\"version\":1}",
            "{\"root\":\"r\",\"kind\":\"list\",\"types\":{\"element\":\"long\"},\"entries\":"
                + entries
                + "}"));
    assertThat(run("import", other, file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("a root was expected").doesNotContain("\tat ");
    try (Heap open = open(other)) {
      assertThat(open.names()).isEmpty();
    }
  }
}
