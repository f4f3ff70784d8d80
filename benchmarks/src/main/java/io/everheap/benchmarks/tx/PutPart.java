package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Puts of 100-byte values into maps of several sizes that do not wait for the disk, next to those
 * of {@code ConcurrentHashMap}, which show what a processor's caches make of the size.
 */
final class PutPart implements Part {
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
    String size = entries >= 1_000_000 ? entries / 1_000_000 + "m" : entries / 1000 + "k";
    return "async/map-" + operation + "-" + size;
  }

  private static List<Integer> sizes(Run run) {
    return SIZES.stream()
        .filter(
            n ->
                Stream.of(UPDATE, INSERT, SUSTAINED)
                    .anyMatch(operation -> run.settings().wants(caseName(operation, n))))
        .toList();
  }

  @Override
  public int steps(Run run) {
    return sizes(run).size() * (run.settings().rounds() + 1);
  }

  @Override
  public void measure(Run run) throws IOException {
    for (int entries : sizes(run)) {
      Path directory = Directories.create(run.disk());
      Map<String, WorkerProcess> workers = new LinkedHashMap<>();
      try {
        run.progress().step("put: filling maps with " + entries + " entries");
        start(run, workers, Case.EVERHEAP, entries, directory);
        if (run.settings().peers().contains(JDK)) {
          start(run, workers, JDK, entries, directory);
        }
        rounds(run, workers, entries);
      } finally {
        for (WorkerProcess worker : workers.values()) {
          worker.close();
        }
      }
      Directories.delete(directory);
    }
  }

  private static void start(
      Run run, Map<String, WorkerProcess> workers, String peer, int entries, Path directory)
      throws IOException {
    Map<String, String> parameters =
        Map.of(
            "peer", peer,
            "directory", directory.resolve("heap").toString(),
            "entries", Integer.toString(entries));
    WorkerProcess worker = WorkerProcess.start(run.logs(), PutSubject.class, parameters).ready();
    workers.put(peer, worker);
    for (int i = 0; i < WARM_UPS; i++) {
      worker.ask(UPDATE, BURST);
      worker.ask(INSERT, BURST);
    }
  }

  private void rounds(Run run, Map<String, WorkerProcess> workers, int entries) throws IOException {
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
    boolean durable = peer.equals(Case.EVERHEAP);
    return new Case(
        caseName(operation, entries),
        peer,
        durable ? Level.P : Level.V,
        durable ? "file" : "java-heap",
        1,
        Case.NS_PER_OP,
        durable ? AsyncPart.COPY_128 : null);
  }
}
