package io.everheap.benchmarks.ycsb;

import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.store.MemoryLimit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code scaling}. */
final class ScalingOptions {
  private static final List<String> ALL =
      List.of("records", "values", "threads", "transactions", "memory");
  private static final List<WorkloadMix> READS_AND_UPDATES = List.of(WorkloadMix.C, WorkloadMix.A);
  private static final Set<Level> CEILING_AND_P = Set.of(Level.V, Level.P);

  @Mixin private RecordOptions common = new RecordOptions();

  @Option(
      names = "--parts",
      split = ",",
      paramLabel = "PART",
      description =
          "Which of records, values, threads, transactions, memory (all; quick: records and"
              + " transactions).")
  private List<String> parts = List.of();

  @Option(
      names = "--values",
      split = ",",
      paramLabel = "BYTES",
      description = "Sizes of part values (1000,10000,100000,1000000; quick: 1000,100000).")
  private List<Integer> values = List.of();

  @Option(
      names = "--data",
      paramLabel = "BYTES",
      description = "All values of part values together (500000000; quick: 10000000).")
  private @Nullable Long data;

  @Option(
      names = "--transactions",
      split = ",",
      paramLabel = "N",
      description = "Records replaced by one transaction (1,10,100,1000,10000; quick: 1,100).")
  private List<Integer> transactions = List.of();

  boolean wants(String part, boolean quick) {
    return chosen(parts, quick, List.of("records", "transactions"), ALL).contains(part);
  }

  long millis(boolean quick) {
    return common.client().millis(quick ? 300 : 3000);
  }

  /** The Java heap of a process, unless the user gives another size. */
  String heap(String size) {
    return common.client().heap(size);
  }

  List<Integer> transactions(boolean quick) {
    return chosen(transactions, quick, List.of(1, 100), List.of(1, 10, 100, 1000, 10_000));
  }

  private static <T> List<T> chosen(List<T> given, boolean quick, List<T> few, List<T> all) {
    return !given.isEmpty() ? given : quick ? few : all;
  }

  /** Small records, and more and more of them. */
  YcsbPlan records(boolean quick) {
    List<Long> counts =
        common.records(
            quick ? List.of(1000L, 10_000L) : List.of(10_000L, 100_000L, 1_000_000L, 10_000_000L));
    List<RecordShape> shapes = counts.stream().map(n -> new RecordShape(n, 1, 100)).toList();
    return plan("records/", shapes, List.of(1), CEILING_AND_P, "4g", null, quick);
  }

  /** Larger and larger values, and as much data. */
  YcsbPlan values(boolean quick) {
    long all = data != null ? data : quick ? 10_000_000 : 500_000_000;
    List<RecordShape> shapes =
        chosen(values, quick, List.of(1000, 100_000), List.of(1000, 10_000, 100_000, 1_000_000))
            .stream()
            .map(size -> new RecordShape(Math.max(10, all / size), 1, size))
            .toList();
    return plan("values/", shapes, List.of(1), CEILING_AND_P, "4g", null, quick);
  }

  /** More and more threads on the same records. */
  YcsbPlan threads(boolean quick) {
    List<Integer> numbers =
        common.client().threads(quick ? List.of(1, 16) : List.of(1, 2, 4, 8, 16));
    List<RecordShape> shapes = List.of(new RecordShape(quick ? 10_000 : 200_000, 10, 100));
    return plan("threads/", shapes, numbers, Set.of(Level.values()), "4g", null, quick);
  }

  /** Four times as much data as memory, of which a quarter is Java's heap. */
  YcsbPlan memory(boolean quick) {
    String limit = common.limit() == null ? "512M" : common.limit();
    long bytes = MemoryLimit.bytes(limit);
    List<RecordShape> shapes = List.of(new RecordShape(4 * bytes / 1_000_000 * 1000, 10, 100));
    String heap = bytes / 4 / (1 << 20) + "m";
    return plan("memory/", shapes, List.of(2), Set.of(Level.P), heap, limit, quick);
  }

  private YcsbPlan plan(
      String prefix,
      List<RecordShape> shapes,
      List<Integer> numbers,
      Set<Level> levels,
      String heap,
      @Nullable String memory,
      boolean quick) {
    return new YcsbPlan(
        prefix,
        shapes,
        READS_AND_UPDATES,
        numbers,
        levels,
        "",
        millis(quick),
        heap(quick ? "1g" : heap),
        memory,
        false,
        null);
  }
}
