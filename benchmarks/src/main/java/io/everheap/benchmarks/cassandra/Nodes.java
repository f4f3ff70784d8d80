package io.everheap.benchmarks.cassandra;

import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.store.PeerClassPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Starts nodes, with what Cassandra needs on this JDK. */
final class Nodes {
  private static final List<String> OPTIONS =
      List.of(
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED",
          "--add-exports=java.rmi/sun.rmi.server=ALL-UNNAMED",
          "--add-exports=java.management.rmi/com.sun.jmx.remote.internal.rmi=ALL-UNNAMED",
          "-Dlogback.configurationFile=logback-node.xml",
          "-Dcassandra.skip_wait_for_gossip_to_settle=0",
          "-Dcassandra.ring_delay_ms=100");

  private Nodes() {}

  /** A node whose data is in a directory; returns when it serves. */
  static WorkerProcess start(Run run, Path directory) throws IOException {
    Launch launch = new Launch("node", List.of(), OPTIONS, PeerClassPath.find("peers-cassandra"));
    return WorkerProcess.start(
            run.logs(), launch, NodeSubject.class, Map.of("directory", directory.toString()))
        .ready();
  }
}
