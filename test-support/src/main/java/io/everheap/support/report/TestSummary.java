package io.everheap.support.report;

import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Prints the totals of a test run, its slowest classes, its failures and its skips, from the
 * reports that Surefire wrote. {@link SummaryOptions} lists the arguments.
 *
 * <p>The last line is {@code N passed, N failed, N skipped}. The exit code is 0 if no test failed
 * and all bounds were kept, 1 otherwise, and 2 for wrong arguments or if there is no report. A
 * report that cannot be read counts as one failed test. A test JVM that died may leave no report at
 * all, so the caller also has to look at Maven's exit code.
 *
 * <p>{@code -Deverheap.patience=N} multiplies the bound of {@code --limit}, which is never below 4
 * % of the time that all tests took together.
 */
public final class TestSummary {
  private static final int MAX_SLOW_CLASSES = 10;
  private static final int MAX_FAILURES = 50;
  private static final long PATIENCE = Long.getLong("everheap.patience", 1);

  /**
   * A class is too slow only if it also took more than this share of all tests. On a machine of
   * half the speed every class takes twice as long, and that is no reason to tag one.
   */
  private static final double SLOW_SHARE = 0.04;

  private final PrintStream out;
  private final List<ModuleTests> modules = new ArrayList<>();

  private TestSummary(PrintStream out) {
    this.out = out;
  }

  /**
   * Prints the summary and exits.
   *
   * @param arguments the command line
   */
  public static void main(String[] arguments) {
    System.exit(run(List.of(arguments), System.out, PATIENCE));
  }

  static int run(List<String> arguments, PrintStream out, long patience) {
    try {
      return new TestSummary(out).run(SummaryOptions.parse(arguments), patience);
    } catch (WrongArguments e) {
      out.println(e.getMessage());
      out.println(SummaryOptions.USAGE);
      return 2;
    } catch (IOException e) {
      out.println("cannot read the reports: " + e);
      return 2;
    }
  }

  private int run(SummaryOptions options, long patience) throws WrongArguments, IOException {
    AllowedSkips allowed =
        options.skips().isPresent() ? AllowedSkips.read(options.skips().get()) : null;
    int reports = 0;
    for (var found :
        ReportFiles.find(options.root(), options.build(), options.since()).entrySet()) {
      reports += found.getValue().size();
      read(found.getKey(), found.getValue());
    }
    if (reports == 0) {
      out.printf(
          Locale.ROOT,
          "there is no report in %s/*/%s/*reports*%s%n",
          options.root(),
          options.build(),
          options.since().map(file -> " that is newer than " + file).orElse(""));
      printTotals();
      return 2;
    }
    printModules();
    printSlowest();
    printFailures();
    printSkips();
    boolean kept = true;
    if (options.limit().isPresent()) {
      kept &= checkLimit(options.limit().getAsDouble() * patience);
    }
    if (allowed != null) {
      kept &= checkSkips(allowed, options.skips().get());
    }
    kept &= checkExpected(options);
    printTotals();
    return kept && modules.stream().allMatch(module -> module.failures().isEmpty()) ? 0 : 1;
  }

  private void read(String name, List<Path> reports) {
    var module = new ModuleTests(name);
    for (Path file : reports) {
      try {
        module.add(SurefireReport.read(file));
      } catch (IOException e) {
        module.add(
            new TestCase(
                file.getFileName().toString(),
                "",
                0,
                TestCase.Outcome.FAILED,
                "cannot read the report: " + e.getMessage()));
      }
    }
    if (module.tests() > 0) {
      modules.add(module);
    }
  }

  private void printModules() {
    var table = new Columns(1);
    table.row("module", "classes", "tests", "failed", "skipped", "seconds");
    for (ModuleTests module : modules) {
      table.row(
          module.module(),
          module.secondsOfClasses().size(),
          module.tests(),
          module.failures().size(),
          module.skips().size(),
          number(module.seconds()));
    }
    table.print(out);
  }

  private record TimedClass(String module, String name, double seconds) {}

