package io.everheap.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What an exploration tried. */
public final class CrashReport {
  private final List<long[]> generations = new ArrayList<>();
  private long exhaustive;

  CrashReport() {}

  /**
   * Returns at how many moments a process was crashed.
   *
   * @return the number of moments, of successors of crashed processes too
   */
  public synchronized long points() {
    return generations.stream().mapToLong(counts -> counts[0]).sum();
  }

  /**
   * Returns how many states were opened and checked after a crash.
   *
   * @return the number of states
   */
  public synchronized long states() {
    return generations.stream().mapToLong(counts -> counts[1]).sum();
  }

  /**
   * Returns at how many moments every state was tried that a power loss could leave behind.
   *
   * @return the number of moments
   */
  public synchronized long exhaustivePoints() {
    return exhaustive;
  }

  synchronized void point(int generation) {
    counts(generation)[0]++;
  }

  synchronized void state(int generation) {
    counts(generation)[1]++;
  }

  synchronized void exhaustivePoint() {
    exhaustive++;
  }

  private long[] counts(int generation) {
    while (generations.size() <= generation) {
      generations.add(new long[2]);
    }
    return generations.get(generation);
  }

  @Override
  public synchronized String toString() {
    String chains =
        generations.stream()
            .map(counts -> counts[1] + " at " + counts[0] + " points")
            .collect(Collectors.joining(", then "));
    return "%d crash states (%s; %d points exhaustively)".formatted(states(), chains, exhaustive);
  }
}
