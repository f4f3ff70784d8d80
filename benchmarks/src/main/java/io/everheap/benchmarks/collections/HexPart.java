package io.everheap.benchmarks.collections;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The ordered map of 100,000 keys of 16 hexadecimal characters on emulated persistent memory. */
final class HexPart implements Part {
  static final List<String> OPERATIONS = List.of("insert", "reinsert", "lookup");

  private static final String ENTRIES = "100000";
  private static final int WARM_UPS = 3;

  @Override
  public String name() {
    return "hex";
  }

  static String caseName(String operation) {
    return "sorted-hex/" + operation;
  }

  @Override
  public int steps(Run run) {
    boolean wanted = OPERATIONS.stream().anyMatch(o -> run.settings().wants(caseName(o)));
    return wanted ? run.settings().rounds() + 1 : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    if (steps(run) == 0) {
      return;
    }
    String obstacle = EmulatedDaxMedium.obstacle(run.memory());
    if (obstacle != null) {
      run.samples().notRun(name(), obstacle);
      run.progress().skip(steps(run));
      return;
    }
    Path directory = Directories.create(run.memory());
    Map<String, String> parameters =
        Map.of("directory", directory.resolve("heap").toString(), "entries", ENTRIES);
    run.progress().step(name() + ": warming up");
    try (WorkerProcess worker =
        WorkerProcess.start(run.logs(), HexSubject.class, parameters).ready()) {
      for (int i = 0; i < WARM_UPS; i++) {
        worker.ask("run");
      }
      for (int round = 1; run.goesOn(this, round, 1); round++) {
        run.progress().step(name() + ", round " + round);
        Map<String, Double> nanos = worker.ask("run");
        for (String operation : OPERATIONS) {
          run.samples().add(what(operation), nanos.getOrDefault(operation, Double.NaN));
        }
      }
    }
    Directories.delete(directory);
  }

  private static Case what(String operation) {
    return new Case(
        caseName(operation),
        Case.EVERHEAP,
        Level.S,
        DaxPart.MEDIUM,
        1,
        Case.NS_PER_OP,
        operation.equals("lookup") ? null : DaxPart.FLOOR);
  }
}
