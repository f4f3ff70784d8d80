package io.everheap.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.benchmarks.report.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documentation that the repository has. */
class DocumentationTest {
  private static final Path DOCS = Path.of("../docs");

  @TempDir private Path copy;

  @Test
  void thePageOfTablesIsGeneratedFromTheData() throws IOException {
    Files.createDirectory(copy.resolve("data"));
    try (Stream<Path> data = Files.list(DOCS.resolve("data"))) {
      for (Path file : data.toList()) {
        Files.copy(file, copy.resolve("data").resolve(file.getFileName()));
      }
    }

    int code = BenchMain.commandLine().execute("page", "--docs", copy.toString());

    assertThat(code).isZero();
    assertThat(DOCS.resolve(Documents.PAGE)).hasSameTextualContentAs(copy.resolve(Documents.PAGE));
  }
}
