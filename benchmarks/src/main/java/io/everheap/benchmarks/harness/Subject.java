package io.everheap.benchmarks.harness;

import java.io.IOException;
import java.util.Map;

/**
 * The code that a {@link Worker} measures, in a JVM of its own. Has a public constructor without
 * parameters. One thread calls it.
 */
public interface Subject extends AutoCloseable {
  /**
   * Prepares everything that is not measured.
   *
   * @param parameters by name, as given when the worker was started
   * @throws Exception if that fails; the case is then reported as not run
   */
  void open(Map<String, String> parameters) throws Exception;

  /**
   * Measures once.
   *
   * @param request words that say what
   * @return values by name
   * @throws Exception if that fails
   */
  Map<String, Double> measure(String[] request) throws Exception;

  @Override
  void close() throws IOException;
}
