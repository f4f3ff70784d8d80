package io.everheap.benchmarks.cassandra;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The same tables through Cassandra's driver, in a process of its own on the same machine: what is
 * left of the differences. The floor is the smallest read that there is, of one row that the node
 * has in memory: driver, protocol and coordinator. {@code ns_per_op} is the processor's time in the
 * node's process.
 */
final class DriverPart implements Part {
  /** A read by the driver. */
  static final String READ = "driver/read";

  private static final List<String> CASES = List.of(READ, "driver/update");

  @Override
  public String name() {
    return "driver";
  }

  @Override
  public int steps(Run run) {
    return CASES.stream().anyMatch(run.settings()::wants) ? 2 + run.settings().rounds() : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    Path directory = Directories.create(run.disk());
    long rows = run.settings().quick() ? 5_000 : 100_000;
    run.progress().step("cassandra: starting a node for the driver");
    try (WorkerProcess node = Nodes.start(run, directory)) {
      for (String table : TablesPart.TABLES) {
        node.ask("populate", table, rows);
      }
      try (WorkerProcess client = Nodes.connect(run, directory)) {
        warmUp(run, client, rows);
        for (int round = 1; run.goesOn(this, round, 1); round++) {
          run.progress().step("cassandra: driver, round " + round);
          add(run, READ, Case.FLOOR, rows, node, client);
          for (String name : CASES) {
            for (String table : TablesPart.TABLES) {
              add(run, name, table, rows, node, client);
            }
          }
        }
      }
    } finally {
      Directories.delete(directory);
    }
  }

  /** Else the first of them would be measured in cold code. */
  private static void warmUp(Run run, WorkerProcess client, long rows) throws IOException {
    run.progress().step("cassandra: warming the driver up");
    for (String name : CASES) {
      for (String table : TablesPart.TABLES) {
        client.ask(request(name), table, rows / 2, rows);
      }
    }
  }

  private static String request(String name) {
    return name.substring(name.indexOf('/') + 1);
  }

  private static void add(
      Run run, String name, String table, long rows, WorkerProcess node, WorkerProcess client)
      throws IOException {
    double before = processor(node);
    Map<String, Double> measured = client.ask(request(name), table, rows, rows);
    double processor = processor(node) - before;
    add(run, name, table, Case.NS_PER_OP, processor / rows);
    measured.forEach((metric, value) -> add(run, name, table, metric, value));
  }

  private static double processor(WorkerProcess node) throws IOException {
    return node.ask("processor").getOrDefault("ns", Double.NaN);
  }

  private static void add(Run run, String name, String peer, String metric, double value) {
    run.samples().add(TablesPart.row(name, peer, metric, READ), value);
  }
}
