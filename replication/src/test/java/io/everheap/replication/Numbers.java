package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.error.MediumException;
import io.everheap.support.Limit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** A map that a primary and its replicas have, and waiting until they agree. */
final class Numbers {
  /** The limit of a connection's silence, for one that a test makes itself. */
  static final int LIMIT_MILLIS = (int) Limit.limit().toMillis();

  /** The secret of primaries and replicas in tests, which may start in any order. */
  static final Path SECRET = newSecret();

  private Numbers() {}

  private static Path newSecret() {
    try {
      Path directory = Files.createTempDirectory("everheap-secret");
      Path secret = directory.resolve("secret");
      Secret _ = Secret.of(secret, true);
      directory.toFile().deleteOnExit();
      secret.toFile().deleteOnExit(); // deleted in reverse order
      return secret;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What connects with the secret. */
  static Sockets sockets() {
    return new Sockets(null, null, Secret.of(SECRET, true));
  }

  /** Connects to a primary, and greets it. */
  static Connection connect(InetSocketAddress primary) throws IOException {
    Connection made = sockets().connect(primary);
    made.silence(LIMIT_MILLIS);
    return made;
  }

  /** Greets a replica that has connected. */
  static Connection welcome(Socket socket) throws IOException {
    return sockets().welcome(socket, LIMIT_MILLIS);
  }

  static DurableMap<Integer, String> map(Heap heap) {
    return heap.map("m", Integer.class, String.class);
  }

  static Map<Integer, String> contents(Heap heap) {
    return new HashMap<>(map(heap));
  }

  static void until(BooleanSupplier condition) {
    Limit.until("the condition of the caller holds", condition);
  }

  /** Addresses that cannot be told anything, as if there were no thread for it. */
  static List<InetSocketAddress> failingPeers() {
    return new AbstractList<>() {
      @Override
      public InetSocketAddress get(int index) {
        throw new MediumException("no thread, says the test", new OutOfMemoryError());
      }

      @Override
      public int size() {
        return 1;
      }
    };
  }

  /** Returns when a replica has what is durable in its primary; fails if it differs then. */
  static void untilEqual(Replica replica, Heap primary) {
    long end = primary.stats().durableLsn();
    until(() -> replica.status().lsn() >= end || replica.status().failure() != null);
    assertThat(replica.status().failure()).isNull();
    assertThat(contents(replica.heap())).isEqualTo(contents(primary));
  }
}
