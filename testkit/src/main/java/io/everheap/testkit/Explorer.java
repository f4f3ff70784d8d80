package io.everheap.testkit;

import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.CrashPoint;
import io.everheap.testkit.machine.HomeWatch;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Crashes a process at many moments of its life, lets a successor find each of the states that the
 * crash can leave behind, and crashes the successors in turn, also during their recovery.
 *
 * <p>The process runs once; at each chosen moment the machine is frozen and the process continues.
 * A state is not tried again if the same bytes were found with the same promises before. For one
 * thread; the process may use others.
 */
final class Explorer {
  /** At a point with more states than these, about so many successors are crashed in turn. */
  private static final int CRASHED_AGAIN = 6;

  private final long seed;
  private final List<Effort> efforts;
  private final CrashReport report;

  /**
   * How much to try in one generation of processes.
   *
   * @param points moments of each kind
   * @param most moments of all kinds together
   * @param states ways to lose power at each of them, if there are more than {@code exhaustive}
   * @param exhaustive try all ways to lose power where there are not more than these
   */
  record Effort(int points, int most, int states, int exhaustive) {
    /** The default limit up to which all states of a point are tried. */
    static final int EXHAUSTIVE = 4096;

    Effort(int points, int most, int states) {
      this(points, most, states, states);
    }

    /** Every moment there is. */
    static Effort everywhere(int states, int exhaustive) {
      return new Effort(Integer.MAX_VALUE, Integer.MAX_VALUE, states, exhaustive);
    }
  }

  /** A failure and the crashes that led to it. */
  static final class Failure extends AssertionError {
    private final Trace trace;

    Failure(String message, Trace trace, @Nullable Throwable cause) {
      super(message, cause);
      this.trace = trace;
    }

    Trace trace() {
      return trace;
    }
  }

  /**
   * Prepares an exploration.
   *
   * @param efforts one for the process itself, one for its successors, and so on
   */
  Explorer(long seed, List<Effort> efforts, CrashReport report) {
    this.seed = seed;
    this.efforts = efforts;
    this.report = report;
  }

  /** Runs the process on an empty medium and tries its crashes. */
  void explore(SimulatedProcess process, SimulatedMedium medium) {
    explore(process, medium, 0, seed, Trace.EMPTY, "seed " + seed + " on " + medium.name());
  }

  /**
   * Explores a deterministic process, which is created anew for each run. A failure is reduced to a
   * smaller one, and the message says how to {@link #replay} it.
   */
  void explore(Supplier<SimulatedProcess> process, Supplier<SimulatedMedium> medium) {
    try {
      explore(process.get(), medium.get());
    } catch (Failure failure) {
      throw shrunk(process, medium, failure);
    }
  }

  private static Failure shrunk(
      Supplier<SimulatedProcess> process, Supplier<SimulatedMedium> medium, Failure failure) {
    if (failure.trace().steps().isEmpty() || fails(process, medium, failure.trace()) == null) {
      return failure; // nothing was crashed, or it is not the same each time
    }
    Trace smallest =
        new Shrinker(trace -> fails(process, medium, trace) != null).shrink(failure.trace());
    Failure again = Objects.requireNonNull(fails(process, medium, smallest));
    return new Failure(
        String.format(
            Locale.ROOT,
            "%s\nsmallest failure: %s%s\nto repeat it: %s",
            failure.getMessage(),
            again.getMessage(),
            again.trace().describe(),
            smallest),
        smallest,
        again.getCause());
  }

  private static @Nullable Failure fails(
      Supplier<SimulatedProcess> process, Supplier<SimulatedMedium> medium, Trace trace) {
    try {
      replay(process.get(), medium.get(), trace);
      return null;
    } catch (Failure e) {
      return e;
    }
  }

