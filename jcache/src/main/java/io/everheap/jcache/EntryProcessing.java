package io.everheap.jcache;

import io.everheap.cache.TimedEntries;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.cache.CacheException;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorException;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/**
 * Calls entry processors, under the lock of their key, and does what they left to be done: the net
 * effect of all that they did to the entry, with one event. Thread-safe.
 */
final class EntryProcessing<K, V> {
  private final Core<K, V> core;

  EntryProcessing(Core<K, V> core) {
    this.core = core;
  }

  <T> @Nullable T invoke(K key, EntryProcessor<K, V, T> processor, Object... arguments) {
    long start = core.statistics().start();
    return core.locked(
        key,
        lock -> {
          TimedEntries.Entry<V> found = core.entries().findSurely(key);
          core.statistics().got(found != null, start);
          var entry = new ProcessedEntry<>(core, key, found == null ? null : found.value());
          T result;
          try {
            result = processor.process(entry, arguments);
          } catch (CacheException e) {
            throw e;
          } catch (RuntimeException e) {
            throw failure(e);
          }
          finish(key, entry, found, core.statistics().start());
          return result;
        });
  }

  private void finish(
      K key, ProcessedEntry<K, V> entry, TimedEntries.@Nullable Entry<V> found, long start) {
    switch (entry.outcome()) {
      case NONE -> {}
      case USED -> core.entries().use(key);
      case LOADED -> {
        boolean _ = core.entries().put(key, Objects.requireNonNull(entry.current()), found);
      }
      case SET -> {
        V value = Objects.requireNonNull(entry.current());
        core.sources().write(key, value);
        if (core.entries().put(key, value, found)) {
          core.statistics().put(start);
        }
      }
      case REMOVED -> {
        core.sources().delete(key);
        core.entries().remove(key, found);
        if (found != null) {
          core.statistics().removed(1, start);
        }
      }
    }
  }

  <T> Map<K, EntryProcessorResult<T>> invokeAll(
      Set<? extends K> keys, EntryProcessor<K, V, T> processor, Object... arguments) {
    Map<K, EntryProcessorResult<T>> results = new HashMap<>();
    for (K key : keys) {
      try {
        T result = invoke(key, processor, arguments);
        if (result != null) {
          results.put(key, () -> result);
        }
      } catch (EntryProcessorException e) {
        results.put(key, failed(e));
      } catch (RuntimeException e) {
        results.put(key, failed(failure(e)));
      }
    }
    return results;
  }

  /** The message of the processor's exception may have a value, so it is not repeated. */
  private static EntryProcessorException failure(RuntimeException cause) {
    return new EntryProcessorException("an entry processor failed", cause);
  }

  private static <T> EntryProcessorResult<T> failed(EntryProcessorException failure) {
    return () -> {
      throw failure;
    };
  }
}
