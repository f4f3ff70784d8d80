package io.everheap.replication;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Makes connections to a primary. */
@FunctionalInterface
interface Connector {
  /** Connects to an address, or fails within seconds. */
  Socket connect(InetSocketAddress to) throws IOException;
}
