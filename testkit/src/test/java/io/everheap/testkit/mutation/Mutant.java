package io.everheap.testkit.mutation;

import java.util.List;

/**
 * A deliberate mistake in one method of Everheap.
 *
 * @param rule of the protocol that it breaks, as docs/durability.md numbers them
 * @param name what goes wrong, in words
 * @param type simple name of the class below {@code io.everheap}, with its package
 * @param method whose code is changed
 * @param change what is done to it
 * @param scenarios that must notice, the most likely first
 */
record Mutant(
    String rule, String name, String type, String method, Change change, List<String> scenarios) {
  String className() {
    return "io.everheap." + type;
  }

  @Override
  public String toString() {
    return name;
  }
}
