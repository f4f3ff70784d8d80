package io.everheap.benchmarks.objects;

import io.everheap.benchmarks.harness.JmhPart;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads of fields, next to those of plain objects, and what they allocate. */
final class ReadPart extends JmhPart {
  static final String JDK = "jdk";

  /** What is read, and the method that does it. */
  static final Map<String, String> READS =
      Map.of(
          "long", "longField",
          "long-of-128", "longFields",
          "int", "intField",
          "string", "stringField",
          "reference", "referenceField",
          "field-of-reference", "fieldOfReference",
          "field-of-map-value", "fieldOfMapValue");

  private static final List<String> ORDER =
      List.of(
          "long",
          "long-of-128",
          "int",
          "string",
          "reference",
          "field-of-reference",
          "field-of-map-value");

  /** Reads for which nothing should be allocated. */
  static final List<String> WITHOUT_GARBAGE =
      List.of("long", "int", "field-of-reference", "field-of-map-value");

  @Override
  public String name() {
    return "read";
  }

  @Override
  protected String directory(Run run) {
    return run.memory().toString();
  }

  @Override
  protected double share() {
    return 0.7;
  }

  @Override
  protected List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (String what : ORDER) {
      for (boolean durable : List.of(true, false)) {
        entries.add(
            entry("read/" + what, durable, Case.NS_PER_OP, String.valueOf(READS.get(what))));
      }
    }
    for (String what : WITHOUT_GARBAGE) {
      String method = String.valueOf(READS.get(what));
      entries.add(entry("read/" + what, true, Case.BYTES_PER_OP, method));
    }
    return entries;
  }

  private static Entry entry(String name, boolean durable, String metric, String method) {
    Case what =
        durable
            ? new Case(name, Case.EVERHEAP, Level.S, WritePart.MEDIUM, 1, metric, null)
            : new Case(name, JDK, Level.V, "java-heap", 1, metric, null);
    return new Entry(
        what, FieldReadBenchmark.class, method, Map.of("durable", String.valueOf(durable)));
  }

  @Override
  protected @Nullable String obstacle(Run run, String peer) {
    return peer.equals(JDK) ? null : EmulatedDaxMedium.obstacle(run.memory());
  }
}
