package io.everheap.samples.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application in a process of its own, which is killed and started again. */
@Tag("process")
class GuestBookTest {
  @TempDir Path directory;

  @Test
  void entriesAreThereAfterKills() throws Exception {
    for (int life = 0; life < 3; life++) {
      Process process = start();
      try (BufferedReader said = process.inputReader(UTF_8);
          PrintWriter guests = new PrintWriter(process.outputWriter(UTF_8), true)) {
        assertThat(next(said)).isEqualTo(2 * life + " entries");
        guests.println("Ada");
        assertThat(next(said))
            .isEqualTo(
                String.format(Locale.ROOT, "Ada, visit %d, entry %d", life + 1, 2 * life + 1));
        guests.println("guest " + life);
        assertThat(next(said)).startsWith("guest " + life + ", visit 1");
        if (life == 1) {
          guests.println(); // fails, and undoes what was stored; the program ends with the error
          assertThat(process.waitFor()).isEqualTo(1);
        }
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  /** The next line of the program; those of the logger are passed over. */
  private static String next(BufferedReader said) throws IOException {
    StringBuilder all = new StringBuilder();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.startsWith("> ")) {
        return line.substring(2);
      }
      all.append(line).append('\n');
    }
    throw new IOException("the application ended:\n" + all);
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            GuestBookApplication.class.getName(),
            "--everheap.heap.directory=" + directory.resolve("book"))
        .redirectErrorStream(true)
        .start();
  }
}
