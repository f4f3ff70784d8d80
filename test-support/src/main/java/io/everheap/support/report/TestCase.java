package io.everheap.support.report;

/**
 * One test case of a report.
 *
 * @param className the binary name of the class that declares or inherits the test
 * @param name the name as Surefire wrote it; empty if the class failed or was skipped as a whole
 * @param seconds the duration
 * @param outcome the outcome; a test that passed when it was repeated has passed
 * @param message the first line of the failure's message or of the reason of a skip; may be empty
 */
record TestCase(String className, String name, double seconds, Outcome outcome, String message) {

  enum Outcome {
    PASSED,
    FAILED,
    SKIPPED
  }

  /** Returns the class and the test, as a reader looks for them. */
  String fullName() {
    return name.isEmpty() ? className : className + "." + name;
  }
}
