package io.everheap.mutation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The arguments of {@link Mutants}.
 *
 * @param root of the source tree
 * @param known all scopes
 * @param scopes to run
 * @param changed names of classes, to run no others; empty for all classes of the scopes
 * @param sample one mutant in so many, beyond the share of the scope
 * @param selection names the sources, and chooses the mutants of a sample
 * @param again whether mutants are run again that earlier runs killed
 * @param budget milliseconds of tests for one mutant
 * @param threads JVMs at a time
 */
record MutantOptions(
    Path root,
    List<Scope> known,
    List<Scope> scopes,
    List<String> changed,
    int sample,
    String selection,
    boolean again,
    long budget,
    int threads) {

  static MutantOptions parse(String[] args) {
    Path root = Path.of("").toAbsolutePath();
    List<String> names = new ArrayList<>();
    List<String> changed = new ArrayList<>();
    int sample = 1;
    String selection = "";
    boolean again = false;
    long budget = 60_000;
    int threads = 2;
    for (int i = 0; i < args.length; i += 2) {
      String value = i + 1 < args.length ? args[i + 1] : "";
      switch (args[i]) {
        case "--root" -> root = Path.of(value).toAbsolutePath();
        case "--scope" -> names.addAll(List.of(value.split(",", -1)));
        case "--class" -> changed.addAll(List.of(value.split(",", -1)));
        case "--sample" -> sample = number(args[i], value);
        case "--selection" -> selection = value;
        case "--again" -> again = value.equals("yes");
        case "--budget" -> budget = number(args[i], value) * 1000L;
        case "--threads" -> threads = number(args[i], value);
        default -> throw new IllegalArgumentException("there is no option " + args[i]);
      }
    }
    List<Scope> known;
    try {
      known = Mutants.scopes(root.resolve(".ci/mutation/scopes"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the scopes", e);
    }
    List<Scope> chosen =
        names.isEmpty() ? known : names.stream().map(name -> find(known, name)).toList();
    return new MutantOptions(
        root, known, chosen, changed, sample, selection, again, budget, threads);
  }

  private static int number(String option, String value) {
    try {
      int number = Integer.parseInt(value);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new IllegalArgumentException(option + " takes a number above 0, not '" + value + "'");
  }

  private static Scope find(List<Scope> known, String name) {
    return known.stream()
        .filter(scope -> scope.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no scope "
                        + name
                        + "; .ci/mutation/scopes has "
                        + String.join(", ", known.stream().map(Scope::name).toList())));
  }

  Path lists() {
    return root.resolve(".ci/mutation");
  }

  /** One mutant in so many; all mutants of classes that are named. */
  int share(Scope scope) {
    return changed.isEmpty() ? scope.share() * sample : sample;
  }

  /**
   * The classes of a scope to run, as PIT's globs; empty if none of those that are named is in it.
   */
  List<String> classesOf(Scope scope) {
    if (changed.isEmpty()) {
      return scope.classes();
    }
    return changed.stream()
        .filter(name -> scope.includes(name) && !Scope.includes(before(scope), name))
        .flatMap(name -> Stream.of(name, name + "$*"))
        .toList();
  }

  /**
   * The classes of the scopes before a scope: a class belongs to the first scope that includes it.
   */
  List<String> before(Scope scope) {
    return known.subList(0, known.indexOf(scope)).stream()
        .filter(other -> other.module().equals(scope.module()))
        .flatMap(other -> other.classes().stream())
        .toList();
  }
}
