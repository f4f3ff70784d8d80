package io.everheap.support.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The tests of one module, summed over all its reports. */
final class ModuleTests {
  private final String module;
  private final Map<String, Double> secondsOfClasses = new TreeMap<>();
  private final List<TestCase> failures = new ArrayList<>();
  private final List<TestCase> skips = new ArrayList<>();
  private int tests;

  ModuleTests(String module) {
    this.module = module;
  }

  void add(SurefireReport report) {
    if (report.cases().isEmpty()) {
      return;
    }
    secondsOfClasses.merge(report.suite(), report.seconds(), Double::sum);
    report.cases().forEach(this::add);
  }

  /** Counts one test case; also a report that cannot be read is added as one that failed. */
  void add(TestCase testCase) {
    tests++;
    switch (testCase.outcome()) {
      case FAILED -> failures.add(testCase);
      case SKIPPED -> skips.add(testCase);
      case PASSED -> {}
    }
  }

  String module() {
    return module;
  }

  /** Returns the duration of each class; a class with several reports has the sum of theirs. */
  Map<String, Double> secondsOfClasses() {
    return secondsOfClasses;
  }

  List<TestCase> failures() {
    return failures;
  }

  List<TestCase> skips() {
    return skips;
  }

  int tests() {
    return tests;
  }

  int passed() {
    return tests - failures.size() - skips.size();
  }

  double seconds() {
    return secondsOfClasses.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
