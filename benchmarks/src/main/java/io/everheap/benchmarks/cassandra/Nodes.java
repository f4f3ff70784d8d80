package io.everheap.benchmarks.cassandra;

import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.store.PeerClassPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
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
    return start(run, "Node", Map.of("directory", directory.toString()));
  }

  /** A client, in a process of its own, of the node whose data is in a directory. */
  static WorkerProcess connect(Run run, Path directory) throws IOException {
    return start(run, "Client", Map.of("directory", directory.toString()));
  }

  private static WorkerProcess start(Run run, String name, Map<String, String> more)
      throws IOException {
    return start(run.logs(), PeerClassPath.find("peers-cassandra"), name, more);
  }

  /** A subject, which its class path has. */
  static WorkerProcess start(Path logs, String classPath, String name, Map<String, String> more)
      throws IOException {
    Launch launch = new Launch(name.toLowerCase(Locale.ROOT), List.of(), OPTIONS, classPath);
    Map<String, String> parameters = new HashMap<>(more);
    parameters.put(NodeSubject.CLASS, name);
    return WorkerProcess.start(logs, launch, NodeSubject.class, parameters).ready();
  }
}
