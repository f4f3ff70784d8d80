package io.everheap.benchmarks.bank;

import io.everheap.benchmarks.harness.Curve;
import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Series;
import io.everheap.benchmarks.store.Entrant;
import io.everheap.benchmarks.store.Mode;
import io.everheap.benchmarks.store.PeerLaunch;
import io.everheap.benchmarks.store.Rounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Each round, for each store: a copy of the bank, transfers, a kill in their middle, and a new
 * process that continues. The page cache stays as it is, as after a crash of a process only.
 */
public final class BankPart implements Part {
  /** The time to the first transaction after a kill, from when the store is opened. */
  public static final String OPEN = "first-transaction-from-open";

  private static final String START = "first-transaction-from-jvm-start";
  private static final String FULL = "full-speed-from-jvm-start";
  private static final String BEFORE = "before-the-kill";
  private static final String AFTER = "after-the-kill";
  private static final String MONEY = "money-missing";
  private static final double ROOM = 8;

  private final String name;
  private final Function<Boolean, BankPlan> plans;
  private final Function<Run, List<Entrant>> wanted;
  private final PeerLaunch launches;
  private final List<Series> series = new ArrayList<>();

  /**
   * Makes a part.
   *
   * @param name of it
   * @param plans what it runs, quickly or not
   * @param wanted which stores, all of which replace two values atomically
   * @param launches starts them
   */
  public BankPart(
      String name,
      Function<Boolean, BankPlan> plans,
      Function<Run, List<Entrant>> wanted,
      PeerLaunch launches) {
    this.name = name;
    this.plans = plans;
    this.wanted = wanted;
    this.launches = launches;
  }

  @Override
  public String name() {
    return name;
  }

  /** None if no case of the bank is wanted: its cases are measured together. */
  private List<Entrant> entrants(Run run) {
    return Stream.of(OPEN, START, FULL, BEFORE, AFTER, MONEY)
            .anyMatch(what -> run.settings().wants(named(run, what)))
        ? wanted.apply(run)
        : List.of();
  }

  private String named(Run run, String what) {
    return plan(run).prefix() + what;
  }

  private BankPlan plan(Run run) {
    return plans.apply(run.settings().quick());
  }

  @Override
  public int steps(Run run) {
    return run.settings().rounds() * entrants(run).size();
  }

  @Override
  public void measure(Run run) throws IOException {
    Path disk = Directories.create(run.disk());
    Path memory = Directories.create(run.memory());
    try {
      List<Entrant> entrants = launches.available(run, entrants(run), Entrant::peer);
      Rounds.run(
          run,
          name(),
          label -> named(run, label),
          run.settings().rounds(),
          entrants,
          (entrant, round) -> {
            round(run, entrant, entrant.mode() == Mode.EMULATED ? memory : disk, round == 1);
            Series.write(run.logs().resolveSibling(""), series);
          });
    } finally {
      Directories.delete(memory);
      Directories.delete(disk);
    }
  }

  private void round(Run run, Entrant entrant, Path parent, boolean first) throws IOException {
    Path loaded = parent.resolve(entrant.label());
    Path work = parent.resolve("work");
    int threads = plan(run).threads();
    long millis = plan(run).millis();
    try {
      if (!Files.exists(loaded)) {
        requireRoom(parent, plan(run).accounts());
        try (WorkerProcess loader = worker(run, entrant, loaded).ready()) {
          loader.ask("load");
        }
      }
      Directories.copy(loaded, work);
      double[] before;
      try (WorkerProcess victim = worker(run, entrant, work).ready()) {
        before = Curve.read(victim.ask("run", threads, millis));
        victim.ask("start", threads);
        victim.ask("run-on", millis / 10);
        victim.kill();
      }
      try (WorkerProcess heir = worker(run, entrant, work).ready()) {
        Map<String, Double> found = heir.ask("recover", threads, millis);
        add(run, entrant, before, found);
        double sum = heir.ask("sum").getOrDefault("sum", Double.NaN);
        double missing = plan(run).accounts() * Account.INITIAL - sum;
        run.samples().add(entrant.row(named(run, MONEY), threads, "units"), Math.abs(missing));
        if (first) {
          series.add(series(run, entrant, BEFORE, before));
          series.add(series(run, entrant, AFTER, Curve.read(found)));
        }
      }
    } finally {
      Directories.delete(work);
    }
  }

  private static void requireRoom(Path directory, long accounts) throws IOException {
    double bytes = ROOM * accounts * Account.BYTES;
    if (Files.getFileStore(directory).getUsableSpace() < bytes) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s has not the %.1f GiB that it may take",
              directory,
              bytes / (1 << 30)));
    }
  }

  private void add(Run run, Entrant entrant, double[] before, Map<String, Double> found) {
    int threads = plan(run).threads();
    double[] after = Curve.read(found);
    double full = Curve.settled(before);
    run.samples()
        .add(
            entrant.row(named(run, OPEN), 1, Case.SECONDS), found.getOrDefault("open", Double.NaN));
    run.samples()
        .add(
            entrant.row(named(run, START), 1, Case.SECONDS),
            found.getOrDefault("first", Double.NaN));
    run.samples().add(entrant.row(named(run, BEFORE), threads, Case.OPS_PER_S), full);
    run.samples()
        .add(entrant.row(named(run, AFTER), threads, Case.OPS_PER_S), Curve.settled(after));
    OptionalDouble reached = Curve.fullSpeed(after, full);
    if (reached.isPresent()) {
      run.samples()
          .add(entrant.row(named(run, FULL), threads, Case.SECONDS), reached.getAsDouble());
    } else {
      run.samples()
          .notRun(
              entrant.label() + " " + FULL,
              String.format(
                  Locale.ROOT,
                  "in a round it did not reach 90 %% of its earlier speed within %.0f s",
                  after.length * Curve.SECONDS));
    }
  }

  private Series series(Run run, Entrant entrant, String what, double[] rates) {
    List<List<Double>> points = new ArrayList<>();
    for (int i = 0; i < rates.length; i++) {
      points.add(List.of(Math.round(i * Curve.SECONDS * 10) / 10.0, rates[i]));
    }
    return new Series(
        name,
        named(run, what),
        entrant.peer().name(),
        entrant.mode().level(),
        entrant.mode().medium(),
        "seconds",
        "transactions per second",
        points);
  }

  private WorkerProcess worker(Run run, Entrant entrant, Path directory) throws IOException {
    return WorkerProcess.start(
            run.logs(),
            launches.of(entrant.peer(), entrant.label(), plan(run).heap(), false, null),
            BankSubject.class,
            Map.of(
                "binding", entrant.peer().binding(),
                "directory", directory.toString(),
                "mode", entrant.mode().name(),
                "accounts", Long.toString(plan(run).accounts())))
        .within(run.progress().left());
  }
}
