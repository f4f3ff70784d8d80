package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableMap;
import io.everheap.heap.OpenHeap;
import io.everheap.report.Backup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What backups, checks and restores report of their progress. */
class BackupProgressTest {
  @TempDir private Path dir;

  private record Step(String what, double part) {}

  private final List<Step> steps = new ArrayList<>();

  private void add(String what, double part) {
    steps.add(new Step(what, part));
  }

  private static void put(Heap heap, int seed, int from, int to) {
    DurableMap<Integer, byte[]> map = heap.map("m", Integer.class, byte[].class);
    heap.transact(
        () -> {
          for (int i = from; i < to; i++) {
            byte[] value = new byte[1000];
            Arrays.fill(value, (byte) seed);
            map.put(i, value);
          }
        });
  }

  /** The shares of one name, which grow from 0 to 1, with a step at least each so much. */
  private void requireSteps(String what, double longest) {
    assertThat(steps).isNotEmpty().allMatch(step -> step.what().equals(what));
    double before = 0;
    for (Step step : steps) {
      assertThat(step.part()).isBetween(before, Math.min(1, before + longest));
      before = step.part();
    }
    assertThat(before).isOne();
    steps.clear();
  }

  @Test
  void sharesGrowToOne() {
    Backups backups = Backups.in(dir.resolve("backups"));
    try (Heap heap = Heap.builder(dir.resolve("heap")).maxSize(64 << 20).open()) {
      put(heap, 1, 0, 8000);
      long pages = OpenHeap.engine(heap).allocator().stats().capacity() / 4096;
      Backup full = backups.take(heap, Backup.Kind.FULL, 0, this::add);
      assertThat(pages).isGreaterThan(5 * 256);
      requireSteps("pages", 258.0 / pages);
      put(heap, 2, 2000, 5000);
      Backup next = backups.take(heap, Backup.Kind.INCREMENTAL, 0, this::add);
      assertThat(steps).hasSizeBetween(3, 12);
      requireSteps("changed pages", 0.5);
      backups.verify(full, this::add);
      requireSteps(full.name(), 0.5);
      backups.verify(next, this::add);
      steps.removeIf(step -> step.what().equals(full.name()));
      requireSteps(next.name(), 0.5);
    }
  }

  @Test
  void aBackupOfNothingNewIsComplete() {
    Backups backups = Backups.in(dir.resolve("backups"));
    try (Heap heap = Heap.builder(dir.resolve("heap")).maxSize(64 << 20).open()) {
      put(heap, 1, 0, 10);
      backups.take(heap);
      backups.take(heap, Backup.Kind.INCREMENTAL, 0, this::add);
      requireSteps("changed pages", 1);
    }
  }
}
