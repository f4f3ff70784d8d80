package io.everheap.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.everheap.Heap;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.collection.DurableMap;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code info}, {@code verify} and {@code dump} on a small heap. */
class InspectionTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path temporary;
  private Path directory;

  enum Kind {
    PRIVATE,
    BUSINESS
  }

  record Address(String street, int number) {}

  record Customer(String name, Kind kind, List<Address> addresses, double credit) {}

  @BeforeEach
  void aHeapWithTwoRoots() {
    directory = temporary.resolve("shop");
    try (Heap heap = Heap.builder(directory).lookup(MethodHandles.lookup()).open()) {
      DurableMap<Long, Customer> customers = heap.map("customers", Long.class, Customer.class);
      customers.put(
          1L, new Customer("Ada", Kind.BUSINESS, List.of(new Address("Main St", 7)), 1.5));
      customers.put(2L, new Customer("Bob", Kind.PRIVATE, List.of(), -0.25));
      DurableMap<String, Kind> kinds = heap.map("kinds", String.class, Kind.class);
      heap.transact(
          () -> {
            for (int i = 0; i < 1_500; i++) {
              kinds.put("key " + i, Kind.PRIVATE);
            }
          });
    }
  }

  @Test
  void infoShowsWhatTheHeapIsAndItsRoots() {
    assertThat(run("info", directory.toString())).as(err.toString()).isZero();
    assertThat(out.toString())
        .containsPattern("Heap +.*shop\\R")
        .containsPattern("Id +[0-9a-f-]{36}\\R")
        .containsPattern("Format +version \\d+\\R")
        .containsPattern("Medium +file, log written with [A-Z_]+\\R")
        .containsPattern("Recovery +none needed, the heap was closed\\R")
        .containsPattern("Root +Kind +Entries +Types")
        .containsPattern("customers +map +2 +long, record .*Customer\\(string\\? name, enum .*Kind")
        .containsPattern("kinds +map +1,500 +string, enum .*Kind\\(PRIVATE,BUSINESS\\)")
        .containsPattern("Block size +Blocks +Used +Reserved");
  }

  @Test
  void infoSpeaksJson() throws IOException {
    assertThat(run("info", "--json", directory.toString())).isZero();

    JsonNode info = json();
    assertThat(info.get("location").textValue()).endsWith("shop");
    assertThat(info.get("id").textValue()).hasSize(36);
    assertThat(info.get("formatVersion").intValue()).isPositive();
    assertThat(info.get("medium").textValue()).isEqualTo("file");
    assertThat(info.get("used").longValue() + info.get("free").longValue())
        .isEqualTo(info.get("capacity").longValue());
    assertThat(info.at("/recovery/clean").booleanValue()).isTrue();
    assertThat(info.at("/roots/0/name").textValue()).isEqualTo("customers");
    assertThat(info.at("/roots/0/size").longValue()).isEqualTo(2);
    assertThat(info.at("/roots/1/keyType").textValue()).isEqualTo("string");
    assertThat(info.get("sizeClasses")).isNotEmpty();
  }

  @Test
  void infoShowsTheSpaceOfRoots() throws IOException {
    assertThat(run("info", "--bytes", directory.toString())).as(err.toString()).isZero();
    assertThat(out.toString())
        .containsPattern("Root +Kind +Entries +Own bytes +All bytes +Types")
        .containsPattern("kinds +map +1,500 +\\d+(\\.\\d+)? KiB +\\d+(\\.\\d+)? KiB +string, enum");
    out.getBuffer().setLength(0);

    assertThat(run("info", "--bytes", "--json", directory.toString())).isZero();
    assertThat(json().at("/roots/1/bytes").longValue()).isGreaterThan(1_500 * 32);
    assertThat(json().at("/roots/1/ownBytes")).isEqualTo(json().at("/roots/1/bytes"));
  }

  @Test
  void infoNamesRegionsOutsideOfTransactions() throws IOException {
    try (Heap heap = Heap.open(directory)) {
      assertThat(heap.region("ring", 100).size()).isEqualTo(100);
    }
    assertThat(run("info", directory.toString())).isZero();
    assertThat(out.toString()).contains("Regions outside of transactions: ring");
  }

  @Test
  void infoOfAnEmptyHeapSaysSo() {
    Path empty = temporary.resolve("empty");
    Heap.open(empty).close();

    assertThat(run("info", empty.toString())).isZero();
    assertThat(out.toString()).contains("No roots.");
  }

  @Test
  void verifyFindsNothingInASoundHeap() throws IOException {
    assertThat(run("verify", directory.toString())).isZero();
    assertThat(out.toString())
        .containsPattern("Verifying .*shop ")
        .containsPattern("OK: 2 roots, 1,502 entries, ");
  }

  @Test
  void verifySpeaksJson() throws IOException {
    assertThat(run("verify", "--json", directory.toString())).isZero();
    assertThat(json().get("ok").booleanValue()).isTrue();
    assertThat(json().get("entries").longValue()).isEqualTo(1_502);
    assertThat(json().get("problems")).isEmpty();
  }

  @Test
  void verifyNamesRawBlocksWhoseHandleIsNowhere() throws IOException {
    long lost;
    try (Heap heap = Heap.open(directory)) {
      heap.map("handles", String.class, Long.class).put("a", heap.blocks().allocate(8).handle());
      lost = heap.blocks().allocate(40).handle();
    }
    assertThat(run("verify", directory.toString())).as(out.toString()).isZero();
    assertThat(out.toString())
        .containsPattern("UNREFERENCED raw block of 40 B at heap byte \\d+: its handle is " + lost)
        .contains("The handles of 1 raw blocks (48 B) are nowhere in the heap.")
        .contains("OK: 3 roots");
    out.getBuffer().setLength(0);

    assertThat(run("verify", "--json", directory.toString())).isZero();
    assertThat(json().at("/unreferenced/0/handle").textValue()).isEqualTo(Long.toString(lost));
  }

  @Test
  void verifyOfATypeThatOnlyItsProgramKnowsSaysWhatItCouldNotCheck() {
    Path own = temporary.resolve("own");
    try (Heap heap = Heap.open(own)) {
      heap.map("secret", new Celsius(), new Celsius()).put(1.0, 2.0);
    }

    assertThat(run("verify", own.toString())).isZero();
    assertThat(out.toString()).contains("NOT CHECKED").contains("celsius");
  }

  @Test
  void verifyOfADamagedHeapSaysWhatWhereAndOfWhichRoot() throws IOException {
    Path home = directory.resolve("heap");
    byte[] bytes = Files.readAllBytes(home);
    int ada = new String(bytes, ISO_8859_1).indexOf("Ada");
    bytes[ada - 1] |= 3; // the form of the text
    Files.write(home, bytes);

    assertThat(run("verify", directory.toString())).isEqualTo(1);
    assertThat(out.toString())
        .containsPattern("PROBLEM entry at heap byte \\d+, key 1 of customers: the value does not")
        .containsPattern("PROBLEM checksum at heap byte \\d+ of .*customers.*: page \\d+ ")
        .contains("DAMAGED, 2 problems: 2 roots, 1,502 entries");
  }

  @Test
  void verifyOfAHeapThatDoesNotOpenSaysWhy() throws IOException {
    Path home = directory.resolve("heap");
    byte[] bytes = Files.readAllBytes(home);
    Files.write(home, Arrays.copyOf(bytes, bytes.length - 4096));

    assertThat(run("verify", "--json", directory.toString())).isEqualTo(1);
    assertThat(json().at("/problems/0/kind").textValue()).isEqualTo("home file");
    assertThat(json().get("notChecked")).isNotEmpty();
  }

  @Test
  void dumpDecodesRecordsWithoutTheirClasses() throws IOException {
    assertThat(run("dump", directory.toString(), "--root", "customers")).isZero();

    List<JsonNode> lines = lines();
    assertThat(lines).hasSize(2);
    JsonNode ada =
        lines.stream().filter(line -> line.get("key").longValue() == 1).findFirst().orElseThrow();
    assertThat(ada.at("/value"))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"name": "Ada", "kind": "BUSINESS",
                     "addresses": [{"street": "Main St", "number": 7}], "credit": 1.5}
                    """));
  }

  @Test
  void dumpPrintsAllEntriesOrAsManyAsAskedFor() throws IOException {
    assertThat(run("dump", directory.toString(), "--root", "kinds")).isZero();
    assertThat(lines().stream().map(line -> line.get("key").textValue()).distinct()).hasSize(1_500);

    out.getBuffer().setLength(0);
    assertThat(run("dump", directory.toString(), "--root", "kinds", "--limit", "3")).isZero();
    assertThat(lines()).hasSize(3);

    out.getBuffer().setLength(0);
    assertThat(run("dump", directory.toString(), "--root", "kinds", "--limit", "0")).isZero();
    assertThat(lines()).isEmpty();
  }

  @Test
  void dumpOfAnUnknownRootNamesTheKnownOnes() {
    assertThat(run("dump", directory.toString(), "--root", "customer")).isEqualTo(1);
    assertThat(err.toString().lines())
        .containsExactly("everheap: no root named 'customer'; the heap has: customers, kinds");
  }

  @Test
  void dumpOfATypeThatOnlyItsProgramKnowsSaysSo() {
    Path own = temporary.resolve("own");
    try (Heap heap = Heap.open(own)) {
      heap.map("secret", new Celsius(), new Celsius()).put(1.0, 2.0);
    }

    assertThat(run("dump", own.toString(), "--root", "secret")).isEqualTo(1);
    assertThat(err.toString()).contains("celsius").contains("EH-CODEC-UNSUPPORTED");
  }

  @Test
  void nothingIsWrittenByInspection() throws IOException {
    List<String> before = files();
    for (String command : List.of("info", "verify")) {
      assertThat(run(command, directory.toString())).isZero();
    }
    assertThat(run("dump", directory.toString(), "--root", "kinds")).isZero();

    assertThat(files()).isEqualTo(before);
  }

  @Test
  void aMissingHeapIsOneLine() {
    for (String command : List.of("info", "verify")) {
      err.getBuffer().setLength(0);
      assertThat(run(command, temporary.resolve("nowhere").toString()))
          .isEqualTo(command.equals("verify") ? 2 : 1);
      assertThat(err.toString().lines())
          .singleElement()
          .asString()
          .startsWith("everheap: ")
          .contains("nowhere")
          .endsWith("(EH-MISSING)");
    }
  }

  @Test
  void aDirectoryOfSomethingElseIsNotTakenForAHeap() throws IOException {
    Path photos = Files.createDirectory(temporary.resolve("photos"));
    Files.writeString(photos.resolve("heap"), "holidays ".repeat(10_000));

    assertThat(run("verify", photos.toString())).isEqualTo(2);
    assertThat(err.toString().lines()).singleElement().asString().contains("(EH-");
    assertThat(photos).isDirectoryContaining(file -> file.endsWith("heap"));
  }

  @Test
  void aHeapInUseIsRefusedAndSaysWhy() {
    Heap user = Heap.open(directory);
    try {
      assertThat(run("info", directory.toString())).isEqualTo(1);
      assertThat(err.toString()).contains("(EH-LOCKED)").contains("that no program has open");
    } finally {
      user.close();
    }
  }

  @Test
  void aStackTraceIsThereForThoseWhoAsk() {
    run("info", "--stacktrace", temporary.resolve("nowhere").toString());

    assertThat(err.toString()).contains("\tat io.everheap");
  }

  @Test
  void wrongUsageHasItsOwnExitCode() {
    assertThat(run("info")).isEqualTo(2);
    assertThat(run("dump", directory.toString())).isEqualTo(2);
    assertThat(run("dump", directory.toString(), "--root", "kinds", "--limit", "-1")).isEqualTo(2);
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out.toString());
  }

  private List<JsonNode> lines() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : out.toString().lines().toList()) {
      lines.add(new ObjectMapper().readTree(line));
    }
    return lines;
  }

  /** Every file with its size and time of change. */
  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      List<String> found = new ArrayList<>();
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        found.add(file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file));
      }
      return found;
    }
  }

  /** A codec that no tool can know. */
  private static final class Celsius implements Codec<Double> {
    @Override
    public String name() {
      return "celsius";
    }

    @Override
    public void write(Double value, CodecOutput out) {
      out.writeDouble(value);
    }

    @Override
    public Double read(CodecInput in) {
      return in.readDouble();
    }

    @Override
    public boolean canonical() {
      return true;
    }
  }
}
