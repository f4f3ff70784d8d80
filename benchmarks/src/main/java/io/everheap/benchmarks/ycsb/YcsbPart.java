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
import io.everheap.benchmarks.store.Rounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The workloads, one JVM at a time. A round visits each peer in each of its modes, so that a
 * disturbance of the machine affects all of them; a visit is a fresh JVM with a fresh copy of the
 * loaded data, in which the workloads run one after the other.
 */
final class YcsbPart implements Part {
  private static final int LOADERS = 2;
  private static final String LOADER_HEAP = "2g";
  private static final double ROOM = 3; // stores may take so many times the data while they work

  private final String name;
  private final Function<Boolean, YcsbPlan> plans;
  private final PeerLaunch launches;

  /**
   * Makes a part.
   *
   * @param name for messages
   * @param plans what it runs, quickly or not
   * @param launches starts the peers
   */
  YcsbPart(String name, Function<Boolean, YcsbPlan> plans, PeerLaunch launches) {
    this.name = name;
    this.plans = plans;
    this.launches = launches;
  }

  @Override
  public String name() {
    return name;
  }

  private YcsbPlan plan(Run run) {
    return plans.apply(run.settings().quick());
  }

  private List<Entrant> entrants(Run run) {
    List<Entrant> entrants = new ArrayList<>();
    for (Peer peer : peers(run)) {
      for (Mode mode : peer.modes()) {
        if (plan(run).levels().contains(mode.level())) {
          entrants.add(new Entrant(peer, mode));
        }
      }
    }
    return entrants;
  }

  private List<Peer> peers(Run run) {
    List<Peer> peers = plan(run).peers();
    return peers != null ? peers : Entrant.wanted(run, plan(run).structures());
  }

  @Override
  public int steps(Run run) {
    return rounds(run) * entrants(run).size() * wanted(run).size();
  }

  /** A quick run of several shapes has one of each. */
  private int rounds(Run run) {
    return run.settings().quick() && wanted(run).size() > 1 ? 1 : run.settings().rounds();
  }

  @Override
  public void measure(Run run) throws IOException {
    for (RecordShape shape : wanted(run)) {
      measure(run, shape);
    }
  }

  /** The shapes of the requested cases. */
  private List<RecordShape> wanted(Run run) {
    YcsbPlan plan = plan(run);
    return plan.shapes().stream()
        .filter(
            shape ->
                plan.workloads().stream()
                    .anyMatch(mix -> run.settings().wants(plan.caseName(mix.name(), shape))))
        .toList();
  }

  private void measure(Run run, RecordShape shape) throws IOException {
    Path disk = Directories.create(run.disk());
    try {
      List<Entrant> entrants = launches.available(run, entrants(run), Entrant::peer);
      requireRoom(disk, shape, entrants.size());
      Rounds.run(
          run,
          name + ": " + shape,
          label -> plan(run).caseName(label, shape),
          rounds(run),
          entrants,
          (entrant, round) -> visit(run, shape, entrant, disk));
    } finally {
      Directories.delete(disk);
    }
  }

  private static void requireRoom(Path disk, RecordShape shape, int copies) throws IOException {
    double bytes = ROOM * (copies + 2) * shape.records() * shape.valueBytes();
    if (Files.getFileStore(disk).getUsableSpace() < bytes) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s has not the %.0f GiB that %s records may take; name fewer peers or another --dir",
              disk,
              bytes / (1 << 30),
              shape));
    }
  }

  private void visit(Run run, RecordShape shape, Entrant entrant, Path disk) throws IOException {
    boolean inMemory = entrant.mode() == Mode.EMULATED;
    Path work = (inMemory ? Directories.create(run.memory()) : disk).resolve("work");
    try {
      if (entrant.reopens()) {
        Directories.copy(loaded(run, shape, entrant, disk), work);
        if (plan(run).limit() != null) {
          Directories.evict(work); // pages count for the process that brought them into memory
        }
      }
      try (WorkerProcess worker = worker(run, shape, entrant, work, true).ready()) {
        measure(run, shape, entrant, worker);
      }
    } finally {
      Directories.delete(inMemory ? work.resolveSibling("") : work);
    }
  }

  /** A process that is measured, or one that only loads and has memory enough for that. */
  private WorkerProcess worker(
      Run run, RecordShape shape, Entrant entrant, Path directory, boolean measured)
      throws IOException {
    YcsbPlan plan = plan(run);
    String limit = measured ? plan.limit() : null;
    String heap = plan.limit() == null || measured ? plan.heap() : LOADER_HEAP;
    Launch launch = launches.of(entrant.peer(), entrant.label(), heap, measured, limit);
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
                "fieldBytes", Integer.toString(shape.fieldBytes())))
        .within(run.progress().left());
  }

  /** The directory with the loaded store of a peer, which is made by its first visit. */
  private Path loaded(Run run, RecordShape shape, Entrant entrant, Path disk) throws IOException {
    Path directory = disk.resolve(entrant.label());
    if (!Files.exists(directory)) {
      try (WorkerProcess loader = worker(run, shape, entrant, directory, false).ready()) {
        Map<String, Double> found = loader.ask("store", LOADERS);
        if (entrant.mode() == Mode.PROCESS) { // else it does not load as it writes
          addLoad(run, shape, entrant, found);
        }
      }
      run.samples()
          .add(
              entrant.row(plan(run).caseName("disk", shape), 1, YcsbExperiment.BYTES_PER_RECORD),
              Footprint.onDisk(directory) / shape.records());
    }
    return directory;
  }

  private void addLoad(Run run, RecordShape shape, Entrant entrant, Map<String, Double> found) {
    run.samples()
        .add(
            entrant.row(plan(run).caseName("load", shape), LOADERS, Case.OPS_PER_S),
            found.getOrDefault(Case.OPS_PER_S, Double.NaN));
  }

  private void measure(Run run, RecordShape shape, Entrant entrant, WorkerProcess worker)
      throws IOException {
    if (entrant.reopens()) {
      double seconds = worker.ask("open").getOrDefault("seconds", Double.NaN);
      run.samples().add(entrant.row(plan(run).caseName("open", shape), 1, Case.SECONDS), seconds);
    } else {
      addLoad(run, shape, entrant, worker.ask("load", LOADERS));
    }
    YcsbPlan plan = plan(run);
    long millis = plan.millis();
    long warmUp = 2 * millis; // the first workload compiles what all of them use
    for (WorkloadMix mix : plan.workloads()) {
      String name = plan.caseName(mix.name(), shape);
      if ((mix.scans() && !entrant.peer().ordered()) || !run.settings().wants(name)) {
        continue;
      }
      for (int threads : plan.threads()) {
        worker.ask("run", mix.name(), threads, warmUp, plan.distribution());
        warmUp = millis / 2;
        Map<String, Double> found =
            worker.ask("run", mix.name(), threads, millis, plan.distribution());
        found.forEach(
            (metric, value) -> run.samples().add(entrant.row(name, threads, metric), value));
      }
    }
    Map<String, Double> memory = new TreeMap<>(worker.ask("memory"));
    memory.put("all", memory.values().stream().mapToDouble(Double::doubleValue).sum());
    memory.forEach(
        (kind, bytesPerRecord) ->
            run.samples()
                .add(
                    entrant.row(
                        plan.caseName("memory-" + kind, shape), 1, YcsbExperiment.BYTES_PER_RECORD),
                    bytesPerRecord));
  }
}
