package io.everheap.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.infinispan.Cache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries that leave the memory of a cache for the store, and come back. */
@Campaign
class PassivationTest {
  private static final int KEYS = 2_000;
  private static final int OPERATIONS = 20_000;
  private static final int THREADS = 4;

  @TempDir private Path temp;

  private final Logger caffeine = Logger.getLogger("com.github.benmanes.caffeine");
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
            failures.add(entry.getMessage());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    caffeine.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    caffeine.removeHandler(handler);
  }

  /**
   * Infinispan keeps entries in a cache of Caffeine, which logs a state that it does not expect.
   */
  @Test
  void entriesThatComeAndGoLeaveTheContainerAsItExpects() throws Exception {
    try (DefaultCacheManager manager = Managers.local(temp)) {
      ConfigurationBuilder settings = Managers.cache(store -> {});
      settings.memory().maxCount(50);
      settings.encoding().mediaType(MediaType.APPLICATION_PROTOSTREAM);
      settings.persistence().passivation(true);
      Cache<String, String> cache = Managers.define(manager, "passivated", settings.build());
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int seed = i;
        threads.add(Thread.ofPlatform().start(() -> use(cache, new Random(seed))));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      cache.put("key 1", "the last");
      assertThat(cache.get("key 1")).isEqualTo("the last");
    }
    assertThat(failures).isEmpty();
  }

  private static void use(Cache<String, String> cache, Random random) {
    for (int i = 0; i < OPERATIONS; i++) {
      String key = "key " + random.nextInt(KEYS);
      switch (random.nextInt(3)) {
        case 0 -> cache.put(key, key);
        case 1 -> cache.get(key);
        default -> cache.remove(key);
      }
    }
  }
}
