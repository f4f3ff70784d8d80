package io.everheap.benchmarks.cassandra;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.nio.file.Path;

/** From the start of a node, which was killed before, until it answered a read. */
final class RestartPart implements Part {
  /** The case. */
  static final String RESTART = "restart/first-read";

  @Override
  public String name() {
    return "restart";
  }

  @Override
  public int steps(Run run) {
    return run.settings().wants(RESTART) ? 2 * run.settings().rounds() : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    Path directory = Directories.create(run.disk());
    try {
      long full = run.settings().quick() ? 10_000 : 1_000_000;
      for (String peer : new String[] {"empty-node", Case.EVERHEAP}) {
        Path node = directory.resolve(peer);
        try (WorkerProcess filled = Nodes.start(run, node)) {
          filled.ask("populate", Case.EVERHEAP, peer.equals(Case.EVERHEAP) ? full : 1);
          filled.kill();
        }
        for (int round = 1; run.goesOn(this, round, 0.5); round++) {
          run.progress().step("cassandra: restart of " + peer + ", round " + round);
          long start = System.nanoTime();
          try (WorkerProcess restarted = Nodes.start(run, node)) {
            restarted.ask("read", Case.EVERHEAP, 1);
            run.samples()
                .add(
                    new Case(RESTART, peer, Level.P, "file", 1, Case.SECONDS, null),
                    (System.nanoTime() - start) / 1e9);
            restarted.kill();
          }
        }
      }
    } finally {
      Directories.delete(directory);
    }
  }
}
