package io.everheap.cache;

import static io.everheap.cache.Caches.key;
import static io.everheap.cache.Caches.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.report.VerifyProgress;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted caches that are closed while threads use them. */
class EncryptedCacheClosingTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int THREADS = 3;
  private static final int KEYS = 400;

  @TempDir Path directory;

  private DurableCache<Integer, byte[]> open() {
    return DurableCache.builder(directory.resolve("a"), Caches.SMALL, Integer.class, byte[].class)
        .expireAfterAccess(Duration.ofHours(1))
        .blocks(
            blocks ->
                blocks
                    .segmentSize(Caches.SEGMENT)
                    .onFile()
                    .directory(directory.resolve("b"), Caches.SMALL)
                    .syncEvery(Duration.ofMillis(5)))
        .encrypt(KEY)
        .open();
  }

  /** Else the digests of an undisturbed close would drop what is right. */
  @Test
  void nothingLooksTamperedWithAfterwards() throws Exception {
    for (int round = 0; round < 30; round++) {
      boolean waits = round % 3 > 0; // else it is closed while it is recovered
      try (var pool = Executors.newFixedThreadPool(THREADS)) {
        var running = new CountDownLatch(THREADS);
        List<Future<?>> all = new ArrayList<>();
        try (DurableCache<Integer, byte[]> cache = open()) {
          for (int i = 0; i < THREADS; i++) {
            var random = new Random(round * THREADS + i);
            all.add(pool.submit(() -> use(cache, random, running)));
          }
          if (waits) {
            cache.blocks().awaitIndexed();
          }
          Limit.await(running);
          assertThat(cache.blocks().stats().damaged()).as("round %s", round).isZero();
        }
        for (Future<?> each : all) {
          Limit.get(each);
        }
      }
    }
    CacheReport report = CacheCheck.verify(directory.resolve("a"), KEY, VerifyProgress.NONE);
    assertThat(report.problems()).isEmpty();
  }

  private static void use(
      DurableCache<Integer, byte[]> cache, Random random, CountDownLatch running) {
    try {
      for (int i = 0; ; i++) {
        int key = random.nextInt(KEYS);
        byte[] found = cache.getIfPresent(key);
        if (found != null) {
          assertThat(found).isEqualTo(value(key, 20 * key));
        }
        switch (random.nextInt(6)) {
          case 0 -> cache.invalidate(key);
          case 1, 2 ->
              cache
                  .timed()
                  .expireAt(key, Instant.ofEpochSecond(4_000_000_000L + random.nextInt(1000)));
          default -> cache.put(key, value(key, 20 * key));
        }
        if (i == 300) {
          running.countDown();
        }
      }
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageMatching("(?i).*closed.*");
    }
  }
}
