package io.everheap;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.engine.counters.CountersReader;
import io.everheap.error.EverheapException;
import io.everheap.support.Limit;
import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files and texts beside a heap that have no checksums: counters and anchors. */
@Campaign
class SmallFilesFuzzTest {
  @TempDir Path temp;

  @Test
  void counters() throws IOException {
    Path heap = temp.resolve("heap");
    byte[] sound;
    try (Heap open = Heap.open(heap)) {
      open.map("words", Long.class, Long.class).put(1L, 1L);
      Limit.until("the counters are there", () -> Files.exists(heap.resolve("counters")));
      sound = Files.readAllBytes(heap.resolve("counters"));
    }
    Fuzz.bytes("counters")
        .from(sound)
        .inputs(1000)
        .allow(EverheapException.class::isInstance)
        .run(
            input -> {
              Files.write(heap.resolve("counters"), input);
              CountersReader.read(heap);
            });
  }

  @Test
  void anchors() {
    String anchor;
    try (Heap heap = FuzzedHeap.builder(temp.resolve("heap"), true).open()) {
      anchor = HeapAnchor.of(heap).toString();
    }
    Fuzz.bytes("anchor")
        .from(anchor.getBytes(UTF_8))
        .inputs(2000)
        .allow(IllegalArgumentException.class::isInstance)
        .run(input -> HeapAnchor.parse(new String(input, UTF_8)));
  }
}
