package io.everheap.support.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.report.Reports.Result;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestIdentitiesTest {
  @TempDir Path directory;
  private Path before;
  private Path after;

  @BeforeEach
  void nameDirectories() {
    before = directory.resolve("before/core/target/surefire-reports");
    after = directory.resolve("after/core/target/quick/surefire-reports");
  }

  @Test
  void otherFormsOfANameAreTheSameTest() {
    Reports.write(before, "a.FooTest", "1", Reports.passed("FooTest", "one(Path, String)[1]", "1"));
    Reports.writePassed(after, "a.FooTest", "one{Path}[1] shown");

    Result result = compare();

    assertThat(result.lines())
        .containsSequence("              before  after", "  identities       1      1")
        .contains("missing after: 0", "new after: 0");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void missingTestsAreListedInOrder() {
    Reports.writePassed(before, "a.FooTest", "z", "one()[10]", "one()[2]", "one()[1]");
    Reports.writePassed(after, "a.FooTest", "one()[1]");

    Result result = compare();

    assertThat(result.lines())
        .containsSequence(
            "missing after: 3",
            "  core  a.FooTest.one[2]",
            "  core  a.FooTest.one[10]",
            "  core  a.FooTest.z");
    assertThat(result.exitCode()).isEqualTo(1);
  }

  @Test
  void newTestsAreCountedForEachClass() {
    Reports.writePassed(before, "a.FooTest", "one");
    Reports.writePassed(after, "a.FooTest", "one", "two", "three");
    Reports.writePassed(after, "a.BarTest", "one");

    assertThat(compare().lines())
        .containsSequence("new after: 3", "  core  a.BarTest  1", "  core  a.FooTest  2");
  }

  @Test
  void severalDirectoriesAfterAreOneRun() {
    Reports.writePassed(before, "a.FooTest", "one", "two");
    Reports.writePassed(after, "a.FooTest", "one");
    Path campaign = directory.resolve("campaign");
    Reports.writePassed(campaign.resolve("core/surefire-reports"), "a.FooTest", "two");

    assertThat(compare(campaign.toString()).exitCode()).isZero();
  }

  @Test
  void aReportInTwoDirectoriesCountsOnce() {
    Reports.writePassed(before, "a.FooTest", "one");
    Reports.writePassed(before.resolveSibling("newest-reports"), "a.FooTest", "one");
    Reports.writePassed(after, "a.FooTest", "one");

    Result result = compare(after.toString());

    assertThat(result.lines())
        .containsSequence(
            "missing after: 1", "  core  a.FooTest.one (ran 2 times before, 1 times after)");
    assertThat(result.exitCode()).isEqualTo(1);
  }

  @Test
  void namesWithoutAnIndexAreCounted() {
    Reports.writePassed(before, "a.FooTest", "one[true]", "one[false]", "x@1f", "words of it");
    Reports.writePassed(after, "a.FooTest", "one[other]", "words of other");

    assertThat(compare().lines())
        .containsSequence("missing after: 2", "  core  a.FooTest.one#2", "  core  a.FooTest.x@1f");
  }

  @Test
  void aTestThatIsSkippedAfterIsMissing() {
    Reports.writePassed(before, "a.FooTest", "one(int)[1]", "two");
    Reports.write(
        after,
        "a.FooTest",
        "1",
        Reports.skipped("a.FooTest", "one(int)", "no DAX"),
        Reports.failed("a.FooTest", "two", "a failure is a run"));

    Result result = compare();

    assertThat(result.lines())
        .containsSequence("missing after: 1", "  core  a.FooTest.one[1] (skipped after)")
        .containsSequence("skipped after: 1", "  core  a.FooTest.one");
    assertThat(result.exitCode()).isEqualTo(1);
  }

  @Test
  void aTestThatWasSkippedBeforeIsNotMissing() {
    String skip = Reports.skipped("a.FooTest", "one", "no DAX");
    Reports.write(before, "a.FooTest", "1", skip, Reports.passed("a.FooTest", "two", "1"));
    Reports.write(after, "a.FooTest", "1", skip, Reports.passed("a.FooTest", "two", "1"));

    Result result = compare();

    assertThat(result.lines()).contains("  core  a.FooTest.one (also before)");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void aFailureOfAClassIsNoTest() {
    Reports.writePassed(before, "a.FooTest", "one");
    Reports.write(
        after,
        "a.FooTest",
        "1",
        Reports.passed("a.FooTest", "one", "1"),
        Reports.failed("a.FooTest", "executionError", "teardown"));

    assertThat(compare().lines()).contains("new after: 0");
  }

  @Test
  void aClassMayBeSplit() {
    Reports.writePassed(before, "a.FooTest", "one", "two");
    Reports.write(before, "a.FooTest$In", "1", Reports.passed("a.FooTest$In", "three", "1"));
    Reports.writePassed(after, "b.LeftTest", "one");
    Reports.writePassed(after, "b.RightTest", "two");
    Reports.writePassed(after, "b.RightTest$In", "three");

    Result result =
        renamed("a.FooTest -> b.LeftTest", "a.FooTest -> b.RightTest", "a.NoTest -> b.NoTest");

    assertThat(result.lines()).contains("renamed: 3, lines not used: 1", "missing after: 0");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void aRenamedClassMustHaveTheSameTests() {
    Reports.writePassed(before, "a.FooTest", "one", "two()[1]");
    Reports.writePassed(after, "b.BarTest", "one", "two()[2]");

    assertThat(renamed("a.FooTest -> b.BarTest").lines())
        .containsSequence("missing after: 1", "  core  a.FooTest.two[1]");
  }

  @Test
  void aMethodMayBeSplitIntoAsManyTests() {
    Reports.writePassed(before, "a.FooTest", "one()[1]", "one()[2]");
    Reports.writePassed(after, "a.FooTest", "left", "right");

    assertThat(renamed("a.FooTest.one -> a.FooTest.left").exitCode()).isEqualTo(1);
    assertThat(
            renamed(
                    "a.FooTest.one -> a.FooTest.left  # its first value",
                    "a.FooTest.one -> a.FooTest.right")
                .exitCode())
        .isZero();
  }

  @Test
  void oneInvocationMayBeRenamed() {
    Reports.writePassed(before, "a.FooTest", "one()[1]", "one()[2]");
    Reports.writePassed(after, "a.FooTest", "left");

    assertThat(renamed("a.FooTest.one[2] -> a.FooTest.left").lines())
        .containsSequence("missing after: 1", "  core  a.FooTest.one[1]");
  }

  @Test
  void aClassMayMoveToAnotherModule() {
    Reports.writePassed(before, "a.FooTest", "one");
    Reports.writePassed(
        directory.resolve("after/store/target/surefire-reports"), "a.FooTest", "one");

    assertThat(renamed("a.FooTest -> a.FooTest").exitCode()).isEqualTo(1);
    assertThat(renamed("core:a.FooTest -> store:a.FooTest").exitCode()).isZero();
  }

  @Test
  void crashTestsAreCompared() {
    Reports.writePassed(before, "a.FooTest", "one");
    Reports.writePassed(after, "a.FooTest", "one");
    writeCrashes("before/target", suite("a", 10, 5), suite("b", 1, 1));
    // A suite in two files has the larger value of both, not their sum.
    writeCrashes("after/target", suite("a", 10, 3), suite("b", 1, 1));
    writeCrashes("after/core/target", suite("a", 4, 2));

    Result result = compare();

    assertThat(result.lines())
        .containsSequence("  crash tests    before  after", "  suites              2      2")
        .contains("  states             11     11", "  chains KP           6      4  smaller");
    assertThat(result.exitCode()).isEqualTo(1);
  }

  @Test
  void asManyCrashesAreEnough() {
    Reports.writePassed(before, "a.FooTest", "one");
    Reports.writePassed(after, "a.FooTest", "one");
    writeCrashes("before/target", suite("a", 10, 5));
    writeCrashes("after/target", suite("b \\\"quick\\\"", 12, 5));

    Result result = compare();

    assertThat(result.lines()).containsSequence("crash suites missing after: 1", "  a");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void aRunWithoutCrashTestsHasFewer() {
    Reports.writePassed(before, "a.FooTest", "one");
    Reports.writePassed(after, "a.FooTest", "one");
    writeCrashes("before/target", suite("a", 10, 5));

    assertThat(compare().exitCode()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{\"suites\": 3}", "{\"suites\": {\"a\": 1}}", "{} {}"})
  void otherFilesAreNoCrashReports(String text) {
    Reports.writePassed(before, "a.FooTest", "one");
    Reports.writePassed(after, "a.FooTest", "one");
    Reports.writeFile(directory.resolve("after/target/crash-report.json"), text);

    Result result = compare();

    assertThat(result.text()).contains("is no crash report");
    assertThat(result.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {".", ". no-such-directory", "--renamed", ". . --renamed", "--x . ."})
  void wrongArgumentsAreRefused(String arguments) {
    assertThat(
            Reports.run(out -> TestIdentities.run(List.of(arguments.split(" ", -1)), out))
                .exitCode())
        .isEqualTo(2);
  }

  @Test
  void aRunWithoutTestsIsRefused() {
    Reports.writePassed(before, "a.FooTest", "one");
    Reports.writePassed(after, "a.FooTest");

    Result result = compare();

    assertThat(result.text()).contains("no test ran in AFTER");
    assertThat(result.exitCode()).isEqualTo(2);
  }

  private static String suite(String name, int states, int chains) {
    return String.format(
        Locale.ROOT,
        """
    "%s": {
      "states": %d,
      "mutants": 0,
      "seconds": 4.9,
      "chains": {"KP": %d}
    }""",
        name,
        states,
        chains);
  }

  private void writeCrashes(String parent, String... suites) {
    Reports.writeFile(
        directory.resolve(parent).resolve("crash-report.json"),
        String.format(
            Locale.ROOT,
            "{\n\"states\": 7,\n\"suites\": {\n%s\n}\n}\n",
            String.join(",\n", suites)));
  }

  private Result renamed(String... lines) {
    Path file =
        Reports.writeFile(directory.resolve("renamed.txt"), String.join("\n", lines) + "\n");
    return compare("--renamed", file.toString());
  }

  private Result compare(String... more) {
    var arguments = new ArrayList<String>();
    Stream.of("before", "after")
        .map(directory::resolve)
        .map(Path::toString)
        .forEach(arguments::add);
    arguments.addAll(List.of(more));
    return Reports.run(out -> TestIdentities.run(arguments, out));
  }
}
