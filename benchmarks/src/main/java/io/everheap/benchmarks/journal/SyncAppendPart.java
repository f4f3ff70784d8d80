package io.everheap.benchmarks.journal;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Appends on a file that wait for the disk, alone and in groups. */
final class SyncAppendPart implements Part {
  static final String CASE = "sync/append";
  static final String CASE_VIRTUAL = "sync/append-virtual";
  static final int PLATFORM = 16;
  static final int VIRTUAL = 256;

  @Override
  public String name() {
    return "sync";
  }

  @Override
  public int steps(Run run) {
    boolean wanted = run.settings().wants(CASE) || run.settings().wants(CASE_VIRTUAL);
    return wanted ? run.settings().rounds() + 1 : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    long millis = run.settings().quick() ? 300 : 2000;
    Path directory = Directories.create(run.disk());
    run.progress().step("durable appends: warming up");
    try (WorkerProcess worker =
        WorkerProcess.start(
                run.logs(), SyncAppendSubject.class, Map.of("directory", directory.toString()))
            .ready()) {
      worker.ask("platform", 1, millis);
      worker.ask("virtual", VIRTUAL, millis);
      for (int round = 1; run.goesOn(this, round, 1); round++) {
        run.progress().step("durable appends of 1, 16 and 256 threads, round " + round);
        Double floor = worker.ask("floor", millis).get("ops");
        if (floor != null) {
          run.samples().add(what(CASE, Case.FLOOR, 1, Case.NS_PER_OP, null), 1e9 / floor);
        }
        add(run, CASE, "two forces", 1, worker.ask("forces", millis));
        add(run, CASE, Case.EVERHEAP, 1, worker.ask("platform", 1, millis));
        add(run, CASE, Case.EVERHEAP, PLATFORM, worker.ask("platform", PLATFORM, millis));
        add(run, CASE_VIRTUAL, Case.EVERHEAP, VIRTUAL, worker.ask("virtual", VIRTUAL, millis));
      }
    }
    Directories.delete(directory);
  }

  private static void add(
      Run run, String name, String peer, int threads, Map<String, Double> answer) {
    Double ops = answer.get("ops");
    if (ops != null) {
      run.samples().add(what(name, peer, threads, Case.OPS_PER_S, CASE), ops);
    }
  }

  private static Case what(
      String name, String peer, int threads, String metric, @Nullable String floor) {
    return new Case(name, peer, Level.S, "file", threads, metric, floor);
  }
}
