package io.everheap.benchmarks.bank;

import io.everheap.benchmarks.store.ClientOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code recovery}. */
final class BankOptions {
  @Mixin private ClientOptions client = new ClientOptions();

  @Option(
      names = "--accounts",
      paramLabel = "N",
      description = "How many accounts the bank has (10000000; quick: 100000).")
  private @Nullable Long accounts;

  BankPlan plan(boolean quick) {
    List<Integer> threads = client.threads(List.of(2));
    if (threads.size() != 1) {
      throw new IllegalArgumentException("recovery takes one number of threads, not " + threads);
    }
    return new BankPlan(
        "",
        accounts != null ? accounts : quick ? 100_000 : 10_000_000,
        threads.getFirst(),
        client.millis(quick ? 1000 : 20_000),
        client.heap(quick ? "1g" : "6g"));
  }
}
