package io.everheap.mutation;

/**
 * A mutant that no test killed, as the list of equivalents names it.
 *
 * @param source the line of the source without indentation
 */
record Survivor(MutantResult result, String source) {

  /** Class and method, without descriptor. */
  String member() {
    String method = result.method();
    return result.className() + "." + method.substring(0, method.indexOf('('));
  }

  /** As a line for the list of equivalents that still wants a kind and a reason. */
  String format() {
    return member()
        + " | "
        + result.mutator()
        + " "
        + result.ordinal()
        + " | "
        + source
        + " | "
        + (result.status().hasCoverage() ? "survived" : "not reached")
        + " | line "
        + result.line()
        + ": "
        + result.change();
  }
}
