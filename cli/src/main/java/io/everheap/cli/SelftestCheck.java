package io.everheap.cli;

/**
 * One line of a self-test.
 *
 * @param name what was tried
 * @param verdict the outcome
 * @param detail in words
 */
record SelftestCheck(String name, Verdict verdict, String detail) {
  /** The outcome of a check. */
  enum Verdict {
    PASSED,
    FAILED,
    /** Nothing was tried; this is what was found, or why not. */
    NOTE
  }

  static SelftestCheck of(String name, boolean passed, String detail) {
    return new SelftestCheck(name, passed ? Verdict.PASSED : Verdict.FAILED, detail);
  }

  static SelftestCheck note(String name, String detail) {
    return new SelftestCheck(name, Verdict.NOTE, detail);
  }
}
