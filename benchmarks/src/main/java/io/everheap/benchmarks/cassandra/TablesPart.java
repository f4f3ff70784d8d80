package io.everheap.benchmarks.cassandra;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Statements of one thread on a table with a partition of one row for each key, executed in the
 * process of the node without a network: the time of the processor, the bytes allocated, and the
 * throughput. The floor of a read is one of a table without rows: what Cassandra's statement costs.
 */
final class TablesPart implements Part {
  /** A read of a row. */
  static final String READ = "read";

  /** The peer whose rows are in SSTables. */
  static final String SSTABLES = "sstables";

  /** All that are not this memtable. */
  static final List<String> PEERS = List.of("trie", "skiplist", SSTABLES);

  /** What is measured of each table. */
  static final List<String> CASES = List.of("populate", READ, "mix-80-20", "update");

  /** All of them. */
  static final List<String> TABLES = List.of(Case.EVERHEAP, "trie", "skiplist", SSTABLES);

  @Override
  public String name() {
    return "tables";
  }

  @Override
  public int steps(Run run) {
    return CASES.stream().anyMatch(run.settings()::wants) ? 1 + run.settings().rounds() : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    Path directory = Directories.create(run.disk());
    long rows = run.settings().quick() ? 10_000 : 200_000;
    run.progress().step("cassandra: starting a node");
    try (WorkerProcess node = Nodes.start(run, directory)) {
      for (int round = 1; run.goesOn(this, round, 1); round++) {
        run.progress().step("cassandra: round " + round);
        for (String table : TABLES) {
          add(run, "populate", table, node.ask("populate", table, rows));
        }
        statements(run, node, READ, Case.FLOOR, rows);
        for (String name : CASES.subList(1, CASES.size())) {
          for (String table : TABLES) {
            statements(run, node, name, table, rows);
          }
        }
      }
    } finally {
      Directories.delete(directory);
    }
  }

  private static void statements(Run run, WorkerProcess node, String name, String table, long rows)
      throws IOException {
    node.ask(name, table, rows / 5); // to warm up
    add(run, name, table, node.ask(name, table, rows));
  }

  private static void add(Run run, String name, String peer, Map<String, Double> values) {
    values.forEach((metric, value) -> run.samples().add(row(name, peer, metric, READ), value));
  }

  /** The row of a case; the processor's time of the reads of a part has that of its floor. */
  static Case row(String name, String peer, String metric, String reads) {
    boolean hasFloor =
        name.equals(reads) && metric.equals(Case.NS_PER_OP) && !peer.equals(Case.FLOOR);
    return new Case(name, peer, Level.P, "file", 1, metric, hasFloor ? reads : null);
  }
}
