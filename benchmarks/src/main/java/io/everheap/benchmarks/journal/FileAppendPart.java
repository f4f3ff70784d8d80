package io.everheap.benchmarks.journal;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Appends on a file that survive the end of the process. */
final class FileAppendPart extends LoopPart {
  static final String CASE = "async/append";
  static final String CHRONICLE = "chronicle";

  @Override
  public String name() {
    return "async";
  }

  @Override
  String caseName() {
    return CASE;
  }

  @Override
  public void measure(Run run) throws IOException {
    long records = JournalExperiment.records(run.settings().quick()) / 4;
    Path directory = Directories.create(run.disk());
    Map<String, WorkerProcess> peers = new LinkedHashMap<>();
    run.progress().step("append on files: warming up");
    try {
      peers.put(Case.FLOOR, start(run, directory, "copy", Launch.PLAIN, records));
      peers.put(Case.EVERHEAP, start(run, directory, "everheap-async", Launch.PLAIN, records));
      for (LogPeer peer : new LogPeer[] {LogPeer.CHRONICLE, LogPeer.AERON}) {
        WorkerProcess worker = start(run, directory, peer, records);
        if (worker != null) {
          peers.put(peer.label(), worker);
        }
      }
      for (int round = 1; run.goesOn(this, round, 0.8); round++) {
        run.progress().step("append on a file without waiting, round " + round);
        for (Map.Entry<String, WorkerProcess> peer : peers.entrySet()) {
          String floor = peer.getKey().equals(Case.FLOOR) ? null : CASE;
          run.samples()
              .add(
                  new Case(CASE, peer.getKey(), Level.P, "file", 1, Case.NS_PER_OP, floor),
                  nanos(peer.getValue(), records));
        }
      }
    } finally {
      for (WorkerProcess worker : peers.values()) {
        worker.close();
      }
    }
    Directories.delete(directory);
  }
}
