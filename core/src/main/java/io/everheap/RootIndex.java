package io.everheap;

import io.everheap.collection.DurableMap;
import io.everheap.engine.tx.Transactions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The names of roots by their references, so that freeing a structure does not search all roots.
 * The index is built on first use and updated with each change. A change may be rolled back with
 * its transaction or a nested one, so changed names are looked up again after a rollback, and once
 * more when the transaction has ended.
 *
 * <p>Used by the thread that runs a transaction.
 */
final class RootIndex {
  private final Transactions transactions;
  private final Supplier<? extends Optional<? extends DurableMap<String, Long>>> roots;
  private final Supplier<? extends Optional<? extends DurableMap<String, Long>>> soundRoots;

  /** The index; null before the first use. */
  private @Nullable Map<Long, String> names;

  private final Map<String, Long> references = new HashMap<>();

  /** Names that the transaction {@link #changedIn} changed. */
  private final Set<String> changed = new HashSet<>();

  /** Those of them whose entries in the index may be outdated. */
  private final Set<String> unsettled = new HashSet<>();

  /** The serial of the transaction that made these changes. */
  private long changedIn;

  /** The number of nested rollbacks at the last look-up. */
  private long rollbacks;

  /**
   * Creates it.
   *
   * @param roots the map of roots
   * @param soundRoots the same after all its pages were compared with their checksums
   */
  RootIndex(
      Transactions transactions,
      Supplier<? extends Optional<? extends DurableMap<String, Long>>> roots,
      Supplier<? extends Optional<? extends DurableMap<String, Long>>> soundRoots) {
    this.transactions = transactions;
    this.roots = roots;
    this.soundRoots = soundRoots;
  }

  /** Notes that the running transaction adds or removes a root. */
  void changing(String name) {
    long serial = transactions.serial();
    if (changedIn != serial) {
      if (names != null) {
        settle(names);
      }
      changed.clear(); // those of earlier transactions
      unsettled.clear();
      changedIn = serial;
    }
    changed.add(name);
    unsettled.add(name);
  }

  /** The name of the root with this reference, or null if there is none. */
  @Nullable String nameOf(long reference) {
    Map<Long, String> index = names;
    if (index == null) {
      Map<Long, String> made = new HashMap<>();
      soundRoots
          .get()
          .ifPresent(
              all ->
                  all.forEach(
                      (name, root) -> {
                        made.put(root, name);
                        references.put(name, root);
                      }));
      names = made;
      index = made;
    }
    settle(index);
    return index.get(reference);
  }

  /** Updates the changed names, and forgets them once their transaction has ended. */
  private void settle(Map<Long, String> index) {
    boolean ended = changedIn != transactions.serial();
    long rolledBack = transactions.nestedRollbacks();
    Set<String> outdated = ended || rolledBack != rollbacks ? changed : unsettled;
    if (outdated.isEmpty()) {
      return;
    }
    Optional<? extends DurableMap<String, Long>> all = roots.get();
    for (String name : outdated) {
      Long now = all.map(map -> map.get(name)).orElse(null);
      Long before = now == null ? references.remove(name) : references.put(name, now);
      if (!Objects.equals(now, before)) {
        if (before != null) {
          index.remove(before, name);
        }
        if (now != null) {
          index.put(now, name);
        }
      }
    }
    unsettled.clear();
    rollbacks = rolledBack;
    if (ended) {
      changed.clear();
    }
  }
}
