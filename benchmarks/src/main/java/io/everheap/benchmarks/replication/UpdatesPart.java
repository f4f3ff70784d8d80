package io.everheap.benchmarks.replication;

import static io.everheap.benchmarks.replication.Processes.value;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Updates on a primary with a replica, in turns with updates on a heap that has none. After each
 * turn the replica gets everything before the next one begins.
 */
final class UpdatesPart implements Part {
  /** Commits that wait for nothing, with a replica that follows. */
  static final String ASYNC = "async/update";

  /** The same, where the connection is encrypted and authenticated. */
  static final String ASYNC_SECRET = "async/update-secret";

  /** The same as the first, where primary and replica have a processor each. */
  static final String ASYNC_APART = "async/update-own-processor";

  /** Commits that wait for the disk, and for that of a replica. */
  static final String COPIES = "copies/update-virtual";

  /** The same, where the files of the replica are in memory, so that it syncs in no time. */
  static final String COPIES_IN_MEMORY = "copies/update-virtual-in-memory";

  /** The peer without a replica. */
  static final String ALONE = "everheap-alone";

  /** How many virtual threads wait. */
  static final int VIRTUAL = 256;

  /** Platform threads. */
  static final List<Integer> THREADS = List.of(1, 16);

  private final String name;
  private final boolean sync;
  private final boolean apart;
  private final boolean inMemory;
  private final boolean secret;

  private UpdatesPart(String name, boolean sync, boolean apart, boolean inMemory) {
    this.name = name;
    this.sync = sync;
    this.apart = apart;
    this.inMemory = inMemory;
    this.secret = name.equals(ASYNC_SECRET);
  }

  static List<Part> all() {
    return List.of(
        new UpdatesPart(ASYNC, false, false, false),
        new UpdatesPart(ASYNC_SECRET, false, false, false),
        new UpdatesPart(ASYNC_APART, false, true, false),
        new UpdatesPart(COPIES, true, false, false),
        new UpdatesPart(COPIES_IN_MEMORY, true, false, true));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int steps(Run run) {
    return run.settings().wants(name) ? run.settings().rounds() + 1 : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    if (apart && Runtime.getRuntime().availableProcessors() < 2) {
      run.samples().notRun(name, "there is one processor");
      return;
    }
    Path directory = Directories.create(run.disk());
    Path elsewhere = Directories.create(inMemory ? run.memory() : run.disk());
    Path shared = secret ? directory.resolve("secret") : null;
    Processes processes = processes(run, directory, shared);
    Launch first = Processes.on(apart ? Integer.valueOf(0) : null);
    Launch second = Processes.on(apart ? Integer.valueOf(1) : null);
    run.progress().step(name + ": making the records, and a replica");
    try (WorkerProcess alone = processes.primary("alone", first, false);
        WorkerProcess primary = processes.primary("primary", first, false);
        WorkerProcess replica =
            processes(run, elsewhere, shared)
                .replica("replica", second, Processes.listen(primary))) {
      replica.ask("join");
      primary.ask("settle");
      if (sync) {
        primary.ask("copies", 1);
      }
      long millis = run.settings().quick() ? 500 : 10_000;
      turns(alone, primary, millis, (peer, threads, ops) -> {}); // to warm up
      for (int round = 1; run.goesOn(this, round, 0.6); round++) {
        run.progress().step(name + ": round " + round);
        turns(alone, primary, millis, (peer, threads, ops) -> add(run, peer, threads, ops));
      }
    } finally {
      Directories.delete(directory);
      Directories.delete(elsewhere);
    }
  }

  private Processes processes(Run run, Path directory, @Nullable Path shared) {
    long records = run.settings().quick() ? 20_000 : 200_000;
    return new Processes(run, directory, records, sync, Records.LARGE_LOG, shared);
  }

  private interface Sink {
    void add(String peer, int threads, double ops);
  }

  private void turns(WorkerProcess alone, WorkerProcess primary, long millis, Sink sink)
      throws IOException {
    for (int threads : sync ? List.of(VIRTUAL) : THREADS) {
      String kind = sync ? "virtual" : "platform";
      sink.add(ALONE, threads, value(alone.ask("run", kind, threads, millis), "ops"));
      sink.add(Case.EVERHEAP, threads, value(primary.ask("run", kind, threads, millis), "ops"));
      primary.ask("settle");
    }
  }

  private void add(Run run, String peer, int threads, double ops) {
    Level level = sync ? Level.S : Level.P;
    run.samples().add(new Case(name, peer, level, "file", threads, Case.OPS_PER_S, null), ops);
  }
}
