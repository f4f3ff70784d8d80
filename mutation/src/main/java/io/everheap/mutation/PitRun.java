package io.everheap.mutation;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.pitest.mutationtest.config.PluginServices;
import org.pitest.mutationtest.config.ReportOptions;
import org.pitest.mutationtest.tooling.EntryPoint;
import org.pitest.testapi.TestGroupConfig;
import org.pitest.util.Glob;
import org.pitest.util.Verbosity;

/**
 * Runs PIT over the classes of a scope. PIT runs the tests once to see which instructions each of
 * them reaches, then changes one instruction at a time in JVMs of its own.
 */
final class PitRun {
  /**
   * Tests that start processes, which would run the classes without the change, and other suites.
   */
  private static final List<String> OTHER_TESTS =
      List.of("conformance", "nodes", "process", "browser");

  /** PIT reports the results of a JVM when it ends: few are lost when a run is stopped. */
  private static final int MUTANTS_OF_A_JVM = 40;

  private final Path root;
  private final Path work;
  private final int threads;
  private final long patience;

  /**
   * @param work a directory for PIT's own files
   * @param patience milliseconds that a test may take longer than without a mutant
   */
  PitRun(Path root, Path work, int threads, long patience) {
    this.root = root;
    this.work = work;
    this.threads = threads;
    this.patience = patience;
  }

  /**
   * Appends the results of the mutants that {@code sampling} keeps to a file.
   *
   * @param classes names, {@code *} for any characters
   * @param others names of classes that are left out, in the same form
   */
  void run(Scope scope, List<String> classes, List<String> others, Sampling sampling, Path results)
      throws IOException {
    SamplingFactory.use(sampling);
    ResultWriterFactory.use(results, sampling);
    ReportOptions options = new ReportOptions();
    options.setReportDir(work.toString());
    options.setTargetClasses(classes);
    options.setExcludedClasses(others);
    options.setTargetTests(List.copyOf(Glob.toGlobPredicates(scope.tests())));
    options.setCodePaths(List.of(root.resolve(classesOf(scope.module())).toString()));
    options.setClassPathElements(classPath(scope));
    options.setSourceDirs(List.of(root.resolve(scope.module()).resolve("src/main/java")));
    options.setIncludeLaunchClasspath(false);
    options.setGroupConfig(new TestGroupConfig(OTHER_TESTS, List.of()));
    options.setJavaExecutable(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    options.addChildJVMArgs(jvmOptions());
    options.setNumberOfThreads(threads);
    options.setMutationUnitSize(MUTANTS_OF_A_JVM);
    options.setTimeoutConstant(patience);
    options.setTimeoutFactor(2);
    options.setShouldCreateTimestampedReports(false);
    options.addOutputFormats(List.of(ResultWriterFactory.NAME));
    options.setFailWhenNoMutations(false);
    options.setSkipFailingTests(true);
    options.setVerbosity(Verbosity.NO_SPINNER);
    options.setInputEncoding(java.nio.charset.StandardCharsets.UTF_8);
    options.setOutputEncoding(java.nio.charset.StandardCharsets.UTF_8);
    Exception error =
        new EntryPoint()
            .execute(root.toFile(), options, PluginServices.makeForContextLoader(), Map.of())
            .getError()
            .orElse(null);
    if (error != null) {
      throw new IOException("PIT failed for the scope " + scope.name() + ": " + error, error);
    }
  }

  private List<String> jvmOptions() {
    return List.of(
        "-Xmx2g",
        // A JVM runs few tests before a mutant that hangs ends it: what C2 compiles is seldom used.
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Djava.io.tmpdir=" + work,
        // Every test runs for every mutant: properties are tried less often than in the tests'
        // tiers.
        "-Djqwik.tries.default=50",
        "-Djqwik.database=" + work.resolve("jqwik-database"),
        "-Djqwik.reporting.onlyfailures=true",
        "-Djava.util.logging.config.file=" + work.resolve("logging.properties"),
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow");
  }

  private List<String> classPath(Scope scope) throws IOException {
    Set<String> elements = new LinkedHashSet<>();
    for (String module : scope.testModules()) {
      elements.add(root.resolve(module).resolve("target/quick/test-classes").toString());
    }
    for (String module : scope.testModules()) {
      elements.add(root.resolve(classesOf(module)).toString());
      Path dependencies = root.resolve(module).resolve("target/quick/test-dependencies");
      elements.addAll(
          List.of(Files.readString(dependencies).strip().split(File.pathSeparator, -1)));
    }
    // PIT's own classes, which its JVMs need as well.
    for (String element : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (element.contains("pitest") || element.contains("junit-platform")) {
        elements.add(element);
      }
    }
    return new ArrayList<>(elements);
  }

  private static String classesOf(String module) {
    return module + "/target/quick/classes";
  }
}
