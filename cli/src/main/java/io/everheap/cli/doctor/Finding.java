package io.everheap.cli.doctor;

/**
 * One thing that was looked at.
 *
 * @param name what
 * @param verdict whether a heap can keep its promises with it
 * @param detail what was found
 * @param advice what to do; empty if nothing
 */
public record Finding(String name, Verdict verdict, String detail, String advice) {
  /** What a finding means. */
  public enum Verdict {
    /** Nothing to do. */
    OK,
    /** The promises depend on something that a program cannot see, or cost more than they need. */
    WARNING,
    /** A promise is not kept here, or a heap does not open. */
    PROBLEM
  }

  static Finding ok(String name, String detail) {
    return new Finding(name, Verdict.OK, detail, "");
  }

  static Finding warning(String name, String detail, String advice) {
    return new Finding(name, Verdict.WARNING, detail, advice);
  }

  static Finding problem(String name, String detail, String advice) {
    return new Finding(name, Verdict.PROBLEM, detail, advice);
  }
}
