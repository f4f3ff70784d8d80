package io.everheap.benchmarks.ycsb;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.store.Entrant;
import io.everheap.benchmarks.store.Footprint;
import io.everheap.benchmarks.store.Mode;
import io.everheap.benchmarks.store.Peer;
import io.everheap.benchmarks.store.PeerLaunch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The workloads, one JVM at a time. A round visits each peer in each of its modes, so that what
 * disturbs the machine disturbs all of them; a visit is a fresh JVM with a fresh copy of the loaded
 * data, in which the workloads run one after the other.
 */
final class YcsbPart implements Part {
  private static final double QUICK_SECONDS = 100;
  private static final int LOADERS = 2;
  private static final double ROOM = 3; // stores may take so many times the data while they work

  private final YcsbOptions options;
  private final PeerLaunch launches = new PeerLaunch();

  YcsbPart(YcsbOptions options) {
    this.options = options;
  }

  @Override
  public String name() {
    return "ycsb";
  }

  Map<String, Object> facts(boolean quick) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("worker_java_heap", options.heap(quick));
    facts.put("worker_memory_limit", String.valueOf(options.limit()));
    facts.put("peers", launches.facts());
    return facts;
  }

  private List<Entrant> entrants(Run run) {
    List<Entrant> entrants = new ArrayList<>();
    for (Peer peer : Entrant.wanted(run)) {
      for (Mode mode : peer.modes()) {
        if (options.wants(mode.level())) {
          entrants.add(new Entrant(peer, mode));
        }
      }
    }
    return entrants;
  }

  @Override
  public int steps(Run run) {
    int visits = run.settings().rounds() + 1;
    return visits * entrants(run).size() * options.shapes(run.settings().quick()).size();
  }

  @Override
  public void measure(Run run) throws IOException {
    for (RecordShape shape : options.shapes(run.settings().quick())) {
      measure(run, shape);
    }
  }

  private void measure(Run run, RecordShape shape) throws IOException {
    Path disk = Directories.create(run.disk());
    try {
      List<Entrant> entrants = launches.available(run, entrants(run), Entrant::peer);
      requireRoom(disk, shape, entrants.size());
      for (int round = 1; round <= run.settings().rounds(); round++) {
        if (run.settings().quick() && round > 1 && run.progress().seconds() > QUICK_SECONDS / 2) {
          run.samples().notRun("more rounds", "a quick run would take longer than two minutes");
          break;
        }
        for (Entrant entrant : List.copyOf(entrants)) {
          run.progress().step("ycsb: " + shape + ", round " + round + ", " + entrant.label());
          try {
            visit(run, shape, entrant, disk);
          } catch (IOException e) {
            run.samples().notRun(entrant.label() + " " + shape, String.valueOf(e.getMessage()));
            entrants.remove(entrant);
          }
        }
      }
    } finally {
      Directories.delete(disk);
    }
  }

  private static void requireRoom(Path disk, RecordShape shape, int copies) throws IOException {
    double bytes = ROOM * (copies + 2) * shape.records() * shape.valueBytes();
    if (Files.getFileStore(disk).getUsableSpace() < bytes) {
      throw new IOException(
          "%s has not the %.0f GiB that %s records may take; name fewer peers or another --dir"
              .formatted(disk, bytes / (1 << 30), shape));
    }
  }

  private void visit(Run run, RecordShape shape, Entrant entrant, Path disk) throws IOException {
    boolean inMemory = entrant.mode() == Mode.EMULATED;
    Path work = (inMemory ? Directories.create(run.memory()) : disk).resolve("work");
    try {
      if (entrant.reopens()) {
        Directories.copy(loaded(run, shape, entrant, disk), work);
        if (options.limit() != null) {
          Directories.evict(work); // pages count for who brought them into memory
        }
      }
      try (WorkerProcess worker = worker(run, shape, entrant, work).ready()) {
        measure(run, shape, entrant, worker);
      }
    } finally {
      Directories.delete(inMemory ? work.resolveSibling("") : work);
    }
  }

  private WorkerProcess worker(Run run, RecordShape shape, Entrant entrant, Path directory)
      throws IOException {
    Launch launch =
        launches.of(
            entrant.peer(),
            entrant.label(),
            options.heap(run.settings().quick()),
            true,
            options.limit());
    return WorkerProcess.start(
        run.logs(),
        launch,
        YcsbSubject.class,
        Map.of(
            "binding", entrant.peer().binding(),
            "directory", directory.toString(),
            "mode", entrant.mode().name(),
            "records", Long.toString(shape.records()),
            "fields", Integer.toString(shape.fields()),
            "fieldBytes", Integer.toString(shape.fieldBytes())));
  }

  /** The directory with the loaded store of a peer, which is made by its first visit. */
  private Path loaded(Run run, RecordShape shape, Entrant entrant, Path disk) throws IOException {
    Path directory = disk.resolve(entrant.label());
    if (!Files.exists(directory)) {
      try (WorkerProcess loader = worker(run, shape, entrant, directory).ready()) {
        loader.ask("store", LOADERS);
      }
      run.samples()
          .add(
              entrant.row("disk-" + shape, 1, YcsbExperiment.BYTES_PER_RECORD),
              Footprint.onDisk(directory) / shape.records());
    }
    return directory;
  }

  private void measure(Run run, RecordShape shape, Entrant entrant, WorkerProcess worker)
      throws IOException {
    if (entrant.reopens()) {
      double seconds = worker.ask("open").getOrDefault("seconds", Double.NaN);
      run.samples().add(entrant.row("open-" + shape, 1, Case.SECONDS), seconds);
    } else {
      worker.ask("load", LOADERS);
    }
    boolean quick = run.settings().quick();
    long millis = options.millis(quick);
    long warmUp = 2 * millis; // the first workload compiles what all of them use
    for (WorkloadMix mix : options.workloads(quick)) {
      String name = mix.name() + "-" + shape;
      if ((mix.scans() && !entrant.peer().ordered()) || !run.settings().wants(name)) {
        continue;
      }
      for (int threads : options.threads(quick)) {
        worker.ask("run", mix.name(), threads, warmUp, options.distribution());
        warmUp = millis / 2;
        Map<String, Double> found =
            worker.ask("run", mix.name(), threads, millis, options.distribution());
        found.forEach(
            (metric, value) -> run.samples().add(entrant.row(name, threads, metric), value));
      }
    }
    Map<String, Double> memory = worker.ask("memory");
    memory.forEach(
        (kind, bytes) ->
            run.samples()
                .add(
                    entrant.row("memory-" + kind + "-" + shape, 1, YcsbExperiment.BYTES_PER_RECORD),
                    bytes / shape.records()));
  }
}
