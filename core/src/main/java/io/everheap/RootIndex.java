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
 * The index is built on first use and follows changes. Their transactions may be rolled back,
 * wholly or in part, so changed names are looked up again until their transaction is over.
 *
 * <p>Used by the thread that runs a transaction.
 */
final class RootIndex {
  private final Transactions transactions;
  private final Supplier<Optional<DurableMap<String, Long>>> roots;

  /** Null until it was needed. */
  private @Nullable Map<Long, String> names;

  private final Map<String, Long> references = new HashMap<>();

  /** Names that may lead elsewhere than the index says. */
  private final Set<String> changed = new HashSet<>();

  /** The serial of the transaction that changed them last. */
  private long changedIn;

  RootIndex(Transactions transactions, Supplier<Optional<DurableMap<String, Long>>> roots) {
    this.transactions = transactions;
    this.roots = roots;
  }

  /** A root is added or removed by the running transaction. */
  void changing(String name) {
    long serial = transactions.serial();
    if (changedIn != serial) {
      if (names != null) {
        settle(names);
      }
      changed.clear(); // those of earlier transactions
      changedIn = serial;
    }
    changed.add(name);
  }

  /** The name of a root, or null if the reference is none's. */
  @Nullable String nameOf(long reference) {
    Map<Long, String> index = names;
    if (index == null) {
      Map<Long, String> made = new HashMap<>();
      roots
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

  /** Looks up again what was changed, and forgets it once its transaction is over. */
  private void settle(Map<Long, String> index) {
    if (changed.isEmpty()) {
      return;
    }
    Optional<DurableMap<String, Long>> all = roots.get();
    for (String name : changed) {
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
    if (changedIn != transactions.serial()) {
      changed.clear();
    }
  }
}
