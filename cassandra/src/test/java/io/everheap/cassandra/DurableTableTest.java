package io.everheap.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.support.Limit;
import io.everheap.support.tier.Nodes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables of real nodes whose process is killed. {@code -Deverheap.crash.rounds=N} sets how many
 * kills a campaign has.
 */
@Nodes
class DurableTableTest {
  private static final int ROUNDS = Integer.getInteger("everheap.crash.rounds", 2);
  private static final String KEYSPACE =
      "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
  private static final String SNAPSHOTS = "auto_snapshot: true\n";
  private static final String NO_SNAPSHOTS = "auto_snapshot: false\n";

  @TempDir Path directory;

  private final List<Node> nodes = new ArrayList<>();

  private Node start(String more) throws IOException {
    Node node = Node.launch(directory, "10ms", more);
    nodes.add(node);
    node.answer();
    return node;
  }

  private Node start() throws IOException {
    return start(NO_SNAPSHOTS);
  }

  private Node withTable() throws IOException {
    Node node = start();
    node.run(KEYSPACE);
    node.run("CREATE TABLE k.t (p int PRIMARY KEY, v int) WITH memtable = 'everheap'");
    return node;
  }

  @AfterEach
  void end() {
    nodes.forEach(Node::close);
  }

  private static void insert(Node node, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      node.run(String.format(Locale.ROOT, "INSERT INTO k.t (p, v) VALUES (%d, %d)", i, i));
    }
  }

  private static List<String> all(Node node) throws IOException {
    return node.run("SELECT * FROM k.t");
  }

  /** Else the table would have the default memtable, and seem to be empty. */
  @Test
  void aNodeWithoutTheConfigurationOfATableDoesNotStart() throws Exception {
    Node node = withTable();
    insert(node, 0, 10);
    node.kill();
    try (Node other = Node.renamed(directory, "another")) {
      assertThatThrownBy(other::answer)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("/t=everheap}. Add them to memtable.configurations.");
    }
    node = start();
    assertThat(all(node)).hasSize(10);
    node.run("DROP TABLE k.t");
    node.kill();
    Node renamed = Node.renamed(directory, "another");
    nodes.add(renamed);
    assertThat(renamed.answer()).isEmpty();
  }

  /** Else a new table could get the rows of an old one: ids of tables are small numbers. */
  @Test
  void aStoreOfAnotherNodeIsRefused() throws Exception {
    Node node = withTable();
    insert(node, 0, 10);
    node.kill();
    Path data = directory.resolve("data");
    Path elsewhere = directory.resolve("elsewhere");
    Files.move(data, elsewhere);
    try (Node other = Node.launch(directory, "10ms", "")) {
      assertThatThrownBy(other::answer)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("was not made with the data directory " + data);
    }
    try (Stream<Path> made = Files.walk(data)) {
      made.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
    Files.move(elsewhere, data);
    assertThat(all(start())).hasSize(10);
  }

  /** As {@code rm -rf data/*} does: a new node must not get the rows of the one before. */
  @Test
  void aStoreWhoseDataWasDeletedIsRefused() throws Exception {
    Node node = withTable();
    insert(node, 0, 10);
    node.kill();
    delete("rm -rf data/*");
    try (Node other = Node.launch(directory, "10ms", "")) {
      assertThatThrownBy(other::answer)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("delete the store if that is a new node's");
    }
    delete("rm -rf data/* everheap/* commitlog/* accord/*");
    assertThat(all(withTable())).isEmpty();
  }

  private void delete(String command) throws Exception {
    Process shell = new ProcessBuilder("sh", "-c", command).directory(directory.toFile()).start();
    assertThat(shell.waitFor()).isZero();
  }

  /** Else tables with sync could get the durability of others. */
  @Test
  void configurationsThatContradictEachOtherAreRefused() throws Exception {
    try (Node node =
        Node.launch(
            directory,
            "sync",
            """
                slower:
                  class_name: io.everheap.cassandra.EverheapMemtable
                  parameters:
                    durability: 1h
                    shards: "3"
            """)) {
      assertThatThrownBy(node::answer)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("need the same durability and shards");
    }
  }

  /** Also of a process that is killed while it starts. */
  @Test
  void whatWasAcknowledgedIsThereAfterEachKill() throws Exception {
    Node node = withTable();
    int next = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Node killed = node;
      int first = next;
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int i = first; ; i++) {
                    killed.send(
                        String.format(Locale.ROOT, "INSERT INTO k.t (p, v) VALUES (%d, %d)", i, i));
                  }
                } catch (IOException e) {
                  // killed
                }
              });
      while (next < first + 300) {
        assertThat(killed.answer()).isEmpty();
        next++;
      }
      killed.kill();
      writer.join();
      Node starting = Node.launch(directory, "10ms", NO_SNAPSHOTS);
      nodes.add(starting);
      starting.kill();
      node = start();
      for (int i = first; i < next; i++) {
        assertThat(node.run("SELECT v FROM k.t WHERE p = " + i)).containsExactly("v=" + i + " ");
      }
      next = all(node).size(); // some more were not acknowledged
      assertThat(node.run(":sstables k t")).containsExactly("0");
    }
  }

  /** What tells that the other tests would notice a loss. */
  @Test
  void aStockTableLosesWhatIsNotInTheCommitLog() throws Exception {
    Node node = start();
    node.run(
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
            + " AND durable_writes = false");
    node.run("CREATE TABLE k.t (p int PRIMARY KEY, v int)");
    node.run("CREATE TABLE k.u (p int PRIMARY KEY, v int) WITH memtable = 'everheap'");
    insert(node, 0, 50);
    node.run("INSERT INTO k.u (p, v) VALUES (1, 2)");
    node.kill();
    node = start();
    assertThat(all(node)).isEmpty();
    assertThat(node.run("SELECT * FROM k.u")).containsExactly("p=1 v=2 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {SNAPSHOTS, NO_SNAPSHOTS})
  void whatWasTruncatedDoesNotComeBack(String snapshots) throws Exception {
    Node node = withTable();
    node.kill();
    node = start(snapshots);
    insert(node, 0, 50);
    node.run("TRUNCATE k.t");
    node.run("INSERT INTO k.t (p, v) VALUES (100, 1)");
    node.kill();
    node = start(snapshots);
    assertThat(all(node)).containsExactly("p=100 v=1 ");
    node.run("DROP TABLE k.t");
    node.run("CREATE TABLE k.t (p int PRIMARY KEY, v int) WITH memtable = 'everheap'");
    assertThat(all(node)).isEmpty();
    node.kill();
    node = start(snapshots);
    assertThat(all(node)).isEmpty();
  }

  @Test
  void aTableCanGetAnotherMemtableAndBack() throws Exception {
    Node node = withTable();
    insert(node, 0, 50);
    node.run("ALTER TABLE k.t WITH memtable = 'default'");
    insert(node, 50, 60);
    node.run(":flush k t"); // waits until the one before is flushed as well
    node.kill();
    node = start();
    assertThat(all(node)).hasSize(60);
    node.run("ALTER TABLE k.t WITH memtable = 'everheap'");
    insert(node, 60, 70);
    node.kill();
    node = start();
    assertThat(all(node)).hasSize(70);
  }

  @Test
  void aFlushIsNotNeededAndASnapshotHasAll() throws Exception {
    Node node = withTable();
    insert(node, 0, 50);
    node.run(":flush k t");
    assertThat(node.run(":sstables k t")).containsExactly("0");
    node.run(":snapshot k t first");
    insert(node, 50, 60);
    assertThat(
            Node.files(
                directory.resolve("data"),
                file -> file.toString().matches(".*snapshots/first/.*-Data.db")))
        .hasSize(1);
    node.run(":drain");
    node.kill();
    node = start();
    assertThat(all(node)).hasSize(60);
  }

  @Test
  void anIndexIsAsDurableAsItsTable() throws Exception {
    Node node = withTable();
    node.run("CREATE INDEX by_v ON k.t (v)");
    insert(node, 0, 20);
    node.run("UPDATE k.t SET v = 5 WHERE p = 6");
    node.kill();
    node = start();
    assertThat(node.run("SELECT p FROM k.t WHERE v = 5")).containsExactlyInAnyOrder("p=5 ", "p=6 ");
    assertThat(node.run("SELECT p FROM k.t WHERE v = 6")).isEmpty();
  }

  @Test
  @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void tombstonesAndExpiredCellsArePurgedUnlessTheyAreNeeded() throws Exception {
    Node node = withTable();
    node.run("CREATE TABLE k.c (p int PRIMARY KEY, n counter) WITH memtable = 'everheap'");
    node.run("UPDATE k.c SET n = n + 2 WHERE p = 1");
    insert(node, 0, 20);
    node.run("DELETE FROM k.t WHERE p = 3");
    node.run("INSERT INTO k.t (p, v) VALUES (4, 1) USING TTL 1");
    assertThat(node.run(":purge k t")).containsExactly("0"); // they are kept for ten days
    node.run("ALTER TABLE k.t WITH gc_grace_seconds = 0");
    purgeUntilGone(node);
    assertThat(all(node)).hasSize(18);
    node.run(":snapshot k t first"); // now its rows are in an SSTable
    node.run("DELETE FROM k.t WHERE p = 5");
    node.run(":purge k t");
    assertThat(node.run(":partitions k t")).containsExactly("1");
    node.run("UPDATE k.c SET n = n + 3 WHERE p = 1");
    node.kill();
    node = start();
    assertThat(all(node)).hasSize(17);
    assertThat(node.run("SELECT * FROM k.c")).containsExactly("p=1 n=0000000000000005 ");
  }

  private static void purgeUntilGone(Node node) throws Exception {
    Limit.untilTrue(
        "the deleted row and the expired one are purged",
        () -> {
          node.run(":purge k t");
          return node.run("SELECT v FROM k.t WHERE p = 4").isEmpty()
              && node.run(":partitions k t").equals(List.of("18"));
        });
  }

  @Test
  void anAttachedIndexIsRefused() throws Exception {
    Node node = withTable();
    node.run("CREATE CUSTOM INDEX by_v ON k.t (v) USING 'StorageAttachedIndex'");
    assertThatThrownBy(() -> insert(node, 0, 1)).hasMessageContaining("WriteFailure");
    assertThat(node.log()).contains("has the index by_v");
    node.run("DROP INDEX k.by_v");
    insert(node, 0, 1);
    assertThat(all(node)).hasSize(1);
  }
}
