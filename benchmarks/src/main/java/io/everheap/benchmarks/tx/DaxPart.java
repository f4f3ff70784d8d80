package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.harness.JmhPart;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Small transactions on emulated persistent memory, by this library and by LLPL. */
final class DaxPart extends JmhPart {
  static final String LLPL = "llpl";

  private static final String MEDIUM = "emulated-dax";
  private static final String FLOOR = "dax/append-line";
  private static final long ROOM = 1L << 30;

  DaxPart() {
    super("dax", 0.5, true);
  }

  @Override
  protected List<Entry> entries() {
    return List.of(
        new Entry(what("dax/append-line", Case.FLOOR), DaxFloorBenchmark.class, "append"),
        new Entry(what("dax/update", Case.EVERHEAP), DaxUpdateBenchmark.class, "update"),
        new Entry(what("dax/update", LLPL), LlplUpdateBenchmark.class, "update"),
        new Entry(what("dax/allocate", Case.EVERHEAP), DaxAllocationBenchmark.class, "allocate"),
        new Entry(what("dax/allocate", LLPL), LlplAllocationBenchmark.class, "allocate"),
        new Entry(what("dax/free", Case.EVERHEAP), DaxAllocationBenchmark.class, "free"),
        new Entry(what("dax/free", LLPL), LlplAllocationBenchmark.class, "free"),
        new Entry(what("dax/read", Case.EVERHEAP), DaxUpdateBenchmark.class, "read"),
        new Entry(what("dax/read", LLPL), LlplUpdateBenchmark.class, "read"));
  }

  private static Case what(String name, String peer) {
    boolean compared = !peer.equals(Case.FLOOR) && !name.equals("dax/read");
    return new Case(name, peer, Level.S, MEDIUM, 1, Case.NS_PER_OP, compared ? FLOOR : null);
  }

  @Override
  protected @Nullable String obstacle(Run run, String peer) {
    try {
      if (Files.getFileStore(run.memory()).getUsableSpace() < ROOM) {
        return run.memory() + " has less than 1 GiB of room; name another directory with --memory";
      }
      return peer.equals(LLPL) ? llplObstacle(run) : EmulatedDaxMedium.obstacle(run.memory());
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static @Nullable String llplObstacle(Run run) throws IOException {
    Map<String, String> parameters = Map.of("directory", run.memory().toString());
    try (WorkerProcess probe = WorkerProcess.start(run.logs(), LlplProbe.class, parameters)) {
      probe.ready();
      return null;
    } catch (IOException e) {
      return "LLPL needs native libraries (Debian, Ubuntu: apt-get install libpmemobj1 libpmempool1): "
          + e.getMessage();
    }
  }
}
