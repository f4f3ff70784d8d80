package io.everheap.testkit.error;

import io.everheap.testkit.error.ErrorExplorer.Case;
import io.everheap.testkit.error.ErrorExplorer.Outcome;
import io.everheap.testkit.error.HeapPrograms.Setup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Explores programs, with the classes of the library instrumented. Called by reflection. */
public final class Exploration {
  private static final int THREADS = 2;

  /** After so many there is no need for more. */
  private static final int MOST_FAILURES = Integer.getInteger("everheap.errors.failures", 10);

  /** Places at which an error struck in one program or another. */
  private static final Set<Integer> TRIED = new HashSet<>();

  private final AtomicInteger failures = new AtomicInteger();

  private Exploration() {}

  /** The names of the programs. */
  public static List<String> names() {
    return Programs.names();
  }

  /**
   * Explores one program.
   *
   * @param setup storage and durability
   * @param most runs to make
   * @return texts: the number of places that were not tried before, of runs that were struck, of
   *     those that ended poisoned; and then what failed
   */
  public static List<String> explore(String setup, String name, int most, long seed)
      throws Exception {
    return new Exploration().run(Programs.explorer(Setup.valueOf(setup), name), most, seed);
  }

  private List<String> run(ErrorExplorer<?> explorer, int most, long seed) throws Exception {
    List<Case> chosen = choose(explorer.cases(), most, seed);
    int before = TRIED.size();
    chosen.forEach(of -> TRIED.add(of.place()));
    List<Outcome> outcomes = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<@Nullable Outcome>> runs = new ArrayList<>();
      for (Case of : chosen) {
        runs.add(threads.submit(() -> run(explorer, of)));
      }
      for (Future<@Nullable Outcome> run : runs) {
        Outcome outcome = run.get();
        if (outcome != null) {
          outcomes.add(outcome);
        }
      }
    }
    List<String> report = new ArrayList<>();
    report.add(Integer.toString(TRIED.size() - before));
    report.add(Long.toString(outcomes.stream().filter(Outcome::struck).count()));
    report.add(Long.toString(outcomes.stream().filter(Outcome::poisoned).count()));
    for (Outcome outcome : outcomes) {
      if (outcome.failure() != null) {
        report.add(outcome.of() + "\n" + outcome.failure());
      }
    }
    return report;
  }

  private @Nullable Outcome run(ErrorExplorer<?> explorer, Case of) {
    if (failures.get() >= MOST_FAILURES) {
      return null;
    }
    Outcome outcome = explorer.run(of);
    if (outcome.failure() != null) {
      failures.incrementAndGet();
    }
    return outcome;
  }

  /** A part of the cases: places that no program tried yet first, then each once. */
  private static List<Case> choose(List<Case> cases, int most, long seed) {
    List<Case> shuffled = new ArrayList<>(cases);
    Collections.shuffle(shuffled, new Random(seed));
    List<Case> fresh = new ArrayList<>();
    List<Case> other = new ArrayList<>();
    List<Case> again = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    for (Case of : shuffled) {
      if (!seen.add(of.place())) {
        again.add(of);
      } else if (TRIED.contains(of.place())) {
        other.add(of);
      } else {
        fresh.add(of);
      }
    }
    fresh.addAll(other);
    fresh.addAll(again);
    return fresh.subList(0, Math.min(most, fresh.size()));
  }
}
