package io.everheap.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.everheap.cache.store.BlockStore;
import io.everheap.cache.store.Cause;
import io.everheap.memory.Medium;
import io.everheap.testkit.HookedMedium;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A cache that is closed says that all is durable: operations under way change nothing then. */
class ClosingCacheTest {
  private static final byte[] KEY = "key".getBytes(StandardCharsets.US_ASCII);

  private final AtomicReference<Runnable> afterSync = new AtomicReference<>(() -> {});
  private final Medium medium =
      HookedMedium.of(
          SimulatedMedium.file(1),
          new HookedMedium.Hook() {
            @Override
            public void after(String call, String file, long position) {
              if (call.equals("sync")) {
                afterSync.getAndSet(() -> {}).run();
              }
            }
          });

  @Test
  void nothingChangesBehindTheSyncOfAClose() {
    BlockCache cache = SimulatedCaches.builder(medium, 8, () -> 0).open();
    boolean _ = cache.put(KEY, new byte[10]);
    BlockStore store = cache.store();
    boolean[] asked = {false};
    afterSync.set(
        () -> {
          asked[0] = true;
          assertThatIllegalStateException()
              .isThrownBy(() -> store.remove(KEY, store.hash(KEY), Cause.EXPLICIT));
        });
    store.close();
    assertThat(asked[0]).isTrue();
    cache.close();
  }
}
