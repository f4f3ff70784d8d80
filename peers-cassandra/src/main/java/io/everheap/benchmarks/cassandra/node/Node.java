package io.everheap.benchmarks.cassandra.node;

import com.sun.management.ThreadMXBean;
import io.everheap.benchmarks.harness.Subject;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Date;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.service.CassandraDaemon;
import org.apache.cassandra.utils.TimeUUID;

/** A node with a table for each memtable, of the schema of Cassandra's own example of a load. */
public final class Node implements Subject {
  private static final String[] TABLES = {"everheap", "trie", "skiplist", "sstables"};
  private static final int VALUE = 100;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final SplittableRandom random = new SplittableRandom(1);

  /** Makes a node that is not started. */
  public Node() {}

  @Override
  public void open(Map<String, String> parameters) throws Exception {
    Path directory = Path.of(parameters.get("directory"));
    Files.createDirectories(directory);
    Path config = directory.resolve("cassandra.yaml");
    int port = freePort();
    Files.writeString(
        config,
        """
        cluster_name: bench
        partitioner: org.apache.cassandra.dht.Murmur3Partitioner
        seed_provider:
          - class_name: org.apache.cassandra.locator.SimpleSeedProvider
            parameters: [{seeds: "127.0.0.1:%1$d"}]
        listen_address: 127.0.0.1
        storage_port: %1$d
        start_native_transport: false
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
        """
            .formatted(port(directory, port), directory));
    System.setProperty("cassandra.config", config.toUri().toString());
    System.setProperty("cassandra.storagedir", directory.toString());
    System.setProperty("cassandra.jmx.local.port", String.valueOf(freePort()));
    new CassandraDaemon(true).activate(false);
    run(
        "CREATE KEYSPACE IF NOT EXISTS b WITH replication = {'class': 'SimpleStrategy',"
            + " 'replication_factor': 1}");
    for (String table : TABLES) {
      run(
          "CREATE TABLE IF NOT EXISTS b."
              + table
              + " (name text, choice boolean, date timestamp, address inet, dbl double, lval bigint,"
              + " ival int, uid timeuuid, value blob, PRIMARY KEY ((name, choice), date, address,"
              + " dbl, lval, ival, uid)) WITH memtable = '"
              + (table.equals("sstables") ? "trie" : table)
              + "'");
    }
  }

  /** The same at each start, since the node is known by it. */
  private static int port(Path directory, int free) throws java.io.IOException {
    Path file = directory.resolve("port");
    if (!Files.exists(file)) {
      Files.writeString(file, String.valueOf(free));
    }
    return Integer.parseInt(Files.readString(file));
  }

  private static int freePort() throws java.io.IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void run(String statement) {
    QueryProcessor.process(statement, ConsistencyLevel.ONE);
  }

  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    String table = request[1];
    int rows = Integer.parseInt(request[2]);
    String insert =
        "INSERT INTO b."
            + table
            + " (name, choice, date, address, dbl, lval, ival, uid, value)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    String select = "SELECT * FROM b." + table + " WHERE name = ? AND choice = ?";
    return switch (request[0]) {
      case "populate" -> {
        run("TRUNCATE b." + table);
        Map<String, Double> result = each(rows, i -> insert(insert, i));
        if (table.equals("sstables")) {
          ColumnFamilyStore store = Keyspace.open("b").getColumnFamilyStore(table);
          store.forceBlockingFlush(ColumnFamilyStore.FlushReason.USER_FORCED);
          store.forceMajorCompaction();
        }
        yield result;
      }
      case "read" -> each(rows, i -> select(select, random.nextInt(rows)));
      case "update" -> each(rows, i -> insert(insert, random.nextInt(rows)));
      case "mix-80-20" ->
          each(
              rows,
              i -> {
                if (i % 5 == 0) {
                  insert(insert, random.nextInt(rows));
                } else {
                  select(select, random.nextInt(rows));
                }
              });
      default -> throw new IllegalArgumentException(request[0]);
    };
  }

  private void insert(String insert, int key) throws UnknownHostException {
    byte[] value = new byte[VALUE];
    random.nextBytes(value);
    byte[] address = {10, (byte) (key >> 16), (byte) (key >> 8), (byte) key};
    QueryProcessor.executeInternal(
        insert,
        "name" + key,
        (key & 1) == 0,
        new Date(1_600_000_000_000L + key),
        InetAddress.getByAddress(address),
        (double) key,
        (long) key,
        key,
        TimeUUID.atUnixMicrosWithLsb(1_600_000_000_000_000L + key, key | Long.MIN_VALUE),
        ByteBuffer.wrap(value));
  }

  private static void select(String select, int key) {
    if (QueryProcessor.executeInternal(select, "name" + key, (key & 1) == 0).isEmpty()) {
      throw new IllegalStateException("row " + key + " is missing");
    }
  }

  private interface Statement {
    void run(int number) throws Exception;
  }

  private Map<String, Double> each(int count, Statement statement) throws Exception {
    long[] nanos = new long[count];
    long bytes = threads.getCurrentThreadAllocatedBytes();
    long processor = threads.getCurrentThreadCpuTime();
    long start = System.nanoTime();
    long last = start;
    for (int i = 0; i < count; i++) {
      statement.run(i);
      long now = System.nanoTime();
      nanos[i] = now - last;
      last = now;
    }
    processor = threads.getCurrentThreadCpuTime() - processor;
    bytes = threads.getCurrentThreadAllocatedBytes() - bytes;
    Arrays.sort(nanos);
    return Map.of(
        "ns_per_op", processor / (double) count,
        "bytes_per_op", bytes / (double) count,
        "ops_per_s", count * 1e9 / (last - start),
        "p99_us", nanos[(int) (count * 0.99)] / 1e3);
  }

  @Override
  public void close() {
    Runtime.getRuntime().halt(0); // its threads are not daemons
  }
}
