package io.everheap.samples.words;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The count in processes that are killed. */
@Tag("process")
class WordsTest {
  private static final int LINES = 100_050;

  @TempDir Path directory;

  @Test
  void noWordIsMissedOrCountedTwice() throws Exception {
    Map<String, Long> expected = new TreeMap<>();
    List<String> text = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      String word = "Wort" + "abcdefghij".charAt(i % 10);
      text.add(word + ", the; " + word);
      expected.merge(word.toLowerCase(Locale.ROOT), 2L, Long::sum);
      expected.merge("the", 1L, Long::sum);
    }
    Path file = Files.write(directory.resolve("text"), text);

    Map<String, Long> counted = Map.of();
    List<Long> starts = new ArrayList<>();
    for (int life = 0; counted.isEmpty(); life++) {
      counted = run(file, life < 3, starts);
    }
    assertThat(counted).isEqualTo(expected);
    assertThat(starts).hasSize(4).isSorted().doesNotHaveDuplicates();
  }

  private Map<String, Long> run(Path file, boolean kill, List<Long> starts) throws Exception {
    Map<String, Long> counted = new TreeMap<>();
    Process process = start(directory.resolve("heap").toString(), file.toString());
    try (BufferedReader said = process.inputReader(UTF_8)) {
      String first = said.readLine();
      assertThat(first).startsWith("from line ");
      starts.add(Long.valueOf(first.substring("from line ".length())));
      for (String line = said.readLine();
          line != null && !line.equals("end");
          line = said.readLine()) {
        if (!line.startsWith("line ")) {
          int blank = line.indexOf(' ');
          counted.put(line.substring(0, blank), Long.valueOf(line.substring(blank + 1)));
        } else if (kill) {
          break;
        }
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    return counted;
  }

  private static Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), Words.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
