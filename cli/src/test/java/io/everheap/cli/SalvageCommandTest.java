package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.everheap.Heap;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code salvage} as a user sees it. */
class SalvageCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path temporary;
  private Path damaged;
  private Path saved;

  @BeforeEach
  void aHeapWithARoot() {
    damaged = temporary.resolve("damaged");
    saved = temporary.resolve("saved");
    try (Heap heap = Heap.open(damaged)) {
      heap.transact(
          () -> {
            for (long i = 0; i < 1_500; i++) {
              heap.map("names", Long.class, String.class).put(i, "name " + i);
            }
          });
    }
  }

  @Test
  void aSoundHeapIsSavedWholly() {
    assertThat(run("salvage", damaged.toString(), "--to", saved.toString()))
        .as(err.toString())
        .isZero();
    assertThat(out.toString())
        .containsPattern("names +1,500 +1,500 +0 +0 +0")
        .contains("Everything was saved.");
    assertThat(run("verify", saved.toString())).isZero();
  }

  @Test
  void withoutSuperblocksItSaysWhatIsNotProved() throws IOException {
    byte[] bytes = Files.readAllBytes(damaged.resolve("heap"));
    Arrays.fill(bytes, 0, 8192, (byte) 0);
    Files.write(damaged.resolve("heap"), bytes);

    assertThat(run("verify", damaged.toString())).isEqualTo(2);
    assertThat(run("salvage", "--json", damaged.toString(), "--to", saved.toString())).isEqualTo(1);
    JsonNode json =
        new ObjectMapper().readTree(out.toString().substring(out.toString().indexOf('{')));
    assertThat(json.get("complete").booleanValue()).isFalse();
    assertThat(json.get("oneState").booleanValue()).isFalse();
    assertThat(json.at("/roots/0/saved").longValue()).isEqualTo(1_500);
    assertThat(json.get("notes")).isNotEmpty();
  }

  @Test
  void regionsAreNamedWithWhatIsWrongWithThem() throws IOException {
    try (Heap heap = Heap.open(damaged)) {
      heap.region("whole", 2_000);
      heap.region("short", 2_000);
    }
    byte[] bytes = Files.readAllBytes(damaged.resolve("region-short"));
    Files.write(damaged.resolve("region-short"), Arrays.copyOf(bytes, bytes.length - 500));

    assertThat(run("salvage", damaged.toString(), "--to", saved.toString())).isEqualTo(1);
    assertThat(out.toString())
        .contains("REGION whole: 2,000 bytes")
        .contains("REGION short: 500 of 2000 bytes are lost");
    Path again = temporary.resolve("again");
    assertThat(run("salvage", "--json", damaged.toString(), "--to", again.toString())).isEqualTo(1);
    String text = out.toString();
    JsonNode regions =
        new ObjectMapper().readTree(text.substring(text.lastIndexOf("\n{") + 1)).get("regions");
    assertThat(regions).hasSize(2);
    assertThat(regions.at("/0/name").textValue()).isEqualTo("short");
    assertThat(regions.at("/0/reasons")).isNotEmpty();
    assertThat(regions.at("/1/bytes").longValue()).isEqualTo(2_000);
  }

  @Test
  void whereThereIsNothingOrSomethingElseItSaysSo() throws IOException {
    assertThat(run("salvage", temporary.resolve("none").toString(), "--to", saved.toString()))
        .isEqualTo(2);
    assertThat(err.toString()).contains("EH-MISSING");
    Files.createDirectory(saved);
    Files.writeString(saved.resolve("mine"), "mine");
    assertThat(run("salvage", damaged.toString(), "--to", saved.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("not empty");
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
