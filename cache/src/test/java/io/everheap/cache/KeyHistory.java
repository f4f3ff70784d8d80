package io.everheap.cache;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What several threads did to one key, and whether it could have happened one after the other: the
 * search of Wing and Gong ("Testing and Verifying Concurrent Objects", JPDC 1993), with Lowe's
 * memory of the states already tried. An operation may have several outcomes, since what was loaded
 * is put only if the key was not changed meanwhile.
 */
final class KeyHistory {
  private final ConcurrentLinkedQueue<Operation> operations = new ConcurrentLinkedQueue<>();

  /** What an operation may do to the value of a key, null when it is absent. */
  interface Effect {
    /** The values afterwards and what the operation returns with each; none if it is impossible. */
    List<Outcome> on(@Nullable Long value);
  }

  /** The value after an operation, and its result. */
  record Outcome(@Nullable Long value, @Nullable Object result) {}

  /**
   * An operation that took place between two moments.
   *
   * @param loaded what its loader returned, different from what all others did; null if it was not
   *     called
   * @param joins whether it may return what another operation loads at the same time
   * @param begin drawn from a counter before the call
   * @param end drawn from the same counter after the return
   */
  record Operation(
      String name,
      Effect effect,
      @Nullable Object result,
      @Nullable Long loaded,
      boolean joins,
      long begin,
      long end) {}

  private record State(long done, @Nullable Long value) {}

  /** The only outcome of an operation. */
  static List<Outcome> one(@Nullable Long value, @Nullable Object result) {
    return List.of(new Outcome(value, result));
  }

  /** Adds an operation; any thread. */
  void add(Operation operation) {
    operations.add(operation);
  }

  /** Whether some order explains all results, starting with an absent key. */
  boolean isLinearizable() {
    List<Operation> history = List.copyOf(operations);
    if (history.size() > Long.SIZE) {
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
      if ((done & 1L << i) != 0 || next.begin() >= firstEnd) {
        continue;
      }
      if (joined(history, next) && search(history, done | 1L << i, value, tried)) {
        return true;
      }
      for (Outcome outcome : next.effect().on(value)) {
        if (Objects.equals(outcome.result(), next.result())
            && search(history, done | 1L << i, outcome.value(), tried)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether an operation returned what another one loaded at the same time. */
  private static boolean joined(List<Operation> history, Operation operation) {
    return operation.joins()
        && history.stream()
            .anyMatch(
                other ->
                    other.loaded() != null
                        && other.loaded().equals(operation.result())
                        && other.begin() < operation.end()
                        && operation.begin() < other.end());
  }

  @Override
  public String toString() {
    return operations.toString();
  }
}
