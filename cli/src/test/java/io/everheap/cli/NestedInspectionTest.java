package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code info}, {@code verify}, {@code dump} and {@code salvage} with structures in structures. */
class NestedInspectionTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path temporary;
  private Path directory;

  @BeforeEach
  void aHeapWithNestedStructures() {
    directory = temporary.resolve("shop");
    var orders = DurableMap.of(String.class, DurableSet.of(Long.class));
    try (Heap heap = Heap.open(directory)) {
      heap.transact(
          () -> {
            DurableMap<Integer, DurableMap<String, DurableSet<Long>>> years =
                heap.root("years", DurableMap.of(Integer.class, orders));
            var year = heap.create(orders);
            DurableSet<Long> set = heap.create(DurableSet.of(Long.class));
            set.add(7L);
            year.put("ada", set);
            year.put("ada again", set);
            years.put(2026, year);
            heap.set("tags", String.class).add("red");
            heap.create(orders);
          });
    }
  }

  @Test
  void infoNamesKindsAndTypes() {
    assertThat(run("info", directory.toString())).as(err.toString()).isZero();
    assertThat(out.toString())
        .containsPattern("years +map +1 +int, ref map<string,ref set<long>>")
        .containsPattern("tags +set +1 +string");
  }

  @Test
  void dumpPrintsWhatIsNested() throws IOException {
    assertThat(run("dump", directory.toString(), "--root", "years")).as(err.toString()).isZero();
    assertThat(json())
        .isEqualTo(
            MAPPER.readTree(
                """
                {"key": 2026, "value": {"ada": [7], "ada again": [7]}}
                """));
  }

  @Test
  void dumpGoesNoDeeperThanAskedFor() throws IOException {
    assertThat(run("dump", directory.toString(), "--root", "years", "--depth", "1")).isZero();
    assertThat(json().at("/value/ada"))
        .isEqualTo(MAPPER.readTree("{\"type\": \"ref set<long>\", \"size\": 1}"));
    assertThat(run("dump", directory.toString(), "--root", "years", "--depth", "-1")).isEqualTo(2);
  }

  @Test
  void dumpMarksWhatWasFreed() throws IOException {
    try (Heap heap = Heap.open(directory)) {
      var shape = DurableMap.of(String.class, DurableSet.of(Long.class));
      heap.free(heap.root("years", DurableMap.of(Integer.class, shape)).get(2026).get("ada"));
    }

    assertThat(run("dump", directory.toString(), "--root", "years")).isZero();
    assertThat(json().at("/value/ada/stale").booleanValue()).isTrue();
    out.getBuffer().setLength(0);
    assertThat(run("verify", directory.toString())).isZero();
    assertThat(out.toString()).contains("DANGLING reference").contains("ada").contains("is gone");
  }

  @Test
  void dumpOfASetHasPositions() throws IOException {
    assertThat(run("dump", directory.toString(), "--root", "tags")).isZero();
    assertThat(json()).isEqualTo(MAPPER.readTree("{\"key\": 0, \"value\": \"red\"}"));
  }

  @Test
  void verifyCountsWhatNoRootLeadsTo() throws IOException {
    assertThat(run("verify", directory.toString())).as(out.toString()).isZero();
    assertThat(out.toString()).contains("No root leads to 1 structures");
    out.getBuffer().setLength(0);
    assertThat(run("verify", "--json", directory.toString())).isZero();
    assertThat(json().get("unreachable").longValue()).isEqualTo(1);
  }

  @Test
  void salvageSavesAllOfIt() {
    Path saved = temporary.resolve("saved");
    run("salvage", directory.toString(), "--to", saved.toString());
    assertThat(out.toString())
        .containsPattern("years +4 +4 +0 +0 +0")
        .containsPattern("tags +1 +1 +0 +0 +0");

    out.getBuffer().setLength(0);
    assertThat(run("verify", saved.toString())).as(out.toString()).isZero();
    out.getBuffer().setLength(0);
    assertThat(run("dump", saved.toString(), "--root", "years")).isZero();
    assertThat(out.toString()).contains("\"ada\":[7]").contains("\"ada again\":[7]");
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private JsonNode json() throws IOException {
    return MAPPER.readTree(out.toString());
  }
}
