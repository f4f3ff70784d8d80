package io.everheap.benchmarks.journal;

import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.result.Target;
import java.util.List;

/**
 * The append-only log of Red Hat's "Persistent Memory for Java": records {@code "This is the " + i
 * + "th string appended"}, made in the loop, next to libpmemlog, to logs on mapped buffers, and to
 * the least that makes a record durable.
 */
public final class JournalExperiment implements Experiment {
  @Override
  public String name() {
    return "journal";
  }

  @Override
  public String description() {
    return "appends to a log, on emulated persistent memory and on files, next to other logs";
  }

  @Override
  public List<Part> parts() {
    return List.of(new DaxAppendPart(), new FileAppendPart(), new SyncAppendPart());
  }

  @Override
  public List<Target> targets() {
    return List.of(
        Target.atMostTimesFloor(DaxAppendPart.CASE, 1.15),
        Target.timesFasterThan(DaxAppendPart.CASE, 2, DaxAppendPart.FRAMED),
        Target.timesFasterThan(FileAppendPart.CASE, 1, FileAppendPart.CHRONICLE),
        Target.timesOneThread(
            SyncAppendPart.CASE, SyncAppendPart.PLATFORM, 2.5, SyncAppendPart.CASE),
        Target.timesOneThread(
            SyncAppendPart.CASE_VIRTUAL, SyncAppendPart.VIRTUAL, 25, SyncAppendPart.CASE));
  }

  /** How many records a round appends. */
  static long records(boolean quick) {
    return quick ? 1_000_000 : 20_000_000;
  }

  static double nanos(double seconds, long records) {
    return seconds * 1e9 / records;
  }
}
