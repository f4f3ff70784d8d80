package io.everheap.mutation;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Classes that are mutated together, and the tests that may kill their mutants: a line of
 * .ci/mutation/scopes.
 *
 * @param name of the scope, unique
 * @param module the directory whose classes are mutated
 * @param classes names of classes, {@code *} for any characters
 * @param share one mutant in so many is run; 1 for all of them
 * @param testModules the directories whose tests are run
 * @param tests names of test classes, {@code *} for any characters
 */
record Scope(
    String name,
    String module,
    List<String> classes,
    int share,
    List<String> testModules,
    List<String> tests) {

  static Scope parse(String line) {
    String[] columns = line.split("\\s*\\|\\s*", -1);
    if (columns.length != 6) {
      throw new IllegalArgumentException(
          "a scope has six columns, NAME | MODULE | CLASSES | SHARE | MODULES OF TESTS | TESTS: "
              + line);
    }
    return new Scope(
        columns[0].strip(),
        columns[1],
        names(columns[2]),
        Integer.parseInt(columns[3]),
        names(columns[4]),
        names(columns[5].strip()));
  }

  private static List<String> names(String column) {
    return List.of(column.split("\\s*,\\s*", -1));
  }

  /** Whether the classes of this scope include a class or a class inside of it. */
  boolean includes(String className) {
    return includes(classes, className);
  }

  /** Whether one of the globs matches a class or the class around it. */
  static boolean includes(List<String> globs, String className) {
    return globs.stream().anyMatch(glob -> matches(glob, className));
  }

  private static boolean matches(String glob, String className) {
    String pattern = ("\\Q" + glob + "\\E").replace("*", "\\E.*\\Q");
    return Pattern.matches(pattern + "(\\$.*)?", className);
  }
}
