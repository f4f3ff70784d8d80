package io.everheap.testkit.error;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.Root;
import io.everheap.engine.EngineOptions;
import io.everheap.error.StoppedException;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.MediumSetting;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** A program on a heap. */
final class HeapProgram implements Program<Heap> {
  private static final int SEGMENT = 64 << 10;
  private static final long MIB = 1L << 20;
  private static final Duration LOCK_TIMEOUT = Limit.limit();

  /** One step. */
  interface Step {
    void run(Heap heap, int skipped) throws Exception;
  }

  /** A step that is done in whole or not at all. */
  interface WholeStep {
    void run(Heap heap) throws Exception;
  }

  private final Supplier<SimulatedMedium> medium;
  private final Durability durability;
  private final List<Step> steps = new ArrayList<>();
  private final List<Integer> skippable = new ArrayList<>();
  private boolean background;
  private boolean strikesOpening;

  HeapProgram(Supplier<SimulatedMedium> medium, Durability durability) {
    this.medium = medium;
    this.durability = durability;
  }

  HeapProgram step(WholeStep step) {
    return step(0, (heap, skipped) -> step.run(heap));
  }

  HeapProgram step(int operations, Step step) {
    steps.add(step);
    skippable.add(operations);
    return this;
  }

  /** With threads in the background. */
  HeapProgram background() {
    background = true;
    return this;
  }

  HeapProgram strikingOpening() {
    strikesOpening = true;
    return this;
  }

  @Override
  public SimulatedMedium medium() {
    return medium.get();
  }

  @Override
  public Heap open(SimulatedMedium on) {
    HeapBuilder builder;
    try {
      builder =
          HeapSettings.options(
              MediumSetting.medium(Heap.builder(Path.of(on.location())).durability(durability), on),
              options());
    } catch (Throwable t) {
      on.close(); // nothing else has it yet
      throw t;
    }
    return builder.open();
  }

  private EngineOptions options() {
    return new EngineOptions(
        64 * MIB,
        20,
        4L * SEGMENT,
        SEGMENT,
        SEGMENT,
        16 * MIB,
        4 * MIB,
        LOCK_TIMEOUT.toNanos(),
        sync(),
        durability instanceof Durability.Async async ? async.interval().toNanos() : 0,
        background);
  }

  @Override
  public boolean strikesOpening() {
    return strikesOpening;
  }

  @Override
  public int steps() {
    return steps.size();
  }

  @Override
  public void step(Heap heap, int step, int skipped) throws Exception {
    steps.get(step).run(heap, skipped);
  }

  @Override
  public int skippable(int step) {
    return skippable.get(step);
  }

  @Override
  public Object contents(Heap heap) {
    Map<String, Object> all = new TreeMap<>();
    for (Root root : heap.roots()) {
      if (!root.name().equals("other")) {
        List<String> contents = HeapContents.of(heap, root.name());
        if (!contents.isEmpty()) { // a root is made in a transaction of its own
          all.put(root.name(), contents);
        }
      }
    }
    return all;
  }

  @Override
  public void write(Heap heap) {
    heap.map("other", Long.class, Long.class).merge(1L, 1L, Long::sum);
  }

  @Override
  public boolean isPoison(Throwable failure) {
    return failure instanceof StoppedException && failure.getCause() != null;
  }

  @Override
  public boolean isOpen(Heap heap) {
    return heap.isOpen();
  }

  @Override
  public boolean sync() {
    return durability instanceof Durability.Sync;
  }

  @Override
  public void makeDurable(Heap heap) {
    heap.sync();
  }

  @Override
  public void verify(Heap heap) {
    var problems = heap.verify().problems();
    if (!problems.isEmpty()) {
      throw new AssertionError("verify finds " + problems);
    }
  }

  @Override
  public void close(Heap heap) {
    heap.close();
  }
}
