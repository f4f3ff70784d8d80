package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableMap;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stacks of threads end while pages are decrypted, or encrypted. */
@Campaign
class EncryptedStackOverflowTest {
  private static final int ROUNDS = 2 * Integer.getInteger("everheap.crash.effort", 1);
  private static final int THREADS = 30;
  private static final int LEVELS = 80;
  private static final int ENTRIES = 20_000;

  @TempDir Path directory;

  private Heap open() {
    return Heap.builder(directory.resolve("heap"))
        .encrypt(KeyProvider.of(new byte[32]))
        .durability(Durability.async(Duration.ofMillis(1)))
        .open();
  }

  private static DurableMap<Long, byte[]> map(Heap heap) {
    return heap.map("map", Long.class, byte[].class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void heapsAreClosedAndHaveWhatWasStored(boolean reads) throws Exception {
    byte[] value = new byte[500];
    new Random(1).nextBytes(value);
    try (Heap heap = open()) {
      for (long key = 0; key < ENTRIES; key++) {
        map(heap).put(key, value);
      }
    }
    for (int round = 0; round < ROUNDS; round++) {
      Heap heap = open();
      DurableMap<Long, byte[]> map = map(heap);
      Random random = new Random(round);
      new SmallStacks(
              LEVELS,
              e -> e instanceof EverheapException && !(e instanceof CorruptException),
              () -> {
                long key = random.nextInt(ENTRIES);
                if (reads) {
                  map.get(key);
                } else {
                  map.put(key, value);
                }
              })
          .strike(THREADS, new CountDownLatch(0));
      close(heap);
    }
    try (Heap heap = open()) {
      assertThat(heap.verify().problems()).isEmpty();
      assertThat(map(heap).size()).isEqualTo(ENTRIES);
      assertThat(map(heap).values()).allMatch(found -> Arrays.equals(found, value));
    }
  }

  private static void close(Heap heap) {
    FutureTask<Void> closing =
        new FutureTask<>(
            () -> {
              try {
                heap.close();
              } catch (EverheapException e) {
                // it was poisoned
              }
              return null;
            });
    Thread.ofPlatform().daemon().start(closing);
    assertThat(closing).succeedsWithin(Limit.limit());
  }
}
