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
 */
record Scope(
    String name, String module, List<String> classes, int share, List<String> testModules) {

  static Scope parse(String line) {
    String[] columns = line.split("\\s*\\|\\s*", -1);
    if (columns.length != 5) {
      throw new IllegalArgumentException(
          "a scope has five columns, NAME | MODULE | CLASSES | SHARE | MODULES OF TESTS: " + line);
    }
    return new Scope(
        columns[0].strip(),
        columns[1],
        List.of(columns[2].split("\\s*,\\s*")),
        Integer.parseInt(columns[3]),
        List.of(columns[4].strip().split("\\s*,\\s*")));
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
