package io.everheap.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pitest.mutationtest.DetectionStatus;

class EquivalentsTest {
  private static final String LINE = "if (a > b || c) {";

  @TempDir Path dir;

  @Test
  void aSurvivorIsAnEntryWithoutKindAndReason() throws IOException {
    Survivor survivor = survivor("io.A", 2, LINE);
    String entry =
        survivor.format().replaceFirst(" \\| survived \\| .*", " | equal | a is never b");
    assertThat(entry)
        .isEqualTo("io.A.run | NegateConditionals 2 | " + LINE + " | equal | a is never b");
    assertThat(read("# a comment", "", entry).contain(survivor)).isTrue();
  }

  @Test
  void anEntryNamesOneMutantOfALine() throws IOException {
    Equivalents one = read("io.A.run | NegateConditionals 2 | " + LINE + " | speed | why");
    assertThat(one.contain(survivor("io.A", 2, LINE))).isTrue();
    assertThat(one.contain(survivor("io.A", 1, LINE))).isFalse();
    assertThat(one.contain(survivor("io.B", 2, LINE))).isFalse();
    assertThat(one.contain(survivor("io.A", 2, LINE + " // changed"))).isFalse();
  }

  @Test
  void withoutANumberAllOfALineAreMeant() throws IOException {
    Equivalents all = read("io.A.run | NegateConditionals | " + LINE + " | speed | why");
    assertThat(all.contain(survivor("io.A", 1, LINE))).isTrue();
    assertThat(all.contain(survivor("io.A", 2, LINE))).isTrue();
  }

  @Test
  void aStarMeansTheLineEverywhere() throws IOException {
    Equivalents all = read("* | NegateConditionals | " + LINE + " | speed | why");
    assertThat(all.contain(survivor("io.B", 1, LINE))).isTrue();
    assertThat(all.contain(survivor("io.B", 1, "else"))).isFalse();
  }

  @Test
  void anEntryNeedsAKindAndAReason() {
    for (String wrong :
        List.of(
            "io.A.run | Math 1 | a + b | fine | why",
            "io.A.run | Math 1 | a + b | speed | ",
            "io.A.run | Math 1 | speed | why",
            "io.A.run")) {
      assertThatThrownBy(() -> read("#", wrong)).hasMessageContaining("line 2 is not");
    }
  }

  private Equivalents read(String... lines) throws IOException {
    return Equivalents.read(Files.write(dir.resolve("equivalents"), List.of(lines)));
  }

  private static Survivor survivor(String className, int ordinal, String source) {
    return new Survivor(result(className, ordinal, 7), source);
  }

  static MutantResult result(String className, int ordinal, int line) {
    return new MutantResult(
        className,
        "run(JJZ)V",
        "NegateConditionals",
        10 + ordinal,
        line,
        ordinal,
        DetectionStatus.SURVIVED,
        "",
        "negated conditional");
  }
}
