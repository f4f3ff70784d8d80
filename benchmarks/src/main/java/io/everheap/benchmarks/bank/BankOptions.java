package io.everheap.benchmarks.bank;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What can be chosen on the command line. */
final class BankOptions {
  private static final long ACCOUNTS = 10_000_000;
  private static final long ACCOUNTS_QUICK = 100_000;
  private static final int SECONDS = 20;
  private static final int SECONDS_QUICK = 1;

  @Option(
      names = "--accounts",
      paramLabel = "N",
      description = "How many accounts the bank has (10000000; quick: 100000).")
  private @Nullable Long accounts;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "2",
      description = "How many threads make transfers (${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long transfers are made before the kill, and after it (20; quick: 1).")
  private @Nullable Integer seconds;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "The Java heap of the process that is measured (6g; quick: 1g).")
  private @Nullable String heap;

  long accounts(boolean quick) {
    return accounts != null ? accounts : quick ? ACCOUNTS_QUICK : ACCOUNTS;
  }

  int threads() {
    return threads;
  }

  int seconds(boolean quick) {
    return seconds != null ? seconds : quick ? SECONDS_QUICK : SECONDS;
  }

  String heap(boolean quick) {
    return heap != null ? heap : quick ? "1g" : "6g";
  }
}
