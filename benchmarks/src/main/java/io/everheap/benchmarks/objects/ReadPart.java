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

  /** Behind the names of the cases that use a woven class. */
  static final String WOVEN = "-woven";

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

  /** Reads that have a floor. */
  private static final List<String> FLOORS = List.of("long", "long-of-128");

  private static final String SEGMENT = "memory-segment/";

  /** Reads for which nothing should be allocated. */
  static final List<String> WITHOUT_GARBAGE =
      List.of("long", "int", "field-of-reference", "field-of-map-value");

  ReadPart() {
    super("read", 0.7, true);
  }

  @Override
  protected List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (String what : FLOORS) {
      Case floor =
          new Case(SEGMENT + what, Case.FLOOR, Level.V, "native-memory", 1, Case.NS_PER_OP, null);
      String method = String.valueOf(READS.get(what));
      entries.add(new Entry(floor, SegmentReadBenchmark.class, method));
    }
    for (String what : ORDER) {
      for (Kind kind : Kind.values()) {
        entries.add(entry(what, kind, Case.NS_PER_OP));
      }
    }
    for (String what : WITHOUT_GARBAGE) {
      entries.add(entry(what, Kind.INTERFACE, Case.BYTES_PER_OP));
      entries.add(entry(what, Kind.WOVEN, Case.BYTES_PER_OP));
    }
    return entries;
  }

  private static Entry entry(String what, Kind kind, String metric) {
    String name = "read/" + what + (kind == Kind.WOVEN ? WOVEN : "");
    String method = String.valueOf(READS.get(what));
    String floor = FLOORS.contains(what) && metric.equals(Case.NS_PER_OP) ? SEGMENT + what : null;
    Case read =
        kind == Kind.PLAIN
            ? new Case(name, JDK, Level.V, "java-heap", 1, metric, null)
            : new Case(name, Case.EVERHEAP, Level.S, WritePart.MEDIUM, 1, metric, floor);
    return new Entry(read, FieldReadBenchmark.class, method, Map.of("kind", kind.name()));
  }

  @Override
  protected @Nullable String obstacle(Run run, String peer) {
    return peer.equals(JDK) ? null : EmulatedDaxMedium.obstacle(run.memory());
  }
}
