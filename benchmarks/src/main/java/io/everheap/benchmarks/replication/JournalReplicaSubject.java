package io.everheap.benchmarks.replication;

import io.everheap.benchmarks.harness.Subject;
import io.everheap.replication.JournalReplica;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A replica of a journal.
 *
 * <p>Requests: {@code join} opens it; {@code follow POSITION} opens it and waits until it has
 * everything up to there; {@code leave} closes it.
 */
public final class JournalReplicaSubject implements Subject {
  private Path directory = Path.of("");
  private int port;
  private Map<String, String> parameters = Map.of();
  private @Nullable JournalReplica replica;

  /** Makes a subject that is not open. */
  public JournalReplicaSubject() {}

  @Override
  public void open(Map<String, String> given) {
    parameters = given;
    directory = Path.of(parameters.getOrDefault("directory", ""));
    port = (int) Double.parseDouble(parameters.getOrDefault("port", "0"));
  }

  @Override
  public Map<String, Double> measure(String[] request) {
    return switch (request[0]) {
      case "join" -> {
        opened();
        yield Map.of();
      }
      case "follow" -> {
        long to = (long) Double.parseDouble(request[1]);
        long start = System.nanoTime();
        ReplicaSubject.await(opened()::status, to);
        yield Map.of("seconds", (System.nanoTime() - start) / 1e9);
      }
      case "leave" -> {
        close();
        yield Map.of();
      }
      default -> throw new IllegalArgumentException(request[0]);
    };
  }

  private JournalReplica opened() {
    JournalReplica opened =
        Access.of(parameters, JournalReplica.of(directory))
            .primary(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .open();
    replica = opened;
    return opened;
  }

  @Override
  public void close() {
    if (replica != null) {
      replica.close();
      replica = null;
    }
  }
}
