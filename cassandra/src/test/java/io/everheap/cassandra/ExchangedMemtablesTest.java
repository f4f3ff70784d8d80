package io.everheap.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tables whose memtable is exchanged, and nodes that are killed before the end of its flush. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExchangedMemtablesTest {
  @TempDir Path directory;

  private final List<Node> nodes = new ArrayList<>();
  private Node node;

  @BeforeEach
  void begin() throws IOException {
    start("auto_snapshot: true\n");
    node.run(
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  }

  private void start(String more) throws IOException {
    node = Node.launch(directory, "10ms", more);
    nodes.add(node);
    node.answer();
  }

  private void killAndStart() throws Exception {
    node.kill();
    start("auto_snapshot: false\n");
  }

  @AfterEach
  void end() {
    nodes.forEach(Node::close);
  }

  private void create(String memtable) throws IOException {
    node.run(
        "CREATE TABLE k.t (p int PRIMARY KEY, v int, w text) WITH memtable = '" + memtable + "'");
  }

  private void insert(int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      node.run("INSERT INTO k.t (p, v, w) VALUES (%1$d, %1$d, 'w%1$d')".formatted(i));
    }
  }

  private List<String> all() throws IOException {
    return node.run("SELECT p FROM k.t");
  }

  /** The rows are in the commit log, and in SSTables only when the flush ends. */
  @Test
  void aTableThatGetsThisMemtableLosesNothing() throws Exception {
    create("default");
    insert(0, 50);
    node.run(":hold k t");
    node.run(":begin ALTER TABLE k.t WITH memtable = 'everheap'");
    insert(50, 60);
    killAndStart();
    assertThat(all()).hasSize(60);
    node.run("DELETE FROM k.t WHERE p = 7");
    killAndStart();
    assertThat(all()).hasSize(59);
  }

  /** It has it some seconds later; until then its rows are in the store, and in no commit log. */
  @Test
  void aTableThatGetsAnotherMemtableGetsItsRowsBack() throws Exception {
    create("everheap");
    node.run("CREATE INDEX by_v ON k.t (v)");
    insert(0, 50);
    node.run("ALTER TABLE k.t WITH memtable = 'default'");
    insert(50, 60);
    killAndStart();
    while (!node.run(":generations").isEmpty()) {
      Thread.onSpinWait();
    }
    assertThat(all()).hasSize(60);
    killAndStart();
    assertThat(all()).hasSize(60);
    assertThat(node.run("SELECT p FROM k.t WHERE v = 7")).containsExactly("p=7 ");
    assertThat(node.run("SELECT p FROM k.t WHERE v = 55")).containsExactly("p=55 ");
    node.run("ALTER TABLE k.t WITH memtable = 'everheap'");
    insert(60, 70);
    killAndStart();
    assertThat(all()).hasSize(70);
    assertThat(node.run("SELECT p FROM k.t WHERE v = 65")).containsExactly("p=65 ");
  }

  @Test
  void whatIsWrittenWhileATableGetsAnotherMemtableIsDurable() throws Exception {
    create("everheap");
    insert(0, 10);
    node.run("ALTER TABLE k.t WITH memtable = 'default'");
    insert(10, 20);
    while (!node.run(":generations").isEmpty()) {
      insert(20, 30);
    }
    assertThat(node.run(":sstables k t")).isNotEqualTo(List.of("0"));
    killAndStart();
    assertThat(all()).hasSize(30);
  }

  /** Its snapshot would be missing. */
  @Test
  void aTruncationThatDidNotMakeItsSnapshotDeletesNothing() throws Exception {
    create("everheap");
    insert(0, 50);
    node.run(":hold k t");
    node.run(":begin TRUNCATE k.t");
    killAndStart();
    assertThat(all()).hasSize(50);
    node.run("TRUNCATE k.t"); // now without a snapshot, and without SSTables
    assertThat(node.run(":sstables k t")).containsExactly("0");
    killAndStart();
    assertThat(all()).isEmpty();
  }

  /** Else the first index's entries, which have keys of another type, would be the second one's. */
  @Test
  void anIndexHasNothingOfAnotherOneOfItsName() throws Exception {
    create("everheap");
    node.run("CREATE INDEX by_it ON k.t (w)");
    insert(0, 20);
    node.run("DROP INDEX k.by_it");
    node.run("CREATE INDEX by_it ON k.t (v)");
    insert(20, 30);
    killAndStart();
    assertThat(node.run("SELECT p FROM k.t WHERE v = 7")).containsExactly("p=7 ");
    assertThat(node.run("SELECT p FROM k.t WHERE v = 27")).containsExactly("p=27 ");
    assertThat(node.run(":generations")).hasSize(2);
  }

  @Test
  void aTableThatWasDroppedLeavesNothingInTheStore() throws Exception {
    create("everheap");
    insert(0, 20);
    node.run(":drop k t");
    assertThat(node.run(":generations")).isEmpty();
    killAndStart();
    create("everheap");
    insert(0, 20);
    node.run(":drop k t");
    assertThat(node.run(":generations")).isEmpty();
  }
}
