package io.everheap.benchmarks.ycsb;

import io.everheap.benchmarks.result.Level;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What can be chosen on the command line. */
final class YcsbOptions {
  private static final int QUICK_RECORDS = 10_000;
  private static final int QUICK_MILLIS = 400;

  @Option(
      names = "--records",
      split = ",",
      paramLabel = "N",
      description = "Numbers of records to load (200000; quick: 10000).")
  private List<Long> records = List.of();

  @Option(
      names = "--fields",
      split = ",",
      paramLabel = "N",
      defaultValue = "10",
      description = "Numbers of fields of a record (${DEFAULT-VALUE}).")
  private List<Integer> fields = List.of();

  @Option(
      names = "--field-bytes",
      split = ",",
      paramLabel = "N",
      defaultValue = "100",
      description = "Sizes of a field (${DEFAULT-VALUE}).")
  private List<Integer> fieldBytes = List.of();

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      description = "Numbers of client threads (1,2; quick: 2).")
  private List<Integer> threads = List.of();

  @Option(
      names = "--workloads",
      paramLabel = "LETTERS",
      description = "Which of the core workloads, in this order (ABCFDE; quick: ACF).")
  private @Nullable String workloads;

  @Option(
      names = "--levels",
      split = ",",
      paramLabel = "LEVEL",
      defaultValue = "V,P,S",
      description = "Which levels of durability (${DEFAULT-VALUE}).")
  private Set<Level> levels = EnumSet.allOf(Level.class);

  @Option(
      names = "--distribution",
      paramLabel = "NAME",
      defaultValue = "",
      description = "zipfian or uniform requests in place of a workload's own; D keeps latest.")
  private String distribution = "";

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description = "How long a workload runs, after half as long to warm up (${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "The Java heap of the process that is measured (4g; quick: 1g).")
  private @Nullable String heap;

  @Option(
      names = "--limit",
      paramLabel = "SIZE",
      description =
          "Memory of the process that is measured, files included, by a control group: such as"
              + " 512M, with a smaller --heap.")
  private @Nullable String limit;

  /** What is to be run. */
  YcsbPlan plan(boolean quick) {
    return new YcsbPlan(
        "",
        shapes(quick),
        workloads(quick),
        !threads.isEmpty() ? threads : quick ? List.of(2) : List.of(1, 2),
        levels,
        distribution,
        quick ? QUICK_MILLIS : Math.round(seconds * 1e3),
        heap != null ? heap : quick ? "1g" : "4g",
        limit,
        true);
  }

  private List<RecordShape> shapes(boolean quick) {
    List<Long> counts = records;
    if (counts.isEmpty()) {
      counts = List.of(quick ? QUICK_RECORDS : 200_000L);
    }
    List<RecordShape> shapes = new ArrayList<>();
    for (long count : counts) {
      for (int number : fields) {
        for (int bytes : fieldBytes) {
          shapes.add(new RecordShape(count, number, bytes));
        }
      }
    }
    return shapes;
  }

  private List<WorkloadMix> workloads(boolean quick) {
    String letters = workloads != null ? workloads : quick ? "ACF" : "ABCFDE";
    return letters.chars().mapToObj(c -> WorkloadMix.valueOf(Character.toString(c))).toList();
  }
}
