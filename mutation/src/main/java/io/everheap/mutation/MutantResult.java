package io.everheap.mutation;

import java.util.List;
import org.pitest.mutationtest.DetectionStatus;
import org.pitest.mutationtest.MutationResult;
import org.pitest.mutationtest.engine.MutationDetails;
import org.pitest.mutationtest.engine.MutationIdentifier;

/**
 * A mutant and what the tests said of it: a line of a file of results, with tabs between columns.
 *
 * @param className with {@code $} before the name of an inner class
 * @param method name and descriptor
 * @param mutator the simple name of PIT's mutator
 * @param index the position of the mutated instruction in its method
 * @param line of the source file
 * @param ordinal among the mutants of the same mutator in the line, from 1
 * @param status PIT's word
 * @param test that killed the mutant, or empty
 * @param change what the mutant does, in PIT's words
 */
record MutantResult(
    String className,
    String method,
    String mutator,
    int index,
    int line,
    int ordinal,
    DetectionStatus status,
    String test,
    String change) {

  static MutantResult of(MutationResult result, int ordinal) {
    MutationDetails details = result.getDetails();
    return new MutantResult(
        details.getClassName().asJavaName(),
        details.getMethod() + details.getId().getLocation().getMethodDesc(),
        simple(details.getMutator()),
        details.getFirstIndex(),
        details.getLineNumber(),
        ordinal,
        result.getStatus(),
        result.getKillingTest().orElse(""),
        details.getDescription());
  }

  static MutantResult parse(String line) {
    List<String> columns = List.of(line.split("\t", -1));
    return new MutantResult(
        columns.get(0),
        columns.get(1),
        columns.get(2),
        Integer.parseInt(columns.get(3)),
        Integer.parseInt(columns.get(4)),
        Integer.parseInt(columns.get(5)),
        DetectionStatus.valueOf(columns.get(6)),
        columns.get(7),
        columns.get(8));
  }

  String format() {
    return String.join(
        "\t",
        className,
        method,
        mutator,
        Integer.toString(index),
        Integer.toString(line),
        Integer.toString(ordinal),
        status.name(),
        oneLine(test),
        oneLine(change));
  }

  /** The same for each build of the same sources, and nothing else. */
  String id() {
    return className + "." + method + " " + mutator + " " + index;
  }

  /** The {@link #id()} of a mutant that has no result yet. */
  static String id(MutationIdentifier mutant) {
    return mutant.getLocation().getClassName().asJavaName()
        + "."
        + mutant.getLocation().getMethodName()
        + mutant.getLocation().getMethodDesc()
        + " "
        + simple(mutant.getMutator())
        + " "
        + mutant.getFirstIndex();
  }

  boolean isKilled() {
    return status.isDetected();
  }

  String packageName() {
    return className.substring(0, className.lastIndexOf('.'));
  }

  /** The class that has a source file: the class around an inner class. */
  String outerClass() {
    return outerClass(className);
  }

  static String outerClass(String className) {
    int inner = className.indexOf('$');
    return inner < 0 ? className : className.substring(0, inner);
  }

  private static String simple(String mutator) {
    String name = mutator.substring(mutator.lastIndexOf('.') + 1);
    return name.endsWith("Mutator") ? name.substring(0, name.length() - 7) : name;
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ");
  }
}
