package io.everheap.jcache;

import static io.everheap.jcache.Caches.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.support.Limit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.processor.EntryProcessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What listeners are told, at the corners that the conformance suite leaves out. */
class EventTest {
  /** Passes events on as texts. */
  private interface Listener<V>
      extends CacheEntryCreatedListener<String, V>,
          CacheEntryUpdatedListener<String, V>,
          CacheEntryRemovedListener<String, V> {
    void told(CacheEntryEvent<? extends String, ? extends V> event);

    @Override
    default void onCreated(Iterable<CacheEntryEvent<? extends String, ? extends V>> events) {
      events.forEach(this::told);
    }

    @Override
    default void onUpdated(Iterable<CacheEntryEvent<? extends String, ? extends V>> events) {
      events.forEach(this::told);
    }

    @Override
    default void onRemoved(Iterable<CacheEntryEvent<? extends String, ? extends V>> events) {
      events.forEach(this::told);
    }
  }

  @TempDir Path directory;
  private Caches caches;
  private final List<String> events = new ArrayList<>();
  private Cache<String, Integer> cache;

  @BeforeEach
  void open() {
    caches = new Caches(directory);
    cache = caches.create("numbers", numbers());
  }

  @AfterEach
  void close() {
    caches.close();
  }

  private static <V> MutableCacheEntryListenerConfiguration<String, V> configuration(
      Listener<V> listener,
      CacheEntryEventFilter<String, V> filter,
      boolean old,
      boolean isSynchronous) {
    return new MutableCacheEntryListenerConfiguration<>(
        () -> listener, filter == null ? null : () -> filter, old, isSynchronous);
  }

  private static String text(CacheEntryEvent<?, ?> event) {
    return String.format(
        Locale.ROOT,
        "%s %s %s->%s %s",
        event.getEventType(),
        event.getKey(),
        event.getOldValue(),
        event.getValue(),
        event.isOldValueAvailable());
  }

  private void listen() {
    cache.registerCacheEntryListener(
        configuration(event -> events.add(text(event)), null, true, true));
  }

  @Test
  void aProcessorIsOneEventOfItsNetEffect() {
    listen();
    run(
        (entry, arguments) -> {
          entry.setValue(1);
          entry.setValue(2);
          return null;
        });
    assertThat(events).containsExactly("CREATED a null->2 false");
    run(
        (entry, arguments) -> {
          entry.setValue(3);
          entry.remove();
          entry.setValue(4);
          return null;
        });
    run(
        (entry, arguments) -> {
          entry.setValue(5);
          entry.remove();
          return null;
        });
    assertThat(events.subList(1, 3)).containsExactly("UPDATED a 2->4 true", "REMOVED a 4->4 true");
    run(
        (entry, arguments) -> {
          entry.setValue(6);
          entry.remove();
          assertThat(entry.exists()).isFalse();
          return entry.getValue();
        });
    run(
        (entry, arguments) -> {
          entry.remove();
          return null;
        });
    assertThat(events).hasSize(3);
    assertThat(cache.containsKey("a")).isFalse();
  }

  private void run(EntryProcessor<String, Integer, Object> processor) {
    cache.invoke("a", processor);
  }

  @Test
  void aProcessorThatFailsChangesAndTellsNothing() {
    cache.put("a", 1);
    listen();
    assertThatThrownBy(
            () ->
                run(
                    (entry, arguments) -> {
                      entry.setValue(2);
                      throw new UnsupportedOperationException("a failure");
                    }))
        .hasRootCauseMessage("a failure");
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(events).isEmpty();
  }

  @Test
  void changesThatChangeNothingAreNotTold() {
    listen();
    assertThat(cache.remove("a")).isFalse();
    assertThat(cache.replace("a", 1)).isFalse();
    assertThat(cache.getAndRemove("a")).isNull();
    cache.put("a", 1);
    assertThat(cache.putIfAbsent("a", 2)).isFalse();
    assertThat(cache.replace("a", 2, 3)).isFalse();
    assertThat(cache.remove("a", 2)).isFalse();
    assertThat(cache.get("a")).isEqualTo(1);
    assertThat(events).containsExactly("CREATED a null->1 false");
    cache.clear();
    assertThat(events).hasSize(1);
  }

