package io.everheap.benchmarks.journal;

import io.everheap.benchmarks.harness.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One log that records are appended to by one thread. The request is a number of records, the
 * answer the seconds that they took. The records of a round are dropped before the next one,
 * unmeasured.
 */
public final class AppendSubject implements Subject {
  private @Nullable AppendLoop loop;

  @Override
  public void open(Map<String, String> parameters) throws Exception {
    Path directory = Path.of(parameters.getOrDefault("directory", ""));
    long records = Long.parseLong(parameters.getOrDefault("records", "0"));
    String peer = parameters.getOrDefault("peer", "");
    loop =
        switch (peer) {
          case "everheap-dax" -> JournalLoop.onEmulatedDax(directory, records);
          case "everheap-async" -> JournalLoop.async(directory, records);
          case "floor" -> new FloorLoop(directory, records);
          case "two-forces" -> new TwoForcesLoop(directory, records);
          case "pmemlog-jni" -> new PmemLogLoop(directory, records);
          case "copy" -> new CopyLoop(directory, records);
          default -> LogPeer.of(peer).open(directory, records);
        };
  }

  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    AppendLoop opened = loop;
    if (opened == null) {
      throw new IllegalStateException("not open");
    }
    long records = Long.parseLong(request[0]);
    opened.prepare();
    long start = System.nanoTime();
    opened.append(records);
    return Map.of("seconds", (System.nanoTime() - start) / 1e9);
  }

  @Override
  public void close() throws IOException {
    if (loop != null) {
      loop.close();
    }
  }
}
