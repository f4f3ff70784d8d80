package io.everheap.samples.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workers in processes that are killed. */
@Tag("process")
class JobsTest {
  private static final int JOBS = 5_000;

  @TempDir Path directory;

  @Test
  void eachJobIsDoneOnce() throws Exception {
    String heap = directory.resolve("heap").toString();
    int killed = 0;
    String last = "";
    while (!last.startsWith("all done")) {
      Process process = start(heap, Integer.toString(JOBS));
      try (BufferedReader said = process.inputReader(UTF_8)) {
        for (String line = said.readLine(); line != null; line = said.readLine()) {
          last = line;
          if (killed < 3 && line.startsWith("done") && line.endsWith("00")) {
            killed++;
            break;
          }
        }
      } finally {
        process.destroyForcibly().waitFor();
      }
      assertThat(last).matches("(done|all done) [0-9]+");
    }
    assertThat(killed).isEqualTo(3);
    assertThat(last).isEqualTo("all done " + JOBS);
    try (Heap open = Heap.open(Path.of(heap))) {
      var results = open.map("results", Long.class, Long.class);
      assertThat(results).hasSize(JOBS).containsEntry(70L, 4900L);
      assertThat(open.workQueue("jobs", Long.class).isEmpty()).isTrue();
    }
  }

  private static Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), Jobs.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
