package io.everheap.jcache;

import static io.everheap.jcache.Caches.numbers;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import java.io.BufferedReader;
import java.nio.file.Path;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that uses the provider is killed; the next one finds what it did, and no more. */
class KilledProviderTest {
  private static final int ENTRIES = 500;

  @TempDir Path directory;

  @Test
  void entriesSurviveAndRemovedAndExpiredOnesDoNot() throws Exception {
    workAndKill();
    try (Caches caches = new Caches(directory)) {
      Cache<String, Integer> kept = caches.create("kept", numbers());
      assertThat(kept).hasSize(ENTRIES - 2);
      assertThat(kept.get("1")).isEqualTo(1);
      assertThat(kept.get("2")).as("replaced").isEqualTo(-2);
      assertThat(kept.get("3")).as("removed").isNull();
      assertThat(kept.get("4")).as("removed by a processor").isNull();
      caches.now.set(System.currentTimeMillis());
      Cache<String, Integer> expiring = caches.create("expiring", numbers());
      assertThat(expiring).isNotEmpty();
      caches.now.addAndGet(HOURS.toMillis(2));
      assertThat(expiring.containsKey("1")).isFalse();
      assertThat(expiring).isEmpty();
      assertThat(caches.create("cleared", numbers())).isEmpty();
      assertThat(caches.create("destroyed", numbers())).isEmpty();
      assertThat(caches.create("immediately", numbers())).isEmpty();
    }
  }

  private void workAndKill() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Deverheap.directory=" + directory,
                "-Deverheap.capacity=2m",
                "-cp",
                System.getProperty("java.class.path"),
                KilledProviderTest.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Limit.guard(process, java.time.Duration.ofMinutes(10));
    try (BufferedReader said = process.inputReader(US_ASCII)) {
      assertThat(said.readLine()).isEqualTo("done");
    } finally {
      process.destroyForcibly();
      Limit.waitFor(process);
    }
  }

  /** The process that is killed. */
  public static void main(String[] arguments) throws Exception {
    CacheManager manager =
        Caching.getCachingProvider(EverheapCachingProvider.class.getName()).getCacheManager();
    for (String name : new String[] {"kept", "expiring", "cleared", "destroyed", "immediately"}) {
      MutableConfiguration<String, Integer> configuration = numbers();
      if (name.equals("expiring")) {
        configuration.setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(new Duration(HOURS, 1)));
      } else if (name.equals("immediately")) {
        configuration.setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(Duration.ZERO));
      }
      Cache<String, Integer> cache = manager.createCache(name, configuration);
      for (int i = 1; i <= ENTRIES; i++) {
        cache.put(Integer.toString(i), i);
      }
    }
    Cache<String, Integer> kept = manager.getCache("kept", String.class, Integer.class);
    kept.put("2", -2);
    kept.remove("3");
    kept.invoke(
        "4",
        (entry, none) -> {
          entry.remove();
          return null;
        });
    manager.getCache("cleared").clear();
    manager.destroyCache("destroyed");
    System.out.println("done");
    Thread.currentThread().join(); // until it is killed
  }
}
