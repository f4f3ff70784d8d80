package io.everheap.testkit;

import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The crashes of a process and of its successors, one after the other, in a form that can be
 * written down and repeated: {@code K57#12 P103[4:1,7:2]#99} kills the process at its moment 57,
 * lets a successor that gets the seed 12 lose its power at its moment 103, keeps nothing but
 * version 1 of unit 4 and version 2 of unit 7, and gives the next one the seed 99. {@code
 * P103[*,4:0]} keeps the newest version of everything but unit 4.
 */
record Trace(List<Step> steps) {
  static final Trace EMPTY = new Trace(List.of());

  private static final Pattern STEP = Pattern.compile("(K|P)(\\d+)(?:\\[([*:,\\d]*)\\])?#(\\d+)");
  private static final Pattern CHOICE = Pattern.compile("\\*|(\\d+):(\\d+)");

  Trace {
    steps = List.copyOf(steps);
  }

  /**
   * One crash.
   *
   * @param power whether the power was lost; else the process was killed
   * @param point the number of the moment
   * @param all whether units survive in their newest version; else in their durable one
   * @param except versions of the units for which this is not so, by their indexes
   * @param seed for the process that comes next
   * @param description the same in words; empty if it was read from a text
   */
  record Step(
      boolean power,
      long point,
      boolean all,
      SortedMap<Integer, Integer> except,
      int seed,
      String description) {

    static Step kill(CrashPoint at, int seed) {
      return new Step(false, at.number(), false, new TreeMap<>(), seed, "killed at " + at);
    }

    static Step powerLoss(CrashPoint at, List<Chooser.Unit> units, int[] versions, int seed) {
      SortedMap<Integer, Integer> kept = new TreeMap<>();
      SortedMap<Integer, Integer> lost = new TreeMap<>();
      for (Chooser.Unit unit : units) {
        int version = versions[unit.index()];
        if (version > 0) {
          kept.put(unit.index(), version);
        }
        if (version < unit.versions() - 1) {
          lost.put(unit.index(), version);
        }
      }
      boolean all = lost.size() < kept.size();
      String description = "power lost at " + at + ", " + describe(units, all, all ? lost : kept);
      return new Step(true, at.number(), all, all ? lost : kept, seed, description);
    }

    private static String describe(
        List<Chooser.Unit> units, boolean all, SortedMap<Integer, Integer> except) {
      String these =
          except.entrySet().stream()
              .limit(20)
              .map(
                  e -> {
                    Chooser.Unit unit = units.get(e.getKey());
                    return String.format(
                        Locale.ROOT,
                        "%s (version %d of 0 to %d)",
                        unit,
                        e.getValue(),
                        unit.versions() - 1);
                  })
              .collect(Collectors.joining("; ", "", except.size() > 20 ? "; and more" : ""));
      if (except.isEmpty()) {
        return String.format(
            Locale.ROOT, "of %d units %s survived", units.size(), all ? "all" : "none");
      }
      return String.format(
          Locale.ROOT,
          "of %d units %s survived%s: %s",
          units.size(),
          all ? "all" : "none",
          all ? " in full but" : " but",
          these);
    }

    Chooser chooser() {
      return unit ->
          Math.min(
              except.getOrDefault(unit.index(), all ? unit.versions() - 1 : 0),
              unit.versions() - 1);
    }

    Step with(long newPoint, boolean newAll, SortedMap<Integer, Integer> newExcept) {
      return new Step(power, newPoint, newAll, newExcept, seed, "");
    }

    @Override
    public String toString() {
      String choice =
          except.entrySet().stream()
              .map(e -> e.getKey() + ":" + e.getValue())
              .collect(Collectors.joining(","));
      String kept = all ? choice.isEmpty() ? "*" : "*," + choice : choice;
      return power
          ? String.format(Locale.ROOT, "P%d[%s]#%d", point, kept, seed)
          : String.format(Locale.ROOT, "K%d#%d", point, seed);
    }
  }

  static Trace parse(String text) {
    List<Step> steps = new ArrayList<>();
    for (String part : Pattern.compile(" +").splitAsStream(text.strip()).toList()) {
      Matcher m = STEP.matcher(part);
      if (!m.matches()) {
        throw new IllegalArgumentException("not a crash: " + part + " in " + text);
      }
      SortedMap<Integer, Integer> except = new TreeMap<>();
      boolean all = false;
      for (MatchResult choice : CHOICE.matcher(part).results().toList()) {
        if (choice.group(1) == null) {
          all = true;
        } else {
          except.put(Integer.valueOf(choice.group(1)), Integer.valueOf(choice.group(2)));
        }
      }
      boolean power = m.group(1).equals("P");
      long point = Long.parseLong(m.group(2));
      steps.add(new Step(power, point, all, except, Integer.parseInt(m.group(4)), ""));
    }
    return new Trace(steps);
  }

  Trace then(Step step) {
    List<Step> longer = new ArrayList<>(steps);
    longer.add(step);
    return new Trace(longer);
  }

  /** The same with another step at one place. */
  Trace with(int index, Step step) {
    List<Step> changed = new ArrayList<>(steps);
    changed.set(index, step);
    return new Trace(changed);
  }

  /** One letter for each crash: K for a killed process, P for a lost power. */
  String kinds() {
    return steps.stream().map(step -> step.power ? "P" : "K").collect(Collectors.joining());
  }

  /** Each crash on its own line. */
  String describe() {
    return steps.stream()
        .map(
            step -> "\n  then " + (step.description.isEmpty() ? step.toString() : step.description))
        .collect(Collectors.joining());
  }

  @Override
  public String toString() {
    return steps.stream().map(Step::toString).collect(Collectors.joining(" "));
  }
}
