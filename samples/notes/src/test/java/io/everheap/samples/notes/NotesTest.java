package io.everheap.samples.notes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in Kotlin, each command in a process of its own. */
@Tag("process")
class NotesTest {
  @TempDir Path directory;

  @Test
  void notesOutliveTheirProcesses() throws Exception {
    assertThat(notes("list")).isEmpty();
    assertThat(notes("add", "buy", "apples")).isEqualTo("added 1");
    assertThat(notes("add", "sell", "pears")).isEqualTo("added 2");
    assertThat(notes("done", "1")).isEqualTo("done 1");
    assertThat(notes("list").lines()).containsExactly("1 [x] buy apples", "2 [ ] sell pears");
  }

  private String notes(String... command) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(directory.resolve("heap").toString()));
    arguments.addAll(List.of(command));
    Process process = start(arguments.toArray(String[]::new));
    String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private static Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    command.addAll(
        List.of(System.getProperty("java.class.path"), "io.everheap.samples.notes.NotesKt"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
