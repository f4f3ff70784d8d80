package io.everheap.replication;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * The two ends of a connection within this process.
 *
 * @param near one end
 * @param far the other end
 */
record SocketPair(Socket near, Socket far) {
  private static final int MILLIS = 3_000;

  /** Connects them; no other process can get hold of one. */
  static SocketPair open() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    Socket near = new Socket();
    try (ServerSocket server = new ServerSocket(0, 50, loopback)) {
      server.setSoTimeout(MILLIS);
      near.connect(new InetSocketAddress(loopback, server.getLocalPort()), MILLIS);
      while (true) {
        Socket far = server.accept();
        if (far.getRemoteSocketAddress().equals(near.getLocalSocketAddress())) {
          return new SocketPair(near, far);
        }
        far.close(); // another process was faster
      }
    } catch (IOException | RuntimeException e) {
      near.close();
      throw e;
    }
  }
}
