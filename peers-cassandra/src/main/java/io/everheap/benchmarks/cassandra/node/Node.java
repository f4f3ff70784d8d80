package io.everheap.benchmarks.cassandra.node;

import com.sun.management.OperatingSystemMXBean;
import io.everheap.benchmarks.harness.Subject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.service.CassandraDaemon;

/** A node with a table for each memtable, of the schema of Cassandra's own example of a load. */
public final class Node implements Subject {
  /** The table without rows. */
  private static final String FLOOR = "floor";

  private static final String[] TABLES = {"everheap", "trie", "skiplist", "sstables", FLOOR};
  private static final Set<String> MEMTABLES = Set.of("everheap", "trie", "skiplist");

  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final SplittableRandom random = new SplittableRandom(1);

  /** Makes a node that is not started. */
  public Node() {}

  @Override
  public void open(Map<String, String> parameters) throws Exception {
    Path directory = Path.of(parameters.get("directory"));
    Files.createDirectories(directory);
    Path config = directory.resolve("cassandra.yaml");
    Files.writeString(
        config,
        String.format(Locale.ROOT, """
        cluster_name: bench
        partitioner: org.apache.cassandra.dht.Murmur3Partitioner
        seed_provider:
          - class_name: org.apache.cassandra.locator.SimpleSeedProvider
            parameters: [{seeds: "127.0.0.1:%1$d"}]
        listen_address: 127.0.0.1
        storage_port: %1$d
        start_native_transport: true
        native_transport_port: %3$d
        endpoint_snitch: SimpleSnitch
        num_tokens: 4
        auto_snapshot: false
        commitlog_sync: periodic
        commitlog_sync_period: 10000ms
        accord:
          journal_directory: %2$s/accord
        memtable:
          configurations:
            everheap:
              class_name: io.everheap.cassandra.EverheapMemtable
              parameters:
                durability: 10ms
            trie:
              class_name: TrieMemtable
            skiplist:
              class_name: SkipListMemtable
        """, port(directory, "port"), directory, clientPort(directory)));
    System.setProperty("cassandra.config", config.toUri().toString());
    System.setProperty("cassandra.storagedir", directory.toString());
    System.setProperty("cassandra.jmx.local.port", String.valueOf(freePort()));
    new CassandraDaemon(true).activate(false);
    run(
        "CREATE KEYSPACE IF NOT EXISTS b WITH replication = {'class': 'SimpleStrategy',"
            + " 'replication_factor': 1}");
    for (String table : TABLES) {
      run(Rows.create(table, MEMTABLES.contains(table) ? table : "trie"));
    }
  }

  /** The port for clients of the node in a directory. */
  static int clientPort(Path directory) throws IOException {
    return port(directory, "client-port");
  }

  /** The same at each start, since the node is known by it. */
  private static int port(Path directory, String name) throws IOException {
    Path file = directory.resolve(name);
    if (!Files.exists(file)) {
      Files.writeString(file, String.valueOf(freePort()));
    }
    return Integer.parseInt(Files.readString(file));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void run(String statement) {
    QueryProcessor.process(statement, ConsistencyLevel.ONE);
  }

  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    if (request[0].equals("processor")) {
      return Map.of("ns", (double) system.getProcessCpuTime());
    }
    String table = request[1];
    int rows = Integer.parseInt(request[2]);
    String insert = Rows.insert(table);
    String select = Rows.select(table);
    boolean hasRows = !table.equals(FLOOR);
    return switch (request[0]) {
      case "populate" -> {
        run("TRUNCATE b." + table);
        Map<String, Double> result = Timing.each(rows, i -> insert(insert, i));
        if (table.equals("sstables")) {
          ColumnFamilyStore store = Keyspace.open("b").getColumnFamilyStore(table);
          store.forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
          store.forceMajorCompaction();
        }
        yield result;
      }
      case "read" -> Timing.each(rows, i -> select(select, random.nextInt(rows), hasRows));
      case "update" -> Timing.each(rows, i -> insert(insert, random.nextInt(rows)));
      case "mix-80-20" ->
          Timing.each(
              rows,
              i -> {
                if (i % 5 == 0) {
                  insert(insert, random.nextInt(rows));
                } else {
                  select(select, random.nextInt(rows), hasRows);
                }
              });
      default -> throw new IllegalArgumentException(request[0]);
    };
  }

  private void insert(String insert, int key) throws UnknownHostException {
    QueryProcessor.executeInternal(insert, Rows.row(key, random));
  }

  private static void select(String select, int key, boolean hasRows) {
    if (QueryProcessor.executeInternal(select, Rows.key(key)).isEmpty() == hasRows) {
      throw new IllegalStateException("row " + key + (hasRows ? " is missing" : " is there"));
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().halt(0); // its threads are not daemons
  }
}
