package io.everheap.support.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The command line of {@link TestSummary}.
 *
 * @param root the checkout
 * @param build name of the build directory in each module
 * @param since only reports that are newer than this file count
 * @param limit seconds that a test class may take
 * @param skips the list of allowed skips
 * @param expected modules of which at least one test must have run
 */
record SummaryOptions(
    Path root,
    String build,
    Optional<Path> since,
    OptionalDouble limit,
    Optional<Path> skips,
    List<String> expected) {
  static final String USAGE =
      "usage: TestSummary --root DIR --build NAME [--since FILE] [--limit SECONDS] [--skips FILE]"
          + " [--expect MODULE,...]";

  private static final Set<String> NAMES =
      Set.of("--root", "--build", "--since", "--limit", "--skips", "--expect");

  static SummaryOptions parse(List<String> arguments) throws WrongArguments {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < arguments.size(); i += 2) {
      String name = arguments.get(i);
      if (!NAMES.contains(name)) {
        throw new WrongArguments("unknown argument: " + name);
      }
      if (i + 1 == arguments.size()) {
        throw new WrongArguments("no value for " + name);
      }
      if (values.put(name, arguments.get(i + 1)) != null) {
        throw new WrongArguments("given twice: " + name);
      }
    }
    String root = values.get("--root");
    String build = values.get("--build");
    if (root == null || build == null) {
      throw new WrongArguments("--root and --build are needed");
    }
    if (!Files.isDirectory(Path.of(root))) {
      throw new WrongArguments("no directory: " + root);
    }
    Optional<Path> since = Optional.ofNullable(values.get("--since")).map(Path::of);
    if (since.isPresent() && !Files.exists(since.get())) {
      throw new WrongArguments("no file: " + since.get());
    }
    String limit = values.get("--limit");
    return new SummaryOptions(
        Path.of(root),
        build,
        since,
        limit == null ? OptionalDouble.empty() : OptionalDouble.of(seconds(limit)),
        Optional.ofNullable(values.get("--skips")).map(Path::of),
        Stream.of(values.getOrDefault("--expect", "").split(","))
            .filter(module -> !module.isEmpty())
            .toList());
  }

  private static double seconds(String limit) throws WrongArguments {
    try {
      double seconds = Double.parseDouble(limit);
      if (seconds > 0) {
        return seconds;
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw new WrongArguments("--limit needs a number of seconds above 0, not " + limit);
  }
}
