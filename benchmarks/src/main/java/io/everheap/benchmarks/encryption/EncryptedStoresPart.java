package io.everheap.benchmarks.encryption;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.store.Entrant;
import io.everheap.benchmarks.store.Mode;
import io.everheap.benchmarks.store.Peer;
import io.everheap.benchmarks.store.PeerLaunch;
import io.everheap.benchmarks.store.Rounds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The same records in encrypted stores and in such that are not: commits that are synced, reads.
 */
public final class EncryptedStoresPart implements Part {
  /** Commits of one record that survive a power loss. */
  static final String COMMIT = "store/commit";

  /** Reads of records that are in memory. */
  static final String GET = "store/get";

  /** H2's MVStore, not encrypted, as it is named on the command line. */
  static final String MVSTORE = "mvstore";

  private static final String OWN = "io.everheap.benchmarks.store.";
  private static final String OTHERS = "io.everheap.benchmarks.peers.";
  private static final String H2 = "h2-mvstore";
  private static final int RECORDS = 100_000;
  private static final int COMMITS = 5_000;
  private static final int GETS = 500_000;
  private static final int QUICK = 10;

  /** All, this library first. */
  public static final List<Peer> ALL =
      List.of(
          peer(
              Case.EVERHEAP,
              OWN + "EncryptedEverheapBinding",
              null,
              "DurableMap in an encrypted heap: AES-256-GCM, authenticated"),
          peer(EncryptionPart.PLAIN, OWN + "EverheapBinding", null, "DurableMap, not encrypted"),
          peer(
              MVSTORE + "-encrypted",
              OTHERS + "EncryptedMvStoreBinding",
              H2,
              "MVMap with encryptionKey: AES-128-XTS, not authenticated; commit() and sync()"),
          peer(MVSTORE, OTHERS + "MvStoreBinding", H2, "MVMap, commit() and sync()"));

  private final PeerLaunch launches;

  EncryptedStoresPart(PeerLaunch launches) {
    this.launches = launches;
  }

  private static Peer peer(String name, String binding, @Nullable String artifact, String how) {
    return new Peer(name, binding, List.of(Mode.POWER), false, false, artifact, List.of(), how);
  }

  @Override
  public String name() {
    return "stores";
  }

  private static List<Entrant> entrants(Run run) {
    return ALL.stream()
        .filter(peer -> peer.artifact() == null || run.settings().peers().contains(MVSTORE))
        .map(peer -> new Entrant(peer, Mode.POWER))
        .toList();
  }

  private static boolean isWanted(Run run) {
    return run.settings().wants(COMMIT) || run.settings().wants(GET);
  }

  @Override
  public int steps(Run run) {
    return isWanted(run) ? run.settings().rounds() * entrants(run).size() : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    Rounds.run(
        run,
        name(),
        label -> name() + " " + label,
        run.settings().rounds(),
        launches.available(run, entrants(run), Entrant::peer),
        (entrant, _) -> {
          Path directory = Directories.create(run.disk());
          try {
            visit(run, entrant, directory);
          } finally {
            Directories.delete(directory);
          }
        });
  }

  private void visit(Run run, Entrant entrant, Path directory) throws IOException {
    int divisor = run.settings().quick() ? QUICK : 1;
    try (WorkerProcess worker =
        WorkerProcess.start(
                run.logs(),
                launches.of(entrant.peer(), entrant.label(), "2g", false, null),
                StoreWork.class,
                Map.of(
                    "binding", entrant.peer().binding(),
                    "directory", directory.toString(),
                    "mode", entrant.mode().name(),
                    "records", Integer.toString(RECORDS / divisor)))
            .ready()) {
      worker.ask("load");
      measure(run, entrant, worker, COMMIT, "commit", COMMITS / divisor);
      measure(run, entrant, worker, GET, "get", GETS / divisor);
    }
  }

  private static void measure(
      Run run, Entrant entrant, WorkerProcess worker, String name, String request, int count)
      throws IOException {
    if (run.settings().wants(name)) {
      double nanos = worker.ask(request, count).getOrDefault("ns", Double.NaN);
      run.samples().add(entrant.row(name, 1, Case.NS_PER_OP), nanos);
    }
  }
}
