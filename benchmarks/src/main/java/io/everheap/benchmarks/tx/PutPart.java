package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Puts of 100-byte values into a map of a million entries that do not wait for the disk. */
final class PutPart implements Part {
  static final String UPDATE = "async/map-update";
  static final String INSERT = "async/map-insert";

  private static final String SUSTAINED = "async/map-update-sustained";
  private static final long ENTRIES = 1_000_000;
  private static final int BURST = 20_000; // a burst's log fits the ring
  private static final int BURSTS = 10;
  private static final int WARM_UPS = 15;

  @Override
  public String name() {
    return "put";
  }

  @Override
  public int steps(Run run) {
    boolean wanted =
        run.settings().wants(UPDATE)
            || run.settings().wants(INSERT)
            || run.settings().wants(SUSTAINED);
    return wanted ? run.settings().rounds() + 1 : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    Path directory = Directories.create(run.disk());
    long millis = run.settings().quick() ? 500 : 4000;
    run.progress().step("put: filling a map with " + ENTRIES + " entries");
    Map<String, String> parameters =
        Map.of("directory", directory.resolve("heap").toString(), "entries", "" + ENTRIES);
    try (WorkerProcess worker =
        WorkerProcess.start(run.logs(), PutSubject.class, parameters).ready()) {
      for (int i = 0; i < WARM_UPS; i++) {
        worker.ask("update", BURST);
        worker.ask("insert", BURST);
      }
      for (int round = 1; run.goesOn(this, round, 0.72); round++) {
        run.progress().step("put: updates and inserts, round " + round);
        double update = 0;
        double insert = 0;
        for (int i = 0; i < BURSTS; i++) {
          update += nanos(worker.ask("update", BURST)) / BURSTS;
          insert += nanos(worker.ask("insert", BURST)) / BURSTS;
        }
        run.samples().add(what(UPDATE), update);
        run.samples().add(what(INSERT), insert);
        run.samples().add(what(SUSTAINED), nanos(worker.ask("sustained", millis)));
      }
    }
    Directories.delete(directory);
  }

  private static double nanos(Map<String, Double> answer) {
    return answer.getOrDefault("ns", Double.NaN);
  }

  private static Case what(String name) {
    return new Case(name, Case.EVERHEAP, Level.P, "file", 1, Case.NS_PER_OP, AsyncPart.COPY_128);
  }
}
