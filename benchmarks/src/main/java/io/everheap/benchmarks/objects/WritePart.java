package io.everheap.benchmarks.objects;

import io.everheap.benchmarks.harness.JmhPart;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.tx.DaxFloorBenchmark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes of fields, and new objects, next to a fence. */
final class WritePart extends JmhPart {
  static final String FLOOR = "dax/append-line";
  static final String MEDIUM = "emulated-dax";

  /** What is changed, in this order, and the method that does it. */
  private static final Map<String, String> CHANGES = new LinkedHashMap<>();

  static {
    CHANGES.put("write/long", "single");
    CHANGES.put("write/long-of-100", "hundred");
    CHANGES.put("add/long-of-100", "addToHundred");
    CHANGES.put("write/reference", "reference");
    CHANGES.put("create-link-free", "createAndLink");
  }

  WritePart() {
    super("write", 1, true);
  }

  @Override
  protected List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    Case floor = new Case(FLOOR, Case.FLOOR, Level.S, MEDIUM, 1, Case.NS_PER_OP, null);
    entries.add(new Entry(floor, DaxFloorBenchmark.class, "append"));
    CHANGES.forEach((what, method) -> addBoth(entries, what, method, Case.NS_PER_OP));
    addBoth(entries, "write/long", "single", Case.BYTES_PER_OP);
    addBoth(entries, "write/long-of-100", "hundred", Case.BYTES_PER_OP);
    return entries;
  }

  private static void addBoth(List<Entry> entries, String what, String method, String metric) {
    for (Kind kind : List.of(Kind.INTERFACE, Kind.WOVEN)) {
      String name = what + (kind == Kind.WOVEN ? ReadPart.WOVEN : "");
      String above = metric.equals(Case.NS_PER_OP) ? FLOOR : null;
      entries.add(
          new Entry(
              new Case(name, Case.EVERHEAP, Level.S, MEDIUM, 1, metric, above),
              FieldWriteBenchmark.class,
              method,
              Map.of("kind", kind.name())));
    }
  }

  @Override
  protected @Nullable String obstacle(Run run, String peer) {
    return EmulatedDaxMedium.obstacle(run.memory());
  }
}
