package io.everheap.support.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.report.Reports.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.util.DefaultLocale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestSummaryTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path root;

  @Test
  void modulesAndSamplesAreSummedInColumns() {
    Reports.write(reports("core"), "a.FooTest", "1.25", Reports.passed("a.FooTest", "x", "1"));
    Reports.write(
        reports("samples/words"),
        "a.BarTest",
        "20",
        Reports.passed("a.BarTest", "x", "1"),
        Reports.skipped("a.BarTest", "y", "no DAX"));
    Reports.writePassed(root.resolve("core/target/other/surefire-reports"), "a.OtherTest", "x");
    Reports.writeFile(root.resolve("bom/target/quick/surefire-reports/TEST-no"), "no report");

    Result summary = summary();

    assertThat(summary.lines())
        .containsSequence(
            "  module         classes  tests  failed  skipped  seconds",
            "  core                 1      1       0        0      1.3",
            "  samples/words        1      2       0        1     20.0")
        .endsWith("2 passed, 0 failed, 1 skipped");
    assertThat(summary.exitCode()).isZero();
  }

  @Test
  void theTimesOfAClassInSeveralReportsAddUp() {
    Reports.write(reports("core"), "a.FooTest", "1,001", Reports.passed("a.FooTest", "x", "1"));
    Reports.write(
        root.resolve("core/target/quick/newest-reports"),
        "a.FooTest",
        "2",
        Reports.passed("a.FooTest", "x", "1"));

    assertThat(summary().lines())
        .contains("  core          1      2       0        0   1003.0")
        .containsSequence("slowest classes:", "  core  a.FooTest  1003.0");
  }

  @Test
  void theTenSlowestClassesArePrinted() {
    for (int i = 1; i <= 12; i++) {
      String name = String.format(Locale.ROOT, "a.T%dTest", i);
      Reports.write(reports("core"), name, "" + i, Reports.passed(name, "x", "0"));
    }

    assertThat(summary().lines())
        .containsSequence("slowest classes:", "  core  a.T12Test  12.0", "  core  a.T11Test  11.0")
        .contains("  core  a.T3Test    3.0")
        .noneMatch(line -> line.contains("a.T2Test"));
  }

  @Test
  void failuresArePrintedWithTheirMessage() {
    Reports.write(
        reports("core"), "a.FooTest", "1", Reports.failed("a.FooTest", "x(int)[2]", "no&#10;more"));

    Result summary = summary();

    assertThat(summary.lines())
        .containsSequence("failed:", "  core  a.FooTest.x(int)[2]", "    no", "")
        .endsWith("0 passed, 1 failed, 0 skipped");
    assertThat(summary.exitCode()).isEqualTo(1);
  }

  @Test
  void atMostFiftyFailuresArePrinted() {
    Reports.write(
        reports("core"),
        "a.FooTest",
        "1",
        IntStream.range(0, 53)
            .mapToObj(i -> Reports.failed("a.FooTest", "x" + i, "no"))
            .toArray(String[]::new));

    assertThat(summary().lines())
        .contains("  core  a.FooTest.x49", "  and 3 more")
        .doesNotContain("  core  a.FooTest.x50")
        .endsWith("0 passed, 53 failed, 0 skipped");
  }

  @Test
  void aReportThatCannotBeReadIsAFailure() {
    Reports.writePassed(reports("core"), "a.FooTest", "x");
    Reports.writeFile(reports("core").resolve("TEST-a.BarTest.xml"), "<testsuite");

    Result summary = summary();

    assertThat(summary.text()).contains("  core  TEST-a.BarTest.xml\n    cannot read the report:");
    assertThat(summary.lines()).endsWith("1 passed, 1 failed, 0 skipped");
    assertThat(summary.exitCode()).isEqualTo(1);
  }

  @Test
  void skipsAreGroupedByClassAndReason() {
    writeSkips();

    assertThat(summary().lines())
        .containsSequence(
            "skipped:", "  2  core  a.FooTest: no DAX", "  1  core  a.FooTest: no reason given");
  }

  @Test
  void reportsOfAnEarlierRunDoNotCount() throws IOException {
    Path marker = Reports.writeFile(root.resolve("marker"), "");
    setTime(marker, START);
    setTime(Reports.writePassed(reports("core"), "a.OldTest", "x"), START.minusSeconds(1));
    setTime(Reports.writePassed(reports("core"), "a.NewTest", "x"), START.plusSeconds(1));

    assertThat(summary("--since", marker.toString()).lines())
        .noneMatch(line -> line.contains("a.OldTest"))
        .endsWith("1 passed, 0 failed, 0 skipped");
  }

  @Test
  void aClassAboveTheLimitFailsTheRun() {
    Reports.write(reports("core"), "a.FooTest", "12.34", Reports.passed("a.FooTest", "x", "0"));
    Reports.write(reports("core"), "a.BarTest", "10", Reports.passed("a.BarTest", "x", "0"));

    Result summary = summary("--limit", "10");

    assertThat(summary.lines())
        .contains(
            "a.FooTest took 12.3 s, more than the 10 s that a class of the fast tier may take:"
                + " tag it (io.everheap.support.tier)")
        .noneMatch(line -> line.startsWith("a.BarTest took"))
        .endsWith("2 passed, 0 failed, 0 skipped");
    assertThat(summary.exitCode()).isEqualTo(1);
  }

  @Test
  void aClassAboveTheLimitPassesOnASlowMachine() {
    for (int i = 0; i < 40; i++) {
      String name = "a.N" + i + "Test";
      Reports.write(reports("core"), name, "8", Reports.passed(name, "x", "0"));
    }
    Reports.write(reports("core"), "a.FooTest", "12", Reports.passed("a.FooTest", "x", "0"));
    Reports.write(reports("core"), "a.BarTest", "15", Reports.passed("a.BarTest", "x", "0"));

    assertThat(summary("--limit", "10").lines())
        .contains(
            "a.BarTest took 15.0 s, more than the 13.9 s that a class of the fast tier may take:"
                + " tag it (io.everheap.support.tier)")
        .noneMatch(line -> line.startsWith("a.FooTest took"));
  }

  @Test
  void patienceMultipliesTheLimit() {
    Reports.write(reports("core"), "a.FooTest", "12.34", Reports.passed("a.FooTest", "x", "0"));

    assertThat(summary(2, "--limit", "10").exitCode()).isZero();
  }

  @Test
  void aChosenModuleWithoutATestFailsTheRun() throws IOException {
    writeSkips();
    Files.createDirectories(root.resolve("store/src/test"));

    Result summary = summary("--expect", "core,store");

    assertThat(summary.lines())
        .contains("store ran no test, although it was chosen")
        .noneMatch(line -> line.startsWith("core ran no test"));
    assertThat(summary.exitCode()).isEqualTo(1);
  }

  @Test
  void aSkipThatIsNotAllowedFailsTheRun() {
    writeSkips();
    Path allowed =
        Reports.writeFile(
            root.resolve("skips.txt"),
            """
            # skips that are allowed
            a.FooTest.one  needs DAX
            a.OtherTest    needs Windows  # on the other machine
            """);

    Result summary = summary("--skips", allowed.toString());

    assertThat(summary.lines())
        .contains(
            "core  a.FooTest.two was skipped, which skips.txt does not allow: no DAX",
            "skips allowed and not used: 1")
        .noneMatch(line -> line.startsWith("core  a.FooTest.one(int)[1] was skipped"));
    assertThat(summary.exitCode()).isEqualTo(1);
  }

  @Test
  void anEntryOfAClassAllowsAllItsSkips() {
    writeSkips();
    Path allowed = Reports.writeFile(root.resolve("skips.txt"), "a.FooTest  needs DAX\n");

    Result summary = summary("--skips", allowed.toString());

    assertThat(summary.exitCode()).isZero();
    assertThat(summary.text()).doesNotContain("not used");
  }

  @Test
  void anAllowedSkipNeedsAReason() {
    writeSkips();
    Path allowed = Reports.writeFile(root.resolve("skips.txt"), "a.FooTest\n");

    Result summary = summary("--skips", allowed.toString());

    assertThat(summary.text()).contains("gives no reason for a.FooTest");
    assertThat(summary.exitCode()).isEqualTo(2);
  }

  @Test
  void aRunWithoutReportsIsRefused() {
    Result summary = summary();

    assertThat(summary.text()).contains("there is no report");
    assertThat(summary.lines()).endsWith("0 passed, 0 failed, 0 skipped");
    assertThat(summary.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--root .",
        "--root . --build",
        "--root no-such-directory --build target",
        "--root . --build target --build target",
        "--root . --build target --limit none",
        "--root . --build target --limit -1",
        "--root . --build target --since no-such-file",
        "--root . --build target --skips no-such-file",
        "--root . --build target --fast yes"
      })
  void wrongArgumentsAreRefused(String arguments) {
    Result result = Reports.run(out -> TestSummary.run(List.of(arguments.split(" ", -1)), out, 1));

    assertThat(result.lines()).endsWith(SummaryOptions.USAGE);
    assertThat(result.exitCode()).isEqualTo(2);
  }

  @Test
  @DefaultLocale("ar-EG")
  void numbersDoNotDependOnTheLocale() {
    Reports.write(reports("core"), "a.FooTest", "1,001.5", Reports.passed("a.FooTest", "x", "1"));

    assertThat(summary().lines())
        .contains("  core  a.FooTest  1001.5")
        .endsWith("1 passed, 0 failed, 0 skipped");
  }

  private void writeSkips() {
    Reports.write(
        reports("core"),
        "a.FooTest",
        "1",
        Reports.skipped("a.FooTest", "one(int)[1]", "no DAX"),
        Reports.skipped("a.FooTest", "two", "no DAX"),
        Reports.skipped("a.FooTest", "one(int)[2]", ""));
  }

  private Path reports(String module) {
    return root.resolve(module).resolve("target/quick/surefire-reports");
  }

  private Result summary(String... more) {
    return summary(1, more);
  }

  private Result summary(long patience, String... more) {
    var arguments = new ArrayList<>(List.of("--root", root.toString(), "--build", "target/quick"));
    arguments.addAll(List.of(more));
    return Reports.run(out -> TestSummary.run(arguments, out, patience));
  }

  private static void setTime(Path file, Instant time) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(time));
  }
}
