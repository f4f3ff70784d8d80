package io.everheap.mutation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.pitest.mutationtest.DetectionStatus;

/**
 * Runs the mutants of scopes, or of some of their classes, and reports the survivors that are not
 * on the list of equivalents. Results are kept for each selection, so a run that was stopped
 * resumes; what was killed is kept in {@link KilledMutants} for all later runs. The exit code is 1
 * if there is a survivor, 2 for wrong arguments.
 */
public final class Mutants {
  /** Milliseconds beyond the usual time after which a test is taken to hang. */
  private static final long HANGS = 5_000;

  /** The same, while the mutant runs alone. */
  private static final long HANGS_ALONE = 15_000;

  private final MutantOptions options;
  private final Path work;
  private final KilledMutants killed;

  private Mutants(MutantOptions options) throws IOException {
    this.options = options;
    killed = KilledMutants.read(options.lists().resolve("killed"));
    work = options.root().resolve("target/mutation");
  }

  /** Runs what the arguments name, and exits. */
  public static void main(String[] args) throws IOException {
    MutantOptions options;
    try {
      options = MutantOptions.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println("everheap mutants: " + e.getMessage());
      System.exit(2);
      return;
    }
    System.exit(new Mutants(options).run() ? 0 : 1);
  }

  /** Whether all mutants were killed or are on the list. */
  private boolean run() throws IOException {
    Files.createDirectories(work);
    Files.writeString(work.resolve("logging.properties"), ".level = OFF\n");
    Equivalents equivalents = Equivalents.read(options.lists().resolve("equivalents"));
    Report report = new Report();
    for (Scope scope : options.scopes()) {
      List<String> classes = options.classesOf(scope);
      if (classes.isEmpty()) {
        continue;
      }
      long start = System.nanoTime();
      List<MutantResult> results = resultsOf(scope, classes, report);
      report.add(results, sources(scope), equivalents);
      System.out.printf(
          Locale.ROOT,
          "%s: %d mutants in %d s%n",
          scope.name(),
          results.size(),
          (System.nanoTime() - start) / 1_000_000_000);
    }
    Path survivors = work.resolve("survivors");
    Files.write(survivors, report.survivors().stream().map(Survivor::format).toList());
    System.out.println();
    System.out.print(report.format());
    if (report.survivors().isEmpty()) {
      return true;
    }
    System.out.println("\nSurvivors, also in target/mutation/survivors:");
    report.survivors().forEach(survivor -> System.out.println("  " + survivor.format()));
    System.out.println(
        "Kill each of them by a test of what it breaks, or name it in .ci/mutation/equivalents.\n"
            + "The next run skips what was killed: .ci/mutation/killed names it, commit that file.");
    return false;
  }

  private Path sources(Scope scope) {
    return options.root().resolve(scope.module()).resolve("src/main/java");
  }

  private List<MutantResult> resultsOf(Scope scope, List<String> classes, Report report)
      throws IOException {
    Path file = work.resolve(scope.name() + "-" + options.selection() + ".results");
    Path alone = work.resolve(scope.name() + "-" + options.selection() + ".alone");
    int share = options.share(scope);
    TestOrderFactory.use(options.budget());
    Map<String, MutantResult> before = read(file);
    Sampling sampling =
        new Sampling(
            share,
            options.selection(),
            Set.of(),
            before.keySet(),
            (name, ids) -> options.again() ? Set.of() : killedBefore(scope, name, ids));
    new PitRun(options.root(), work, options.threads(), HANGS)
        .run(scope, classes, options.before(scope), sampling, file);
    Map<String, MutantResult> results = read(file);
    Set<String> unclear =
        results.values().stream()
            .filter(Mutants::mayBeTheMachine)
            .map(MutantResult::id)
            .collect(Collectors.toSet());
    unclear.removeAll(read(alone).keySet());
    if (!unclear.isEmpty()) {
      new PitRun(options.root(), work, 1, HANGS_ALONE)
          .run(
              scope,
              classes,
              options.before(scope),
              new Sampling(1, "", unclear, Set.of(), (name, ids) -> Set.of()),
              alone);
    }
    results.putAll(read(alone));
    remember(scope, sampling, results, report);
    return results.values().stream()
        // The file may hold other classes and shares of the same scope and sources.
        .filter(
            result ->
                sampling.isInShare(result.id()) && Scope.includes(classes, result.className()))
        .toList();
  }

  private Set<String> killedBefore(Scope scope, String className, Set<String> ids) {
    return killed.of(className, checksum(scope, className), ids);
  }

  /** Adds what was killed to the list, and what the list had before to the report. */
  private void remember(
      Scope scope, Sampling sampling, Map<String, MutantResult> results, Report report)
      throws IOException {
    for (Map.Entry<String, Set<String>> each : sampling.classes().entrySet()) {
      String name = each.getKey();
      Set<String> now =
          each.getValue().stream()
              .filter(id -> results.containsKey(id) && results.get(id).isKilled())
              .collect(Collectors.toSet());
      if (!options.again()) {
        Set<String> earlier = new HashSet<>(killedBefore(scope, name, each.getValue()));
        earlier.removeAll(results.keySet());
        earlier.removeIf(id -> !sampling.isInShare(id));
        report.addKilled(name.substring(0, name.lastIndexOf('.')), earlier.size());
      }
      killed.add(name, checksum(scope, name), each.getValue(), now);
    }
    killed.write(options.lists().resolve("killed"));
  }

  private String checksum(Scope scope, String className) {
    try {
      return KilledMutants.checksum(
          sources(scope).resolve(MutantResult.outerClass(className).replace('.', '/') + ".java"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the source of " + className, e);
    }
  }

  /**
   * A hang, or the end of a JVM, counts as killed only if it comes again while nothing else runs.
   */
  private static boolean mayBeTheMachine(MutantResult result) {
    return result.status() == DetectionStatus.TIMED_OUT
        || result.status() == DetectionStatus.RUN_ERROR
        || result.status() == DetectionStatus.MEMORY_ERROR;
  }

  /** By id; the last result of a mutant counts. */
  private static Map<String, MutantResult> read(Path file) throws IOException {
    Map<String, MutantResult> results = new LinkedHashMap<>();
    if (Files.exists(file)) {
      try (Stream<String> lines = Files.lines(file)) {
        lines.map(MutantResult::parse).forEach(result -> results.put(result.id(), result));
      }
    }
    return results;
  }

  /** Scopes of a file. */
  static List<Scope> scopes(Path file) throws IOException {
    List<Scope> scopes = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        scopes.add(Scope.parse(line));
      }
    }
    return scopes;
  }
}
