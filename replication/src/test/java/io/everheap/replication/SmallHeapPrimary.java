package io.everheap.replication;

import io.everheap.Heap;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A primary in a small Java heap, to which strangers send long messages that do not end. Ends with
 * 0 if a replica is served nevertheless.
 */
final class SmallHeapPrimary {
  private static final int STRANGERS = 63;

  private SmallHeapPrimary() {}

  /** Runs; arguments: an empty directory. */
  public static void main(String[] arguments) throws IOException {
    Path dir = Path.of(arguments[0]);
    List<Socket> strangers = new ArrayList<>();
    try (Heap heap = Heap.open(dir.resolve("heap"));
        Primary primary =
            Primary.of(heap).secret(dir.resolve("secret")).listen(ReleasedReplicas.ANY)) {
      byte[] unfinished = new byte[Connection.MOST];
      ByteBuffer.wrap(unfinished).putInt(Connection.MOST).put((byte) Message.GREETING.code());
      for (int i = 0; i < STRANGERS; i++) {
        Socket stranger = new Socket(primary.address().getAddress(), primary.address().getPort());
        strangers.add(stranger);
        try {
          stranger.getOutputStream().write(unfinished);
        } catch (IOException e) {
          // it is closed already
        }
      }
      try (Replica _ =
          Replica.of(dir.resolve("copy"))
              .primary(primary.address())
              .secret(dir.resolve("secret"))
              .open()) {
        primary.copies(1);
        Numbers.map(heap).put(1, "one");
      }
      for (Socket stranger : strangers) {
        stranger.close();
      }
    }
  }
}
