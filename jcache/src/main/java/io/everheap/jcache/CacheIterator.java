package io.everheap.jcache;

import io.everheap.cache.DurableCache;
import io.everheap.cache.TimedEntries;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the entries of a cache, those of earlier openings included. Weakly consistent:
 * entries that are put or removed meanwhile may be seen or not. For one thread at a time.
 */
final class CacheIterator<K, V> implements Iterator<Cache.Entry<K, V>> {
  private final Core<K, V> core;
  private final Iterator<Map.Entry<K, V>> all;
  private @Nullable K last;

  CacheIterator(Core<K, V> core, DurableCache<K, V> durable) {
    this.core = core;
    durable.blocks().awaitIndexed();
    this.all = durable.asMap().entrySet().iterator();
  }

  @Override
  public boolean hasNext() {
    core.requireOpen();
    return all.hasNext();
  }

  @Override
  public Cache.Entry<K, V> next() {
    core.requireOpen();
    if (!all.hasNext()) {
      throw new NoSuchElementException();
    }
    long start = core.statistics().start();
    Map.Entry<K, V> next = all.next();
    last = next.getKey();
    core.entries().use(next.getKey());
    core.statistics().got(true, start);
    return new SimpleEntry<>(next.getKey(), next.getValue());
  }

  @Override
  public void remove() {
    core.requireOpen();
    if (last == null) {
      throw new IllegalStateException("there is nothing to remove");
    }
    long start = core.statistics().start();
    K key = Objects.requireNonNull(last);
    last = null;
    core.locked(
        key,
        lock -> {
          TimedEntries.Entry<V> old = core.entries().find(key);
          core.sources().delete(key);
          if (old != null) {
            core.entries().remove(key, old);
            core.statistics().removed(1, start);
          }
          all.remove(); // by its stored bytes, which may not be those of the decoded key
          return null;
        });
  }
}
