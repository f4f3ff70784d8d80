package io.everheap.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pitest.mutationtest.DetectionStatus;

class ReportTest {
  @TempDir Path dir;

  @Test
  void mutantsAreCountedByPackage() throws IOException {
    Files.createDirectories(dir.resolve("io/a"));
    Files.write(dir.resolve("io/a/A.java"), List.of("class A {", "  first();", "  second();"));
    Path list =
        Files.write(
            dir.resolve("equivalents"),
            List.of("io.a.A$B.run | NegateConditionals 1 | second(); | speed | only a hint"));
    Report report = new Report();
    report.add(
        List.of(
            of("io.a.A", 1, 2, DetectionStatus.SURVIVED),
            of("io.a.A", 2, 2, DetectionStatus.KILLED),
            of("io.a.A", 3, 2, DetectionStatus.TIMED_OUT),
            of("io.a.A$B", 1, 3, DetectionStatus.SURVIVED),
            of("io.a.A$B", 2, 3, DetectionStatus.NO_COVERAGE)),
        dir,
        Equivalents.read(list));
    assertThat(report.format().lines().toList().get(1).split(" +"))
        .containsExactly("io.a", "5", "2", "1", "1", "1");
    assertThat(report.survivors().stream().map(Survivor::format))
        .containsExactly(
            "io.a.A.run | NegateConditionals 1 | first(); | survived | line 2: negated conditional",
            "io.a.A$B.run | NegateConditionals 2 | second(); | not reached | line 3: negated"
                + " conditional");
  }

  @Test
  void aResultIsReadAsItWasWritten() {
    MutantResult result = of("io.a.A", 1, 2, DetectionStatus.MEMORY_ERROR);
    assertThat(MutantResult.parse(result.format())).isEqualTo(result);
  }

  private static MutantResult of(String className, int ordinal, int line, DetectionStatus status) {
    MutantResult result = EquivalentsTest.result(className, ordinal, line);
    return new MutantResult(
        result.className(),
        result.method(),
        result.mutator(),
        result.index(),
        line,
        ordinal,
        status,
        "",
        result.change());
  }
}
