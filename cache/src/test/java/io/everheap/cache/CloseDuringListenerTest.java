package io.everheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The close of a cache does not wait for a listener, which may wait for the close. */
class CloseDuringListenerTest {
  @TempDir Path directory;

  @Test
  void aCacheIsClosedWhileItsUpkeepTellsAListener() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch left = new CountDownLatch(1);
    CompletableFuture<String> heard = new CompletableFuture<>();
    BlockCache cache =
        BlockCache.builder(directory, Caches.SMALL)
            .syncEvery(Duration.ofMillis(1))
            .removalListener(
                (key, value, cause) -> {
                  entered.countDown();
                  try {
                    Limit.await(left);
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                  heard.complete(Thread.currentThread().getName() + " " + cause);
                })
            .open();
    for (int i = 0; i < 10; i++) {
      assertThat(put(cache, i)).isTrue();
    }
    Limit.await(entered);
    CompletableFuture<Void> closed = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                cache.close();
                closed.complete(null);
              } catch (Throwable t) {
                closed.completeExceptionally(t);
              }
            });
    try {
      Limit.get(closed);
    } finally {
      left.countDown();
    }
    assertThat(Limit.get(heard)).contains("timer").contains("EXPIRED");
    BlockCache.open(directory, Caches.SMALL).close();
  }

  private static boolean put(BlockCache cache, int i) {
    return cache.put(
        Caches.key(i),
        MemorySegment.ofArray(new byte[100]),
        Instant.now().plus(Duration.ofMillis(5)).toEpochMilli());
  }
}
