package io.everheap.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.Heap;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs tests of the library with their temporary files, and so their heaps, on persistent memory.
 * To be run in the virtual machine.
 */
public final class DaxTests {
  /** Properties with random inputs take fewer of them: the machine is slow. */
  private static final String TRIES = "20";

  private DaxTests() {}

  /**
   * Runs them; the exit code tells whether all passed.
   *
   * @param arguments names of packages, ending in {@code .*}, and of classes
   */
  public static void main(String[] arguments) throws Exception {
    Path temporary = Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir")));
    requireDax(temporary.resolve("probe"));
    var summary = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request(List.of(arguments)), summary, new Progress());
    TestExecutionSummary result = summary.getSummary();
    result.printFailuresTo(new PrintWriter(System.out, true, UTF_8), 40);
    System.out.printf(
        "DAX: %d tests passed, %d failed, %d skipped, %d aborted%n",
        result.getTestsSucceededCount(),
        result.getTotalFailureCount(),
        result.getTestsSkippedCount(),
        result.getTestsAbortedCount());
    boolean passed = result.getTotalFailureCount() == 0 && result.getTestsSucceededCount() > 0;
    System.exit(passed ? 0 : 1);
  }

  /** A heap where tests will put theirs is really on persistent memory. */
  private static void requireDax(Path directory) {
    try (Heap heap = Heap.open(directory)) {
      String medium = heap.stats().medium();
      if (!medium.equals("dax")) {
        throw new AssertionError(directory + " is on the medium " + medium);
      }
    }
  }

  private static LauncherDiscoveryRequest request(List<String> names) {
    List<DiscoverySelector> selectors = new ArrayList<>();
    for (String name : names) {
      selectors.add(
          name.endsWith(".*")
              ? DiscoverySelectors.selectPackage(name.substring(0, name.length() - 2))
              : DiscoverySelectors.selectClass(name));
    }
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selectors)
        .filters(
            ClassNameFilter.includeClassNamePatterns(".*Test", ".*OnDax"),
            ClassNameFilter.excludeClassNamePatterns(".*FormatTest")) // documents are not there
        .configurationParameter("jqwik.database", System.getProperty("java.io.tmpdir") + "/jqwik")
        .configurationParameter("jqwik.tries.default", TRIES)
        .build();
  }

  /** Names each class when it is done, and each failure. */
  private static final class Progress implements TestExecutionListener {
    private final long began = System.nanoTime();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      result
          .getThrowable()
          .ifPresent(e -> System.out.printf("DAX: %s: %s%n", test.getDisplayName(), e));
      test.getSource()
          .filter(source -> test.isContainer() && source instanceof ClassSource)
          .ifPresent(
              source ->
                  System.out.printf(
                      "DAX: %3d s %s%n",
                      (System.nanoTime() - began) / 1_000_000_000L,
                      ((ClassSource) source).getClassName()));
    }
  }
}
