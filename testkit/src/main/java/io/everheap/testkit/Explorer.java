package io.everheap.testkit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Crashes a process at many moments of its life, lets a successor find each of the states that the
 * crash can leave behind, and crashes some of the successors in turn, during their recovery too.
 *
 * <p>The process runs once; at each chosen moment the machine is frozen and the process goes on.
 * Moments are chosen at random, as many of each kind of event and kind of file, so that rare ones
 * are not lost among the stores.
 */
final class Explorer {
  /** Where files keep what matters most. */
  private static final int HEADER = 8192;

  private final long seed;
  private final List<Effort> efforts;
  private final CrashReport report;

  /**
   * How much to try in one generation of processes.
   *
   * @param points moments of each kind
   * @param most moments of all kinds together
   * @param states ways to lose power at each of them
   */
  record Effort(int points, int most, int states) {}

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
    explore(process, medium, 0, seed, List.of("seed " + seed + " on " + medium.name()));
  }

  private void explore(
      SimulatedProcess process,
      SimulatedMedium medium,
      int generation,
      long runSeed,
      List<String> trace) {
    var random = new Random(runSeed);
    List<Moment> moments;
    try (medium) {
      moments = run(process, medium, generation, random, trace);
    }
    report.ran();
    for (Moment moment : moments) {
      crash(moment, generation, random, trace);
    }
  }

  private List<Moment> run(
      SimulatedProcess process,
      SimulatedMedium medium,
      int generation,
      Random random,
      List<String> trace) {
    var recorder = new Recorder(process, medium, generation, random.nextLong());
    if (generation < efforts.size()) {
      medium.observe(recorder::at);
    }
    try {
      process.run(medium);
    } catch (Exception | Error e) {
      throw new AssertionError(String.join("\n  then ", trace), e);
    }
    if (generation < efforts.size()) {
      medium.observe(point -> {});
      recorder.at(new CrashPoint(medium.points() + 1, CrashPoint.Kind.END, "", 0, 0));
    }
    return recorder.chosen(random);
  }

  private void crash(Moment moment, int generation, Random random, List<String> trace) {
    report.point();
    report.state("K");
    next(moment, null, generation, random.nextLong(), trace);
    if (moment.point.kind().persists()) {
      CrashStates states =
          CrashStates.of(moment.image.units(), efforts.get(generation).states(), random.nextLong());
      report.powerPoint(states.exhaustive());
      for (CrashStates.Named state : states.choosers()) {
        report.state("P");
        next(moment, state, generation, random.nextLong(), trace);
      }
    }
  }

  private void next(
      Moment moment,
      CrashStates.@Nullable Named state,
      int generation,
      long runSeed,
      List<String> trace) {
    List<String> longer = new ArrayList<>(trace);
    longer.add(
        state == null
            ? "killed at " + moment.point
            : "power lost at %s of %d units, kept: %s"
                .formatted(moment.point, moment.image.units().size(), state));
    SimulatedMedium medium =
        state == null ? moment.image.processKill() : moment.image.powerLoss(state.chooser());
    explore(
        moment.promise.successor(state != null, runSeed), medium, generation + 1, runSeed, longer);
  }

  private record Moment(CrashPoint point, CrashImage image, SimulatedProcess.Promise promise) {}

  /** Keeps a random sample of the moments of each kind. */
  private final class Recorder {
    private final SimulatedProcess process;
    private final SimulatedMedium medium;
    private final int generation;
    private final Random random;
    private final Map<String, List<Moment>> samples = new HashMap<>();
    private final Map<String, Integer> seen = new HashMap<>();

    Recorder(SimulatedProcess process, SimulatedMedium medium, int generation, long sampleSeed) {
      this.process = process;
      this.medium = medium;
      this.generation = generation;
      this.random = new Random(sampleSeed);
    }

    /** Called with the medium's lock held. */
    void at(CrashPoint point) {
      String kind = kind(point);
      List<Moment> sample = samples.computeIfAbsent(kind, k -> new ArrayList<>());
      int number = seen.merge(kind, 1, Integer::sum);
      int points = efforts.get(generation).points();
      int place = number <= points ? number - 1 : random.nextInt(number);
      if (place < points) {
        // What is promised is asked for first: it can only grow until the image is taken.
        var promise = process.promise();
        var moment = new Moment(point, medium.image(), promise);
        if (place < sample.size()) {
          sample.set(place, moment);
        } else {
          sample.add(moment);
        }
      }
    }

    /** What happened, to which file or to files of which directory, and whether to its header. */
    private static String kind(CrashPoint point) {
      int slash = point.file().indexOf('/');
      String file = slash < 0 ? point.file() : point.file().substring(0, slash);
      return point.kind() + " " + file + (point.position() < HEADER ? "" : " behind its header");
    }

    List<Moment> chosen(Random order) {
      List<Moment> all = new ArrayList<>();
      samples.keySet().stream().sorted().forEach(kind -> all.addAll(samples.get(kind)));
      if (all.isEmpty() || all.size() <= efforts.get(generation).most()) {
        return all;
      }
      Collections.shuffle(all, order);
      return List.copyOf(all.subList(0, efforts.get(generation).most()));
    }
  }
}
