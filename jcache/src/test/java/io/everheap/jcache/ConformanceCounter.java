package io.everheap.jcache;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Begins the conformance suite without caches, and writes down how many tests of each of its
 * classes had which result.
 */
public class ConformanceCounter implements TestExecutionListener {
  private final ConcurrentMap<String, Integer> counts = new ConcurrentHashMap<>();

  /** Removes what an interrupted run left: the suite expects caches that it creates to be empty. */
  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    String caches = System.getProperty("everheap.directory");
    if (caches == null || !Files.exists(Path.of(caches))) {
      return;
    }
    try (Stream<Path> left = Files.walk(Path.of(caches))) {
      for (Path each : left.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

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
    if (test.isTest() && (name.startsWith("org.jsr107.") || name.startsWith("javax.cache."))) {
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
