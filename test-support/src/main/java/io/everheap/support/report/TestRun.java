package io.everheap.support.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The tests of one run, which may have left reports in several directories.
 *
 * <p>A test that ran in several reports, such as in two executions of Surefire, has the sum of its
 * runs. A report that lies in two of the directories is read once. A failure or a skip of a class
 * as a whole names no test and is ignored.
 *
 * <p>If the reports of one class lie in several directories, a test whose name has no index is
 * numbered in each of them from 1.
 */
final class TestRun {
  private static final String CRASH_REPORT = "crash-report.json";

  /** The names that Surefire gives to a failure before or after all tests of a class. */
  private static final Set<String> OF_CLASS = Set.of("", "initializationError", "executionError");

  private final Map<TestIdentity, Integer> ran = new TreeMap<>();
  private final Map<TestIdentity, Integer> skipped = new TreeMap<>();

  private final Map<TestIdentity, Integer> runsOfMethods = new HashMap<>();
  private final CrashTotals crashes = new CrashTotals();

  static TestRun read(List<Path> directories) throws WrongArguments, IOException {
    var run = new TestRun();
    Set<Path> seen = new HashSet<>();
    for (Path argument : directories) {
      if (!Files.isDirectory(argument)) {
        throw new WrongArguments("no directory: " + argument);
      }
      Path directory = argument.toRealPath();
      List<Path> files;
      try (Stream<Path> walk = Files.walk(directory)) {
        files = walk.filter(Files::isRegularFile).sorted().toList();
      }
      for (Path file : files) {
        if (SurefireReport.isReport(file) && seen.add(file)) {
          run.add(ModuleName.of(directory, file), SurefireReport.read(file));
        } else if (file.endsWith(CRASH_REPORT) && seen.add(file)) {
          run.crashes.add(file);
        }
      }
    }
    return run;
  }

  private void add(String module, SurefireReport report) {
    Map<TestIdentity, Integer> unnumberedRuns = new HashMap<>();
    Map<TestIdentity, Integer> unnumberedSkips = new HashMap<>();
    for (TestCase testCase : report.cases()) {
      if (OF_CLASS.contains(testCase.name())) {
        continue;
      }
      TestName name = TestName.of(testCase.name());
      var identity = new TestIdentity(module, testCase.className(), name.method(), name.index());
      if (testCase.outcome() == TestCase.Outcome.SKIPPED) {
        skipped.merge(numbered(identity, unnumberedSkips), 1, Integer::sum);
      } else {
        ran.merge(numbered(identity, unnumberedRuns), 1, Integer::sum);
        runsOfMethods.merge(identity.ofMethod(), 1, Integer::sum);
      }
    }
  }

  private static TestIdentity numbered(TestIdentity identity, Map<TestIdentity, Integer> seen) {
    if (!identity.index().isEmpty()) {
      return identity;
    }
    int number = seen.merge(identity, 1, Integer::sum);
    return number == 1
        ? identity
        : new TestIdentity(
            identity.module(), identity.className(), identity.method(), "#" + number);
  }

  /** Returns how often each test passed or failed, sorted. */
  Map<TestIdentity, Integer> ran() {
    return ran;
  }

  /** Returns how often each test was skipped, sorted. */
  Map<TestIdentity, Integer> skipped() {
    return skipped;
  }

  /** Returns whether a test, or its method with all invocations, was skipped. */
  boolean isSkipped(TestIdentity test) {
    return skipped.containsKey(test) || skipped.containsKey(test.ofMethod());
  }

  int runs(TestIdentity identity) {
    return ran.getOrDefault(identity, 0);
  }

  /** Returns how often all invocations of a method ran. */
  int runsOfMethod(TestIdentity method) {
    return runsOfMethods.getOrDefault(method, 0);
  }

  CrashTotals crashes() {
    return crashes;
  }
}
