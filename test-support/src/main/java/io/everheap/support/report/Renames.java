package io.everheap.support.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The tests that were renamed, moved or split: a file with lines {@code OLD -> NEW}. Several lines
 * with one {@code OLD} split a class or a method.
 *
 * <ul>
 *   <li>{@code CLASS -> CLASS}: each invocation of a method must have run in one of the new
 *       classes, under the same method and index.
 *   <li>{@code CLASS.METHOD -> CLASS.METHOD}: the new methods must have run at least as often, in
 *       sum, as the old one.
 *   <li>{@code CLASS.METHOD[3] -> CLASS.METHOD}: the new methods must have run at least as often as
 *       this invocation.
 * </ul>
 *
 * <p>A name may begin with {@code MODULE:}. Without it, {@code OLD} means every module and {@code
 * NEW} the module of the old test.
 */
final class Renames {
  private record Name(String module, String test) {
    static Name of(String text) {
      int colon = text.indexOf(':');
      return new Name(text.substring(0, Math.max(colon, 0)), text.substring(colon + 1));
    }

    boolean isOf(String otherModule) {
      return module.isEmpty() || module.equals(otherModule);
    }

    String moduleOr(String otherModule) {
      return module.isEmpty() ? otherModule : module;
    }
  }

  private record Rename(Name before, Name after) {}

  private final List<Rename> renames = new ArrayList<>();
  private final Set<Rename> used = new HashSet<>();

  static Renames none() {
    return new Renames();
  }

  static Renames read(Path file) throws WrongArguments {
    var renames = new Renames();
    for (String line : ListFile.read(file)) {
      int arrow = line.indexOf("->");
      String before = arrow < 0 ? "" : line.substring(0, arrow).strip();
      String after = arrow < 0 ? "" : line.substring(arrow + 2).strip();
      if (before.isEmpty() || after.isEmpty()) {
        throw new WrongArguments(file + " has a line that is not OLD -> NEW: " + line);
      }
      renames.renames.add(new Rename(Name.of(before), Name.of(after)));
    }
    return renames;
  }

  /** Returns whether the file explains that a test of the run before is missing after. */
  boolean explain(TestIdentity test, TestRun before, TestRun after) {
    return byMethod(test, before, after) || byClass(test, before, after);
  }

  private boolean byClass(TestIdentity test, TestRun before, TestRun after) {
    int runs = 0;
    var matching = new ArrayList<Rename>();
    for (Rename rename : renames) {
      String old = rename.before().test();
      if (rename.before().isOf(test.module())
          && (test.className().equals(old) || test.className().startsWith(old + "$"))) {
        matching.add(rename);
        runs +=
            after.runs(
                new TestIdentity(
                    rename.after().moduleOr(test.module()),
                    rename.after().test() + test.className().substring(old.length()),
                    test.method(),
                    test.index()));
      }
    }
    return explained(matching, runs, before.runs(test));
  }

  private boolean byMethod(TestIdentity test, TestRun before, TestRun after) {
    String method = test.className() + "." + test.method();
    return byMethod(test, method + test.index(), before.runs(test), after)
        || byMethod(test, method, before.runsOfMethod(test.ofMethod()), after);
  }

  private boolean byMethod(TestIdentity test, String name, int needed, TestRun after) {
    int runs = 0;
    var matching = new ArrayList<Rename>();
    for (Rename rename : renames) {
      Name old = rename.before();
      if (old.isOf(test.module()) && old.test().equals(name)) {
        matching.add(rename);
        String changed = rename.after().test();
        int dot = changed.lastIndexOf('.');
        runs +=
            after.runsOfMethod(
                new TestIdentity(
                    rename.after().moduleOr(test.module()),
                    changed.substring(0, Math.max(dot, 0)),
                    changed.substring(dot + 1),
                    ""));
      }
    }
    return explained(matching, runs, needed);
  }

  private boolean explained(List<Rename> matching, int runs, int needed) {
    if (matching.isEmpty() || runs < needed) {
      return false;
    }
    used.addAll(matching);
    return true;
  }

  /** Returns the number of lines that explained no missing test. */
  int unused() {
    return renames.size() - used.size();
  }
}
