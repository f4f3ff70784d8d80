package io.everheap.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.support.Limit;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program that README.md begins with is compiled and run as a user would. */
class ReadmeTest {
  private static final Pattern QUOTE = Pattern.compile("(?s)```java\n(.*?)```");

  @TempDir private Path directory;

  private static Path root() {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("docs/guide.md"))) {
      at = at.getParent(); // the module's directory, or the project's
    }
    return at;
  }

  @BeforeEach
  void copyTheProgram() throws IOException {
    Matcher quote = QUOTE.matcher(Files.readString(root().resolve("README.md")));
    assertThat(quote.find()).isTrue();
    Files.writeString(directory.resolve("Bank.java"), quote.group(1));
  }

  private String run() throws IOException, InterruptedException {
    Path library =
        Path.of(Heap.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    Path output = directory.resolve("output");
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                library + File.pathSeparator + ".",
                "Bank.java")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    Limit.waitFor(java);
    return Files.readString(output);
  }

  @Test
  void itMovesMoneyAndGoesOnWhereItWas() throws Exception {
    assertThat(run()).contains("alice=Account@", "bob=Account@", "{balance=90}", "{balance=10}");
    assertThat(run()).contains("{balance=80}", "{balance=20}");
  }
}
