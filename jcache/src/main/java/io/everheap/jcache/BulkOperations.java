package io.everheap.jcache;

import io.everheap.cache.DurableCache;
import io.everheap.cache.TimedEntries;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.integration.CompletionListener;
import org.jspecify.annotations.Nullable;

/**
 * Operations of several entries. What a writer did not write is not changed: a writer says so by
 * what it leaves in the collection that it is given. Thread-safe.
 */
final class BulkOperations<K, V> {
  private static final System.Logger LOG = System.getLogger(BulkOperations.class.getName());

  /** How many entries are removed at a time, and locked. */
  private static final int BATCH = 1024;

  /** How many entries were changed, and the first failure. */
  private record Outcome(int count, @Nullable CacheException failure) {}

  private final Core<K, V> core;
  private final DurableCache<K, V> durable;

  BulkOperations(Core<K, V> core, DurableCache<K, V> durable) {
    this.core = core;
    this.durable = durable;
  }

  void putAll(Map<? extends K, ? extends V> map) {
    long start = core.statistics().start();
    Map<K, V> all = new LinkedHashMap<>();
    map.forEach((key, value) -> all.put(core.key(key), core.value(value)));
    Outcome outcome = core.lockedAll(all.keySet(), () -> putLocked(all));
    core.statistics().puts(outcome.count, start);
    throwIfFailed(outcome.failure);
  }

  private Outcome putLocked(Map<K, V> all) {
    CacheException failure = null;
    int count = 0;
    if (core.sources().writesThrough() && !all.isEmpty()) {
      List<Cache.Entry<? extends K, ? extends V>> left = new ArrayList<>();
      all.forEach((key, value) -> left.add(new SimpleEntry<>(key, value)));
      failure = core.sources().writeAll(left);
      left.forEach(entry -> all.remove(entry.getKey()));
    }
    for (Map.Entry<K, V> each : all.entrySet()) {
      K key = each.getKey();
      try {
        if (core.entries().put(key, each.getValue(), core.entries().find(key))) {
          count++;
        }
      } catch (CacheException e) { // of a listener: the entry was put
        count++;
        failure = first(failure, e);
      }
    }
    return new Outcome(count, failure);
  }

  void removeAll(Set<? extends K> keys) {
    keys.forEach(core::key);
    throwIfFailed(remove(List.copyOf(keys)));
  }

  /** Removes what is there when it is called, those of earlier openings included. */
  void removeAll() {
    durable.blocks().awaitIndexed();
    CacheException failure = null;
    List<K> batch = new ArrayList<>();
    for (K key : durable.asMap().keySet()) {
      batch.add(key);
      if (batch.size() == BATCH) {
        failure = first(failure, remove(batch));
        batch.clear();
      }
    }
    if (!batch.isEmpty()) {
      failure = first(failure, remove(batch));
    }
    throwIfFailed(failure);
    // A decoded key may have other bytes when it is encoded again: its entry is found by iterating.
    // Not after a failure: what a writer did not delete stays.
    durable.asMap().entrySet().removeIf(entry -> !core.entries().contains(entry.getKey()));
  }

  private static @Nullable CacheException first(
      @Nullable CacheException one, @Nullable CacheException other) {
    return one != null ? one : other;
  }

  private static void throwIfFailed(@Nullable CacheException failure) {
    if (failure != null) {
      throw failure;
    }
  }

  /** Removes entries; returns what failed. Keys may be equal, and not the same. */
  private @Nullable CacheException remove(List<K> keys) {
    long start = core.statistics().start();
    Outcome outcome = core.lockedAll(keys, () -> removeLocked(keys));
    core.statistics().removed(outcome.count, start);
    return outcome.failure;
  }

  private Outcome removeLocked(List<K> keys) {
    CacheException failure = null;
    int count = 0;
    Collection<K> left = new ArrayList<>();
    if (core.sources().writesThrough()) {
      left.addAll(keys);
      failure = core.sources().deleteAll(left);
    }
    Set<K> kept = new HashSet<>(left);
    for (K key : keys) {
      if (!kept.contains(key)) {
        TimedEntries.Entry<V> old = core.entries().find(key);
        count += old == null ? 0 : 1;
        try {
          core.entries().remove(key, old);
        } catch (CacheException e) { // of a listener: the entry was removed
          failure = first(failure, e);
        }
      }
    }
    return new Outcome(count, failure);
  }

  void loadAll(Set<? extends K> keys, boolean replaces, @Nullable CompletionListener told) {
    keys.forEach(core::key);
    if (!core.sources().hasLoader()) {
      if (told != null) {
        told.onCompletion();
      }
      return;
    }
    Set<K> all = new HashSet<>(keys);
    Thread.ofVirtual()
        .name("everheap-jcache-load")
        .inheritInheritableThreadLocals(true) // for the program's loader, which the caller wants
        .start(
            () -> {
              try {
                load(all, replaces);
              } catch (RuntimeException | Error e) {
                fail(told, e);
                return;
              }
              if (told != null) {
                told.onCompletion();
              }
            });
  }

  private static void fail(@Nullable CompletionListener told, Throwable failure) {
    if (told == null) {
      LOG.log(System.Logger.Level.WARNING, "a loader of a cache failed", failure);
    } else if (failure instanceof Exception exception) {
      told.onException(exception);
    } else {
      told.onException(new CacheException("a loader of a cache failed", failure));
    }
  }

  private void load(Set<K> keys, boolean replaces) {
    Set<K> wanted =
        replaces
            ? keys
            : keys.stream()
                .filter(key -> !core.entries().contains(key))
                .collect(Collectors.toSet());
    if (wanted.isEmpty()) {
      return;
    }
    Map<K, V> loaded = core.sources().loadAll(wanted);
    CacheException failure = null;
    for (K key : wanted) {
      V value = loaded.get(key);
      if (value == null) {
        continue;
      }
      try {
        boolean _ = core.locked(key, lock -> putLoaded(key, value, replaces));
      } catch (CacheException e) { // of a listener: the entry was put
        failure = first(failure, e);
      }
    }
    throwIfFailed(failure);
  }

  private boolean putLoaded(K key, V value, boolean replaces) {
    core.requireOpen();
    TimedEntries.Entry<V> old = core.entries().find(key);
    return (old == null || replaces) && core.entries().put(key, core.value(value), old);
  }
}
