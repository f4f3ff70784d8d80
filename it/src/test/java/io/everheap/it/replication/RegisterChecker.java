package io.everheap.it.replication;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether a history of one register can be explained by operations that happen at one
 * moment each, between their call and their return. The idea is Wing and Gong's, in Lowe's variant
 * that goes through the events once and keeps every state that is possible: a value, and which of
 * the open operations have happened. An operation that never returned may happen at any time, or
 * never.
 */
final class RegisterChecker {
  private RegisterChecker() {}

  private record State(long value, Set<Integer> happened) {}

  private record Event(long time, boolean isReturn, int operation) {}

  /**
   * Checks a register.
   *
   * @param initial its value at the beginning
   * @param history what was done to it
   * @return the operation whose return nothing explains; empty if there is none
   */
  static Optional<Operation> violation(long initial, List<Operation> history) {
    List<Operation> relevant = relevant(history);
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < relevant.size(); i++) {
      events.add(new Event(relevant.get(i).start(), false, i));
      if (relevant.get(i).isKnown()) {
        events.add(new Event(relevant.get(i).end(), true, i));
      }
    }
    events.sort(Comparator.comparingLong(Event::time).thenComparing(Event::isReturn));
    Set<Integer> open = new HashSet<>();
    Set<State> states = Set.of(new State(initial, Set.of()));
    for (Event event : events) {
      int index = event.operation();
      if (!event.isReturn()) {
        open.add(index);
        continue;
      }
      states = after(index, states, open, relevant);
      if (states.isEmpty()) {
        return Optional.of(relevant.get(index));
      }
      open.remove(index);
    }
    return Optional.empty();
  }

  /**
   * Leaves out operations that never returned and of which no trace was seen: if there is an
   * explanation in which they happen, there is one in which they do not, since every operation that
   * returned tells what it found.
   */
  private static List<Operation> relevant(List<Operation> history) {
    Set<Long> seen = new HashSet<>();
    for (Operation o : history) {
      seen.add(o.isKnown() ? o.found() : o.expected());
    }
    return history.stream()
        .filter(o -> o.isKnown() || (o.kind() != Operation.Kind.READ && seen.contains(o.value())))
        .toList();
  }

  /** The states in which an operation has happened, without it. */
  private static Set<State> after(
      int index, Set<State> before, Set<Integer> open, List<Operation> history) {
    Set<State> found = new HashSet<>();
    Set<State> seen = new HashSet<>(before);
    Deque<State> left = new ArrayDeque<>(before);
    while (!left.isEmpty()) {
      State state = left.remove();
      if (state.happened().contains(index)) {
        Set<Integer> others = new HashSet<>(state.happened());
        others.remove(index);
        found.add(new State(state.value(), others));
        continue;
      }
      for (int next : open) {
        Operation operation = history.get(next);
        if (!state.happened().contains(next) && operation.isPossible(state.value())) {
          Set<Integer> happened = new HashSet<>(state.happened());
          happened.add(next);
          State reached = new State(operation.next(state.value()), happened);
          if (seen.add(reached)) {
            left.add(reached);
          }
        }
      }
    }
    return found;
  }
}
