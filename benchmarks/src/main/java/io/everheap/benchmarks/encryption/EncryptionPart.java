package io.everheap.benchmarks.encryption;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The same work on two heaps, and caches, in turns, one of which is encrypted. */
final class EncryptionPart implements Part {
  /** Commits that wait until they are durable. */
  static final String SYNC = "commit/sync";

  /** Updates that do not wait. */
  static final String ASYNC = "update/async";

  /** Lookups in a heap that is in memory, and decrypted. */
  static final String READ = "get/resident";

  /** Loads of words from memory as it is below {@link #READ}. */
  static final String LOAD = "memory/load";

  /** Opening a closed heap and the first lookup. */
  static final String OPEN = "open";

  /** Hits of a cache, of blocks of 1 KiB. */
  static final String HIT = "cache/hit";

  /** The peer that is not encrypted. */
  static final String PLAIN = "plain";

  /** The cases that need a heap with its entries. */
  private static final List<String> ENTRIES = List.of(SYNC, ASYNC, READ, OPEN);

  private static final List<String> CASES =
      Stream.concat(ENTRIES.stream(), Stream.of(LOAD, HIT)).toList();
  private static final List<String> PEERS = List.of(PLAIN, Case.EVERHEAP);

  @Override
  public String name() {
    return "encryption";
  }

  @Override
  public int steps(Run run) {
    return CASES.stream().anyMatch(run.settings()::wants) ? 1 + run.settings().rounds() : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    Path directory = Directories.create(run.disk());
    try {
      run.progress().step("encryption: making the entries");
      if (ENTRIES.stream().anyMatch(run.settings()::wants)) {
        for (String peer : PEERS) {
          try (WorkerProcess worker = worker(run, directory, peer)) {
            worker.ask("load");
          }
        }
      }
      for (int round = 1; run.goesOn(this, round, 0.8); round++) {
        run.progress().step("encryption: round " + round);
        for (String peer : PEERS) {
          try (WorkerProcess worker = worker(run, directory, peer)) {
            for (String name : CASES) {
              if (run.settings().wants(name)) {
                double nanos = worker.ask(name).getOrDefault("ns", Double.NaN);
                run.samples()
                    .add(new Case(name, peer, level(name), "file", 1, Case.NS_PER_OP, null), nanos);
              }
            }
          }
        }
      }
    } finally {
      Directories.delete(directory);
    }
  }

  private static Level level(String name) {
    return name.equals(SYNC) ? Level.S : Level.P;
  }

  private static WorkerProcess worker(Run run, Path directory, String peer) throws IOException {
    return WorkerProcess.start(
            run.logs(),
            EncryptionSubject.class,
            Map.of(
                "directory", directory.resolve(peer).toString(),
                "encrypted", Boolean.toString(peer.equals(Case.EVERHEAP)),
                "entries", run.settings().quick() ? "200000" : "10000000"))
        .ready();
  }
}
