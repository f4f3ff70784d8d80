package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.fuzz.Directories;
import io.everheap.support.fuzz.Form;
import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.fuzz.Mutation;
import io.everheap.support.fuzz.Mutator;
import io.everheap.support.tier.Campaign;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code everheap import} of files that were not exported: it imports them or says in one line why
 * not.
 */
@Campaign
class ImportFuzzTest extends CommandFixture {
  private static final long MOST_STORED = 256L << 20;

  /** Texts that mean something in JSON or CSV, to numbers, times or types. */
  private static final List<String> TEXTS =
      List.of(
          "1e999999999",
          "-1e-999999999",
          "1e400",
          "9223372036854775808",
          "-9223372036854775809",
          "2147483648",
          "0.1",
          "NaN",
          "null",
          "true",
          "[[[[[[[[",
          "{\"a\":",
          "[".repeat(5000),
          "{\"a\":".repeat(3000),
          "\"",
          "\\u0000",
          "\\ud800",
          "\n",
          "\r",
          ",",
          "long",
          "string",
          "list<string>",
          "list<".repeat(3000),
          "map<string,list<long>>",
          "record{",
          "+999999999-12-31T23:59:59Z",
          "PT9999999999999999999S",
          "\"entries\":9223372036854775807",
          "\"entries\":-1",
          "\"entries\":0");

  @TempDir Path temp;

  @Test
  void files() {
    Path heap = temp.resolve("heap");
    Path file = temp.resolve("import");
    Fuzz.of("import", Form.BYTES, ImportFuzzTest::mutate)
        .inputs(30)
        .stored(heap, MOST_STORED)
        .run(
            input -> {
              Directories.delete(heap);
              Files.write(file, input);
              int code = run("import", heap.toString(), file.toString());
              assertThat(code).isBetween(0, 2);
              assertThat(out.toString()).as("no stack trace").doesNotContain("\tat ");
              if (Files.exists(heap.resolve("heap"))) {
                assertThat(run("verify", heap.toString())).as(out.toString()).isZero();
                assertThat(run("export", heap.toString())).as(out.toString()).isZero();
              }
            });
  }

  private static byte[] mutate(byte[] input, byte[] other, Mutator mutator) {
    if (mutator.random().nextInt(3) == 0) {
      return Mutation.bytes().mutate(input, other, mutator);
    }
    String text = new String(input, StandardCharsets.UTF_8);
    List<String> lines = new ArrayList<>(text.lines().toList());
    int at = mutator.random().nextInt(lines.size());
    String line = lines.get(at);
    switch (mutator.random().nextInt(8)) {
      case 0 -> lines.remove(at);
      case 1 -> lines.add(mutator.random().nextInt(lines.size()), line);
      case 2 -> lines.set(at, lines.get(mutator.random().nextInt(lines.size())));
      default -> {
        // a token takes the place of another one
        String[] tokens = line.splitWithDelimiters("[\\[\\]{}:,\"]", -1);
        int token = mutator.random().nextInt(tokens.length);
        tokens[token] = TEXTS.get(mutator.random().nextInt(TEXTS.size()));
        lines.set(at, String.join("", tokens));
      }
    }
    return String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
  }
}
