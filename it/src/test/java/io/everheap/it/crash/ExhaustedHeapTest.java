package io.everheap.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.cli.demo.WorkerProcess;
import io.everheap.collection.DurableMap;
import io.everheap.support.Limit;
import io.everheap.support.tier.Processes;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process goes on to write while its Java heap is full again and again: whatever its
 * OutOfMemoryErrors strike, nothing that it was told to be durable is missing afterwards. {@code
 * -Deverheap.crash.rounds=N} sets how many processes are tried.
 */
@Processes
class ExhaustedHeapTest {
  private static final int ROUNDS = Math.max(3, Integer.getInteger("everheap.crash.rounds", 8) / 5);
  private static final long KEYS_OF_A_ROUND = 100_000;
  private static final int PUTS_OF_A_ROUND = 1000;

  @TempDir private Path directory;

  private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();

  @ParameterizedTest
  @ValueSource(strings = {"-XX:+UseSerialGC", "-XX:+UseG1GC"})
  void nothingAcknowledgedIsMissing(String collector) throws Exception {
    Path heap = directory.resolve("heap");
    for (int round = 0; round < ROUNDS; round++) {
      List<String> options = List.of(collector, "-Xmx40m", "-XX:TieredStopAtLevel=1");
      List<String> arguments = List.of(heap.toString(), Long.toString(round * KEYS_OF_A_ROUND));
      try (var worker =
          WorkerProcess.start(
              ExhaustedHeapWorker.class,
              options,
              arguments,
              ExhaustedHeapWorker.BYTES,
              bytes -> acknowledged.add(ByteBuffer.wrap(bytes).getLong()))) {
        int enough = acknowledged.size() + PUTS_OF_A_ROUND;
        Limit.until(
            Limit.of(Duration.ofMinutes(5)),
            "enough is acknowledged, or the worker ended",
            () -> !worker.isAlive() || acknowledged.size() >= enough);
        worker.kill();
      }
      check(heap);
    }
    assertThat(acknowledged).isNotEmpty();
  }

  private void check(Path directory) {
    try (Heap heap = Heap.open(directory)) {
      DurableMap<Long, byte[]> map = heap.map("values", Long.class, byte[].class);
      assertThat(map.keySet()).containsAll(acknowledged);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }
}
