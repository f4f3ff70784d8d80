package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.harness.Subject;
import java.nio.file.Path;
import java.util.Map;

/** Tries whether LLPL works here, in a JVM of its own, as its native part may be missing. */
public final class LlplProbe implements Subject {
  @Override
  public void open(Map<String, String> parameters) throws Exception {
    new LlplHeap(Path.of(parameters.getOrDefault("directory", ""))).close();
  }

  @Override
  public Map<String, Double> measure(String[] request) {
    return Map.of();
  }

  @Override
  public void close() {}
}
