package io.everheap.benchmarks.journal;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Appends on emulated persistent memory that survive a power loss, one by one. */
final class DaxAppendPart extends LoopPart {
  static final String CASE = "dax/append";
  static final String FRAMED = "pmemlog";

  private static final String MEDIUM = "emulated-dax";
  private static final long SOURCE_LOG = 800L << 20;

  /** A peer and the process that measures it. */
  private record Java(String peer, WorkerProcess worker) {}

  @Override
  public String name() {
    return "dax";
  }

  @Override
  String caseName() {
    return CASE;
  }

  /** The size of libpmemlog's log: that of the source, or enough for fewer or framed records. */
  static long logBytes(long records) {
    return Math.max(SOURCE_LOG, records * 48 + (16 << 20));
  }

  @Override
  public void measure(Run run) throws IOException {
    long records = JournalExperiment.records(run.settings().quick());
    Path directory = Directories.create(run.memory());
    List<Java> peers = new ArrayList<>();
    run.progress().step("append: warming up");
    try (@Nullable PmemLogProcess c = pmemlog(run, directory, records)) {
      try {
        peers.add(new Java(Case.FLOOR, start(run, directory, "floor", Launch.PLAIN, records)));
        peers.add(
            new Java(Case.EVERHEAP, start(run, directory, "everheap-dax", Launch.PLAIN, records)));
        peers.add(
            new Java("two forces", start(run, directory, "two-forces", Launch.PLAIN, records)));
        if (c != null) {
          peers.add(
              new Java("pmemlog-jni", start(run, directory, "pmemlog-jni", Launch.PLAIN, records)));
        }
        WorkerProcess mashona = start(run, directory, LogPeer.MASHONA, records);
        if (mashona != null) {
          peers.add(new Java(LogPeer.MASHONA.label(), mashona));
        }
        for (int round = 1; run.goesOn(this, round, 0.5); round++) {
          run.progress().step("append on emulated persistent memory, round " + round);
          for (Java peer : peers) {
            add(run, peer.peer(), nanos(peer.worker(), records));
          }
          if (c != null) {
            add(run, FRAMED, JournalExperiment.nanos(c.measure("framed", records), records));
            add(
                run,
                "pmemlog-plain",
                JournalExperiment.nanos(c.measure("plain", records), records));
          }
        }
      } finally {
        for (Java peer : peers) {
          peer.worker().close();
        }
      }
    }
    Directories.delete(directory);
  }

  private static @Nullable PmemLogProcess pmemlog(Run run, Path directory, long records) {
    if (!run.settings().peers().contains("pmemlog")) {
      return null;
    }
    try {
      PmemLogProcess c = PmemLogProcess.start(directory, logBytes(records));
      for (int i = 0; i < WARM_UP; i++) {
        c.measure("framed", Math.min(records, 1_000_000));
      }
      return c;
    } catch (IOException e) {
      run.samples().notRun("pmemlog, in C and through JNI", String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static void add(Run run, String peer, double nanos) {
    String floor = peer.equals(Case.FLOOR) ? null : CASE;
    run.samples().add(new Case(CASE, peer, Level.S, MEDIUM, 1, Case.NS_PER_OP, floor), nanos);
  }
}
