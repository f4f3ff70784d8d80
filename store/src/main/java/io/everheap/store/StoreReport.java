package io.everheap.store;

import io.everheap.report.VerifyReport;
import io.everheap.stability.Stable;
import java.util.List;

/**
 * The result of {@link ShardedStore#verify}.
 *
 * @param heaps the report of each shard
 * @param problems of the store as a whole, such as a key in a shard where it does not belong
 * @param entries of its maps; those that move to another shard meanwhile may count twice or not
 * @since 0.9
 */
@Stable
public record StoreReport(List<VerifyReport> heaps, List<String> problems, long entries) {
  /** Copies the lists. */
  public StoreReport {
    heaps = List.copyOf(heaps);
    problems = List.copyOf(problems);
  }

  /** Whether there is no problem in any shard and none between them. */
  public boolean ok() {
    return problems.isEmpty() && heaps.stream().allMatch(VerifyReport::ok);
  }
}
