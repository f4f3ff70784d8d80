package io.everheap.replication;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a primary that have not introduced themselves yet. Each has a limited time.
 * They are few: one more takes the place of another one, which is chosen at random among those from
 * the address that has most of them. So neither many who say nothing nor one who connects again and
 * again keeps out a replica, which needs milliseconds. Thread-safe.
 */
final class Newcomers {
  /** The most connections. */
  static final int MAX = 64;

  /** The time for the handshake of TLS, the greetings and the hello together. */
  static final int MILLIS = 5_000;

  private final Map<Thread, Newcomer> waiting = new HashMap<>(); // guarded by this

  private record Newcomer(Socket socket, @Nullable InetAddress from, Deadline deadline) {}

  /** Adds the connection that a thread serves. */
  synchronized void add(Thread thread, Socket socket) {
    if (waiting.size() >= MAX) {
      close(crowd());
    }
    waiting.put(thread, new Newcomer(socket, socket.getInetAddress(), Deadline.of(socket, MILLIS)));
  }

  /** The threads with connections from the address that has most of them. */
  private List<Thread> crowd() {
    Map<@Nullable InetAddress, List<Thread>> byAddress = new HashMap<>();
    waiting.forEach(
        (thread, one) -> byAddress.computeIfAbsent(one.from, _ -> new ArrayList<>()).add(thread));
    List<Thread> most = List.of();
    for (List<Thread> threads : byAddress.values()) {
      most = threads.size() > most.size() ? threads : most;
    }
    return most;
  }

  private void close(List<Thread> threads) {
    Thread chosen = threads.get(ThreadLocalRandom.current().nextInt(threads.size()));
    Newcomer one = waiting.get(chosen);
    if (one != null && remove(chosen)) {
      try {
        one.socket.close();
      } catch (IOException e) {
        // it is of no use any more
      }
    }
  }

  /** Removes the connection of a thread; returns whether it was there. */
  synchronized boolean remove(Thread thread) {
    Newcomer one = waiting.remove(thread);
    if (one != null) {
      one.deadline.close();
    }
    return one != null;
  }

  synchronized int size() {
    return waiting.size();
  }
}