  private List<TimedClass> classesSlowestFirst() {
    var classes = new ArrayList<TimedClass>();
    for (ModuleTests module : modules) {
      module
          .secondsOfClasses()
          .forEach((name, time) -> classes.add(new TimedClass(module.module(), name, time)));
    }
    classes.sort(Comparator.comparingDouble(TimedClass::seconds).reversed());
    return classes;
  }

  private void printSlowest() {
    out.println();
    out.println("slowest classes:");
    var table = new Columns(2);
    for (TimedClass timed : classesSlowestFirst().stream().limit(MAX_SLOW_CLASSES).toList()) {
      table.row(timed.module(), timed.name(), number(timed.seconds()));
    }
    table.print(out);
  }

  private void printFailures() {
    int failed = count(ModuleTests::failures);
    if (failed == 0) {
      return;
    }
    out.println();
    out.println("failed:");
    int printed = 0;
    for (ModuleTests module : modules) {
      for (TestCase failure : module.failures()) {
        if (printed < MAX_FAILURES) {
          printed++;
          out.printf(Locale.ROOT, "  %s  %s%n", module.module(), failure.fullName());
          out.printf(Locale.ROOT, "    %s%n", failure.message());
        }
      }
    }
    if (failed > printed) {
      out.printf(Locale.ROOT, "  and %d more%n", failed - printed);
    }
  }

  private void printSkips() {
    Map<String, Integer> groups = new TreeMap<>();
    for (ModuleTests module : modules) {
      for (TestCase skip : module.skips()) {
        groups.merge(
            String.format(
                Locale.ROOT, "%s  %s: %s", module.module(), skip.className(), reason(skip)),
            1,
            Integer::sum);
      }
    }
    if (groups.isEmpty()) {
      return;
    }
    out.println();
    out.println("skipped:");
    groups.forEach((group, count) -> out.printf(Locale.ROOT, "  %d  %s%n", count, group));
  }

  private boolean checkLimit(double leastLimit) {
    double limit =
        Math.max(leastLimit, SLOW_SHARE * modules.stream().mapToDouble(ModuleTests::seconds).sum());
    boolean kept = true;
    for (TimedClass timed : classesSlowestFirst()) {
      if (timed.seconds() > limit) {
        if (kept) {
          out.println();
        }
        kept = false;
        out.printf(
            Locale.ROOT,
            "%s took %s s, more than the %s s that a class of the fast tier may take:"
                + " tag it (io.everheap.support.tier)%n",
            timed.name(),
            number(timed.seconds()),
            BigDecimal.valueOf(limit)
                .setScale(1, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString());
      }
    }
    return kept;
  }

  private boolean checkSkips(AllowedSkips allowed, Path file) {
    boolean kept = true;
    out.println();
    for (ModuleTests module : modules) {
      for (TestCase skip : module.skips()) {
        if (!allowed.allows(skip)) {
          kept = false;
          out.printf(
              Locale.ROOT,
              "%s  %s was skipped, which %s does not allow: %s%n",
              module.module(),
              skip.fullName(),
              file.getFileName(),
              reason(skip));
        }
      }
    }
    if (allowed.unused() > 0) {
      out.printf(Locale.ROOT, "skips allowed and not used: %d%n", allowed.unused());
    }
    return kept;
  }

  private boolean checkExpected(SummaryOptions options) {
    boolean kept = true;
    for (String name : options.expected()) {
      if (Files.isDirectory(options.root().resolve(name).resolve("src/test"))
          && modules.stream().noneMatch(module -> module.module().equals(name))) {
        out.println(name + " ran no test, although it was chosen");
        kept = false;
      }
    }
    return kept;
  }

  private void printTotals() {
    int passed = modules.stream().mapToInt(ModuleTests::passed).sum();
    out.println();
    out.printf(
        Locale.ROOT,
        "%d passed, %d failed, %d skipped%n",
        passed,
        count(ModuleTests::failures),
        count(ModuleTests::skips));
  }

  private int count(Function<ModuleTests, List<TestCase>> cases) {
    return modules.stream().mapToInt(module -> cases.apply(module).size()).sum();
  }

  private static String reason(TestCase skip) {
    return skip.message().isEmpty() ? "no reason given" : skip.message();
  }

  private static String number(double seconds) {
    return String.format(Locale.ROOT, "%.1f", seconds);
  }
}
