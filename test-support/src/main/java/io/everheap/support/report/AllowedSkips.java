package io.everheap.support.report;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The tests that may be skipped: a file with lines {@code CLASS[.METHOD] reason}. An entry of a
 * class allows skips of all its tests and nested classes. The reason is for readers, but must be
 * there.
 */
final class AllowedSkips {
  private final Set<String> names = new LinkedHashSet<>();
  private final Set<String> used = new LinkedHashSet<>();

  static AllowedSkips read(Path file) throws WrongArguments {
    var allowed = new AllowedSkips();
    for (String line : ListFile.read(file)) {
      int end = 0;
      while (end < line.length() && !Character.isWhitespace(line.charAt(end))) {
        end++;
      }
      if (end == line.length()) {
        throw new WrongArguments(file + " gives no reason for " + line);
      }
      allowed.names.add(line.substring(0, end));
    }
    return allowed;
  }

  boolean allows(TestCase skip) {
    String method = TestName.of(skip.name()).method();
    boolean allowed = false;
    for (String name : names) {
      if (skip.className().equals(name)
          || skip.className().startsWith(name + "$")
          || (skip.className() + "." + method).equals(name)) {
        used.add(name);
        allowed = true;
      }
    }
    return allowed;
  }

  int unused() {
    return names.size() - used.size();
  }
}
