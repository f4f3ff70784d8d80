package io.everheap.support.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SurefireReportTest {
  @TempDir Path directory;

  @Test
  void timesMayHaveSeparatorsOfThousands() throws IOException {
    SurefireReport report = read(Reports.passed("a.FooTest", "one", "1,234.5"), "0.1");

    assertThat(report.seconds()).isEqualTo(1234.5);
    assertThat(report.cases().getFirst().seconds()).isEqualTo(1234.5);
  }

  @Test
  void theTimeOfTheSuiteCountsIfItIsLongerThanItsTests() throws IOException {
    assertThat(read(Reports.passed("a.FooTest", "one", "1"), "2,000").seconds()).isEqualTo(2000);
  }

  @Test
  void aClassWithoutPackageGetsThatOfItsSuite() throws IOException {
    assertThat(read(Reports.passed("FooTest", "one", "1"), "1").cases().getFirst().className())
        .isEqualTo("a.FooTest");
  }

  @Test
  void theMessageIsTheFirstLineThatIsNotEmpty() throws IOException {
    TestCase failure = only(Reports.failed("a.FooTest", "one", "&#10; a &lt; b&#10;second"));

    assertThat(failure.outcome()).isEqualTo(TestCase.Outcome.FAILED);
    assertThat(failure.message()).isEqualTo("a < b");
  }

  @ParameterizedTest
  @CsvSource({
    "'a.Abort: no DAX', no DAX",
    "'a.Abort: \nno DAX\nsecond', no DAX",
    "'a.Abort\n\tat a.FooTest', a.Abort"
  })
  void theReasonOfAnAssumptionIsTakenFromItsTrace(String trace, String reason) throws IOException {
    TestCase skip =
        only(
            Reports.testCase(
                "a.FooTest",
                "one",
                "0",
                String.format(
                    Locale.ROOT, "<skipped type=\"a.Abort\"><![CDATA[%s]]></skipped>", trace)));

    assertThat(skip.outcome()).isEqualTo(TestCase.Outcome.SKIPPED);
    assertThat(skip.message()).isEqualTo(reason);
  }

  @Test
  void aTestThatPassedInTheEndHasPassed() throws IOException {
    String flaky = "<flakyFailure message=\"m\"><stackTrace>t</stackTrace></flakyFailure>";

    assertThat(only(Reports.testCase("a.FooTest", "one", "1", flaky)).outcome())
        .isEqualTo(TestCase.Outcome.PASSED);
  }

  @Test
  void aFailureOfTheClassHasNoName() throws IOException {
    assertThat(only(Reports.failed("a.FooTest", "a.FooTest", "setup")).fullName())
        .isEqualTo("a.FooTest");
  }

  @Test
  void aReportThatEndsEarlyIsRefused() {
    Path file = Reports.writeFile(directory.resolve("TEST-a.xml"), "<testsuite name=\"a\"><testc");

    assertThatThrownBy(() -> SurefireReport.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no complete report");
  }

  private TestCase only(String testCase) throws IOException {
    return read(testCase, "1").cases().getFirst();
  }

  private SurefireReport read(String testCase, String seconds) throws IOException {
    return SurefireReport.read(Reports.write(directory, "a.FooTest", seconds, testCase));
  }
}
