package io.everheap.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs one JMH benchmark in one fork, so that the caller can interleave benchmarks: a round is one
 * fork of each, and the spread of the rounds includes what differs between forks.
 *
 * @param warmups how many warm-up iterations a fork has
 * @param millis how long an iteration takes
 * @param logs the directory for JMH's output
 */
public record Jmh(int warmups, int millis, Path logs) {
  /**
   * Runs a benchmark.
   *
   * @param benchmark its class
   * @param method its method
   * @param parameters of its state, by name
   * @return its score in its own unit
   * @throws IOException if it fails
   */
  public double run(Class<?> benchmark, String method, Map<String, String> parameters)
      throws IOException {
    return run(benchmark, method, parameters, options -> {}).getPrimaryResult().getScore();
  }

  /**
   * Finds what a benchmark allocates in the Java heap.
   *
   * @param benchmark its class
   * @param method its method
   * @param parameters of its state, by name
   * @return bytes of one operation
   * @throws IOException if it fails
   */
  @SuppressWarnings("rawtypes") // JMH's
  public double allocation(Class<?> benchmark, String method, Map<String, String> parameters)
      throws IOException {
    var results =
        run(benchmark, method, parameters, options -> options.addProfiler(GCProfiler.class))
            .getSecondaryResults();
    for (var each : results.entrySet()) {
      if (each.getKey().endsWith("gc.alloc.rate.norm")) {
        return each.getValue().getScore();
      }
    }
    throw new IOException("JMH did not report allocations, only " + results.keySet());
  }

  private RunResult run(
      Class<?> benchmark,
      String method,
      Map<String, String> parameters,
      Consumer<ChainedOptionsBuilder> more)
      throws IOException {
    Path log = logs.resolve(benchmark.getSimpleName() + "-" + method + ".log");
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(benchmark.getName() + "." + method) + "$")
            .forks(1)
            .warmupForks(0)
            .warmupIterations(warmups)
            .warmupTime(TimeValue.milliseconds(millis))
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(millis))
            .jvm(Java.executable())
            .jvmArgs(Java.options().toArray(String[]::new))
            .shouldFailOnError(true)
            .output(log.toString());
    parameters.forEach((name, value) -> options.param(name, value));
    more.accept(options);
    try {
      return new Runner(options.build()).runSingle();
    } catch (RunnerException e) {
      throw new IOException("JMH failed: " + e.getMessage() + " (more in " + log + ")", e);
    }
  }
}
