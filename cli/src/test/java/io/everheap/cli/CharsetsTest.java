package io.everheap.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.support.Limit;
import io.everheap.support.tier.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arguments and output are UTF-8, or refused, in locales with other character sets too. */
class CharsetsTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "UTF-8, straße, false",
    "utf-8, straße, false",
    "ANSI_X3.4-1968, strasse, false",
    "ANSI_X3.4-1968, stra\uFFFDe, true",
    "ISO-8859-1, straÃe, true",
    "ISO-8859-1, \u0080, true",
    "ISO-8859-1, \u007F, false"
  })
  void argumentsAreRefusedIfTheLocaleCannotReadThem(String encoding, String arg, boolean refused) {
    String message = Charsets.refusal(new String[] {"put", arg}, encoding);
    if (refused) {
      assertThat(message).contains(encoding, "Nothing was done", "LC_ALL=C.UTF-8");
    } else {
      assertThat(message).isNull();
    }
  }

  @Processes
  @Test
  void nothingIsStoredUnderTheLocaleCButWhatWasMeant() throws Exception {
    Path heap = directory.resolve("heap");
    try (Heap made = Heap.open(heap)) {
      made.map("m", String.class, String.class).put("a", "straße");
    }
    Result put = run("put", heap.toString(), "m", "\"ü\"", "\"ö\"");
    assertThat(put.exitCode).isEqualTo(2);
    assertThat(put.output).contains("not ASCII", "LC_ALL=C.UTF-8");
    try (Heap same = Heap.open(heap)) {
      assertThat(same.map("m", String.class, String.class)).isEqualTo(Map.of("a", "straße"));
    }
    assertThat(run("export", heap.toString(), "m", "--csv").output).contains("straße");
    assertThat(run("get", heap.toString(), "m", "a").output).contains("straße");
  }

  private record Result(int exitCode, String output) {}

  private Result run(String... args) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(Arrays.asList(args));
    Path output = directory.resolve("output");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LC_ALL", "C");
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    int exitCode = Limit.waitFor(process);
    return new Result(exitCode, Files.readString(output, UTF_8));
  }
}
