package io.everheap.testkit;

import io.everheap.stability.Evolving;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an exploration tried. Only states that were checked are counted: a state that was found
 * before, with the same promises, is not counted again. Thread-safe.
 *
 * @since 0.9
 */
@Evolving
public final class CrashReport {
  private final long start = System.nanoTime();
  private final Map<String, Long> chains = new TreeMap<>();
  private long points;
  private long powerPoints;
  private long exhaustive;
  private long states;
  private long repeated;
  private long images;
  private long end = start;

  CrashReport() {}

  /**
   * Returns at how many moments a process was crashed.
   *
   * @return the number of moments, including those of successors of crashed processes
   */
  public synchronized long points() {
    return points;
  }

  /**
   * Returns at how many of these moments the power was also lost: just before something becomes
   * durable, and at the end. Only there can a crash leave several states.
   *
   * @return the number of moments
   */
  public synchronized long powerPoints() {
    return powerPoints;
  }

  /**
   * Returns how many states were opened and checked after a crash.
   *
   * @return the number of states
   */
  public synchronized long states() {
    return states;
  }

  /**
   * Returns at how many of the moments at which the power was lost all possible states were tried,
   * as far as the simulated medium knows them: it remembers 6 to 16 earlier versions of each unit,
   * and of pages of shared mappings one for each interval between syncs.
   *
   * @return the number of moments, none of them one at which a process was killed only
   */
  public synchronized long exhaustivePoints() {
    return exhaustive;
  }

  /**
   * Returns how many states were left out because the same bytes were checked before against the
   * same promises.
   *
   * @return the number of states
   */
  public synchronized long repeatedStates() {
    return repeated;
  }

  /**
   * Returns how many home images were compared, word by word, with what the process before had in
   * memory after the last commit that was recovered.
   *
   * @return the number of openings after which this was done
   */
  public synchronized long images() {
    return images;
  }

  /**
   * Returns the states by the crashes that led to them, one letter for each: K for a killed
   * process, P for a lost power. {@code KP} is a process that was killed, and a successor that lost
   * its power during or after its recovery.
   *
   * @return the number of states for each chain of crashes
   */
  public synchronized Map<String, Long> chains() {
    return Map.copyOf(chains);
  }

  /**
   * Returns how long the exploration took.
   *
   * @return the time from the making of this report to its last state, in seconds
   */
  public synchronized double seconds() {
    return (end - start) / 1e9;
  }

  synchronized void point() {
    points++;
  }

  synchronized void powerPoint(boolean exhaustively) {
    powerPoints++;
    exhaustive += exhaustively ? 1 : 0;
  }

  synchronized void state(String chain) {
    states++;
    chains.merge(chain, 1L, Long::sum);
  }

  synchronized void image() {
    images++;
  }

  synchronized void repeatedState() {
    repeated++;
  }

  synchronized void ran() {
    end = System.nanoTime();
  }

  @Override
  public synchronized String toString() {
    return String.format(
        Locale.ROOT,
        "%d crash states (%d images compared) at %d points"
            + " (power lost at %d, exhaustively at %d); %s; %.0f states/s",
        states,
        images,
        points,
        powerPoints,
        exhaustive,
        new TreeMap<>(chains),
        states / Math.max(seconds(), 1e-3));
  }
}
