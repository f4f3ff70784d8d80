package io.everheap.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import io.everheap.support.tier.Nodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes in processes of their own: a node that joins, streams, is repaired and leaves. */
@Nodes
class ClusterTest {
  private static final String TABLE =
      "CREATE TABLE k.t (p int PRIMARY KEY, v int) WITH memtable = 'everheap'";

  private static final String NO_HINTS = "hinted_handoff_enabled: false\n";

  @TempDir Path directory;

  private final List<Node> nodes = new ArrayList<>();

  private Node first() throws IOException {
    return started(Node.launch(Files.createDirectories(directory.resolve("1")), "10ms", NO_HINTS));
  }

  private Node second() throws IOException {
    return started(
        Node.join(
            Files.createDirectories(directory.resolve("2")), directory.resolve("1"), NO_HINTS));
  }

  private Node started(Node node) throws IOException {
    nodes.add(node);
    node.answer();
    return node;
  }

  @AfterEach
  void end() {
    nodes.forEach(Node::close);
  }

  private static void keyspace(Node node, int replicas) throws IOException {
    node.run(
        "CREATE KEYSPACE k WITH replication ="
            + String.format(
                Locale.ROOT, " {'class': 'SimpleStrategy', 'replication_factor': %d}", replicas));
    node.run(TABLE);
  }

  private static void insert(Node node, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      node.run(String.format(Locale.ROOT, "INSERT INTO k.t (p, v) VALUES (%d, %d)", i, i));
    }
  }

  private static List<String> rows(Node node) throws IOException {
    return node.run("SELECT * FROM k.t");
  }

  /** What a node has itself. */
  private static List<String> local(Node node) throws IOException {
    return node.run(":local k t");
  }

  private static String[] expected(int from, int to) {
    return IntStream.range(from, to).mapToObj("p=%1$d v=%1$d "::formatted).toArray(String[]::new);
  }

  /** Until a node sees the other one, which has started since it saw these. */
  private static void awaitSeen(Node by, List<String> before) throws Exception {
    Limit.untilTrue(
        "the node sees the other one",
        () -> {
          List<String> live = by.run(":live");
          return live.size() >= 2 && !live.equals(before);
        });
  }

  /** Repairs; again if the node, which knows that the other one started, does not reach it yet. */
  private static void repair(Node by, boolean incremental) throws Exception {
    Limit.untilTrue(
        "the other node can be reached",
        () -> {
          try {
            by.run(":repair k " + incremental);
            return true;
          } catch (IllegalStateException e) {
            if (!String.valueOf(e.getMessage()).contains("Endpoint not alive")) {
              throw e;
            }
            return false;
          }
        });
  }

  /** The rows of its ranges are streamed to it, and back when it leaves. */
  @Test
  void aNodeThatJoinsAndLeavesTakesAndGivesItsRows() throws Exception {
    Node one = first();
    keyspace(one, 1);
    insert(one, 0, 300);
    Node two = second();
    assertThat(rows(two)).containsExactlyInAnyOrder(expected(0, 300));
    insert(two, 300, 400);
    List<String> before = two.run(":live");
    one.kill();
    one = first();
    awaitSeen(one, List.of());
    awaitSeen(two, before); // to a node that is down, to it, it gives nothing back
    assertThat(rows(one)).containsExactlyInAnyOrder(expected(0, 400));
    two.run(":decommission");
    two.kill();
    assertThat(rows(one)).containsExactlyInAnyOrder(expected(0, 400));
    one.kill();
    assertThat(rows(first())).containsExactlyInAnyOrder(expected(0, 400));
  }

  /** What a node missed while it was down comes by repair, deletions too; nothing comes back. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNodeThatWasDownIsRepaired(boolean incremental) throws Exception {
    Node one = first();
    keyspace(one, 2);
    Node two = second();
    insert(one, 0, 200);
    List<String> before = one.run(":live");
    two.kill();
    insert(one, 200, 300);
    for (int i = 0; i < 50; i++) {
      one.run("DELETE FROM k.t WHERE p = " + i);
    }
    two = second();
    awaitSeen(one, before);
    repair(one, incremental);
    assertThat(local(one)).containsExactlyInAnyOrder(expected(50, 300));
    assertThat(local(two)).containsExactlyInAnyOrder(expected(50, 300));
    one.kill();
    two.kill();
    assertThat(local(first())).containsExactlyInAnyOrder(expected(50, 300));
    assertThat(local(second())).containsExactlyInAnyOrder(expected(50, 300));
  }
}