  @Test
  void eventsOfAKeyAreInOrder() {
    listen();
    cache.put("a", 1);
    cache.put("a", 2);
    cache.remove("a");
    cache.put("a", 3);
    cache.removeAll(Set.of("a", "b"));
    assertThat(events)
        .containsExactly(
            "CREATED a null->1 false",
            "UPDATED a 1->2 true",
            "REMOVED a 2->2 true",
            "CREATED a null->3 false",
            "REMOVED a 3->3 true");
  }

  @Test
  void oldValuesAreForThoseThatAskedForThem() {
    cache.registerCacheEntryListener(
        configuration(event -> events.add(text(event)), null, false, true));
    cache.put("a", 1);
    cache.put("a", 2);
    cache.remove("a");
    assertThat(events)
        .containsExactly(
            "CREATED a null->1 false", "UPDATED a null->2 false", "REMOVED a null->null false");
  }

  @Test
  void aFilterLetsEventsPassOrNot() {
    cache.registerCacheEntryListener(
        configuration(
            event -> events.add(text(event)), event -> event.getValue() % 2 == 0, true, true));
    cache.putAll(Map.of("a", 1, "b", 2));
    assertThat(events).containsExactly("CREATED b null->2 false");
  }

  @Test
  void aListenerThatFailsUndoesNothingAndStopsNoOther() {
    cache.registerCacheEntryListener(
        configuration(
            event -> {
              throw new UnsupportedOperationException("a listener");
            },
            null,
            true,
            true));
    listen();
    assertThatThrownBy(() -> cache.put("a", 1))
        .isInstanceOf(CacheEntryListenerException.class)
        .hasRootCauseMessage("a listener");
    assertThatThrownBy(() -> cache.putAll(Map.of("b", 1, "c", 1)))
        .isInstanceOf(CacheEntryListenerException.class);
    assertThatThrownBy(() -> cache.removeAll()).isInstanceOf(CacheEntryListenerException.class);
    assertThat(cache).isEmpty();
    assertThat(events).hasSize(6);
    cache.close(); // all locks are free
  }

  @Test
  void aSynchronousListenerMayUseTheCache() {
    cache.registerCacheEntryListener(
        configuration(
            event -> {
              if (!event.getKey().equals("copy")) {
                cache.put("copy", event.getValue());
              }
              events.add(
                  String.format(Locale.ROOT, "%s%d", event.getKey(), cache.get(event.getKey())));
            },
            null,
            true,
            true));
    cache.put("a", 1);
    assertThat(events).containsExactly("copy1", "a1");
  }

  @Test
  void asynchronousListenersAreToldInOrderAndOfCopies() throws InterruptedException {
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    CountDownLatch go = new CountDownLatch(1);
    Cache<String, StringBuilder> texts =
        caches.create(
            "texts",
            new MutableConfiguration<String, StringBuilder>()
                .setTypes(String.class, StringBuilder.class));
    texts.registerCacheEntryListener(
        configuration(
            event -> {
              await(go);
              told.add(String.format(Locale.ROOT, "%s%s", event.getKey(), event.getValue()));
            },
            null,
            true,
            false));
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      text.setLength(0);
      texts.put("a", text.append(i));
    }
    go.countDown();
    for (int i = 0; i < 100; i++) {
      assertThat(told.poll(Limit.seconds(), TimeUnit.SECONDS)).isEqualTo("a" + i);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      Limit.await(latch);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void listenersOfTheConfigurationListenToo() {
    Cache<String, Integer> other =
        caches.create(
            "others",
            numbers()
                .addCacheEntryListenerConfiguration(
                    configuration(event -> events.add(text(event)), null, true, true)));
    other.put("a", 1);
    assertThat(events).containsExactly("CREATED a null->1 false");
    assertThat(Caches.configuration(other).getCacheEntryListenerConfigurations()).hasSize(1);
  }

  @Test
  void aListenerIsRegisteredOnceAndNotToldAfterItsEnd() {
    AtomicInteger count = new AtomicInteger();
    MutableCacheEntryListenerConfiguration<String, Integer> configuration =
        configuration(event -> count.incrementAndGet(), null, true, true);
    cache.registerCacheEntryListener(configuration);
    assertThatThrownBy(() -> cache.registerCacheEntryListener(configuration))
        .isInstanceOf(IllegalArgumentException.class);
    cache.put("a", 1);
    cache.deregisterCacheEntryListener(configuration);
    cache.put("a", 2);
    assertThat(count).hasValue(1);
  }
}
