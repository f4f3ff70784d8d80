package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code create} and {@code generate-completion}. */
class CreateCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path temporary;

  @Test
  void createMakesAnEmptyHeapAndNeverOverwrites() throws IOException {
    String heap = temporary.resolve("shop").toString();
    assertThat(run("create", heap)).as(err.toString()).isZero();
    assertThat(out.toString()).startsWith("Created the heap ");
    try (Heap open = Heap.builder(Path.of(heap)).readOnly().open()) {
      assertThat(open.names()).isEmpty();
    }
    assertThat(run("create", heap)).isEqualTo(1);
    assertThat(err.toString().lines()).singleElement().asString().contains("nothing was changed");

    Path file = Files.writeString(temporary.resolve("file"), "holidays");
    assertThat(run("create", file.toString())).isEqualTo(1);
    assertThat(file).hasContent("holidays");
    assertThat(run("create", "--json", Files.createDirectory(temporary.resolve("new")).toString()))
        .isZero();
    assertThat(out.toString()).contains("\"id\"");
  }

  @Test
  void theCompletionKnowsEveryCommandAndOption() {
    assertThat(run("generate-completion")).isZero();
    requireAll(Main.commandLine());
  }

  private void requireAll(CommandLine command) {
    command
        .getSubcommands()
        .forEach(
            (name, sub) -> {
              assertThat(out.toString()).containsPattern("commands=\"([^\"]* )?" + name + "[ \"]");
              sub.getCommandSpec().options().stream()
                  .filter(option -> !option.hidden())
                  .forEach(option -> assertThat(out.toString()).contains(option.longestName()));
              requireAll(sub);
            });
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
