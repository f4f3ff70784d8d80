package io.everheap.replication;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Closes a socket unless it is ended in time. A limit for each read would not do: a peer that sends
 * one byte after the other would stay below it for ever.
 *
 * @param late completed by the time, or cancelled
 */
record Deadline(CompletableFuture<Void> late) implements AutoCloseable {
  /** Begins. */
  static Deadline of(Socket socket, int millis) {
    CompletableFuture<Void> late = new CompletableFuture<>();
    var _ = late.thenRun(() -> close(socket)); // of a plain socket, which takes no time
    var _ = late.completeOnTimeout(null, millis, TimeUnit.MILLISECONDS);
    return new Deadline(late);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // it is of no use any more
    }
  }

  /** Whether it closed the socket. */
  boolean passed() {
    return late.isDone() && !late.isCancelled();
  }

  @Override
  public void close() {
    late.cancel(false);
  }
}
