package io.everheap.infinispan;

import static io.everheap.infinispan.Managers.cache;
import static io.everheap.infinispan.Managers.define;
import static io.everheap.infinispan.Managers.local;
import static io.everheap.infinispan.Managers.store;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.infinispan.configuration.StoreDurability;
import io.everheap.support.tier.Processes;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process with a cache is killed again and again: every acknowledged change is there, with its
 * lifespan, and no batch is there in part. With {@code -Deverheap.crash.rounds=N} it is killed N
 * times.
 */
@Processes
class KilledStoreTest {
  private static final int ROUNDS = Integer.getInteger("everheap.crash.rounds", 4);
  private static final int THREADS = 2;
  private static final int KEYS = 200; // of each thread
  private static final int BATCH = 8;

  @TempDir Path directory;

  private final Map<String, Long> acknowledged = new HashMap<>();

  private static Configuration configuration(StoreDurability durability) {
    var configuration = cache(store -> store.path("shared").durability(durability));
    configuration.memory().maxCount(50); // most entries are in the store alone
    return configuration.build();
  }

  @ParameterizedTest
  @EnumSource
  void everyAcknowledgedChangeIsThere(StoreDurability durability) throws Exception {
    var random = new Random(1);
    long first = 1;
    for (int round = 0; round < ROUNDS; round++) {
      int changes = 1 + random.nextInt(3000);
      workAndKill(durability, first, changes);
      first = 1 + check(durability);
    }
  }

  private void workAndKill(StoreDurability durability, long first, int changes) throws Exception {
    Process process =
        Killed.start(
            KilledStoreTest.class, directory.toString(), durability.name(), Long.toString(first));
    try (BufferedReader lines = process.inputReader(US_ASCII)) {
      int read = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int space = line.indexOf(' ');
        acknowledged.merge(
            line.substring(0, space), Long.parseLong(line.substring(space + 1)), Math::max);
        if (++read == changes) {
          process.toHandle().destroyForcibly(); // which leaves what it said before to be read
        }
      }
      assertThat(read).as("changes before the kill").isGreaterThanOrEqualTo(changes);
    } finally {
      process.destroyForcibly();
      process.waitFor();
    }
  }

  /** Returns the greatest number in the cache. */
  private long check(StoreDurability durability) throws Exception {
    long greatest = 0;
    try (DefaultCacheManager manager = local(directory)) {
      Cache<String, Long> cache = define(manager, "numbers", configuration(durability));
      for (Map.Entry<String, Long> change : acknowledged.entrySet()) {
        CacheEntry<String, Long> found = cache.getAdvancedCache().getCacheEntry(change.getKey());
        if (change.getKey().startsWith("removed")) {
          if (found != null) { // put again, by a change that was not acknowledged
            assertThat(found.getValue()).isGreaterThan(change.getValue());
          }
          continue;
        }
        assertThat(found).as("%s since %s", change.getKey(), change.getValue()).isNotNull();
        assertThat(found.getValue()).as(change.getKey()).isGreaterThanOrEqualTo(change.getValue());
        assertThat(found.getLifespan())
            .as("lifespan of %s", change.getKey())
            .isEqualTo(lifespan(found.getValue()));
        greatest = Math.max(greatest, found.getValue());
      }
      for (int thread = 0; thread < THREADS; thread++) {
        Long expected = cache.get("batch-" + thread + "-0");
        for (int i = 1; i < BATCH; i++) {
          assertThat(cache.get("batch-" + thread + "-" + i)).isEqualTo(expected);
        }
      }
      assertThat(store(cache).heap().verify().problems()).isEmpty();
    }
    return greatest;
  }

  private static long lifespan(long value) {
    return value % 2 == 0 ? -1 : HOURS.toMillis(1 + value % 100);
  }

  /** The process that is killed. */
  @SuppressWarnings("resource") // it is killed
  public static void main(String[] arguments) {
    Cache<String, Long> cache =
        define(
            local(Path.of(arguments[0])),
            "numbers",
            configuration(StoreDurability.valueOf(arguments[1])));
    long first = Long.parseLong(arguments[2]);
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      new Thread(() -> change(cache, thread, first)).start();
    }
  }

  private static void change(Cache<String, Long> cache, int thread, long first) {
    var random = new Random(first + thread);
    for (long value = first; ; value++) {
      switch (random.nextInt(10)) {
        case 0 -> {
          Map<String, Long> batch = new HashMap<>();
          for (int i = 0; i < BATCH; i++) {
            batch.put("batch-" + thread + "-" + i, value);
          }
          cache.putAll(batch, lifespan(value), java.util.concurrent.TimeUnit.MILLISECONDS);
          say("batch-" + thread + "-0", value);
        }
        case 1 -> {
          String key = "removed-" + thread + "-" + random.nextInt(KEYS);
          cache.put(key, value);
          cache.remove(key);
          say(key, value);
        }
        default -> {
          String key = "put-" + thread + "-" + random.nextInt(KEYS);
          cache.put(key, value, lifespan(value), java.util.concurrent.TimeUnit.MILLISECONDS);
          say(key, value);
        }
      }
    }
  }

  /** One call for each line, which reaches the pipe whole. */
  private static void say(String key, long value) {
    byte[] line = (key + " " + value + "\n").getBytes(US_ASCII);
    System.out.write(line, 0, line.length);
    System.out.flush();
  }
}
