package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableMap;
import io.everheap.engine.HeapCopy;
import io.everheap.heap.HeapSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checkpoint after a kill applies parts of a ring that wraps in the order of the log. */
class WrappedRingTest {
  private static final int KEYS = 200;

  @TempDir Path temp;

  private static Heap open(Path directory) {
    return HeapSettings.options(
            Heap.builder(directory),
            TestHeaps.options(1L << 30, 1L << 28, TestHeaps.HOUR, false, TestHeaps.HOUR, false))
        .open();
  }

  @Test
  void theNewestValuesStayWhereverTheRingWraps() {
    Map<Integer, String> model = new HashMap<>();
    try (Heap heap = open(temp.resolve("h"))) {
      DurableMap<Integer, String> map = heap.map("m", Integer.class, String.class);
      for (int key = 0; key < KEYS; key++) {
        map.put(key, "x".repeat(100));
      }
      heap.checkpoint();
      for (int round = 0; round < 8; round++) {
        heap.sync(); // from here on the ring alone has the commits
        for (int i = 0; i < 1600; i++) {
          int key = i % KEYS;
          String value = String.format(Locale.ROOT, "%04d %04d ", round, i).repeat(10);
          map.put(key, value);
          model.put(key, value);
        }
        Path killed = HeapCopy.killed(temp.resolve("h"), temp.resolve("killed" + round));
        try (Heap again = open(killed)) {
          again.checkpoint();
          assertThat(new HashMap<>(again.map("m", Integer.class, String.class)))
              .as("round %d", round)
              .isEqualTo(model);
        }
      }
    }
  }
}
