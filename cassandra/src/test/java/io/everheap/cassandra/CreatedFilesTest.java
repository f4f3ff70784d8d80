package io.everheap.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Nodes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store of a node, and its mark in the data directory, are for their owner alone. */
@Nodes
class CreatedFilesTest {
  @TempDir Path directory;

  @Test
  void areForTheirOwner() throws Exception {
    try (Node node = Node.start(directory, "10ms")) {
      node.run(
          "CREATE KEYSPACE k WITH"
              + " replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
      node.run("CREATE TABLE k.t (p int PRIMARY KEY, v int) WITH memtable = 'everheap'");
      node.run("INSERT INTO k.t (p, v) VALUES (1, 1)");
    }
    List<Path> made =
        Node.files(directory, path -> directory.relativize(path).toString().contains("everheap"));
    Map<String, String> others = new TreeMap<>();
    for (Path each : made) {
      String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(each));
      if (!mode.equals(Files.isDirectory(each) ? "rwx------" : "rw-------")) {
        others.put(directory.relativize(each).toString(), mode);
      }
    }
    assertThat(others).isEmpty();
    assertThat(made)
        .hasSizeGreaterThan(8)
        .anyMatch(path -> path.startsWith(directory.resolve("data")));
  }
}
