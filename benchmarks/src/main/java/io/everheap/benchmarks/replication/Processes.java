package io.everheap.benchmarks.replication;

import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Starts primaries and replicas, each in a process of its own.
 *
 * @param run the run
 * @param directory of their heaps
 * @param records of a heap
 * @param sync whether commits wait for the disk
 * @param log target size of their logs
 * @param secret of primary and replica; null if their connection is open
 */
record Processes(
    Run run, Path directory, long records, boolean sync, long log, @Nullable Path secret) {

  /** A primary that is loaded. */
  WorkerProcess primary(String name, Launch launch, boolean archive) throws IOException {
    Map<String, String> parameters = parameters(name);
    if (archive) {
      parameters.put("archive", directory.resolve(name + "-archive").toString());
    }
    return WorkerProcess.start(run.logs(), launch, PrimarySubject.class, parameters).ready();
  }

  /** A replica that has not joined, of the primary that listens on a port. */
  WorkerProcess replica(String name, Launch launch, double port) throws IOException {
    Map<String, String> parameters = parameters(name);
    parameters.put("port", Double.toString(port));
    return WorkerProcess.start(run.logs(), launch, ReplicaSubject.class, parameters).ready();
  }

  /** A primary of an empty journal. */
  WorkerProcess journal(String name) throws IOException {
    return WorkerProcess.start(
            run.logs(), Launch.PLAIN, JournalPrimarySubject.class, parameters(name))
        .ready();
  }

  /** A replica of a journal that has not joined. */
  WorkerProcess journalReplica(String name, double port) throws IOException {
    Map<String, String> parameters = parameters(name);
    parameters.put("port", Double.toString(port));
    return WorkerProcess.start(run.logs(), Launch.PLAIN, JournalReplicaSubject.class, parameters)
        .ready();
  }

  private Map<String, String> parameters(String name) {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("directory", directory.resolve(name).toString());
    parameters.put("records", Long.toString(records));
    parameters.put("log", Long.toString(log));
    parameters.put("sync", Boolean.toString(sync));
    if (secret != null) {
      parameters.put("secret", secret.toString());
    }
    return parameters;
  }

  /** The port of a primary that begins to listen. */
  static double listen(WorkerProcess primary) throws IOException {
    return value(primary.ask("listen"), "port");
  }

  static double value(Map<String, Double> values, String name) {
    return values.getOrDefault(name, Double.NaN);
  }

  /** A process that has one processor for itself, or shares all if there is none to name. */
  static Launch on(@Nullable Integer processor) {
    return processor == null
        ? Launch.PLAIN
        : new Launch(
            "cpu" + processor,
            List.of("taskset", "-c", processor.toString()),
            List.of("-XX:ActiveProcessorCount=1"),
            null);
  }
}
