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

/** Gets of maps of several sizes, next to those of {@code ConcurrentHashMap}. */
final class GetPart implements Part {
  static final String JDK = "chm";
  static final List<Integer> THREADS = List.of(1, 2);
  static final List<Integer> SIZES = List.of(1_000, 10_000, 100_000, 1_000_000, 10_000_000);

  private static final int LARGEST_QUICK = 1_000_000;

  @Override
  public String name() {
    return "get";
  }

  /** The name of the case with so many entries. */
  static String caseName(int entries) {
    return "map/get-" + (entries >= 1_000_000 ? entries / 1_000_000 + "m" : entries / 1000 + "k");
  }

  private static List<Integer> sizes(Run run) {
    return SIZES.stream()
        .filter(n -> !run.settings().quick() || n <= LARGEST_QUICK)
        .filter(n -> run.settings().wants(caseName(n)))
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
        run.progress().step(caseName(entries) + ": filling the maps");
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
            "entries", Integer.toString(entries),
            "directory", directory.resolve("heap").toString());
    workers.put(peer, WorkerProcess.start(run.logs(), GetSubject.class, parameters).ready());
  }

  private void rounds(Run run, Map<String, WorkerProcess> workers, int entries) throws IOException {
    boolean quick = run.settings().quick();
    for (WorkerProcess worker : workers.values()) {
      for (int threads : THREADS) {
        worker.ask("get", threads, quick ? 250 : 3000); // warm-up
      }
    }
    for (int round = 1; run.goesOn(this, round, 0.9); round++) {
      run.progress().step(caseName(entries) + ", round " + round);
      for (int threads : THREADS) {
        for (Map.Entry<String, WorkerProcess> worker : workers.entrySet()) {
          double nanos =
              worker
                  .getValue()
                  .ask("get", threads, quick ? 100 : 1000)
                  .getOrDefault("ns", Double.NaN);
          run.samples().add(what(worker.getKey(), entries, threads), nanos);
        }
      }
    }
  }

  private static Case what(String peer, int entries, int threads) {
    boolean durable = peer.equals(Case.EVERHEAP);
    return new Case(
        caseName(entries),
        peer,
        durable ? Level.P : Level.V,
        durable ? "file" : "java-heap",
        threads,
        Case.NS_PER_OP,
        null);
  }
}
