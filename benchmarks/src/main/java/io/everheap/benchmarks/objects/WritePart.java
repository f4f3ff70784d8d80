package io.everheap.benchmarks.objects;

import io.everheap.benchmarks.harness.JmhPart;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.tx.DaxFloorBenchmark;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes of fields, and new objects, next to a fence. */
final class WritePart extends JmhPart {
  static final String FLOOR = "dax/append-line";
  static final String MEDIUM = "emulated-dax";

  @Override
  public String name() {
    return "write";
  }

  @Override
  protected String directory(Run run) {
    return run.memory().toString();
  }

  @Override
  protected double share() {
    return 1;
  }

  @Override
  protected List<Entry> entries() {
    return List.of(
        new Entry(
            new Case(FLOOR, Case.FLOOR, Level.S, MEDIUM, 1, Case.NS_PER_OP, null),
            DaxFloorBenchmark.class,
            "append"),
        new Entry(change("write/long", Case.NS_PER_OP), FieldWriteBenchmark.class, "single"),
        new Entry(
            change("write/long-of-100", Case.NS_PER_OP), FieldWriteBenchmark.class, "hundred"),
        new Entry(
            change("add/long-of-100", Case.NS_PER_OP), FieldWriteBenchmark.class, "addToHundred"),
        new Entry(
            change("create-link-free", Case.NS_PER_OP), FieldWriteBenchmark.class, "createAndLink"),
        new Entry(change("write/long", Case.BYTES_PER_OP), FieldWriteBenchmark.class, "single"),
        new Entry(
            change("write/long-of-100", Case.BYTES_PER_OP), FieldWriteBenchmark.class, "hundred"));
  }

  private static Case change(String name, String metric) {
    String floor = metric.equals(Case.NS_PER_OP) ? FLOOR : null;
    return new Case(name, Case.EVERHEAP, Level.S, MEDIUM, 1, metric, floor);
  }

  @Override
  protected @Nullable String obstacle(Run run, String peer) {
    return EmulatedDaxMedium.obstacle(run.memory());
  }
}
