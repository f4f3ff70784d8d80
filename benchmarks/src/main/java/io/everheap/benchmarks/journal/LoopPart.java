package io.everheap.benchmarks.journal;

import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The base of parts with loops of one thread: a process for each peer. */
abstract class LoopPart implements Part {
  /** Warm-up rounds of a new process. */
  static final int WARM_UP = 2;

  @Override
  public int steps(Run run) {
    return run.settings().wants(caseName()) ? run.settings().rounds() + 1 : 0;
  }

  /** The name of the part's case. */
  abstract String caseName();

  /** Starts the process of a peer, and runs it warm. */
  static WorkerProcess start(Run run, Path directory, String peer, Launch launch, long records)
      throws IOException {
    Path own = Files.createDirectories(directory.resolve(peer));
    WorkerProcess worker =
        WorkerProcess.start(
                run.logs(),
                launch,
                AppendSubject.class,
                Map.of(
                    "peer", peer,
                    "directory", own.toString(),
                    "records", Long.toString(records)))
            .ready();
    for (int i = 0; i < WARM_UP; i++) {
      worker.ask(Math.min(records, 1_000_000));
    }
    return worker;
  }

  /**
   * Starts the process of another library, if it is wanted and available; otherwise notes the
   * reason.
   */
  static @Nullable WorkerProcess start(Run run, Path directory, LogPeer peer, long records) {
    Launch launch = peer.launch(run);
    if (launch == null) {
      return null;
    }
    try {
      return start(run, directory, peer.label(), launch, records);
    } catch (IOException e) {
      run.samples().notRun(peer.label(), String.valueOf(e.getMessage()));
      return null;
    }
  }

  static double nanos(WorkerProcess worker, long records) throws IOException {
    Double seconds = worker.ask(records).get("seconds");
    if (seconds == null) {
      throw new IOException("a child JVM did not report its time");
    }
    return JournalExperiment.nanos(seconds, records);
  }
}
