package io.everheap.benchmarks.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.benchmarks.harness.WorkerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node and a client of the benchmark, in processes of their own. */
class CassandraBindingsTest {
  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final long ROWS = 50;

  @TempDir Path directory;

  @Test
  void everyTableAnswersEveryRequestInProcessAndByTheDriver() throws IOException {
    Map<String, String> parameters = Map.of("directory", directory.toString());
    try (WorkerProcess node = Nodes.start(directory, CLASS_PATH, "Node", parameters)) {
      for (String table : TablesPart.TABLES) {
        for (String request : TablesPart.CASES) {
          assertThat(node.ask(request, table, ROWS))
              .containsKeys("ns_per_op", "bytes_per_op", "ops_per_s", "p99_us");
        }
      }
      double processor = node.ask("processor").get("ns");
      try (WorkerProcess client = Nodes.start(directory, CLASS_PATH, "Client", parameters)) {
        for (String table : TablesPart.TABLES) {
          assertThat(client.ask("read", table, ROWS, ROWS)).containsOnlyKeys("ops_per_s", "p99_us");
          assertThat(client.ask("update", table, ROWS, ROWS))
              .containsOnlyKeys("ops_per_s", "p99_us");
        }
        assertThat(client.ask("read", "floor", ROWS, ROWS)).containsKey("ops_per_s");
        assertThatThrownBy(() -> client.ask("read", "trie", ROWS, 1_000 * ROWS))
            .hasMessageContaining("missing");
      }
      assertThat(node.ask("processor").get("ns")).isGreaterThan(processor);
      assertThat(node.ask("read", "everheap", ROWS)).isNotEmpty(); // the client changed no keys
      node.kill();
    }
    try (WorkerProcess again = Nodes.start(directory, CLASS_PATH, "Node", parameters)) {
      assertThat(again.ask("read", "everheap", ROWS)).isNotEmpty();
      again.kill();
    }
  }
}
