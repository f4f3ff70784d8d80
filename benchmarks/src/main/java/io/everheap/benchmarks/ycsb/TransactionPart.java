package io.everheap.benchmarks.ycsb;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.store.Entrant;
import io.everheap.benchmarks.store.Mode;
import io.everheap.benchmarks.store.PeerLaunch;
import io.everheap.benchmarks.store.Rounds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Records replaced per second, by how many of them one transaction replaces. */
final class TransactionPart implements Part {
  private static final String NAME = "transactions";
  private static final long RECORDS = 100_000;
  private static final String HEAP = "1g";

  private final ScalingOptions options;
  private final PeerLaunch launches;

  TransactionPart(ScalingOptions options, PeerLaunch launches) {
    this.options = options;
    this.launches = launches;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int steps(Run run) {
    boolean wanted = options.wants(NAME, run.settings().quick()) && run.settings().wants(NAME);
    return wanted ? rounds(run) * Entrant.atomic(run, false).size() : 0;
  }

  private static int rounds(Run run) {
    return run.settings().quick() ? 1 : run.settings().rounds();
  }

  @Override
  public void measure(Run run) throws IOException {
    List<Entrant> entrants = launches.available(run, Entrant.atomic(run, false), Entrant::peer);
    Rounds.run(
        run,
        NAME,
        label -> NAME + " " + label,
        rounds(run),
        entrants,
        (entrant, round) -> visit(run, entrant));
  }

  private void visit(Run run, Entrant entrant) throws IOException {
    Path parent = Directories.create(entrant.mode() == Mode.EMULATED ? run.memory() : run.disk());
    boolean quick = run.settings().quick();
    try (WorkerProcess worker = worker(run, entrant, parent.resolve("store")).ready()) {
      long millis = options.millis(quick);
      worker.ask("run", 1, millis); // compiles what all of them use
      for (int size : options.transactions(quick)) {
        worker.ask("run", size, millis / 2);
        Map<String, Double> found = worker.ask("run", size, millis);
        run.samples()
            .add(
                entrant.row(NAME + "/records-" + size, 1, Case.OPS_PER_S),
                found.getOrDefault(Case.OPS_PER_S, Double.NaN));
      }
    } finally {
      Directories.delete(parent);
    }
  }

  private WorkerProcess worker(Run run, Entrant entrant, Path directory) throws IOException {
    return WorkerProcess.start(
            run.logs(),
            launches.of(entrant.peer(), entrant.label(), options.heap(HEAP), false, null),
            TransactionSubject.class,
            Map.of(
                "binding", entrant.peer().binding(),
                "directory", directory.toString(),
                "mode", entrant.mode().name(),
                "records", Long.toString(RECORDS)))
        .within(run.progress().left());
  }
}
