package io.everheap.benchmarks.ycsb;

import io.everheap.benchmarks.bank.BankPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code infinispan}. */
final class InfinispanOptions {
  @Option(
      names = "--records",
      paramLabel = "N",
      description = "How many records (200000; quick: 20000).")
  private @Nullable Long records;

  @Option(
      names = "--accounts",
      paramLabel = "N",
      description = "How many accounts the bank has (10000000; quick: 100000).")
  private @Nullable Long accounts;

  @Option(
      names = "--workloads",
      paramLabel = "LETTERS",
      defaultValue = "ABCFD",
      description = "Which of the core workloads, in this order (${DEFAULT-VALUE}).")
  private String workloads = "ABCFD";

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,2",
      description = "Client threads, one number after the other (${DEFAULT-VALUE}).")
  private List<Integer> threads = List.of(1, 2);

  @Option(
      names = "--millis",
      paramLabel = "N",
      description = "How long a workload runs (5000; quick: 1000).")
  private @Nullable Long millis;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "2g",
      description = "The Java heap of a measured process (${DEFAULT-VALUE}).")
  private String heap = "2g";

  long records(boolean quick) {
    return records != null ? records : quick ? 20_000 : 200_000;
  }

  List<WorkloadMix> workloads() {
    return workloads.chars().mapToObj(c -> WorkloadMix.valueOf(Character.toString(c))).toList();
  }

  List<Integer> threads() {
    return threads;
  }

  long millis(boolean quick) {
    return millis != null ? millis : quick ? 1000 : 5000;
  }

  BankPlan bank(boolean quick) {
    return new BankPlan(
        "bank/",
        accounts != null ? accounts : quick ? 100_000 : 10_000_000,
        threads.getLast(),
        quick ? 1000 : 10_000,
        quick ? "1g" : "6g");
  }

  String heap() {
    return heap;
  }
}
