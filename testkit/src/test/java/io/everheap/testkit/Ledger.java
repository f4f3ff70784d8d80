package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What a process has committed, as the list of the states after each commit, and what a successor
 * may therefore find: one of these states, not older than what was promised.
 *
 * @param <S> a state; immutable
 */
final class Ledger<S> {
  private final Before<S> before;
  private final boolean sync;
  private final Found<S> found = new Found<>();
  private final List<S> history = new ArrayList<>();
  private int finished;
  private int durable;
  private boolean opened;

  /**
   * What a predecessor left behind.
   *
   * @param history states that may be found
   * @param finished the oldest one that may be found if only processes were killed since
   * @param durable the oldest one that may be found after a power loss
   * @param powerLost whether the power was lost since
   * @param first what another process found that was crashed later, but before it did anything
   */
  record Before<S>(List<S> history, int finished, int durable, boolean powerLost, Found<S> first) {
    /** Nothing but this state was ever there. */
    static <S> Before<S> of(S state) {
      return new Before<>(List.of(state), 0, 0, false, new Found<>());
    }
  }

  /** What one recovery found. */
  static final class Found<S> {
    private volatile S state;
  }

  /**
   * Starts a ledger.
   *
   * @param sync whether a commit that returned survives a power loss
   */
  Ledger(Before<S> before, boolean sync) {
    this.before = before;
    this.sync = sync;
  }

  /** What holds now, for successors that the function makes from a seed and this. */
  synchronized SimulatedProcess.Promise promise(
      BiFunction<Long, Before<S>, SimulatedProcess> successor) {
    if (!opened) {
      return new Promised("not opened", successor, this::stillBefore);
    }
    List<S> possible = List.copyOf(history.subList(durable, history.size()));
    int least = finished - durable;
    return new Promised(
        List.of(durable, finished, history.size()),
        successor,
        powerLost -> new Before<>(possible, least, 0, powerLost, new Found<>()));
  }

  /** What was promised at one moment. */
  private final class Promised implements SimulatedProcess.Promise {
    private final Object key;
    private final BiFunction<Long, Before<S>, SimulatedProcess> successor;
    private final Function<Boolean, Before<S>> left;

    Promised(
        Object key,
        BiFunction<Long, Before<S>, SimulatedProcess> successor,
        Function<Boolean, Before<S>> left) {
      this.key = key;
      this.successor = successor;
      this.left = left;
    }

    @Override
    public SimulatedProcess successor(boolean powerLost, long seed) {
      return successor.apply(seed, left.apply(powerLost));
    }

    @Override
    public Object key() {
      return key;
    }
  }

  /** A recovery that was crashed itself. What it found must be found again, if it was safe. */
  private Before<S> stillBefore(boolean powerLost) {
    boolean safe = before.powerLost || !powerLost;
    return new Before<>(
        before.history,
        before.finished,
        before.durable,
        powerLost || before.powerLost,
        safe ? found : new Found<>());
  }

  /** Checks what was found after opening; from now on it is durable. */
  synchronized void opened(S state) {
    found.state = state;
    S first = before.first.state;
    if (first != null) {
      assertThat(state).as("what an earlier recovery found").isEqualTo(first);
    }
    int least = before.powerLost ? before.durable : before.finished;
    List<S> allowed = before.history.subList(least, before.history.size());
    if (!allowed.contains(state)) {
      int index = before.history.indexOf(state);
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "found %s; wanted %s to %s of the %d possible states, the newest of which is %s; %s",
              index < 0 ? state : "state " + index,
              least,
              before.history.size() - 1,
              before.history.size(),
              before.history.getLast(),
              before.powerLost ? "the power was lost" : "no power was lost"));
    }
    opened = true;
    history.add(state);
  }

  /** A commit to this state may be under way. Returns its place in the order of commits. */
  synchronized int announce(S state) {
    history.add(state);
    return history.size() - 1;
  }

  /** A commit returned, and so did all before it. Threads may say so in any order. */
  synchronized void committed(int place) {
    finished = Math.max(finished, place);
    if (sync) {
      durable = finished;
    }
  }

  /** The place of the newest commit that returned. */
  synchronized int finished() {
    return finished;
  }

  /** Everything up to a place is durable. */
  synchronized void synced(int place) {
    durable = Math.max(durable, place);
  }

  /** The commit returned. */
  synchronized void committed() {
    finished = history.size() - 1;
    if (sync) {
      durable = finished;
    }
  }

  /** Everything that was committed is durable. */
  synchronized void synced() {
    durable = finished;
  }

  /** The state after the newest commit. */
  synchronized S last() {
    return history.getLast();
  }
}
