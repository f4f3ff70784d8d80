package io.everheap.structure.map;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the operations on one key, recorded by several threads, could have happened one
 * after the other: the search of Wing and Gong ("Testing and Verifying Concurrent Objects", JPDC
 * 1993), with Lowe's memory of the states already tried.
 */
public final class Linearizability {
  private Linearizability() {}

  /** What an operation does to the value of a key, null when it is absent. */
  public interface Effect {
    /** The value afterwards and what the operation returns. */
    Outcome on(@Nullable Long value);
  }

  /** The value after an operation, and its result. */
  public record Outcome(@Nullable Long value, @Nullable Object result) {}

  /**
   * An operation that took place between two moments.
   *
   * @param begin drawn from a counter before the call
   * @param end drawn from the same counter after the return
   */
  public record Operation(
      String name, Effect effect, @Nullable Object result, long begin, long end) {}

  private record State(long done, @Nullable Long value) {}

  /** Whether some order explains all results, starting with an absent key. */
  public static boolean isLinearizable(List<Operation> history) {
    if (history.size() > 64) {
      throw new IllegalArgumentException("too long a history: " + history.size());
    }
    return search(history, 0, null, new HashSet<>());
  }

  private static boolean search(
      List<Operation> history, long done, @Nullable Long value, Set<State> tried) {
    if (Long.bitCount(done) == history.size()) {
      return true;
    }
    if (!tried.add(new State(done, value))) {
      return false;
    }
    long firstEnd = Long.MAX_VALUE;
    for (int i = 0; i < history.size(); i++) {
      if ((done & 1L << i) == 0) {
        firstEnd = Math.min(firstEnd, history.get(i).end());
      }
    }
    for (int i = 0; i < history.size(); i++) {
      Operation next = history.get(i);
      if ((done & 1L << i) == 0 && next.begin() < firstEnd) {
        Outcome outcome = next.effect().on(value);
        if (Objects.equals(outcome.result(), next.result())
            && search(history, done | 1L << i, outcome.value(), tried)) {
          return true;
        }
      }
    }
    return false;
  }
}