  /**
   * Repeats the crashes of a trace. Does nothing if its moments do not exist.
   *
   * @throws Failure if the last process fails; in it, the trace is repeated in words
   */
  static void replay(SimulatedProcess process, SimulatedMedium medium, Trace trace) {
    Trace repeated = Trace.EMPTY;
    medium.watchHomes(new HomeWatch(() -> {}));
    for (Trace.Step step : trace.steps()) {
      Moments.@Nullable Moment[] found = new Moments.Moment[1];
      SimulatedProcess current = process;
      SimulatedMedium machine = medium;
      machine.observe(
          point -> {
            if (point.number() == step.point()) {
              found[0] = Moments.freeze(current, machine, point);
            }
          });
      try (machine) {
        runToEnd(current, machine, repeated, "in the process that is to be crashed");
        CrashPoint end = Moments.end(machine);
        if (end.number() == step.point()) {
          found[0] = Moments.freeze(current, machine, end);
        }
      }
      Moments.Moment moment = found[0];
      if (moment == null) {
        return;
      }
      if (step.power()) {
        List<Chooser.Unit> units = moment.image().units();
        int[] versions = CrashStates.versions(units, step.chooser());
        repeated =
            repeated.then(Trace.Step.powerLoss(moment.point(), units, versions, step.seed()));
        medium = moment.image().powerLoss(step.chooser());
      } else {
        repeated = repeated.then(Trace.Step.kill(moment.point(), step.seed()));
        medium = moment.image().processKill();
      }
      process = moment.promise().successor(step.power(), step.seed());
    }
    try (SimulatedMedium last = medium) {
      runToEnd(process, last, repeated, "replayed");
    }
  }

  private static void runToEnd(
      SimulatedProcess process, SimulatedMedium medium, Trace trace, String head) {
    try {
      process.run(medium);
    } catch (Exception | Error e) {
      throw new Failure(head + trace.describe() + "\nfailed: " + e, trace, e);
    }
  }

  private void explore(
      SimulatedProcess process,
      SimulatedMedium medium,
      int generation,
      long runSeed,
      Trace trace,
      String head) {
    var random = new Random(runSeed);
    if (generation == 0) {
      medium.watchHomes(new HomeWatch(report::image));
    }
    List<Moments.Moment> moments;
    try (medium) {
      moments = run(process, medium, generation, random, trace, head);
    }
    report.ran();
    Set<List<Object>> seen = new HashSet<>();
    for (int i = 0; i < moments.size(); i++) {
      crash(moments.get(i), generation, random, trace, head, seen);
      moments.set(i, null); // its image may be large
    }
  }

  private List<Moments.Moment> run(
      SimulatedProcess process,
      SimulatedMedium medium,
      int generation,
      Random random,
      Trace trace,
      String head) {
    if (generation >= efforts.size()) {
      runToEnd(process, medium, trace, head);
      return List.of();
    }
    var moments = new Moments(process, medium, efforts.get(generation), random.nextLong());
    medium.observe(moments::at);
    runToEnd(process, medium, trace, head);
    medium.observe(point -> {});
    moments.at(Moments.end(medium));
    return moments.chosen(random);
  }

  private void crash(
      Moments.Moment moment,
      int generation,
      Random random,
      Trace trace,
      String head,
      Set<List<Object>> seen) {
    CrashImage image = moment.image();
    report.point();
    if (seen.add(List.of("K", image.hash(), moment.promise().key()))) {
      Trace.Step step = Trace.Step.kill(moment.point(), seed(random));
      next(moment, image, step, generation + 1, trace, head);
    } else {
      report.repeatedState();
    }
    if (!moment.point().kind().persists()) {
      return;
    }
    Effort effort = efforts.get(generation);
    List<Chooser.Unit> units = image.units();
    CrashStates states =
        CrashStates.of(units, effort.exhaustive(), effort.states(), random.nextLong());
    report.powerPoint(states.exhaustive());
    for (int[] versions : states.all()) {
      CrashImage lost = image.afterPowerLoss(unit -> versions[unit.index()]);
      if (seen.add(List.of("P", lost.hash(), moment.promise().key()))) {
        Trace.Step step = Trace.Step.powerLoss(moment.point(), units, versions, seed(random));
        boolean again = random.nextInt(states.all().size()) < CRASHED_AGAIN;
        next(moment, lost, step, again ? generation + 1 : efforts.size(), trace, head);
      } else {
        report.repeatedState();
      }
    }
  }

  private static int seed(Random random) {
    return random.nextInt(1_000_000);
  }

  private void next(
      Moments.Moment moment,
      CrashImage left,
      Trace.Step step,
      int generation,
      Trace trace,
      String head) {
    Trace longer = trace.then(step);
    report.state(longer.kinds());
    SimulatedProcess successor = moment.promise().successor(step.power(), step.seed());
    explore(successor, left.processKill(), generation, step.seed(), longer, head);
  }
}
