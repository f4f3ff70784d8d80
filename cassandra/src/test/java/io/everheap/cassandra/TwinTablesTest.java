package io.everheap.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Seeds;
import io.everheap.support.tier.Nodes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random statements on two tables of a real node, one with this memtable and one with Cassandra's
 * own, which have to answer alike, also after kills, changes of the schema, and truncations. {@code
 * -Deverheap.crash.rounds=N} sets how many rounds, each of which ends with a kill; {@code
 * -Deverheap.crash.seed=N} repeats the choices of a run.
 */
@Timeout(
    value = 7200, // enough for the 25 rounds of CONTRIBUTING.md
    threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Nodes
class TwinTablesTest {
  private static final int ROUNDS = Integer.getInteger("everheap.crash.rounds", 2);
  private static final int STATEMENTS = 150;
  private static final long SEED = Seeds.seed();
  private static final List<String> TWINS = List.of("k.durable", "k.stock");

  @TempDir Path directory;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private long timestamp = 1_700_000_000_000_000L;
  private int extraColumns;
  private boolean extraColumn;

  @Test
  void bothTablesAnswerAlike() throws Exception {
    Node node = Node.start(directory, "10ms");
    try {
      create(node);
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < STATEMENTS; i++) {
          change(node);
          if (i % 10 == 0) {
            compare(node);
          }
        }
        compareAll(node, "before kill " + round);
        node.kill();
        node = Node.start(directory, "10ms");
        compareAll(node, "after kill " + round);
      }
    } finally {
      node.close();
    }
  }

  private static void create(Node node) throws IOException {
    node.run(
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    for (String table : TWINS) {
      node.run(
          "CREATE TABLE "
              + table
              + " (p int, c int, d text, s int static, v int, w text, l list<int>, m map<text, int>,"
              + " u set<int>, PRIMARY KEY (p, c, d)) WITH CLUSTERING ORDER BY (c DESC, d ASC)"
              + " AND memtable = '"
              + (table.equals("k.durable") ? "everheap" : "default")
              + "'");
    }
  }

  private static void both(Node node, String statement) throws IOException {
    for (String table : TWINS) {
      node.run(statement.replace("#", table));
    }
  }

  private void change(Node node) throws IOException {
    int p = random.nextInt(6);
    int c = random.nextInt(8);
    String row =
        String.format(Locale.ROOT, "p = %d AND c = %d AND d = '%s'", p, c, random.nextInt(3));
    long at = random.nextInt(4) == 0 ? timestamp - random.nextInt(60) : ++timestamp;
    String using = " USING TIMESTAMP " + at;
    String ttl = random.nextInt(5) == 0 ? " AND TTL " + random.nextInt(50_000, 100_000) : "";
    int n = random.nextInt(1000);
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3 ->
          both(
              node,
              String.format(
                      Locale.ROOT,
                      "INSERT INTO # (p, c, d, v, w) VALUES (%d, %d, '%d', %d, 'text %d')",
                      p,
                      c,
                      random.nextInt(3),
                      n,
                      n)
                  + using
                  + ttl);
      case 4 -> both(node, "UPDATE #" + using + " SET s = " + n + " WHERE p = " + p);
      case 5 -> both(node, "UPDATE #" + using + ttl + " SET v = " + n + " WHERE " + row);
      case 6 -> both(node, "UPDATE #" + using + " SET m['" + n % 5 + "'] = " + n + " WHERE " + row);
      case 7 -> both(node, "UPDATE #" + using + " SET u = u + {" + n % 9 + "} WHERE " + row);
      case 8 -> both(node, "UPDATE #" + using + " SET u = {" + n % 9 + "} WHERE " + row);
      case 9 -> both(node, "UPDATE #" + using + " SET l = [" + n + ", 2] WHERE " + row);
      case 10 -> both(node, "DELETE FROM #" + using + " WHERE " + row);
      case 11 -> both(node, "DELETE v, m FROM #" + using + " WHERE " + row);
      case 12 ->
          both(
              node,
              String.format(
                  Locale.ROOT,
                  "DELETE FROM #%s WHERE p = %d AND c > %d AND c <= %d",
                  using,
                  p,
                  c - 2,
                  c));
      case 13 ->
          both(
              node,
              String.format(Locale.ROOT, "DELETE FROM #%s WHERE p = %d AND c = %d", using, p, c));
      case 14 -> {
        if (random.nextInt(4) == 0) {
          both(node, String.format(Locale.ROOT, "DELETE FROM #%s WHERE p = %d", using, p));
        }
      }
      case 15 ->
          both(
              node,
              String.format(
                  Locale.ROOT,
                  "BEGIN BATCH%s UPDATE # SET v = %d WHERE %s; UPDATE # SET s = 1 WHERE p = %d; DELETE w FROM # WHERE %s; APPLY BATCH",
                  using,
                  n,
                  row,
                  p,
                  row));
      case 16 -> {
        node.run(":flush k stock");
        node.run(":flush k durable");
      }
      case 17 -> {
        if (extraColumn) {
          both(node, "UPDATE #" + using + " SET x" + extraColumns + " = " + n + " WHERE " + row);
        }
      }
      default -> rarely(node);
    }
  }

  private void rarely(Node node) throws IOException {
    switch (random.nextInt(12)) {
      case 0 -> both(node, "TRUNCATE #");
      case 1 -> {
        node.run("ALTER TABLE k.durable WITH memtable = 'default'");
        compare(node);
        if (random.nextBoolean()) {
          node.run(":flush k durable"); // else it keeps its memtable
        }
        compare(node);
        node.run("ALTER TABLE k.durable WITH memtable = 'everheap'");
      }
      case 2, 3 -> {
        if (extraColumn) {
          both(node, "ALTER TABLE # DROP x" + extraColumns);
        } else {
          extraColumns++;
          both(node, "ALTER TABLE # ADD x" + extraColumns + " int");
        }
        extraColumn = !extraColumn;
      }
      default -> compare(node);
    }
  }

  private void compare(Node node) throws IOException {
    int p = random.nextInt(6);
    int c = random.nextInt(8);
    String where =
        switch (random.nextInt(10)) {
          case 0 -> "* FROM # WHERE p = " + p;
          case 1 -> String.format(Locale.ROOT, "* FROM # WHERE p = %d AND c = %d", p, c);
          case 2 ->
              String.format(
                  Locale.ROOT, "* FROM # WHERE p = %d AND c >= %d AND c < %d", p, c - 3, c);
          case 3 -> String.format(Locale.ROOT, "* FROM # WHERE p = %d ORDER BY c ASC LIMIT 5", p);
          case 4 ->
              String.format(
                  Locale.ROOT, "* FROM # WHERE p = %d AND c IN (1, 3, 5) ORDER BY c ASC", p);
          case 5 -> "DISTINCT p, s FROM #";
          case 6 -> "p, c, d, WRITETIME(v) FROM # WHERE p = " + p;
          case 7 -> {
            String paged = ":page " + random.nextInt(1, 9) + " SELECT * FROM #";
            same(node, random.nextBoolean() ? paged : paged + " WHERE p = " + p, "in pages");
            yield "* FROM # WHERE p = " + p;
          }
          case 8 ->
              String.format(
                  Locale.ROOT, "* FROM # WHERE TOKEN(p) > TOKEN(%d) PER PARTITION LIMIT 2", p);
          default -> "COUNT(*) FROM #";
        };
    same(node, "SELECT " + where, "meanwhile");
  }

  private static void compareAll(Node node, String when) throws IOException {
    same(node, "SELECT * FROM #", when);
    same(node, "SELECT p, c, d, WRITETIME(w) FROM #", when);
    for (int p = 0; p < 6; p++) {
      same(
          node,
          String.format(Locale.ROOT, "SELECT * FROM # WHERE p = %d ORDER BY c ASC, d DESC", p),
          when);
    }
  }

  private static void same(Node node, String query, String when) throws IOException {
    List<String> stock = node.run(query.replace("#", TWINS.get(1)));
    assertThat(node.run(query.replace("#", TWINS.get(0))))
        .as("%s %s, seed %d", query, when, SEED)
        .isEqualTo(stock);
  }
}
