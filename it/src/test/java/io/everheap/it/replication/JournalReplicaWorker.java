package io.everheap.it.replication;

import io.everheap.journal.JournalReader;
import io.everheap.replication.JournalReplica;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;

/** A replica of a journal that is read while it follows: no record may be missing. */
public final class JournalReplicaWorker {
  private JournalReplicaWorker() {}

  /** Follows until it is killed; arguments: its directory, the port of the primary. */
  public static void main(String[] arguments) {
    System.setOut(System.err); // nothing but frames may go to descriptor 1
    try {
      int port = Integer.parseInt(arguments[1]);
      JournalReplica replica =
          JournalReplica.of(Path.of(arguments[0]))
              .primary(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
              .secret(Counters.secret())
              .anew()
              .open();
      Told.tell(Told.READY, 0, 0);
      long[] last = new long[Counters.THREADS];
      try (JournalReader reader = replica.journal().reader()) {
        while (replica.status().failure() == null) {
          if (reader.next(Duration.ofMillis(100))) {
            JournalPrimaryWorker.count(last, reader.bytes());
          }
        }
      }
      throw new AssertionError(replica.status().failure());
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }
}
