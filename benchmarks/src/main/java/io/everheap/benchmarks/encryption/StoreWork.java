package io.everheap.benchmarks.encryption;

import io.everheap.benchmarks.store.Store;
import io.everheap.benchmarks.store.StoreSubject;
import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * One store with records of 100 bytes. Requests: {@code load}; {@code commit COUNT} and {@code get
 * COUNT}, which answer with the nanoseconds of one operation.
 */
public final class StoreWork extends StoreSubject {
  private static final int BYTES = 100;

  private final SplittableRandom random = new SplittableRandom(1);
  private int records;

  /** Makes a subject that is not open. */
  public StoreWork() {}

  @Override
  public void open(Map<String, String> parameters) throws Exception {
    super.open(parameters);
    records = Integer.parseInt(parameter("records"));
  }

  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    return switch (request[0]) {
      case "load" -> load();
      case "commit" -> time(request[1], key -> store().put(key, value()));
      case "get" -> time(request[1], this::get);
      default -> throw new IllegalArgumentException(request[0]);
    };
  }

  private Map<String, Double> load() throws IOException {
    Store loaded = openStore(true, records, BYTES);
    for (int n = 0; n < records; n++) {
      loaded.put(key(n), value());
    }
    close();
    openStore(false, records, BYTES);
    return Map.of();
  }

  private void get(String key) {
    byte[] value = store().get(key);
    if (value == null || value.length != BYTES) {
      throw new IllegalStateException("record " + key + " is missing");
    }
  }

  /** The operations run once before they are measured. */
  private Map<String, Double> time(String request, Consumer<String> operation) {
    int count = Integer.parseInt(request);
    double nanos = 0;
    for (int pass = 0; pass < 2; pass++) {
      long start = System.nanoTime();
      for (int i = 0; i < count; i++) {
        operation.accept(key(random.nextInt(records)));
      }
      nanos = (System.nanoTime() - start) / (double) count;
    }
    return Map.of("ns", nanos);
  }

  private static String key(int n) {
    return "record " + n;
  }

  private byte[] value() {
    byte[] value = new byte[BYTES];
    random.nextBytes(value);
    return value;
  }
}
