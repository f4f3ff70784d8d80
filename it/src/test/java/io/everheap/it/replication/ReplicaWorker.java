package io.everheap.it.replication;

import io.everheap.collection.DurableMap;
import io.everheap.replication.Replica;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** A replica that is read while it follows: each transaction must be whole. */
public final class ReplicaWorker {
  private ReplicaWorker() {}

  /** Follows until it is killed; arguments: its directory, the port of the primary. */
  public static void main(String[] arguments) {
    System.setOut(System.err); // nothing but frames may go to descriptor 1
    try {
      int port = Integer.parseInt(arguments[1]);
      Replica replica =
          Replica.of(Path.of(arguments[0]))
              .primary(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
              .secret(Counters.secret())
              .anew()
              .open();
      Told.tell(Told.READY, 0, 0);
      DurableMap<Integer, Long> last = replica.heap().map("last", Integer.class, Long.class);
      DurableMap<Long, Integer> all = replica.heap().map("all", Long.class, Integer.class);
      while (replica.status().failure() == null) {
        boolean whole =
            replica
                .heap()
                .read(
                    () -> {
                      long sum = 0;
                      for (int i = 0; i < Counters.THREADS; i++) {
                        sum += last.getOrDefault(i, 0L);
                      }
                      return all.size() == sum;
                    });
        if (!whole) {
          throw new AssertionError("a part of a transaction is seen");
        }
      }
      throw new AssertionError(replica.status().failure());
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }
}
