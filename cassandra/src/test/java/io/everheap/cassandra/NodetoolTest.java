package io.everheap.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Nodes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an operator does with {@code nodetool}, in a process of its own, and what clients send. */
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Nodes
class NodetoolTest {
  private static final int MEGABYTE = 1 << 20;

  @TempDir Path directory;

  private Node node;

  private void start(String durability) throws IOException {
    node = Node.start(directory, durability);
    node.run(
        "CREATE KEYSPACE IF NOT EXISTS k WITH replication = {'class': 'SimpleStrategy',"
            + " 'replication_factor': 1}");
  }

  private void killAndStart() throws Exception {
    node.kill();
    start("10ms");
  }

  @AfterEach
  void end() {
    node.close();
  }

  /** The interval of the durability is an hour, so nothing else makes a write durable. */
  @Test
  void aFlushAndADrainMakeWhatWasWrittenDurableWhereItIs() throws Exception {
    start("1h");
    node.run("CREATE TABLE k.t (p int PRIMARY KEY, v int) WITH memtable = 'everheap'");
    node.run("INSERT INTO k.t (p, v) VALUES (1, 1)");
    assertThat(node.run(":durable")).containsExactly("false");
    node.nodetool("flush", "k", "t");
    assertThat(node.run(":durable")).containsExactly("true");
    assertThat(node.run(":sstables k t")).containsExactly("0");
    node.run("INSERT INTO k.t (p, v) VALUES (2, 2)");
    node.nodetool("snapshot", "-t", "first", "-cf", "t", "k");
    assertThat(
            Node.files(
                directory.resolve("data"),
                file -> file.toString().matches(".*snapshots/first/.*-Data.db")))
        .hasSize(1);
    node.run("INSERT INTO k.t (p, v) VALUES (3, 3)");
    node.nodetool("drain");
    assertThat(node.run(":durable")).containsExactly("true");
    killAndStart();
    assertThat(node.run("SELECT p FROM k.t")).hasSize(3);
  }

  /** One table is in the store, the other one in the commit log. */
  @Test
  void aBatchOverADurableAndAStockTableIsThereOnceItIsAcknowledged() throws Exception {
    start("10ms");
    node.run("CREATE TABLE k.t (p int PRIMARY KEY, v int) WITH memtable = 'everheap'");
    node.run("CREATE TABLE k.s (p int PRIMARY KEY, v int)");
    for (String kind : List.of("", "UNLOGGED ")) {
      for (int p = 0; p < 10; p++) {
        node.run(
            String.format(
                Locale.ROOT,
                "BEGIN %1$sBATCH INSERT INTO k.t (p, v) VALUES (%2$d, 1);"
                    + " INSERT INTO k.s (p, v) VALUES (%2$d, 1); APPLY BATCH",
                kind,
                kind.isEmpty() ? p : p + 10));
      }
    }
    killAndStart();
    assertThat(node.run("SELECT p FROM k.t")).hasSize(20);
    assertThat(node.run("SELECT p FROM k.s")).hasSize(20);
  }

  @Test
  void aPartitionOfManyMegabytesIsStored() throws Exception {
    start("10ms");
    node.run(
        "CREATE TABLE k.t (p int, c int, v text, PRIMARY KEY (p, c)) WITH memtable = 'everheap'");
    String value = "x".repeat(MEGABYTE);
    for (int c = 0; c < 24; c++) {
      node.run(
          String.format(Locale.ROOT, "INSERT INTO k.t (p, c, v) VALUES (1, %d, '%s')", c, value));
    }
    node.run("INSERT INTO k.t (p, c, v) VALUES (2, 0, 'small')");
    killAndStart();
    assertThat(node.run("SELECT c FROM k.t WHERE p = 1")).hasSize(24);
    assertThat(node.run("SELECT v FROM k.t WHERE p = 2")).containsExactly("v=small ");
  }
}
