package io.everheap.it.crash;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.cli.demo.WorkerProcess;
import io.everheap.encryption.KeyProvider;
import io.everheap.it.Workers;
import io.everheap.support.Seeds;
import io.everheap.support.tier.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that encrypts and decrypts a heap over and over is killed at random moments. The next
 * opening finds the whole heap, encrypted or not, and nothing left over. {@code
 * -Deverheap.crash.rounds=N} sets the number of kills.
 */
@Processes
class KilledConversionTest {
  private static final int ROUNDS = Math.max(5, Integer.getInteger("everheap.crash.rounds", 8) / 2);
  private static final long SEED = Seeds.seed();
  private static final int ENTRIES = 2000;
  private static final String SECRET = "what nobody may read ";

  @TempDir private Path directory;

  @Test
  void theHeapIsWholeWheneverTheProcessIsKilled() throws Exception {
    Path heap = directory.resolve("heap");
    try (Heap open = Heap.open(heap)) {
      for (int i = 0; i < ENTRIES; i++) {
        open.map("m", Integer.class, String.class).put(i, SECRET + i);
      }
    }
    SplittableRandom random = new SplittableRandom(SEED);
    AtomicInteger conversions = new AtomicInteger();
    for (int round = 0; round < ROUNDS; round++) {
      int before = conversions.get();
      try (var worker =
          WorkerProcess.start(
              ConversionWorker.class,
              List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
              List.of(heap.toString()),
              ConversionWorker.BYTES,
              bytes -> conversions.incrementAndGet())) {
        Workers.await("a conversion begins", () -> conversions.get() > before, SEED, worker);
        Workers.letWork(worker, random.nextInt(400), SEED);
        worker.kill();
      }
      check(heap);
    }
    System.out.printf(Locale.ROOT, "%d kills in %d conversions%n", ROUNDS, conversions.get());
  }

  private static void check(Path heap) throws IOException {
    try (Heap open = ConversionWorker.open(heap)) {
      var map = open.map("m", Integer.class, String.class);
      assertThat(map).as("seed " + SEED).hasSize(ENTRIES);
      for (int i = 0; i < ENTRIES; i++) {
        assertThat(map.get(i)).isEqualTo(SECRET + i);
      }
      assertThat(open.verify().problems()).isEmpty();
    }
    boolean encrypted = Files.exists(heap.resolve("keys"));
    try (Stream<Path> files = Files.walk(heap)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(file.toString()).doesNotContain("convert");
        if (encrypted) {
          assertThat(new String(Files.readAllBytes(file), ISO_8859_1)).doesNotContain(SECRET);
        }
      }
    }
  }

  /** The key of the heap while it is encrypted. */
  static KeyProvider key() {
    return KeyProvider.of(new byte[32]);
  }
}
