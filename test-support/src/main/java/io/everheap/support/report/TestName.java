package io.everheap.support.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a test case in a report of Surefire, without parameter types and display name.
 *
 * <p>These forms occur: {@code method}, {@code method(Type, Type)[3]}, {@code method{Type}[3]},
 * {@code method()[1][43][2]} for dynamic tests in containers, {@code method[value]}, {@code [3]
 * display name}, and a label in words. The method ends before the first bracket, brace or space.
 *
 * @param method the method; empty if the name begins with an index or is empty
 * @param index the indexes of the invocation with their brackets, the outermost first; empty if the
 *     name has none
 */
record TestName(String method, String index) {
  private static final Pattern NAME =
      Pattern.compile("([^({\\[\\s]*)(?:\\([^)]*\\)|\\{[^}]*})?((?:\\[\\d+])*)");

  static TestName of(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.lookingAt()) {
      throw new AssertionError("the pattern matches the empty text: " + name);
    }
    return new TestName(matcher.group(1), matcher.group(2));
  }
}
