package io.everheap.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

/** Runs tests of the library by their names, without Maven: on emulated machines. */
public final class NamedTests {
  /** Properties with random inputs take fewer of them: the machine is slow. */
  private static final String TRIES = "20";

  private static final long LONG_MILLIS = 300_000;

  private NamedTests() {}

  /**
   * Runs them; the exit code tells whether all passed.
   *
   * @param arguments names of packages, ending in {@code .*}, and of classes
   */
  public static void main(String[] arguments) {
    System.exit(run(List.of(arguments)) ? 0 : 1);
  }

  /** Runs them; returns whether all passed. */
  static boolean run(List<String> names) {
    var summary = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request(names), summary, new Progress());
    TestExecutionSummary result = summary.getSummary();
    result.printFailuresTo(new PrintWriter(System.out, true, UTF_8), 40);
    System.out.printf(
        Locale.ROOT,
        "tests: %d tests passed, %d failed, %d skipped, %d aborted%n",
        result.getTestsSucceededCount(),
        result.getTotalFailureCount(),
        result.getTestsSkippedCount(),
        result.getTestsAbortedCount());
    return result.getTotalFailureCount() == 0 && result.getTestsSucceededCount() > 0;
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
            // The first reads documents, which are not there; the others what only Maven's build
            // has.
            ClassNameFilter.excludeClassNamePatterns(".*FormatTest", ".*[.]architecture[.].*"))
        .configurationParameter("jqwik.database", System.getProperty("java.io.tmpdir") + "/jqwik")
        .configurationParameter("jqwik.tries.default", TRIES)
        .build();
  }

  /** Names each class when it is done, each failure, and a test that takes minutes. */
  private static final class Progress implements TestExecutionListener {
    private final long began = System.nanoTime();
    private volatile String running = "";

    Progress() {
      Thread.ofPlatform().daemon().name("long-tests").start(this::watch);
    }

    @Override
    public void executionStarted(TestIdentifier test) {
      if (test.isTest()) {
        running = test.getUniqueId();
      }
    }

    /** Prints what all threads do while a test runs for minutes: it may hang. */
    @SuppressWarnings("ReferenceEquality") // the same test twice is another run of it
    private void watch() {
      String before = "";
      while (true) {
        try {
          Thread.sleep(LONG_MILLIS);
        } catch (InterruptedException e) {
          return;
        }
        String now = running;
        if (now == before && !now.isEmpty()) {
          System.out.println("tests: still runs: " + now);
          Thread.getAllStackTraces()
              .forEach(
                  (thread, frames) -> {
                    System.out.println(thread);
                    for (StackTraceElement frame : frames) {
                      System.out.println("    " + frame);
                    }
                  });
        }
        before = now;
      }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest()) {
        running = "";
      }
      result
          .getThrowable()
          .ifPresent(
              e -> System.out.printf(Locale.ROOT, "tests: %s: %s%n", test.getDisplayName(), e));
      test.getSource()
          .filter(source -> test.isContainer() && source instanceof ClassSource)
          .ifPresent(
              source ->
                  System.out.printf(
                      Locale.ROOT,
                      "tests: %3d s %s%n",
                      (System.nanoTime() - began) / 1_000_000_000L,
                      ((ClassSource) source).getClassName()));
    }
  }
}
