package io.everheap.replication;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A bad network between a replica and a primary. */
final class Proxy implements AutoCloseable {
  private final ServerSocket server;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile InetSocketAddress to;
  private volatile boolean partitioned;
  private volatile int cutAfter; // bytes of a connection in each direction on average; 0 for never
  private volatile int flipAfter; // bits are flipped as often
  private final Random random;

  Proxy(InetSocketAddress to, long seed) {
    this.to = to;
    this.random = new Random(seed);
    try {
      this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofPlatform().daemon().start(this::accept);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  void to(InetSocketAddress other) {
    to = other;
    cut();
  }

  void cutAfter(int bytes) {
    cutAfter = bytes;
  }

  void flipAfter(int bytes) {
    flipAfter = bytes;
  }

  void partition(boolean on) {
    partitioned = on;
    cut();
  }

  private void cut() {
    sockets.forEach(Proxy::close);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        connect(server.accept());
      } catch (IOException e) {
        // the primary is not there, or the proxy is closed
      }
    }
  }

  private void connect(Socket in) throws IOException {
    Socket out = new Socket();
    sockets.add(in);
    sockets.add(out);
    try {
      if (partitioned || server.isClosed()) { // behind the additions: a later cut closes both
        throw new IOException("there is no way");
      }
      out.connect(to);
    } catch (IOException e) {
      close(in);
      close(out);
      sockets.remove(in);
      sockets.remove(out);
      throw e;
    }
    Thread.ofPlatform().daemon().start(() -> copy(in, out));
    Thread.ofPlatform().daemon().start(() -> copy(out, in));
  }

  private void copy(Socket from, Socket to) {
    byte[] bytes = new byte[4096];
    long left = budget(cutAfter);
    long flip = budget(flipAfter);
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int n = in.read(bytes); n > 0; n = in.read(bytes)) {
        if (flip < n) {
          bytes[(int) Math.max(0, flip)] ^= 4;
          flip = budget(flipAfter);
        }
        flip -= n;
        if (left < n) {
          out.write(bytes, 0, (int) Math.max(0, left));
          return;
        }
        left -= n;
        out.write(bytes, 0, n);
        out.flush();
      }
    } catch (IOException e) {
      // ended
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private synchronized long budget(int average) {
    return average == 0 ? Long.MAX_VALUE : random.nextInt(2 * average);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }
}
