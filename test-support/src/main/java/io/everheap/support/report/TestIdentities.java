package io.everheap.support.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares the tests that two runs ran, and the numbers of their crash tests.
 *
 * <p>The arguments are {@code [--renamed FILE] BEFORE AFTER...}: directories that are searched for
 * {@code TEST-*.xml} and {@code crash-report.json}. All directories after the first are one run.
 * {@link TestIdentity} defines what names a test. A test counts as run if it passed or failed. It
 * is missing if it ran less often after than before, unless {@link Renames} explains it.
 *
 * <p>The exit code is 0 if no test is missing and no number of the crash tests is smaller, 1
 * otherwise, and 2 for wrong arguments or if a run has no report.
 */
public final class TestIdentities {
  private static final String USAGE =
      "usage: TestIdentities [--renamed FILE] BEFORE AFTER...  (directories with reports)";

  private final PrintStream out;
  private final TestRun before;
  private final TestRun after;

  private TestIdentities(PrintStream out, TestRun before, TestRun after) {
    this.out = out;
    this.before = before;
    this.after = after;
  }

  /**
   * Prints the comparison and exits.
   *
   * @param arguments the command line
   */
  public static void main(String[] arguments) {
    System.exit(run(List.of(arguments), System.out));
  }

  static int run(List<String> arguments, PrintStream out) {
    try {
      return compare(arguments, out);
    } catch (WrongArguments e) {
      out.println(e.getMessage());
      out.println(USAGE);
      return 2;
    } catch (IOException e) {
      out.println("cannot read the reports: " + e.getMessage());
      return 2;
    }
  }

  private static int compare(List<String> arguments, PrintStream out)
      throws WrongArguments, IOException {
    Renames renames = Renames.none();
    var directories = new ArrayList<Path>();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals("--renamed") && i + 1 < arguments.size()) {
        i++;
        renames = Renames.read(Path.of(arguments.get(i)));
      } else if (argument.startsWith("--")) {
        throw new WrongArguments("unknown argument, or no value for it: " + argument);
      } else {
        directories.add(Path.of(argument));
      }
    }
    if (directories.size() < 2) {
      throw new WrongArguments("two directories are needed");
    }
    TestRun before = TestRun.read(directories.subList(0, 1));
    TestRun after = TestRun.read(directories.subList(1, directories.size()));
    if (before.ran().isEmpty() || after.ran().isEmpty()) {
      throw new WrongArguments(
          "no test ran in " + (before.ran().isEmpty() ? directories.getFirst() : "AFTER"));
    }
    return new TestIdentities(out, before, after).compare(renames) ? 0 : 1;
  }

  private boolean compare(Renames renames) {
    var table = new Columns(1);
    table.row("", "before", "after");
    table.row("identities", before.ran().size(), after.ran().size());
    table.row("runs", sum(before.ran()), sum(after.ran()));
    table.row("skipped", sum(before.skipped()), sum(after.skipped()));
    table.print(out);
    boolean complete = printMissing(renames);
    printNew();
    printSkipped();
    return printCrashes() && complete;
  }

  private boolean printMissing(Renames renames) {
    var lines = new ArrayList<String>();
    int renamed = 0;
    for (Map.Entry<TestIdentity, Integer> entry : before.ran().entrySet()) {
      TestIdentity test = entry.getKey();
      int runs = after.runs(test);
      if (runs >= entry.getValue()) {
        continue;
      }
      if (renames.explain(test, before, after)) {
        renamed++;
        continue;
      }
      String line = test.toString();
      if (runs > 0) {
        line +=
            String.format(
                Locale.ROOT, " (ran %d times before, %d times after)", entry.getValue(), runs);
      }
      if (after.isSkipped(test)) {
        line += " (skipped after)";
      }
      lines.add(line);
    }
    out.println();
    out.printf(Locale.ROOT, "renamed: %d, lines not used: %d%n", renamed, renames.unused());
    out.println();
    out.printf(Locale.ROOT, "missing after: %d%n", lines.size());
    lines.forEach(line -> out.println("  " + line));
    return lines.isEmpty();
  }

  private void printNew() {
    Map<String, Map<String, Integer>> counts = new TreeMap<>();
    int total = 0;
    for (TestIdentity test : after.ran().keySet()) {
      if (before.runs(test) == 0) {
        total++;
        counts
            .computeIfAbsent(test.module(), module -> new TreeMap<>())
            .merge(test.className(), 1, Integer::sum);
      }
    }
    out.println();
    out.printf(Locale.ROOT, "new after: %d%n", total);
    var table = new Columns(2);
    counts.forEach(
        (module, classes) -> classes.forEach((name, count) -> table.row(module, name, count)));
    table.print(out);
  }

  private void printSkipped() {
    out.println();
    out.printf(Locale.ROOT, "skipped after: %d%n", after.skipped().size());
    for (TestIdentity test : after.skipped().keySet()) {
      out.println("  " + test + (before.skipped().containsKey(test) ? " (also before)" : ""));
    }
  }

  private boolean printCrashes() {
    if (before.crashes().suites().isEmpty() && after.crashes().suites().isEmpty()) {
      return true;
    }
    boolean enough = true;
    var table = new Columns(1);
    table.row("crash tests", "before", "after", "");
    table.row("suites", before.crashes().suites().size(), after.crashes().suites().size(), "");
    for (String name : CrashTotals.names(before.crashes(), after.crashes())) {
      long old = before.crashes().sum(name);
      long current = after.crashes().sum(name);
      enough &= current >= old;
      table.row(name, old, current, current < old ? "smaller" : "");
    }
    out.println();
    table.print(out);
    var missing = new TreeSet<>(before.crashes().suites());
    missing.removeAll(after.crashes().suites());
    if (!missing.isEmpty()) {
      out.println();
      out.printf(Locale.ROOT, "crash suites missing after: %d%n", missing.size());
      missing.forEach(suite -> out.println("  " + suite));
    }
    return enough;
  }

  private static int sum(Map<TestIdentity, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }
}
