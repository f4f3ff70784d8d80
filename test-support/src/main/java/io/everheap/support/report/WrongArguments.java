package io.everheap.support.report;

/** The command line, or a file that it names, is wrong. The message says how. */
final class WrongArguments extends Exception {
  private static final long serialVersionUID = 1;

  WrongArguments(String message) {
    super(message);
  }
}
