package io.everheap.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The ways in which a power loss can treat the units of an image, as many as a budget allows. All
 * of them if they are few enough; else none, all, each unit alone, all but each, pairs, and random
 * choices.
 *
 * @param choosers the ways to try
 * @param exhaustive whether these are all there are
 */
record CrashStates(List<Named> choosers, boolean exhaustive) {
  /** A way with a name that finds it again. */
  record Named(String name, Chooser chooser) {
    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * Chooses what to try.
   *
   * @param limit how many, at least 2
   */
  static CrashStates of(List<Chooser.Unit> units, int limit, long seed) {
    long all = 1;
    for (Chooser.Unit unit : units) {
      all = Math.min(all * unit.versions(), Integer.MAX_VALUE);
    }
    return all <= limit ? every(units, (int) all) : some(units, limit, seed);
  }

  private static CrashStates every(List<Chooser.Unit> units, int count) {
    List<Named> choosers = new ArrayList<>();
    for (int state = 0; state < count; state++) {
      int[] versions = new int[units.size()];
      int rest = state;
      for (int i = 0; i < versions.length; i++) {
        versions[i] = rest % units.get(i).versions();
        rest /= units.get(i).versions();
      }
      choosers.add(new Named("state " + state + " of " + count, unit -> versions[unit.index()]));
    }
    return new CrashStates(choosers, true);
  }

  private static CrashStates some(List<Chooser.Unit> units, int limit, long seed) {
    var random = new Random(seed);
    List<Named> choosers = new ArrayList<>();
    choosers.add(new Named("none", Chooser.none()));
    choosers.add(new Named("all", Chooser.all()));
    int each = Math.min(units.size(), Math.max(1, limit / 4));
    for (int i = 0; i < each && choosers.size() < limit; i++) {
      int one = each == units.size() ? i : random.nextInt(units.size());
      choosers.add(new Named("only " + units.get(one), Chooser.only(one)));
      choosers.add(new Named("all but " + units.get(one), Chooser.allBut(one)));
    }
    while (choosers.size() < limit) {
      int a = random.nextInt(units.size());
      int b = random.nextInt(units.size());
      long chosen = random.nextLong();
      switch (random.nextInt(6)) {
        case 0 ->
            choosers.add(
                new Named(
                    "only " + units.get(a) + " and " + units.get(b),
                    unit -> unit.index() == a || unit.index() == b ? unit.versions() - 1 : 0));
        case 1 -> choosers.add(new Named("the first units up to " + units.get(a), upTo(a, true)));
        case 2 -> choosers.add(new Named("the units behind " + units.get(a), upTo(a, false)));
        default -> choosers.add(new Named("random " + chosen, Chooser.random(chosen)));
      }
    }
    return new CrashStates(choosers.subList(0, limit), false);
  }

  private static Chooser upTo(int last, boolean first) {
    return unit -> (unit.index() <= last) == first ? unit.versions() - 1 : 0;
  }
}
