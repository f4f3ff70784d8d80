package io.everheap.jcache.event;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of a cache. Those that are synchronous are called in the thread that changes the
 * entry; the others in threads of their own, one event after the other. Thread-safe.
 */
public final class Listeners<K, V> {
  private final Cache<K, V> source;
  private final UnaryOperator<K> copyOfKey;
  private final UnaryOperator<V> copyOfValue;
  private final List<Registration<K, V>> registrations = new CopyOnWriteArrayList<>();

  /**
   * Without listeners at first.
   *
   * @param copyOfKey makes what asynchronous listeners get, since programs may change their objects
   * @param copyOfValue the same of values
   */
  public Listeners(Cache<K, V> source, UnaryOperator<K> copyOfKey, UnaryOperator<V> copyOfValue) {
    this.source = source;
    this.copyOfKey = copyOfKey;
    this.copyOfValue = copyOfValue;
  }

  /**
   * Adds a listener.
   *
   * @throws IllegalArgumentException if an equal configuration was added
   */
  public synchronized void add(CacheEntryListenerConfiguration<K, V> configuration) {
    for (Registration<K, V> each : registrations) {
      if (each.configuration().equals(configuration)) {
        throw new IllegalArgumentException("this listener was registered before");
      }
    }
    registrations.add(new Registration<>(configuration));
  }

  /** Removes a listener, if it is there; what it was not told yet it will not be. */
  public synchronized void remove(CacheEntryListenerConfiguration<K, V> configuration) {
    boolean _ =
        registrations.removeIf(
            each -> {
              boolean found = each.configuration().equals(configuration);
              if (found) {
                each.end();
              }
              return found;
            });
  }

  /** The configurations of all listeners. */
  public List<CacheEntryListenerConfiguration<K, V>> configurations() {
    return registrations.stream().map(Registration::configuration).toList();
  }

  /**
   * Tells all that want it what happened.
   *
   * @param value the new value; of an entry that is gone its last one
   * @throws CacheEntryListenerException if a synchronous listener failed; all others were told
   */
  public void tell(EventType type, K key, V value, @Nullable V old) {
    CacheEntryListenerException failure = null;
    for (Registration<K, V> each : registrations) {
      if (!each.listensTo(type)) {
        continue;
      }
      if (!each.isSynchronous()) {
        V copyOfOld = old == null ? null : copyOfValue.apply(old);
        each.callLater(
            event(each, type, copyOfKey.apply(key), copyOfValue.apply(value), copyOfOld));
        continue;
      }
      try {
        each.call(event(each, type, key, value, old));
      } catch (CacheEntryListenerException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private EntryEvent<K, V> event(
      Registration<K, V> to, EventType type, K key, V value, @Nullable V old) {
    boolean gone = type == EventType.REMOVED || type == EventType.EXPIRED;
    V before = gone ? value : old;
    boolean available = to.wantsOldValues() && before != null;
    V shown = available ? before : null;
    return new EntryEvent<>(source, type, key, gone ? shown : value, shown, available);
  }

  /** Ends all registrations; returns the listeners. */
  public synchronized List<CacheEntryListener<? super K, ? super V>> end() {
    List<CacheEntryListener<? super K, ? super V>> all =
        registrations.stream()
            .<CacheEntryListener<? super K, ? super V>>map(Registration::listener)
            .toList();
    registrations.forEach(Registration::end);
    registrations.clear();
    return all;
  }
}
