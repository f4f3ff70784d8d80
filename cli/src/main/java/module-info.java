/** The {@code everheap} command: inspect, verify and repair heaps. */
module io.everheap.cli {
  requires com.fasterxml.jackson.core;
  requires info.picocli;
  requires io.everheap;
  requires io.everheap.cache;
  requires io.everheap.replication;
  requires io.everheap.salvage;
  requires io.everheap.store;
  requires java.logging;
  requires jdk.httpserver;
  requires static org.jspecify;

  opens io.everheap.cli to
      info.picocli;
  opens io.everheap.cli.console to
      info.picocli;
  opens io.everheap.cli.demo to
      info.picocli;
}
