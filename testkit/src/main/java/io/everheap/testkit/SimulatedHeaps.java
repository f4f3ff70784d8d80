package io.everheap.testkit;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.engine.EngineOptions;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Opens heaps on simulated media: with a small log, ring and extents, so that a short program fills
 * and wraps them, and, unless they are asked for, without threads that work in the background.
 */
record SimulatedHeaps(
    Durability durability, UnaryOperator<HeapBuilder> configuration, boolean background) {
  private static final long MIB = 1L << 20;
  private static final int SEGMENT = 64 << 10;

  SimulatedHeaps(Durability durability, UnaryOperator<HeapBuilder> configuration) {
    this(durability, configuration, false);
  }

  Heap open(SimulatedMedium medium) {
    return open(medium, medium);
  }

  /** Opens a heap on a view of a medium. */
  Heap open(SimulatedMedium medium, Medium view) {
    Heap heap =
        HeapSettings.options(
                MediumSetting.medium(
                    configuration.apply(
                        Heap.builder(Path.of(medium.location())).durability(durability)),
                    view),
                options(durability, background))
            .open();
    medium.opened(OpenHeap.engine(heap));
    return heap;
  }

  boolean sync() {
    return durability instanceof Durability.Sync;
  }

  static EngineOptions options(Durability durability) {
    return options(durability, false);
  }

  static EngineOptions options(Durability durability, boolean background) {
    return new EngineOptions(
        64 * MIB,
        20,
        4L * SEGMENT,
        SEGMENT,
        SEGMENT,
        16 * MIB,
        4 * MIB,
        Duration.ofSeconds(10).toNanos(),
        durability instanceof Durability.Sync,
        durability instanceof Durability.Async async ? async.interval().toNanos() : 0,
        background);
  }
}
