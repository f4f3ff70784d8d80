package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.harness.JmhPart;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Small transactions on a file that do not wait for the disk. */
final class AsyncPart extends JmhPart {
  /** The floor of a record that holds one word. */
  static final String COPY_64 = "async/copy-64";

  /** The floor of a record that holds an entry of a map. */
  static final String COPY_128 = "async/copy-128";

  AsyncPart() {
    super("async", 0.65, false);
  }

  @Override
  protected List<Entry> entries() {
    return List.of(
        new Entry(what(COPY_64, Case.FLOOR), CopyFloorBenchmark.class, "copy64"),
        new Entry(what(COPY_128, Case.FLOOR), CopyFloorBenchmark.class, "copy128"),
        new Entry(what("async/update", Case.EVERHEAP), AsyncUpdateBenchmark.class, "burst"),
        counters("async/update-no-counters", "none"),
        counters("async/update-counters-read", "read"),
        new Entry(
            what("async/update-sustained", Case.EVERHEAP), AsyncUpdateBenchmark.class, "update"));
  }

  private static Entry counters(String name, String counters) {
    return new Entry(
        what(name, Case.EVERHEAP),
        AsyncUpdateBenchmark.class,
        "burst",
        Map.of("counters", counters));
  }

  private static Case what(String name, String peer) {
    String floor = peer.equals(Case.FLOOR) ? null : COPY_64;
    return new Case(name, peer, Level.P, "file", 1, Case.NS_PER_OP, floor);
  }

  @Override
  protected @Nullable String obstacle(Run run, String peer) {
    return null;
  }
}
