package io.everheap.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries that leave the memory of a cache for the store. */
@Campaign
class PassivationTest {
  private static final int ENTRIES = 400;
  private static final int OPERATIONS = 20_000;
  private static final int THREADS = 4;

  @TempDir private Path temp;

  /** Caffeine, which holds the entries in memory, logs an eviction that it does not expect. */
  @Test
  void passivationLogsNoFailures() throws Exception {
    List<String> messages = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
              messages.add(entry.getLoggerName() + ": " + entry.getMessage());
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger caffeine = Logger.getLogger("com.github.benmanes.caffeine");
    Level level = caffeine.getLevel();
    caffeine.setLevel(Level.ALL);
    caffeine.addHandler(handler);
    try (DefaultCacheManager manager = Managers.local(temp)) {
      ConfigurationBuilder settings = Managers.cache(store -> {});
      settings.memory().maxCount(50);
      settings.encoding().mediaType("application/x-protostream");
      settings.persistence().passivation(true);
      Cache<String, String> cache = Managers.define(manager, "passivated", settings.build());
      try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          Random random = new Random(i);
          ends.add(threads.submit(() -> use(cache, random)));
        }
        for (Future<?> end : ends) {
          end.get();
        }
      }
    } finally {
      caffeine.removeHandler(handler);
      caffeine.setLevel(level);
    }
    assertThat(messages).isEmpty();
  }

  private static void use(Cache<String, String> cache, Random random) {
    for (int i = 0; i < OPERATIONS; i++) {
      String key = "key " + random.nextInt(ENTRIES);
      switch (random.nextInt(4)) {
        case 0 -> cache.put(key, key);
        case 1 -> cache.get(key);
        case 2 -> cache.evict(key);
        default -> cache.remove(key);
      }
    }
  }
}
