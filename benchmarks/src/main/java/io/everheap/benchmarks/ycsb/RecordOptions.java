package io.everheap.benchmarks.ycsb;

import io.everheap.benchmarks.store.ClientOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of experiments that load YCSB's records. */
final class RecordOptions {
  @Mixin private ClientOptions client = new ClientOptions();

  @Option(
      names = "--records",
      split = ",",
      paramLabel = "N",
      description =
          "Numbers of records to load (ycsb: 200000; quick: 10000. part records of scaling:"
              + " 10000,100000,1000000,10000000; quick: 1000,10000).")
  private List<Long> records = List.of();

  @Option(
      names = "--limit",
      paramLabel = "SIZE",
      description =
          "Memory of the process that is measured, with that of its files, by a control group, such"
              + " as 512M; needs root. ycsb: no limit unless given, and a smaller --heap with one."
              + " scaling: of part memory, whose data is four times as large; 512M.")
  private @Nullable String limit;

  ClientOptions client() {
    return client;
  }

  List<Long> records(List<Long> unlessGiven) {
    return records.isEmpty() ? unlessGiven : records;
  }

  @Nullable String limit() {
    return limit;
  }
}
