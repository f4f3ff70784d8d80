package io.everheap.testkit;

import io.everheap.testkit.machine.Chooser;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * The ways in which a power loss can treat the units of an image: all of them if they are few
 * enough; else none, all, each unit alone, all but each, pairs, and random choices, as many as a
 * budget allows.
 *
 * @param all the ways to try: the version of each unit that survives
 * @param exhaustive whether these are all there are
 */
record CrashStates(List<int[]> all, boolean exhaustive) {

  /**
   * Chooses what to try.
   *
   * @param limit try all ways if there are not more than these
   * @param budget else this many, at least 2
   */
  static CrashStates of(List<Chooser.Unit> units, int limit, int budget, long seed) {
    long all = 1;
    for (Chooser.Unit unit : units) {
      all = Math.min(all * unit.versions(), Integer.MAX_VALUE);
    }
    return all <= Math.max(limit, budget)
        ? every(units, (int) all)
        : new CrashStates(new Some(units, budget, seed).choose(), false);
  }

  /** Asks a chooser for the version of each unit. */
  static int[] versions(List<Chooser.Unit> units, Chooser chooser) {
    int[] versions = new int[units.size()];
    for (Chooser.Unit unit : units) {
      versions[unit.index()] = chooser.choose(unit);
    }
    return versions;
  }

  private static CrashStates every(List<Chooser.Unit> units, int count) {
    List<int[]> states = new ArrayList<>();
    for (int state = 0; state < count; state++) {
      int[] versions = new int[units.size()];
      int rest = state;
      for (int i = 0; i < versions.length; i++) {
        versions[i] = rest % units.get(i).versions();
        rest /= units.get(i).versions();
      }
      states.add(versions);
    }
    return new CrashStates(states, true);
  }

  /** Chooses some of the ways where there are too many. */
  private static final class Some {
    private final List<Chooser.Unit> units;
    private final int budget;
    private final Random random;
    private final long[] times;
    private final List<int[]> chosen = new ArrayList<>();

    Some(List<Chooser.Unit> units, int budget, long seed) {
      this.units = units;
      this.budget = budget;
      this.random = new Random(seed);
      this.times = units.stream().mapToLong(Chooser.Unit::changed).sorted().distinct().toArray();
    }

    List<int[]> choose() {
      add(Chooser.none());
      add(Chooser.all());
      // A wrong order of durable writes shows best when the first or last change alone survives.
      add(since(times[times.length - 1]));
      add(since(times[0] + 1));
      for (int i : some(Math.max(1, budget / 4))) {
        add(Chooser.only(i));
        add(Chooser.allBut(i));
      }
      for (int i : some(budget / 8)) {
        add(pair(i, random.nextInt(units.size())));
      }
      while (chosen.size() < budget) {
        long time = times[random.nextInt(times.length)];
        switch (random.nextInt(5)) {
          case 0 -> add(since(time));
          case 1 -> add(unit -> unit.changed() < time ? unit.versions() - 1 : 0);
          default -> add(Chooser.random(random.nextLong()));
        }
      }
      return chosen.subList(0, budget);
    }

    private void add(Chooser chooser) {
      if (chosen.size() < budget) {
        chosen.add(versions(units, chooser));
      }
    }

    /** Indexes of units: all, or a random choice of so many. */
    private Set<Integer> some(int most) {
      Set<Integer> indexes = new TreeSet<>();
      while (indexes.size() < Math.min(most, units.size())) {
        indexes.add(most >= units.size() ? indexes.size() : random.nextInt(units.size()));
      }
      return indexes;
    }

    private static Chooser pair(int a, int b) {
      return unit -> unit.index() == a || unit.index() == b ? unit.versions() - 1 : 0;
    }

    private static Chooser since(long time) {
      return unit -> unit.changed() >= time ? unit.versions() - 1 : 0;
    }
  }
}
