package io.everheap.jcache.event;

import java.util.List;
import java.util.Objects;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/** A listener as it was registered. Thread-safe. */
final class Registration<K, V> {
  private static final System.Logger LOG = System.getLogger(Registration.class.getName());

  private final CacheEntryListenerConfiguration<K, V> configuration;
  private final CacheEntryListener<? super K, ? super V> listener;
  private final @Nullable CacheEntryEventFilter<? super K, ? super V> filter;
  private final SerialQueue queue = new SerialQueue();
  private volatile boolean ended;

  Registration(CacheEntryListenerConfiguration<K, V> configuration) {
    this.configuration = configuration;
    this.listener =
        Objects.requireNonNull(
            configuration.getCacheEntryListenerFactory().create(), "the factory of a listener");
    Factory<CacheEntryEventFilter<? super K, ? super V>> filters =
        configuration.getCacheEntryEventFilterFactory();
    this.filter = filters == null ? null : filters.create();
  }

  CacheEntryListenerConfiguration<K, V> configuration() {
    return configuration;
  }

  CacheEntryListener<? super K, ? super V> listener() {
    return listener;
  }

  boolean isSynchronous() {
    return configuration.isSynchronous();
  }

  boolean wantsOldValues() {
    return configuration.isOldValueRequired();
  }

  boolean listensTo(EventType type) {
    return switch (type) {
      case CREATED -> listener instanceof CacheEntryCreatedListener;
      case UPDATED -> listener instanceof CacheEntryUpdatedListener;
      case REMOVED -> listener instanceof CacheEntryRemovedListener;
      case EXPIRED -> listener instanceof CacheEntryExpiredListener;
    };
  }

  /** Calls the listener, unless the filter does not let the event pass. */
  void call(CacheEntryEvent<K, V> event) {
    if (ended) {
      return;
    }
    try {
      if (filter == null || filter.evaluate(event)) {
        deliver(event);
      }
    } catch (CacheEntryListenerException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CacheEntryListenerException("a listener of a cache failed", e);
    }
  }

  @SuppressWarnings("unchecked") // a listener of supertypes accepts the events
  private void deliver(CacheEntryEvent<K, V> event) {
    List<CacheEntryEvent<? extends K, ? extends V>> events = List.of(event);
    switch (event.getEventType()) {
      case CREATED -> ((CacheEntryCreatedListener<K, V>) listener).onCreated(events);
      case UPDATED -> ((CacheEntryUpdatedListener<K, V>) listener).onUpdated(events);
      case REMOVED -> ((CacheEntryRemovedListener<K, V>) listener).onRemoved(events);
      case EXPIRED -> ((CacheEntryExpiredListener<K, V>) listener).onExpired(events);
    }
  }

  /** Calls the listener later, in another thread, after all events before this one. */
  void callLater(CacheEntryEvent<K, V> event) {
    queue.add(
        () -> {
          try {
            call(event);
          } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.WARNING, "a listener of a cache failed", e);
          }
        });
  }

  /** No event is delivered from now on. */
  void end() {
    ended = true;
  }
}
