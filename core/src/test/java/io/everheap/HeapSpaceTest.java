package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableMap;
import io.everheap.engine.EngineOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many bytes things take. */
class HeapSpaceTest {
  private static final int RECORDS = 40_000;
  private static final int BATCH = 1000;
  private static final int RECORD_BYTES = 1000;
  private static final double MOST_BYTES = 1.15 * RECORD_BYTES;

  @TempDir Path temp;

  private final SplittableRandom random = new SplittableRandom(1);

  /** Keys of 23 characters, as YCSB's are. */
  private void fill(Heap heap) {
    DurableMap<String, byte[]> map = heap.map("records", String.class, byte[].class);
    for (int from = 0; from < RECORDS; from += BATCH) {
      int first = from;
      heap.transact(
          () -> {
            for (int i = first; i < first + BATCH; i++) {
              byte[] value = new byte[RECORD_BYTES];
              random.nextBytes(value);
              map.put(String.format(Locale.ROOT, "user%019d", i), value);
            }
          });
    }
  }

  @Test
  void aRecordOf1000BytesTakesAtMost1150WithItsKeyAndItsShareOfTheTable() {
    try (Heap heap = Heap.builder(temp.resolve("heap")).durability(async()).open()) {
      fill(heap);
      HeapStats stats = heap.stats();
      assertThat(stats.usedBytes()).isLessThan((long) (MOST_BYTES * RECORDS));
      assertThat(reserved(stats))
          .as("with the free slots of chunks that are in use")
          .isLessThan((long) (MOST_BYTES * RECORDS));
    }
  }

  /** Chunks of the sizes of which there are many blocks; of others there is one each. */
  private static long reserved(HeapStats stats) {
    return stats.sizeClasses().stream()
        .filter(size -> size.blocks() > 50)
        .mapToLong(HeapStats.SizeClass::reservedBytes)
        .sum();
  }

  @Test
  void theFileIsAtMostAThirtySecondOr4MiBLargerThanWhatIsInIt() throws IOException {
    try (Heap heap = Heap.builder(temp.resolve("heap")).durability(async()).open()) {
      fill(heap);
      HeapStats stats = heap.stats();
      long chunks =
          stats.sizeClasses().stream().mapToLong(HeapStats.SizeClass::reservedBytes).sum();
      assertThat(stats.capacity() - chunks)
          .isLessThanOrEqualTo(Math.max(4 << 20, stats.capacity() / 32) + (1 << 20));
    }
    assertThat(Files.size(temp.resolve("heap/heap"))).isLessThan(50_000L * RECORDS / 40);
  }

  @Test
  void aClosedHeapKeepsThreeSegmentsOfItsLog() {
    Path directory = temp.resolve("heap");
    EngineOptions options = EngineOptions.defaults();
    try (Heap heap = Heap.builder(directory).durability(async()).open()) {
      fill(heap);
      assertThat(bytes(directory.resolve("log"))).isGreaterThan(6L * options.segmentSize());
    }
    assertThat(bytes(directory.resolve("log"))).isEqualTo(3L * options.segmentSize());
    try (Heap heap = Heap.open(directory)) {
      assertThat(heap.map("records", String.class, byte[].class)).hasSize(RECORDS);
      assertThat(heap.verify().problems()).isEmpty();
    }
    assertThat(bytes(directory.resolve("log"))).isEqualTo(3L * options.segmentSize());
  }

  private static Durability async() {
    return Durability.async(Duration.ofMillis(10));
  }

  /** A file that gets another name meanwhile may count as nothing. */
  private static long bytes(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
