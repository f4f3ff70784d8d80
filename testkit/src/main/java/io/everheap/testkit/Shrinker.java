package io.everheap.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Makes a failing chain of crashes smaller, as long as it fails: earlier moments, and fewer units
 * that survive (or are lost, if these are fewer). What it finds cannot be made smaller in one step
 * of the kinds it tries; a smaller one of another kind may exist. For one thread.
 */
final class Shrinker {
  private static final int TRIES = 400;

  private final Predicate<Trace> fails;
  private int tries;

  /**
   * Prepares to shrink.
   *
   * @param fails runs a chain of crashes and tells whether it still fails
   */
  Shrinker(Predicate<Trace> fails) {
    this.fails = fails;
  }

  /** Returns a chain that fails and is not larger than this one. */
  Trace shrink(Trace failing) {
    Trace smallest = failing;
    for (int step = smallest.steps().size() - 1; step >= 0; step--) {
      smallest = units(earlier(smallest, step), step);
    }
    return smallest;
  }

  /** Moves a crash to an earlier moment, in steps that get smaller. */
  private Trace earlier(Trace trace, int index) {
    Trace smallest = trace;
    for (long back = trace.steps().get(index).point() / 2; back > 0; ) {
      Trace moved = moved(smallest, index, back);
      if (moved.equals(smallest)) {
        back /= 2;
      } else {
        smallest = moved;
        back = Math.min(back, smallest.steps().get(index).point() / 2);
      }
    }
    return smallest;
  }

  private Trace moved(Trace trace, int index, long back) {
    Trace.Step step = trace.steps().get(index);
    for (boolean all : step.power() ? new boolean[] {false, true} : new boolean[] {false}) {
      Trace moved = trace.with(index, step.with(step.point() - back, all, new TreeMap<>()));
      if (stillFails(moved)) {
        return moved;
      }
    }
    return trace;
  }

  /** Lets fewer units be an exception from losing, or else from keeping, everything. */
  private Trace units(Trace trace, int index) {
    Trace.Step step = trace.steps().get(index);
    if (!step.power() || step.except().isEmpty()) {
      return trace;
    }
    for (boolean all : new boolean[] {false, true}) {
      Trace plain = trace.with(index, step.with(step.point(), all, new TreeMap<>()));
      if (stillFails(plain)) {
        return plain;
      }
    }
    List<Integer> units =
        smallest(
            List.copyOf(step.except().keySet()),
            kept -> stillFails(trace.with(index, only(step, kept))));
    return trace.with(index, only(step, units));
  }

  private static Trace.Step only(Trace.Step step, List<Integer> units) {
    SortedMap<Integer, Integer> except = new TreeMap<>(step.except());
    except.keySet().retainAll(units);
    return step.with(step.point(), step.all(), except);
  }

  private boolean stillFails(Trace trace) {
    return tries++ < TRIES && fails.test(trace);
  }

  /**
   * Reduces a failing list as far as possible (delta debugging: Zeller and Hildebrandt, Simplifying
   * and Isolating Failure-Inducing Input, 2002).
   */
  static <T> List<T> smallest(List<T> failing, Predicate<List<T>> fails) {
    List<T> smallest = failing;
    for (int part = Math.max(1, smallest.size() / 2); ; part = Math.max(1, part / 2)) {
      boolean changed = false;
      for (int at = 0; at < smallest.size() && smallest.size() > 1; ) {
        List<T> rest = new ArrayList<>(smallest);
        rest.subList(at, Math.min(at + part, rest.size())).clear();
        if (fails.test(rest)) {
          smallest = rest;
          changed = true;
        } else {
          at += part;
        }
      }
      if (part == 1 && !changed) {
        return smallest;
      }
    }
  }
}
