package io.everheap.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.cassandra.Generations.Generation;
import io.everheap.engine.EngineOptions;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.MediumSetting;
import io.everheap.store.ShardedStore;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Power losses of a store whose writes are durable only when it is told so: shards become durable
 * one by one.
 */
class GenerationsCrashTest {
  private static final String TABLE = "1/t";
  private static final int ROWS = 20;
  private static final int MIB = 1 << 20;
  private static final EngineOptions SMALL =
      new EngineOptions(
          64 * MIB, 20, MIB / 4, MIB / 16, MIB / 16, 16 * MIB, 4 * MIB, 1L << 40, false, 1L << 40,
          false);

  private static ShardedStore open(SimulatedMedium medium) {
    return MediumSetting.withoutThreads(
            MediumSetting.medium(
                ShardedStore.builder(Path.of(medium.location()))
                    .shards(3)
                    .durability(Durability.async(Duration.ofHours(1)))
                    .heaps(heap -> HeapSettings.options(heap, SMALL)),
                medium))
        .open();
  }

  private static void put(Generation generation, int from, int to) {
    for (int i = from; i < to; i++) {
      generation.partitions().put(new byte[] {(byte) i}, new byte[] {1});
    }
  }

  /** The rows that a memtable of the next process has. */
  private static Set<Integer> found(SimulatedMedium medium) {
    Set<Integer> rows = new TreeSet<>();
    try (ShardedStore store = open(medium)) {
      for (Generation generation : new Generations(store).begin(TABLE, false)) {
        generation.partitions().forEach((key, value) -> rows.add((int) key[0]));
      }
    }
    return rows;
  }

  /** What the power can leave at each moment of an action. */
  private static List<SimulatedMedium> powerLosses(SimulatedMedium medium, Runnable action) {
    List<CrashImage> images = new ArrayList<>();
    medium.observe(
        point -> {
          if (point.kind().persists()) {
            images.add(medium.image());
          }
        });
    action.run();
    medium.observe(point -> {});
    List<SimulatedMedium> left = new ArrayList<>();
    for (CrashImage image : images) {
      left.add(image.powerLoss(Chooser.none()));
      left.add(image.powerLoss(Chooser.all()));
    }
    assertThat(left).isNotEmpty();
    return left;
  }

  /** As after TRUNCATE and DROP. */
  @Test
  void whatIsForgottenDoesNotComeBack() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (ShardedStore store = open(medium)) {
      Generations generations = new Generations(store);
      Generation generation = generations.begin(TABLE, false).getFirst();
      put(generation, 0, ROWS);
      generations.sync();
      assertThat(found(medium.powerLoss(Chooser.none()))).hasSize(ROWS);
      generations.forget(generation);
      assertThat(found(medium.powerLoss(Chooser.none()))).isEmpty();
    }
  }

  /** Its number is used again. */
  @Test
  void whatWasClearedDoesNotComeBackInALaterGeneration() {
    SimulatedMedium medium = SimulatedMedium.file(2);
    try (ShardedStore store = open(medium)) {
      Generations generations = new Generations(store);
      Generation generation = generations.begin(TABLE, false).getFirst();
      put(generation, 0, ROWS);
      generations.sync();
      generations.clear(generation);
      Generation next = generations.begin(TABLE, false).getFirst();
      put(next, 100, 100 + ROWS);
      for (SimulatedMedium left : powerLosses(medium, generations::sync)) {
        assertThat(found(left)).allMatch(row -> row >= 100);
      }
    }
  }

  /** Of a process that ended before it removed them. */
  @Test
  void whatWasLeftDoesNotComeBackInALaterGeneration() {
    SimulatedMedium medium = SimulatedMedium.file(3);
    try (ShardedStore store = open(medium)) {
      Generations generations = new Generations(store);
      Generation generation = generations.begin(TABLE, false).getFirst();
      put(generation, 0, ROWS);
      generations.forget(generation);
    }
    SimulatedMedium next = medium.processKill();
    try (ShardedStore store = open(next)) {
      Generations generations = new Generations(store);
      put(generations.begin(TABLE, false).getFirst(), 100, 100 + ROWS);
      for (SimulatedMedium left : powerLosses(next, generations::sync)) {
        assertThat(found(left)).allMatch(row -> row >= 100);
      }
    }
  }

  @Test
  void whatAnotherGenerationTakesOverIsInOneOfThem() {
    SimulatedMedium medium = SimulatedMedium.file(4);
    try (ShardedStore store = open(medium)) {
      Generations generations = new Generations(store);
      put(generations.begin(TABLE, false).getFirst(), 0, ROWS);
      generations.begin(TABLE, false);
    }
    SimulatedMedium next = medium.processKill();
    try (ShardedStore store = open(next)) {
      Generations generations = new Generations(store);
      List<Generation> both = generations.begin(TABLE, false);
      assertThat(both).hasSize(2);
      put(both.getFirst(), 0, ROWS);
      for (SimulatedMedium left : powerLosses(next, () -> generations.absorbed(both.getLast()))) {
        assertThat(found(left)).hasSize(ROWS);
      }
    }
    assertThat(found(next.processKill())).hasSize(ROWS);
  }
}
