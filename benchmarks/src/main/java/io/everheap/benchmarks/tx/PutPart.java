package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.harness.MapPart;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.Subject;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Puts of 100-byte values into maps of several sizes that do not wait for the disk, next to those
 * of {@code ConcurrentHashMap}, which show what a processor's caches make of the size.
 */
final class PutPart extends MapPart {
  static final List<Integer> SIZES = List.of(1_000, 100_000, 1_000_000);

  private static final String JDK = GetPart.JDK;
  private static final String UPDATE = "update";
  private static final String INSERT = "insert";
  private static final String SUSTAINED = "sustained";
  private static final int BURST = 20_000; // a burst's log fits the ring
  private static final int BURSTS = 10;
  private static final int WARM_UPS = 15;

  @Override
  public String name() {
    return "put";
  }

  /** The name of the case that updates a map with so many entries. */
  static String updates(int entries) {
    return caseName(UPDATE, entries);
  }

  private static String caseName(String operation, int entries) {
    return "async/map-" + operation + "-" + size(entries);
  }

  @Override
  protected List<Integer> sizes(Run run) {
    return SIZES.stream()
        .filter(
            n ->
                Stream.of(UPDATE, INSERT, SUSTAINED)
                    .anyMatch(operation -> run.settings().wants(caseName(operation, n))))
        .toList();
  }

  @Override
  protected Map<String, Class<? extends Subject>> subjects(Run run) {
    return both(run, PutSubject.class, JDK);
  }

  @Override
  protected void rounds(Run run, Map<String, WorkerProcess> workers, int entries)
      throws IOException {
    for (WorkerProcess worker : workers.values()) {
      for (int i = 0; i < WARM_UPS; i++) {
        worker.ask(UPDATE, BURST);
        worker.ask(INSERT, BURST);
      }
    }
    long millis = run.settings().quick() ? 500 : 4000;
    for (int round = 1; run.goesOn(this, round, 0.72); round++) {
      run.progress().step("put: " + entries + " entries, round " + round);
      for (Map.Entry<String, WorkerProcess> each : workers.entrySet()) {
        WorkerProcess worker = each.getValue();
        double update = 0;
        double insert = 0;
        for (int i = 0; i < BURSTS; i++) {
          update += nanos(worker.ask(UPDATE, BURST)) / BURSTS;
          insert += nanos(worker.ask(INSERT, BURST)) / BURSTS;
        }
        run.samples().add(what(each.getKey(), UPDATE, entries), update);
        run.samples().add(what(each.getKey(), INSERT, entries), insert);
        run.samples()
            .add(what(each.getKey(), SUSTAINED, entries), nanos(worker.ask(SUSTAINED, millis)));
      }
    }
  }

  private static double nanos(Map<String, Double> answer) {
    return answer.getOrDefault("ns", Double.NaN);
  }

  private static Case what(String peer, String operation, int entries) {
    return what(caseName(operation, entries), peer, 1, AsyncPart.COPY_128);
  }
}
