package io.everheap.benchmarks.ycsb;

import io.everheap.benchmarks.harness.Subject;
import io.everheap.benchmarks.store.Binding;
import io.everheap.benchmarks.store.Footprint;
import io.everheap.benchmarks.store.Mode;
import io.everheap.benchmarks.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * One store and YCSB's client in a JVM of their own.
 *
 * <p>Requests: {@code load THREADS} opens the store and loads all records; {@code store THREADS}
 * does so, not waiting for durability before the end, and closes the store; {@code open} opens a
 * loaded one and reads a record; {@code run WORKLOAD THREADS MILLIS [DISTRIBUTION]} runs a
 * workload; {@code memory} tells what the store takes now, in bytes for each record that was loaded
 * or inserted.
 */
public final class YcsbSubject implements Subject {
  private Binding binding = opening -> Objects.requireNonNull(null);
  private Path directory = Path.of("");
  private Mode mode = Mode.VOLATILE;
  private RecordShape shape = new RecordShape(1, 1, 1);
  private @Nullable Store store;
  private @Nullable Footprint before;
  private long records;

  /** Makes a subject that is not open. */
  public YcsbSubject() {}

  @Override
  public void open(Map<String, String> parameters) throws Exception {
    binding =
        Class.forName(parameter(parameters, "binding"))
            .asSubclass(Binding.class)
            .getDeclaredConstructor()
            .newInstance();
    directory = Files.createDirectories(Path.of(parameter(parameters, "directory")));
    mode = Mode.valueOf(parameter(parameters, "mode"));
    shape =
        new RecordShape(
            Long.parseLong(parameter(parameters, "records")),
            Integer.parseInt(parameter(parameters, "fields")),
            Integer.parseInt(parameter(parameters, "fieldBytes")));
    records = shape.records();
  }

  private static String parameter(Map<String, String> parameters, String name) {
    return Objects.requireNonNull(parameters.get(name), name);
  }

  private Store opened(boolean bulk) throws IOException {
    Store opened =
        binding.open(
            new Binding.Opening(directory, mode, bulk, shape.records(), shape.valueBytes()));
    store = opened;
    return opened;
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

  private Map<String, Double> run(String[] request) throws InterruptedException {
    WorkloadMix mix = WorkloadMix.valueOf(request[1]);
    String distribution = request.length > 4 ? request[4] : "";
    Properties properties = mix.properties(shape, records, distribution);
    ClientRun run =
        ClientRun.transactions(
            Objects.requireNonNull(store),
            shape,
            properties,
            Integer.parseInt(request[2]),
            Long.parseLong(request[3]));
    records += run.inserted();
    Map<String, Double> found = new HashMap<>(run.percentiles());
    found.put("ops_per_s", run.throughput());
    return found;
  }

  private Map<String, Double> memory() throws IOException {
    Footprint used = Footprint.now().since(Objects.requireNonNull(before));
    return Map.of(
        "heap", used.heap() / records,
        "other", used.other() / records,
        "mapped", used.mapped() / records);
  }

  @Override
  public void close() throws IOException {
    Store closing = store;
    store = null;
    if (closing != null) {
      closing.close();
    }
  }
}
