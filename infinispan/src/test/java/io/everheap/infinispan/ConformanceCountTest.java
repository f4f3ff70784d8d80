package io.everheap.infinispan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/**
 * Counts what ran of Infinispan's own tests, after them: the engine that runs them says nothing of
 * a class whose tests it does not find.
 */
class ConformanceCountTest {
  private static final int STORE = 18; // of BaseNonBlockingStoreTest, for four shapes of the store
  private static final int FUNCTIONAL = 12; // of BaseStoreFunctionalTest, likewise
  private static final int ITERATION = 4;
  private static final int CROSS_SITE = 2;
  private static final int SEVERAL_CACHES = 2;
  private static final int COMPATIBILITY = 2;

  @Test
  void allTestsOfTheSuiteRanAndSucceeded() throws IOException {
    assumeTrue(System.getProperty("test") == null, "tests that were chosen by their names");
    Path file = Path.of(System.getProperty("everheap.conformance.results"));
    var results = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      results.load(in);
    }
    Files.delete(file); // the next count is that of the next run
    assertThat(results.stringPropertyNames()).allMatch(name -> name.endsWith(".SUCCESSFUL"));
    assertThat(count(results))
        .isEqualTo(
            4 * STORE + 4 * FUNCTIONAL + ITERATION + CROSS_SITE + SEVERAL_CACHES + COMPATIBILITY);
  }

  private static int count(Properties results) {
    return results.stringPropertyNames().stream()
        .mapToInt(name -> Integer.parseInt(results.getProperty(name)))
        .sum();
  }
}
