package io.everheap.testkit.mutation;

import io.everheap.testkit.mutation.Change.Drop;
import java.util.ArrayList;
import java.util.List;

/** Collects mutants. */
abstract class MutantList {
  private final String types;
  private final String scenarios;
  private final List<Mutant> all = new ArrayList<>();

  /**
   * Creates an empty list.
   *
   * @param types what the names of classes that are added begin with
   * @param scenarios what the names of scenarios that are added begin with
   */
  MutantList(String types, String scenarios) {
    this.types = types;
    this.scenarios = scenarios;
  }

  /** Those that were added; a copy. */
  final List<Mutant> added() {
    return List.copyOf(all);
  }

  final void add(
      String rule, String name, String type, String method, Change change, String... noticedBy) {
    List<String> names = List.of(noticedBy).stream().map(s -> scenarios + s).toList();
    all.add(new Mutant(rule, name, types + type, method, change, names));
  }

  final void addAll(List<Mutant> others) {
    all.addAll(others);
  }

  static Change drop(String owner, String name) {
    return new Drop(owner, name);
  }
}
