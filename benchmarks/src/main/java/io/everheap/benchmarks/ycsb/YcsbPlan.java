package io.everheap.benchmarks.ycsb;

import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.store.Peer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link YcsbPart} runs.
 *
 * @param prefix of the names of its cases
 * @param shapes what is loaded
 * @param workloads what runs, in this order
 * @param threads client threads, one number after the other
 * @param levels the levels of durability
 * @param distribution of requests in place of the workloads' own; empty for those
 * @param millis how long a workload runs
 * @param heap the Java heap of the measured process
 * @param limit of its memory with that of its files, or {@code null}
 * @param structures whether this library's other structures also run without being named
 * @param peers what runs; {@code null} for those of {@link io.everheap.benchmarks.store.Peers} that
 *     were asked for
 */
record YcsbPlan(
    String prefix,
    List<RecordShape> shapes,
    List<WorkloadMix> workloads,
    List<Integer> threads,
    Set<Level> levels,
    String distribution,
    long millis,
    String heap,
    @Nullable String limit,
    boolean structures,
    @Nullable List<Peer> peers) {

  /** The name of a case: what is done to records of a shape. */
  String caseName(String what, RecordShape shape) {
    String limited = limit == null ? "" : "-in-" + limit;
    return prefix + what + "-" + shape + limited;
  }
}
