package io.everheap.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of a real node whose process is killed. */
class DurableTableTest {
  @TempDir Path directory;

  @Test
  void whatWasWrittenIsThereAfterAKill() throws Exception {
    try (Node node = Node.start(directory, "10ms")) {
      node.run(
          "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
      node.run("CREATE TABLE k.t (p int, c int, v text, PRIMARY KEY (p, c)) WITH memtable = 'everheap'");
      for (int i = 0; i < 100; i++) {
        node.run("INSERT INTO k.t (p, c, v) VALUES (%d, %d, 'value %d')".formatted(i % 10, i, i));
      }
      assertThat(node.run("SELECT * FROM k.t")).hasSize(100);
      assertThat(node.run("SELECT v FROM k.t WHERE p = 3 AND c = 33")).hasSize(1);
      node.kill();
    }
    try (Node node = Node.start(directory, "10ms")) {
      assertThat(node.run("SELECT * FROM k.t")).hasSize(100);
      assertThat(node.run("SELECT v FROM k.t WHERE p = 3 AND c = 33")).hasSize(1);
      assertThat(node.run(":sstables k t")).containsExactly("0");
    }
  }
}
