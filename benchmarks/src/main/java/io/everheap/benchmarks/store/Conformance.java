package io.everheap.benchmarks.store;

import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.WorkerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Checks a binding: what was written is read, replaced, scanned, and found again after a close and
 * after a kill if its mode says so.
 */
public final class Conformance {
  private final Path logs;
  private final Path directory;
  private final Peer peer;
  private final Mode mode;

  /**
   * Makes a check.
   *
   * @param logs the directory for the output of child processes
   * @param directory for the store; not there yet
   * @param peer the peer
   * @param mode one of its modes
   */
  public Conformance(Path logs, Path directory, Peer peer, Mode mode) {
    this.logs = logs;
    this.directory = directory;
    this.peer = peer;
    this.mode = mode;
  }

  /**
   * Runs it.
   *
   * @throws IOException that tells what is wrong
   */
  public void run() throws IOException {
    int version = 1;
    try (WorkerProcess worker = start()) {
      worker.ask("open");
      worker.ask("write");
      worker.ask("read", 0);
      worker.ask("replace");
      worker.ask("read", 1);
      if (peer.pairs()) {
        worker.ask("pairs");
        worker.ask("read", 2);
        version = 2;
      }
      if (peer.ordered()) {
        worker.ask("scan", version);
      }
      if (mode.onDisk() && mode != Mode.RELAXED) {
        worker.kill();
      }
    }
    if (mode.onDisk()) {
      try (WorkerProcess again = start()) {
        again.ask("open");
        again.ask("read", version);
        again.ask("close");
        again.ask("bulk");
        again.ask("replace");
        again.ask("close");
        again.ask("open");
        again.ask("read", version + 1);
      }
    }
  }

  private WorkerProcess start() throws IOException {
    Launch launch = new Launch(peer.name(), List.of(), peer.options(), null);
    return WorkerProcess.start(
            logs,
            launch,
            StoreCheck.class,
            Map.of(
                "binding", peer.binding(),
                "directory", directory.toString(),
                "mode", mode.name()))
        .ready();
  }
}
