package io.everheap.replication;

import io.everheap.engine.ReplicaPosition;
import io.everheap.error.ReplicationException;
import io.everheap.log.Terms;
import io.everheap.stability.Evolving;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks primaries for their status, from anywhere.
 *
 * @since 0.9
 */
@Evolving
public final class Status {
  private static final int SILENCE_MILLIS = 5_000;

  private static final UUID NO_HEAP = new UUID(0, 0);

  private Status() {}

  /** A question to a primary. */
  public static Question of(InetSocketAddress primary) {
    return new Question(Objects.requireNonNull(primary, "primary"));
  }

  /** How to ask a primary. Not thread-safe. */
  public static final class Question extends AccessBuilder<Question> {
    private final InetSocketAddress primary;

    private Question(InetSocketAddress primary) {
      this.primary = primary;
    }

    @Override
    Question self() {
      return this;
    }

    /**
     * Asks it.
     *
     * @throws UncheckedIOException if it does not answer, or not in this protocol
     * @throws io.everheap.error.ReplicationException if it refuses, or the secret cannot be used
     * @throws IllegalStateException if none of {@code secret}, {@code tls} and {@code insecure} was
     *     called
     */
    public ReplicationStatus ask() {
      Sockets sockets = sockets(false);
      try {
        return Status.ask(sockets, primary, NO_HEAP, 0);
      } catch (Refusal.RefusedException e) {
        throw new ReplicationException(String.valueOf(e.getMessage()), e);
      } catch (IOException e) {
        throw new UncheckedIOException("no answer from " + primary + ": " + Printable.reason(e), e);
      }
    }
  }

  /**
   * Tells a peer of a term of a heap, so that it is fenced if its own is lower.
   *
   * @return its answer; null if it does not answer, has another heap, or says a term that no
   *     promotion gives
   */
  static @Nullable ReplicationStatus tell(
      Connector connector, InetSocketAddress peer, UUID heap, long term) {
    try {
      ReplicationStatus answer = ask(connector, peer, heap, term);
      boolean same = answer.id().equals(heap);
      return same && Terms.isCredible(term, answer.term()) ? answer : null;
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  private static ReplicationStatus ask(
      Connector connector, InetSocketAddress peer, UUID heap, long term) throws IOException {
    try (Connection connection = connector.connect(peer)) {
      connection.silence(SILENCE_MILLIS);
      Hello hello =
          new Hello(
              Hello.Purpose.STATUS,
              heap,
              ReplicaPosition.NONE,
              term,
              false,
              Hello.Who.nobody("status"));
      connection.send(Message.HELLO, hello.encode());
      return ReplicationStatus.decode(connection.receive(Message.STATUS).buffer(), peer.toString());
    }
  }
}
