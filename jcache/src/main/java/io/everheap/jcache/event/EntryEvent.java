package io.everheap.jcache.event;

import javax.cache.Cache;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/** What happened to an entry. */
final class EntryEvent<K, V> extends CacheEntryEvent<K, V> {
  private static final long serialVersionUID = 1L;

  private final transient K key;
  private final transient @Nullable V value;
  private final transient @Nullable V old;
  private final boolean oldAvailable;

  EntryEvent(
      Cache<K, V> source,
      EventType type,
      K key,
      @Nullable V value,
      @Nullable V old,
      boolean oldAvailable) {
    super(source, type);
    this.key = key;
    this.value = value;
    this.old = old;
    this.oldAvailable = oldAvailable;
  }

  @Override
  public K getKey() {
    return key;
  }

  @Override
  public @Nullable V getValue() {
    return value;
  }

  @Override
  public @Nullable V getOldValue() {
    return old;
  }

  @Override
  public boolean isOldValueAvailable() {
    return oldAvailable;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new IllegalArgumentException("an event is no " + type.getName());
  }

  @Override
  public String toString() {
    return getEventType() + " " + key + ": " + old + " -> " + value;
  }
}
