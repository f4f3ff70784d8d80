package io.everheap.benchmarks.ycsb;

import io.everheap.benchmarks.store.DiskWrites;
import io.everheap.benchmarks.store.Footprint;
import io.everheap.benchmarks.store.Store;
import io.everheap.benchmarks.store.StoreSubject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * One store and YCSB's client in a JVM of their own.
 *
 * <p>Requests: {@code load THREADS} opens the store and loads all records; {@code store THREADS}
 * does so, not waiting for durability before the end, and closes the store; {@code open} opens a
 * loaded one and reads a record; {@code run WORKLOAD THREADS MILLIS [DISTRIBUTION]} runs a workload
 * and counts what is written to the disk until all of it is there; {@code memory} returns the
 * memory that the store takes, in bytes for each record that was loaded or inserted.
 */
public final class YcsbSubject extends StoreSubject {
  private RecordShape shape = new RecordShape(1, 1, 1);
  private @Nullable Footprint before;
  private long records;

  /** Makes a subject that is not open. */
  public YcsbSubject() {}

  @Override
  public void open(Map<String, String> parameters) throws Exception {
    super.open(parameters);
    shape =
        new RecordShape(
            Long.parseLong(parameter("records")),
            Integer.parseInt(parameter("fields")),
            Integer.parseInt(parameter("fieldBytes")));
    records = shape.records();
  }

  private Store opened(boolean bulk) throws IOException {
    return openStore(bulk, shape.records(), shape.valueBytes());
  }

  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    return switch (request[0]) {
      case "load" -> {
        before = Footprint.now();
        yield load(opened(false), Integer.parseInt(request[1]));
      }
      case "store" -> {
        Map<String, Double> loaded = load(opened(true), Integer.parseInt(request[1]));
        close();
        yield loaded;
      }
      case "open" -> reopen();
      case "run" -> run(request);
      case "memory" -> memory();
      default -> throw new IllegalArgumentException(request[0]);
    };
  }

  private Map<String, Double> load(Store to, int threads) throws InterruptedException {
    ClientRun run = ClientRun.load(to, shape, threads);
    return Map.of("seconds", run.seconds(), "ops_per_s", run.throughput());
  }

  private Map<String, Double> reopen() throws IOException {
    before = Footprint.now();
    long start = System.nanoTime();
    opened(false).get("user0"); // there or not
    return Map.of("seconds", (System.nanoTime() - start) / 1e9);
  }

  private Map<String, Double> run(String[] request) throws IOException, InterruptedException {
    WorkloadMix mix = WorkloadMix.valueOf(request[1]);
    String distribution = request.length > 4 ? request[4] : "";
    Properties properties = mix.properties(shape, records, distribution);
    OptionalLong written = written();
    ClientRun run =
        ClientRun.transactions(
            store(), shape, properties, Integer.parseInt(request[2]), Long.parseLong(request[3]));
    records += run.inserted();
    Map<String, Double> found = new HashMap<>(run.percentiles());
    found.put("ops_per_s", run.throughput());
    if (written.isPresent()) {
      double bytes = written().orElseThrow() - written.getAsLong();
      found.put(YcsbExperiment.WRITTEN, bytes / (run.throughput() * run.seconds()));
    }
    return found;
  }

  private OptionalLong written() throws IOException {
    return mode().onDisk()
        ? new DiskWrites(Path.of(parameter("directory"))).now()
        : OptionalLong.empty();
  }

  private Map<String, Double> memory() throws IOException {
    Footprint used = Footprint.now().since(Objects.requireNonNull(before));
    return Map.of(
        "heap", used.heap() / records,
        "other", used.other() / records,
        "mapped", used.mapped() / records);
  }
}
