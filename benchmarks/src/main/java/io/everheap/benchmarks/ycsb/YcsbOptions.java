package io.everheap.benchmarks.ycsb;

import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.store.ClientOptions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code ycsb}. */
final class YcsbOptions {
  @Mixin private RecordOptions common = new RecordOptions();

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

  /** What is to be run. */
  YcsbPlan plan(boolean quick) {
    ClientOptions client = common.client();
    return new YcsbPlan(
        "",
        shapes(common.records(List.of(quick ? 10_000L : 200_000L))),
        workloads(quick),
        client.threads(quick ? List.of(2) : List.of(1, 2)),
        levels,
        distribution,
        client.millis(quick ? 400 : 5000),
        client.heap(quick ? "1g" : "4g"),
        common.limit(),
        true,
        null);
  }

  private List<RecordShape> shapes(List<Long> counts) {
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
