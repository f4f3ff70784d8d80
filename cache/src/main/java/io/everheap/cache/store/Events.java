package io.everheap.cache.store;

import io.everheap.cache.event.CacheEvictionEvent;
import io.everheap.cache.event.CacheRecoveryEvent;
import io.everheap.cache.event.CacheSyncEvent;
import io.everheap.cache.event.Recording;
import org.jspecify.annotations.Nullable;

/** Makes events, if somebody records them. */
final class Events {
  private Events() {}

  static @Nullable CacheRecoveryEvent recovery() {
    if (!Recording.isOn()) {
      return null;
    }
    var event = new CacheRecoveryEvent();
    event.begin();
    return event;
  }

  static void recovered(@Nullable CacheRecoveryEvent event, Counters counters) {
    if (event != null) {
      event.entries = counters.recovered.sum();
      event.damaged = counters.damaged.sum();
      event.commit();
    }
  }

  static @Nullable CacheSyncEvent sync() {
    if (!Recording.isOn()) {
      return null;
    }
    var event = new CacheSyncEvent();
    event.begin();
    return event;
  }

  static void synced(@Nullable CacheSyncEvent event, long sequence) {
    if (event != null) {
      event.sequence = sequence;
      event.commit();
    }
  }

  static void evicted(long entries, long bytes) {
    if (entries > 0 && Recording.isOn()) {
      var event = new CacheEvictionEvent();
      event.entries = entries;
      event.bytes = bytes;
      event.commit();
    }
  }
}
