package io.everheap.replication;

import java.io.IOException;
import java.net.InetSocketAddress;

/** Makes connections to a primary. */
@FunctionalInterface
interface Connector {
  /** Connects to an address, and exchanges greetings, or fails within seconds. */
  Connection connect(InetSocketAddress to) throws IOException;
}
