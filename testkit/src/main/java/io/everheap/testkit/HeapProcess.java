package io.everheap.testkit;

import io.everheap.Heap;
import io.everheap.report.VerifyReport;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;

/** A process that runs a user's program on a heap, or checks what such a process left behind. */
final class HeapProcess implements SimulatedProcess {
  private final CrashTest.Program program;
  private final CrashTest.Check check;
  private final SimulatedHeaps heaps;
  private final Counts counts;
  private final boolean first;
  private final boolean again;

  /** The process that runs the program. */
  HeapProcess(CrashTest.Program program, CrashTest.Check check, SimulatedHeaps heaps) {
    this(program, check, heaps, new Counts(heaps.sync(), 0, 0, 0), true, true);
  }

  private HeapProcess(
      CrashTest.Program program,
      CrashTest.Check check,
      SimulatedHeaps heaps,
      Counts counts,
      boolean first,
      boolean again) {
    this.program = program;
    this.check = check;
    this.heaps = heaps;
    this.counts = counts;
    this.first = first;
    this.again = again;
  }

  @Override
  public void run(SimulatedMedium medium) throws Exception {
    VerifyReport before;
    try (Heap heap = heaps.open(medium)) {
      if (first) {
        program.run(heap, counts);
      } else {
        check.verify(heap, counts.progress(program));
      }
      before = verified(heap);
    }
    if (again) {
      reopen(medium.processKill(), before);
    }
  }

  /** Checks that after a clean end everything is there, and nothing else. */
  private void reopen(SimulatedMedium medium, VerifyReport before) throws Exception {
    try (medium;
        Heap heap = heaps.open(medium)) {
      VerifyReport after = verified(heap);
      if (after.roots() != before.roots() || after.entries() != before.entries()) {
        throw new AssertionError("closed with " + before + ", opened with " + after);
      }
      check.verify(heap, counts.progress(program));
    }
  }

  private static VerifyReport verified(Heap heap) {
    VerifyReport report = heap.verify();
    if (!report.ok()) {
      throw new AssertionError("the heap is damaged: " + report.problems());
    }
    return report;
  }

  @Override
  public Promise promise() {
    return new Promised(counts.copy());
  }

  /** What was promised at one moment. */
  private final class Promised implements Promise {
    private final Counts now;

    Promised(Counts now) {
      this.now = now;
    }

    @Override
    public SimulatedProcess successor(boolean powerLost, long seed) {
      Counts left = powerLost ? now.afterPowerLoss() : now;
      return new HeapProcess(program, check, heaps, left, false, seed % 4 == 0);
    }

    @Override
    public Object key() {
      return List.of(now.begun, now.ended, now.safe);
    }
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

    synchronized CrashTest.Progress progress(CrashTest.Program program) {
      return new CrashTest.Progress(
          ended, begun, program instanceof OperationList list ? list.operations() : List.of());
    }
  }
}
