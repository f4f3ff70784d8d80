package io.everheap.testkit;

import io.everheap.Heap;
import io.everheap.VerifyReport;

/** A process that runs a user's program on a heap, or checks what such a process left behind. */
final class HeapProcess implements SimulatedProcess {
  private final CrashTest.Program program;
  private final CrashTest.Check check;
  private final SimulatedHeaps heaps;
  private final Counts counts;
  private final boolean first;

  /** The process that runs the program. */
  HeapProcess(CrashTest.Program program, CrashTest.Check check, SimulatedHeaps heaps) {
    this(program, check, heaps, new Counts(heaps.sync(), 0, 0, 0), true);
  }

  private HeapProcess(
      CrashTest.Program program,
      CrashTest.Check check,
      SimulatedHeaps heaps,
      Counts counts,
      boolean first) {
    this.program = program;
    this.check = check;
    this.heaps = heaps;
    this.counts = counts;
    this.first = first;
  }

  @Override
  public void run(SimulatedMedium medium) throws Exception {
    try (Heap heap = heaps.open(medium)) {
      if (first) {
        program.run(heap, counts);
      } else {
        check.verify(heap, counts.progress());
      }
      VerifyReport report = heap.verify();
      if (!report.ok()) {
        throw new AssertionError("the heap is damaged: " + report.problems());
      }
    }
  }

  @Override
  public Promise promise() {
    Counts now = counts.copy();
    return (powerLost, seed) ->
        new HeapProcess(program, check, heaps, powerLost ? now.afterPowerLoss() : now, false);
  }

  /** How many steps began, ended and are durable. */
  private static final class Counts implements CrashTest.Steps {
    private final boolean sync;
    private int begun;
    private int ended;
    private int safe;

    Counts(boolean sync, int begun, int ended, int safe) {
      this.sync = sync;
      this.begun = begun;
      this.ended = ended;
      this.safe = safe;
    }

    @Override
    public synchronized void begin() {
      begun++;
    }

    @Override
    public synchronized void end() {
      ended = begun;
      safe = sync ? ended : safe;
    }

    @Override
    public synchronized void durable() {
      safe = ended;
    }

    synchronized Counts copy() {
      return new Counts(sync, begun, ended, safe);
    }

    synchronized Counts afterPowerLoss() {
      return new Counts(sync, begun, safe, safe);
    }

    synchronized CrashTest.Progress progress() {
      return new CrashTest.Progress(ended, begun);
    }
  }
}
