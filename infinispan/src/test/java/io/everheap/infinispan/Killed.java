package io.everheap.infinispan;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Processes that are killed. */
final class Killed {
  private Killed() {}

  static Process start(Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Collections.addAll(
        command,
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xmx256m",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-Djava.net.preferIPv4Stack=true",
        "-cp",
        System.getProperty("java.class.path"),
        main.getName());
    Collections.addAll(command, arguments);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Runs a process until it says something, and kills it. */
  static void after(Class<?> main, String said, String... arguments) throws Exception {
    Process process = start(main, arguments);
    try (BufferedReader lines = process.inputReader(US_ASCII)) {
      assertThat(lines.readLine()).isEqualTo(said);
    } finally {
      process.destroyForcibly();
      process.waitFor();
    }
  }
}
