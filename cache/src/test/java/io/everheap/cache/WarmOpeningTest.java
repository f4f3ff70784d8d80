package io.everheap.cache;

import static io.everheap.cache.Caches.get;
import static io.everheap.cache.Caches.key;
import static io.everheap.cache.Caches.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.memory.Region;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The opening of a small cache waits for the entries of earlier openings, but not for ever. */
class WarmOpeningTest {
  @TempDir Path directory;

  @Test
  void theFirstLookupAfterAnOpeningFindsAnEntry() {
    for (int opening = 0; opening < 3; opening++) {
      try (BlockCache cache =
          BlockCache.builder(directory, Caches.SMALL).patience(Limit.of(Duration.ZERO)).open()) {
        assertThat(get(cache, 1)).isEqualTo(opening == 0 ? null : value(1, 100));
        assertThat(cache.isIndexed()).isTrue();
        cache.put(key(1), value(1, 100));
      }
    }
  }

  @Test
  void anOpeningDoesNotWaitForARecoveryThatTakesLong() {
    try (BlockCache cache = BlockCache.open(directory, Caches.SMALL)) {
      cache.put(key(1), value(1, 100));
    }
    CountDownLatch opened = new CountDownLatch(1);
    UnaryOperator<Region> mapped = UnaryOperator.identity();
    try (BlockCache cache =
        BlockCache.builder(directory, Caches.SMALL)
            .media(
                path ->
                    HookedFiles.open(
                        path,
                        call -> {
                          if (Thread.currentThread().getName().contains("recovery")) {
                            awaitUninterruptibly(opened);
                          }
                        },
                        mapped))
            .patience(Duration.ofMillis(1))
            .open()) {
      opened.countDown();
      cache.awaitIndexed();
      assertThat(get(cache, 1)).isEqualTo(value(1, 100));
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      Limit.await(latch);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
