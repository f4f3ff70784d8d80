package io.everheap.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.support.Limit;
import io.everheap.support.tier.Nodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables whose memtable is exchanged, and nodes that are killed before the end of its flush. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Nodes
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
      node.run(
          String.format(Locale.ROOT, "INSERT INTO k.t (p, v, w) VALUES (%1$d, %1$d, 'w%1$d')", i));
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
    awaitGenerations(0);
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
    do {
      insert(20, 30);
    } while (!node.run(":generations").isEmpty());
    assertThat(node.run(":sstables k t")).isNotEqualTo(List.of("0"));
    killAndStart();
    assertThat(all()).hasSize(30);
  }

  /** Kills the node and starts it, until before it puts rows back. */
  private void killAndStartInPart(String more) throws Exception {
    Files.createFile(directory.resolve("starting"));
    node.kill();
    start(more);
    Files.delete(directory.resolve("starting"));
  }

  /** What the node before had not flushed would be put back afterwards. */
  @ParameterizedTest
  @ValueSource(strings = {"auto_snapshot: true\n", "auto_snapshot: false\n"})
  void whatIsTruncatedBeforeItIsPutBackDoesNotComeBack(String snapshots) throws Exception {
    create("everheap");
    node.run("CREATE INDEX by_v ON k.t (v)");
    insert(0, 50);
    node.run("ALTER TABLE k.t WITH memtable = 'default'");
    killAndStartInPart(snapshots);
    assertThat(node.run(":generations")).hasSize(2);
    node.run("TRUNCATE k.t");
    insert(50, 53);
    killAndStartInPart(snapshots);
    assertThat(all()).hasSize(3);
    node.run(":started");
    awaitGenerations(0);
    assertThat(all()).hasSize(3);
    assertThat(node.run("SELECT p FROM k.t WHERE v = 7")).isEmpty();
  }

  /** Cassandra truncates a view with its table, and says so of the table alone. */
  @Test
  void aViewWhoseTableIsTruncatedBeforeItIsPutBackStaysEmpty() throws Exception {
    node.kill();
    start("auto_snapshot: false\nmaterialized_views_enabled: true\n");
    create("default");
    node.run(
        "CREATE MATERIALIZED VIEW k.by_v AS SELECT p, v FROM k.t WHERE v IS NOT NULL AND p IS NOT"
            + " NULL PRIMARY KEY (v, p) WITH memtable = 'everheap'");
    insert(0, 50);
    Limit.untilTrue("the view has all rows", () -> node.run("SELECT p FROM k.by_v").size() == 50);
    node.run("ALTER MATERIALIZED VIEW k.by_v WITH memtable = 'default'");
    killAndStartInPart("auto_snapshot: false\nmaterialized_views_enabled: true\n");
    assertThat(node.run(":generations")).hasSize(1);
    node.run("TRUNCATE k.t");
    node.run(":started");
    awaitGenerations(0);
    assertThat(node.run("SELECT p FROM k.by_v")).isEmpty();
  }

  /** While it is put back, or before, or afterwards. */
  @Test
  void whatIsTruncatedWhileItIsPutBackDoesNotComeBack() throws Exception {
    create("everheap");
    insert(0, 3000);
    node.run("ALTER TABLE k.t WITH memtable = 'default'");
    killAndStart();
    node.run("TRUNCATE k.t");
    awaitGenerations(0);
    assertThat(all()).isEmpty();
    killAndStart();
    assertThat(all()).isEmpty();
  }

  @Test
  void whatIsDroppedBeforeItIsPutBackLeavesTheStore() throws Exception {
    create("everheap");
    insert(0, 50);
    node.run("ALTER TABLE k.t WITH memtable = 'default'");
    killAndStartInPart("auto_snapshot: false\n");
    node.run("DROP TABLE k.t");
    node.run(":started");
    awaitGenerations(0);
    create("everheap");
    assertThat(all()).isEmpty();
  }

  /** Its directory is gone; the next start makes it anew, and puts its rows back. */
  @Test
  void aTableThatCannotBePutBackKeepsNoOtherFromIt() throws Exception {
    create("everheap");
    node.run("CREATE TABLE k.u (p int PRIMARY KEY) WITH memtable = 'everheap'");
    insert(0, 50);
    node.run("INSERT INTO k.u (p) VALUES (1)");
    node.run("ALTER TABLE k.t WITH memtable = 'default'");
    node.run("ALTER TABLE k.u WITH memtable = 'default'");
    killAndStartInPart("auto_snapshot: false\ndisk_failure_policy: ignore\n");
    for (Path table : directories("k", "t-")) {
      Files.move(table, directory.resolve("aside"));
    }
    node.run(":started");
    awaitGenerations(1);
    assertThat(node.run("SELECT p FROM k.u")).hasSize(1);
    killAndStart();
    awaitGenerations(0);
    assertThat(all()).hasSize(50);
  }

  private List<Path> directories(String keyspace, String table) throws IOException {
    return Node.files(
        directory,
        path ->
            path.getFileName().toString().startsWith(table) && path.getParent().endsWith(keyspace));
  }

  /**
   * A write that began before the change is in no commit log, so it must not get into the memtable
   * behind it.
   */
  @Test
  void aSnapshotWithinAChangeOfTheMemtableLosesNoWrite() throws Exception {
    create("everheap");
    insert(0, 10);
    node.run(":write INSERT INTO k.t (p, v, w) VALUES (10, 10, 'w10')");
    node.run("ALTER TABLE k.t WITH memtable = 'default'");
    node.run(":endwrite k t");
    killAndStart();
    awaitGenerations(0);
    assertThat(all()).hasSize(11);
  }

  /** A write of the change is in both; the log would keep it until the memtable is flushed. */
  @Test
  void theCommitLogForgetsWhatADurableMemtableHas() throws Exception {
    changeWithAWrite();
    while (!keepsASegment()) { // two of three times the write is before the end of the flush
      node.run("DROP TABLE k.t");
      changeWithAWrite();
    }
    assertThat(node.run(":segments k t")).containsExactly("1");
    node.run(":purge k t");
    assertThat(node.run(":segments k t")).containsExactly("0");
    killAndStart();
    assertThat(all()).hasSize(10);
  }

  /** Waits until the rows of all but some memtables that were exchanged are put back. */
  private void awaitGenerations(int left) throws Exception {
    Limit.untilTrue("generations left", () -> node.run(":generations").size() <= left);
  }

  private void changeWithAWrite() throws Exception {
    create("default");
    insert(0, 10);
    node.run(":within k t INSERT INTO k.t (p, v, w) VALUES (10, 10, 'w10')");
    node.run("ALTER TABLE k.t WITH memtable = 'everheap'");
    node.run("DELETE FROM k.t WHERE p = 10");
    Limit.untilTrue(
        "the flush has written an SSTable", () -> node.run(":sstables k t").equals(List.of("1")));
  }

  /** The write of the change can also come before the end of what the flush covers. */
  private boolean keepsASegment() throws IOException {
    return node.run(":segments k t").equals(List.of("1"));
  }

  /** A snapshot of a table whose truncation failed has to have what the table has. */
  @Test
  void aTruncationThatFailedDoesNotEmptyALaterSnapshot() throws Exception {
    create("everheap");
    node.kill();
    start("auto_snapshot: false\n");
    insert(0, 10);
    assertThat(node.run(":ask k t TRUNCATE")).containsExactly("true");
    node.run(":snapshot k t first");
    assertThat(node.run(":sstables k t")).containsExactly("1");
    killAndStart();
    assertThat(all()).hasSize(10);
  }

  /** Else the node would never start again. */
  @Test
  void whatIsReplayedIntoATableWithAnAttachedIndexIsNotRefused() throws Exception {
    create("default");
    node.run("CREATE CUSTOM INDEX by_v ON k.t (v) USING 'StorageAttachedIndex'");
    insert(0, 10);
    node.run(":hold k t");
    node.run(":begin ALTER TABLE k.t WITH memtable = 'everheap'");
    killAndStart();
    assertThatThrownBy(() -> insert(10, 11)).hasMessageContaining("WriteFailure");
    node.run("DROP INDEX k.by_v");
    assertThat(all()).hasSize(10);
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
