package io.everheap.benchmarks.cache;

import io.everheap.benchmarks.result.Case;
import io.everheap.cache.policy.Lru;
import io.everheap.cache.policy.Policy;
import io.everheap.cache.policy.S3Fifo;
import io.everheap.cache.policy.TinyLfu;
import java.util.List;

/** The policies of this library's cache, and the optimum. */
final class OwnPolicies implements TracePolicies {
  /** The policy of a cache that names none. */
  static final String DEFAULT = Case.EVERHEAP + "-s3-fifo";

  private static final String TINY_LFU = Case.EVERHEAP + "-w-tiny-lfu";
  private static final String LRU = Case.EVERHEAP + "-lru";
  private static final String OPTIMUM = "optimum";

  @Override
  public List<String> names() {
    return List.of(DEFAULT, TINY_LFU, LRU, OPTIMUM);
  }

  @Override
  public double hitPercent(String policy, Trace trace) {
    return policy.equals(OPTIMUM)
        ? Optimum.hitPercent(trace)
        : new Simulation(
                trace,
                entries ->
                    switch (policy) {
                      case DEFAULT -> new S3Fifo(entries, trace.capacity());
                      case TINY_LFU -> new TinyLfu(entries, trace.capacity());
                      case LRU -> lru(entries);
                      default -> throw new IllegalArgumentException(policy);
                    })
            .hitPercent();
  }

  private static Policy lru(Policy.Entries entries) {
    return new Lru(entries);
  }
}
