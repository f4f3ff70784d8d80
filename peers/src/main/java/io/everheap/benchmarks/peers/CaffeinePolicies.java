package io.everheap.benchmarks.peers;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.simulator.policy.AccessEvent;
import com.github.benmanes.caffeine.cache.simulator.policy.Policy;
import com.github.benmanes.caffeine.cache.simulator.policy.linked.SievePolicy;
import com.github.benmanes.caffeine.cache.simulator.policy.sketch.climbing.HillClimberWindowTinyLfuPolicy;
import com.github.benmanes.caffeine.cache.simulator.policy.two_queue.S3FifoPolicy;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.everheap.benchmarks.cache.Trace;
import io.everheap.benchmarks.cache.TracePolicies;
import java.util.List;
import java.util.Locale;

/** Caffeine itself, and policies of its simulator. */
public final class CaffeinePolicies implements TracePolicies {
  private static final String CAFFEINE = "caffeine";
  private static final String TINY_LFU = "simulator-w-tiny-lfu";
  private static final String S3_FIFO = "simulator-s3-fifo";
  private static final String SIEVE = "simulator-sieve";

  /** Makes the policies. */
  public CaffeinePolicies() {}

  @Override
  public List<String> names() {
    return List.of(CAFFEINE, TINY_LFU, S3_FIFO, SIEVE);
  }

  @Override
  public double hitPercent(String policy, Trace trace) {
    if (policy.equals(CAFFEINE)) {
      return caffeine(trace);
    }
    return trace.weighted() ? Double.NaN : simulator(policy, trace);
  }

  private static double caffeine(Trace trace) {
    Cache<Integer, Integer> cache =
        Caffeine.newBuilder()
            .executor(Runnable::run)
            .maximumWeight(trace.capacity())
            .weigher((Integer key, Integer weight) -> weight)
            .build();
    int hits = 0;
    for (int key : trace.keys()) {
      if (cache.getIfPresent(key) != null) {
        hits++;
      } else {
        cache.put(key, trace.weight(key));
      }
    }
    return 100.0 * hits / trace.keys().length;
  }

  private static double simulator(String name, Trace trace) {
    Config config =
        ConfigFactory.parseString(
                String.format(Locale.ROOT, "maximum-size = %d, hill-climber-window-tiny-lfu.strategy = [simple]", trace.capacity()))
            .withFallback(ConfigFactory.load().getConfig("caffeine.simulator"));
    Policy policy =
        switch (name) {
          case TINY_LFU -> HillClimberWindowTinyLfuPolicy.policies(config).iterator().next();
          case S3_FIFO -> new S3FifoPolicy(config);
          case SIEVE -> new SievePolicy(config);
          default -> throw new IllegalArgumentException(name);
        };
    for (int key : trace.keys()) {
      policy.record(AccessEvent.forKey(key));
    }
    policy.finished();
    return 100 * policy.stats().hitRate();
  }
}
