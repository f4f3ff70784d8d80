package io.everheap.benchmarks.objects;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import io.everheap.heap.OpenHeap;
import io.everheap.report.CollectReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Collections of a heap whose objects are all in use but one in a hundred, next to a scan: one load
 * of each word of the home image, in order. Then the same while a thread writes, and how long the
 * writes of that thread took.
 */
final class CollectPart implements Part {
  static final String ALONE = "collect/per-live-object";
  static final String WRITER = "collect/write-meanwhile";

  private static final String SCAN = "collect/scan";
  private static final long OBJECTS = 10_000_000;
  private static final long OBJECTS_QUICK = 200_000;
  private static final int MOST_WRITES = 1 << 22;

  @Override
  public String name() {
    return "collect";
  }

  @Override
  public int steps(Run run) {
    return run.settings().wants(ALONE) || run.settings().wants(WRITER)
        ? 1 + run.settings().rounds()
        : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    long objects = run.settings().quick() ? OBJECTS_QUICK : OBJECTS;
    Path directory = Directories.create(run.disk());
    try (Heap heap =
        Heap.builder(directory)
            .durability(Durability.async(Duration.ofSeconds(1)))
            .logSize(256L << 20)
            .memoryBudget(4L << 30)
            .open()) {
      run.progress().step("collect: making " + objects + " objects");
      Tree.grow(heap, objects);
      heap.checkpoint();
      for (int round = 1; run.goesOn(this, round, 1); round++) {
        run.progress().step("collect: round " + round);
        round(run, heap, objects);
      }
    }
    Directories.delete(directory);
  }

  private static void round(Run run, Heap heap, long objects) {
    long start = System.nanoTime();
    long sum = scan(heap);
    long scanned = System.nanoTime() - start;
    if (sum == 0) {
      throw new IllegalStateException("the heap is empty");
    }
    run.samples().add(what(SCAN, Case.FLOOR, Case.NS_PER_OP), (double) scanned / objects);
    garbage(heap, objects / 100);
    CollectReport report = heap.collect();
    requireComplete(report, objects);
    run.samples()
        .add(
            what(ALONE, Case.EVERHEAP, Case.NS_PER_OP),
            (double) report.duration().toNanos() / objects);
    garbage(heap, objects / 100);
    run.samples().add(what(WRITER, Case.EVERHEAP, Case.P99_US), writeMeanwhile(heap, objects));
  }

  private static long scan(Heap heap) {
    long sum = 0;
    var memory = OpenHeap.engine(heap).memory();
    long end = OpenHeap.engine(heap).superblock().capacity();
    for (long address = 0; address < end; address += 8) {
      sum += memory.getCommitted(address);
    }
    return sum;
  }

  private static void garbage(Heap heap, long objects) {
    heap.transact(
        () -> {
          for (long i = 0; i < objects; i++) {
            heap.create(Branch.class);
          }
        });
  }

  private static void requireComplete(CollectReport report, long objects) {
    if (!report.complete() || report.liveObjects() < objects) {
      throw new IllegalStateException("an unexpected collection: " + report);
    }
  }

  /** Microseconds that one write in a hundred exceeds. */
  private static double writeMeanwhile(Heap heap, long objects) {
    AtomicBoolean over = new AtomicBoolean();
    Branch written = heap.object("tree", Branch.class);
    try (var executor = Executors.newSingleThreadExecutor()) {
      Callable<long[]> writer = () -> write(written, over);
      Future<long[]> times = executor.submit(writer);
      try {
        requireComplete(heap.collect(), objects);
      } finally {
        over.set(true);
      }
      long[] sorted = times.get();
      Arrays.sort(sorted);
      return sorted[(int) (sorted.length * 0.99)] / 1e3;
    } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long[] write(Branch branch, AtomicBoolean over) {
    long[] nanos = new long[MOST_WRITES];
    int n = 0;
    while (!over.get() || n == 0) {
      long start = System.nanoTime();
      branch.number(n);
      nanos[n++ & (MOST_WRITES - 1)] = System.nanoTime() - start;
    }
    return Arrays.copyOf(nanos, Math.min(n, MOST_WRITES));
  }

  private static Case what(String name, String peer, String metric) {
    String floor = name.equals(ALONE) ? SCAN : null;
    return new Case(name, peer, Level.P, "file", 1, metric, floor);
  }
}
