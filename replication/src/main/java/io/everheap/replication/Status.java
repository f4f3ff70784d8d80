package io.everheap.replication;

import io.everheap.engine.ReplicaPosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Asks primaries for their status, from anywhere. */
public final class Status {
  private static final int SILENCE_MILLIS = 5_000;

  private static final UUID NO_HEAP = new UUID(0, 0);

  private Status() {}

  /**
   * Asks a primary.
   *
   * @param tls the certificates, or null
   * @param insecure whether a plain connection may leave the machine
   * @throws UncheckedIOException if it does not answer, or not in this protocol
   * @throws io.everheap.error.ReplicationException if it refuses
   */
  public static ReplicationStatus of(
      InetSocketAddress primary, @Nullable SSLContext tls, boolean insecure) {
    try {
      return ask(new Sockets(tls, insecure), primary, NO_HEAP, 0);
    } catch (IOException e) {
      throw new UncheckedIOException("no answer from " + primary + ": " + e.getMessage(), e);
    }
  }

  /**
   * Tells a peer of a term of a heap, so that it is fenced if its own is lower.
   *
   * @return its answer; null if it does not answer, or has another heap
   */
  static @Nullable ReplicationStatus tell(
      Connector connector, InetSocketAddress peer, UUID heap, long term) {
    try {
      ReplicationStatus answer = ask(connector, peer, heap, term);
      return answer.id().equals(heap) ? answer : null;
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  private static ReplicationStatus ask(
      Connector connector, InetSocketAddress peer, UUID heap, long term) throws IOException {
    try (Connection connection = new Connection(connector.connect(peer), SILENCE_MILLIS)) {
      Hello hello =
          new Hello(Hello.Purpose.STATUS, heap, ReplicaPosition.NONE, term, 0, false, "status");
      connection.send(Message.HELLO, hello.encode());
      return ReplicationStatus.decode(connection.receive(Message.STATUS).buffer(), peer.toString());
    }
  }
}
