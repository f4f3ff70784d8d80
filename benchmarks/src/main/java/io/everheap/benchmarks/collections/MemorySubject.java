package io.everheap.benchmarks.collections;

import io.everheap.benchmarks.harness.Subject;
import io.everheap.benchmarks.harness.Threads;
import java.util.Map;

/** The least that a scan can cost: keys and values as longs, one behind the other, added up. */
public final class MemorySubject implements Subject {
  private long[] words = new long[0];
  private long sum;

  @Override
  public void open(Map<String, String> parameters) {
    words = new long[2 * Integer.parseInt(parameters.getOrDefault("entries", "1"))];
    for (int i = 0; i < words.length; i++) {
      words[i] = i;
    }
  }

  @Override
  public Map<String, Double> measure(String[] request) throws InterruptedException {
    Threads.Done done =
        Threads.run(Thread.ofPlatform().factory(), 1, Long.parseLong(request[1]), i -> this::scan);
    return Map.of("ns", done.seconds() * 1e9 / done.operations());
  }

  private long scan() {
    long found = 0;
    for (long word : words) {
      found += word;
    }
    sum += found;
    return words.length / 2;
  }

  @Override
  public void close() {
    if (sum == 0) {
      throw new IllegalStateException("nothing was added");
    }
  }
}
