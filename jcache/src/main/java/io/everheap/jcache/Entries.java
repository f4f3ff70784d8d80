package io.everheap.jcache;

import io.everheap.cache.DurableCache;
import io.everheap.cache.TimedEntries;
import io.everheap.jcache.event.Listeners;
import java.time.Instant;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The steps that JCache's operations are made of: each changes an entry, with the time at which it
 * expires, and then tells listeners. All but {@link #read} and {@link #contains} are called under
 * the key's lock.
 */
final class Entries<K, V> {
  private final DurableCache<K, V> cache;
  private final TimedEntries<K, V> timed;
  private final Expiry<K, V> expiry;
  private final Listeners<K, V> listeners;

  Entries(DurableCache<K, V> cache, Expiry<K, V> expiry, Listeners<K, V> listeners) {
    this.cache = cache;
    this.timed = cache.timed();
    this.expiry = expiry;
    this.listeners = listeners;
  }

  /** The value of a key, which is used by that. */
  @Nullable V read(K key) {
    return cache.getIfPresent(key);
  }

  boolean contains(K key) {
    return timed.contains(key);
  }

  /** The entry of a key, without using it. */
  TimedEntries.@Nullable Entry<V> find(K key) {
    return timed.peek(key);
  }

  /**
   * The entry of a key, for an operation that depends on whether there is one: one of an earlier
   * opening is waited for, which others take for missing until it is found again.
   */
  TimedEntries.@Nullable Entry<V> findSurely(K key) {
    TimedEntries.Entry<V> found = timed.peek(key);
    if (found == null && !cache.blocks().isIndexed()) {
      cache.blocks().awaitIndexed();
      found = timed.peek(key);
    }
    return found;
  }

  /** Counts as a use of an entry that was found. */
  void use(K key) {
    Instant at = expiry.afterAccess(timed.now());
    if (at != null) {
      boolean _ = timed.expireAt(key, at);
    }
  }

  /**
   * Makes an entry where there is none.
   *
   * @return false if it is expired from the start, and was not made
   */
  boolean create(K key, V value) {
    Instant now = timed.now();
    Instant at = expiry.afterCreation(now);
    if (!at.isAfter(now)) {
      cache.invalidate(key); // an older value may be found yet
      return false;
    }
    timed.put(key, value, at);
    listeners.tell(EventType.CREATED, key, value, null);
    return true;
  }

  /** Changes the value of an entry. */
  void update(K key, V value, TimedEntries.Entry<V> old) {
    Instant at = expiry.afterUpdate(timed.now());
    timed.put(key, value, at == null ? old.expiresAt() : at);
    listeners.tell(EventType.UPDATED, key, value, old.value());
  }

  /**
   * Makes an entry or changes it.
   *
   * @return false if it is expired from the start, and was not made
   */
  boolean put(K key, V value, TimedEntries.@Nullable Entry<V> old) {
    if (old == null) {
      return create(key, value);
    }
    update(key, value, old);
    return true;
  }

  /** Removes an entry; also if it was not found, since it may be of an earlier opening. */
  void remove(K key, TimedEntries.@Nullable Entry<V> old) {
    cache.invalidate(key);
    if (old != null) {
      listeners.tell(EventType.REMOVED, key, old.value(), old.value());
    }
  }
}
