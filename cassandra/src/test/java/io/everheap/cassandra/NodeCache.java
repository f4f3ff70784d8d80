package io.everheap.cassandra;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * The JVM's AOT cache of a node: its classes, loaded and linked. With it a node starts in half of
 * the time, of which a process of tests spends most. The first node of the process records it.
 */
final class NodeCache {
  private static List<String> options = List.of();

  private NodeCache() {}

  /** The options of the JVM that name the class path, and the cache if there is one. */
  static synchronized List<String> options() throws IOException {
    if (options.isEmpty()) {
      options = List.of("-cp", System.getProperty("java.class.path")); // if the recording fails
      try {
        options = record(directory());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      } catch (IOException | RuntimeException e) { // nodes only start more slowly
        System.getLogger(NodeCache.class.getName())
            .log(System.Logger.Level.WARNING, "nodes start without a cache", e);
      }
    }
    return options;
  }

  private static List<String> record(Path directory) throws IOException, InterruptedException {
    String jars = jars(directory);
    Path cache = directory.resolve("aot");
    Path home = Files.createDirectory(directory.resolve("node"));
    try (Node node = Node.recording(home, List.of("-XX:AOTCacheOutput=" + cache, "-cp", jars))) {
      for (String request :
          List.of(
              "CREATE KEYSPACE k WITH replication = {'class':'SimpleStrategy',"
                  + " 'replication_factor':1}",
              "CREATE TABLE k.t (k int PRIMARY KEY, v text) WITH memtable = 'everheap'",
              "INSERT INTO k.t (k, v) VALUES (1, 'one')",
              "SELECT * FROM k.t")) {
        node.run(request);
      }
      node.stop();
    }
    return Files.exists(cache)
        ? List.of("-XX:AOTCache=" + cache, "-cp", jars)
        : List.of("-cp", jars);
  }

  /**
   * The class path with a jar in place of each directory, since a cache takes no classes of those.
   */
  private static String jars(Path directory) {
    List<String> jars = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (entry.isEmpty()) { // as behind a separator at the end
        continue;
      }
      if (!Files.isDirectory(Path.of(entry))) {
        jars.add(entry);
        continue;
      }
      Path jar = directory.resolve("classes-" + jars.size() + ".jar");
      ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
      if (tool.run(System.out, System.err, "-cf", jar.toString(), "-C", entry, ".") != 0) {
        throw new IllegalStateException("cannot make a jar of " + entry);
      }
      jars.add(jar.toString());
    }
    return String.join(File.pathSeparator, jars);
  }

  /** A directory that is deleted when the process ends. */
  private static Path directory() throws IOException {
    Path directory = Files.createTempDirectory("everheap-node");
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    for (Path file : Node.files(directory, path -> true).reversed()) {
                      Files.deleteIfExists(file);
                    }
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }));
    return directory;
  }
}
