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
    // What is durable in the wrong order shows best in the first or last change alone.
    long[] times = units.stream().mapToLong(Chooser.Unit::changed).sorted().distinct().toArray();
    choosers.add(new Named("the newest alone", since(times[times.length - 1])));
    choosers.add(new Named("all but the oldest", since(times[0] + 1)));
    int each = Math.min(units.size(), Math.max(1, limit / 4));
    for (int i = 0; i < each && choosers.size() < limit; i++) {
      int one = each == units.size() ? i : random.nextInt(units.size());
      choosers.add(new Named("only " + units.get(one), Chooser.only(one)));
      choosers.add(new Named("all but " + units.get(one), Chooser.allBut(one)));
    }
    while (choosers.size() < limit) {
      long time = times[random.nextInt(times.length)];
      int a = random.nextInt(units.size());
      int b = random.nextInt(units.size());
      long chosen = random.nextLong();
      choosers.add(
          switch (random.nextInt(6)) {
            case 0 ->
                new Named(
                    "only " + units.get(a) + " and " + units.get(b),
                    unit -> unit.index() == a || unit.index() == b ? unit.versions() - 1 : 0);
            case 1 -> new Named("changes since point " + time, since(time));
            case 2 -> new Named("changes before point " + time, before(time));
            default -> new Named("random " + chosen, Chooser.random(chosen));
          });
    }
    return new CrashStates(choosers.subList(0, limit), false);
  }

  private static Chooser since(long time) {
    return unit -> unit.changed() >= time ? unit.versions() - 1 : 0;
  }

  private static Chooser before(long time) {
    return unit -> unit.changed() < time ? unit.versions() - 1 : 0;
  }
}
