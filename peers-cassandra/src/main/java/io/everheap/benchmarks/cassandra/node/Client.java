package io.everheap.benchmarks.cassandra.node;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.everheap.benchmarks.harness.Subject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Statements of one thread on the tables of a {@link Node}, by Cassandra's driver. */
public final class Client implements Subject {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final SplittableRandom random = new SplittableRandom(2);
  private @Nullable CqlSession session;

  /** Makes a client that is not connected. */
  public Client() {}

  @Override
  public void open(Map<String, String> parameters) throws Exception {
    int port = Node.clientPort(Path.of(parameters.get("directory")));
    session =
        CqlSession.builder()
            .addContactPoint(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .withLocalDatacenter("datacenter1")
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
                    .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
                    .build())
            .build();
  }

  /** A request is the kind of statement, the table, the number of statements, that of rows. */
  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    CqlSession connected = session;
    if (connected == null) {
      throw new IllegalStateException("not open");
    }
    String table = request[1];
    int count = Integer.parseInt(request[2]);
    int rows = Integer.parseInt(request[3]);
    if (table.equals("floor")) {
      PreparedStatement smallest =
          connected.prepare("SELECT key FROM system.local WHERE key = 'local'");
      return wallClock(Timing.each(count, i -> found(connected, smallest)));
    }
    PreparedStatement read = connected.prepare(Rows.select(table));
    PreparedStatement write = connected.prepare(Rows.insert(table));
    return wallClock(
        switch (request[0]) {
          case "read" ->
              Timing.each(count, i -> found(connected, read, Rows.key(random.nextInt(rows))));
          case "update" ->
              Timing.each(
                  count,
                  i ->
                      connected.execute(
                          write.bind(driverValues(Rows.row(random.nextInt(rows), random)))));
          default -> throw new IllegalArgumentException(request[0]);
        });
  }

  /** What the client's own thread used is not what is asked. */
  private static Map<String, Double> wallClock(Map<String, Double> all) {
    return Map.of("ops_per_s", all.get("ops_per_s"), "p99_us", all.get("p99_us"));
  }

  private static void found(CqlSession session, PreparedStatement read, Object... values) {
    if (session.execute(read.bind(values)).one() == null) {
      throw new IllegalStateException("a row is missing");
    }
  }

  /** The driver has other types for times and their ids than the node. */
  private static Object[] driverValues(Object[] row) {
    return IntStream.range(0, row.length).mapToObj(i -> Rows.driverValue(row[i])).toArray();
  }

  @Override
  public void close() throws IOException {
    if (session != null) {
      session.close();
    }
  }
}
