package io.everheap.infinispan;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Writes down how many tests of each class of the conformance suite had which result. */
public class ConformanceCounter implements TestExecutionListener {
  private static final String SUITE = ConformanceCounter.class.getPackageName() + ".conformance.";

  private final ConcurrentMap<String, Integer> counts = new ConcurrentHashMap<>();

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    count(test, result.getStatus().toString());
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    count(test, "SKIPPED");
  }

  private void count(TestIdentifier test, String how) {
    String name =
        switch (test.getSource().orElse(null)) {
          case MethodSource method -> method.getClassName() + "." + how;
          case ClassSource type -> type.getClassName() + "." + how;
          case null, default -> "";
        };
    if (test.isTest() && name.startsWith(SUITE)) {
      counts.merge(name, 1, Integer::sum);
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    String file = System.getProperty("everheap.conformance.results");
    if (file == null || counts.isEmpty()) {
      return;
    }
    var results = new Properties();
    counts.forEach((name, count) -> results.setProperty(name, count.toString()));
    try (OutputStream out = Files.newOutputStream(Path.of(file))) {
      results.store(out, "Tests of the conformance suite, by class and result");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
