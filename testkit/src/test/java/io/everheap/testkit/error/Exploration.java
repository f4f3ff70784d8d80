package io.everheap.testkit.error;

import io.everheap.testkit.error.ErrorExplorer.Case;
import io.everheap.testkit.error.ErrorExplorer.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Explores a program, with the classes of the library instrumented. Called by reflection. */
public final class Exploration {
  private static final int THREADS = 2;

  /** After so many there is no need for more. */
  private static final int MOST_FAILURES = Integer.getInteger("everheap.errors.failures", 20);

  private final AtomicInteger failures = new AtomicInteger();

  private Exploration() {}

  /**
   * Explores one program.
   *
   * @param share of all runs that are made, out of a thousand
   * @return texts: the number of places, of runs, of runs that were struck, of runs that ended
   *     poisoned; and then what failed
   */
  public static List<String> explore(String kind, String name, int share, long seed)
      throws Exception {
    return new Exploration().run(kind, name, share, seed);
  }

  private List<String> run(String kind, String name, int share, long seed) throws Exception {
    ErrorExplorer<?> explorer = Programs.explorer(HeapPrograms.Setup.valueOf(kind), name);
    List<Case> cases = explorer.cases();
    long places = cases.stream().map(Case::place).distinct().count();
    List<Case> chosen = choose(cases, share, seed);
    List<Outcome> outcomes = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<Outcome>> runs = new ArrayList<>();
      for (Case of : chosen) {
        runs.add(threads.submit(() -> failures.get() < MOST_FAILURES ? run(explorer, of) : null));
      }
      for (Future<Outcome> run : runs) {
        Outcome outcome = run.get();
        if (outcome != null) {
          outcomes.add(outcome);
        }
      }
    }
    List<String> report = new ArrayList<>();
    report.add(Long.toString(places));
    report.add(Long.toString(outcomes.size()));
    report.add(Long.toString(outcomes.stream().filter(Outcome::struck).count()));
    report.add(Long.toString(outcomes.stream().filter(Outcome::poisoned).count()));
    for (Outcome outcome : outcomes) {
      if (outcome.failure() != null) {
        report.add(outcome.of() + "\n" + outcome.failure());
      }
    }
    return report;
  }

  private Outcome run(ErrorExplorer<?> explorer, Case of) {
    Outcome outcome = explorer.run(of);
    if (outcome.failure() != null) {
      failures.incrementAndGet();
    }
    return outcome;
  }

  /** A part of the cases, each place once as long as that is possible. */
  private static List<Case> choose(List<Case> cases, int share, long seed) {
    List<Case> shuffled = new ArrayList<>(cases);
    Collections.shuffle(shuffled, new Random(seed));
    int wanted = (int) Math.min(cases.size(), Math.max(1, (long) cases.size() * share / 1000));
    List<Case> first = new ArrayList<>();
    List<Case> later = new ArrayList<>();
    var places = new java.util.HashSet<Integer>();
    for (Case of : shuffled) {
      (places.add(of.place()) ? first : later).add(of);
    }
    first.addAll(later);
    return first.subList(0, wanted);
  }
}
