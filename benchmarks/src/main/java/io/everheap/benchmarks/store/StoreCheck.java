package io.everheap.benchmarks.store;

import io.everheap.benchmarks.harness.Subject;
import io.everheap.benchmarks.store.Binding.Opening;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a store does what its mode promises, in JVMs of its own.
 *
 * <p>Requests: {@code open} opens it, {@code bulk} opens it for a bulk load; {@code write} inserts
 * all records; {@code replace} replaces each; {@code pairs} replaces them two by two; {@code read
 * VERSION} reads them after so many replacements; {@code scan VERSION} does so in their order;
 * {@code close}.
 */
public final class StoreCheck implements Subject {
  private static final int RECORDS = 100;
  private static final int VALUE_BYTES = 140;

  private Binding binding = opening -> Objects.requireNonNull(null);
  private Path directory = Path.of("");
  private Mode mode = Mode.VOLATILE;
  private @Nullable Store store;
  private int version;

  /** Makes a check that is not open. */
  public StoreCheck() {}

  @Override
  public void open(Map<String, String> parameters) throws Exception {
    binding =
        Class.forName(parameters.get("binding"))
            .asSubclass(Binding.class)
            .getDeclaredConstructor()
            .newInstance();
    directory =
        Files.createDirectories(Path.of(Objects.requireNonNull(parameters.get("directory"))));
    mode = Mode.valueOf(Objects.requireNonNull(parameters.get("mode")));
  }

  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    switch (request[0]) {
      case "open", "bulk" ->
          store =
              binding.open(
                  new Opening(directory, mode, request[0].equals("bulk"), RECORDS, VALUE_BYTES));
      case "write", "replace" -> write();
      case "pairs" -> pairs();
      case "read" -> read(Integer.parseInt(request[1]));
      case "scan" -> scan(Integer.parseInt(request[1]));
      case "close" -> close();
      default -> throw new IllegalArgumentException(request[0]);
    }
    return Map.of();
  }

  private Store store() {
    return Objects.requireNonNull(store, "not open");
  }

  private static String key(int i) {
    return "user%04d".formatted(i);
  }

  private static byte[] value(int i, int version) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(31L * i + version).nextBytes(value);
    return value;
  }

  private void write() {
    for (int i = 0; i < RECORDS; i++) {
      store().put(key(i), value(i, version));
    }
    version++;
  }

  private void pairs() {
    for (int i = 0; i < RECORDS; i += 2) {
      store()
          .putAll(List.of(key(i), key(i + 1)), List.of(value(i, version), value(i + 1, version)));
    }
    version++;
  }

  private void read(int replaced) {
    version = replaced + 1;
    for (int i = 0; i < RECORDS; i++) {
      if (!Arrays.equals(value(i, replaced), store().get(key(i)))) {
        throw new IllegalStateException("wrong value of " + key(i));
      }
    }
    if (store().get("other") != null) {
      throw new IllegalStateException("a value that nobody wrote");
    }
  }

  private void scan(int replaced) {
    int first = RECORDS / 2;
    int[] next = {first};
    store()
        .scan(
            key(first),
            RECORDS,
            value -> {
              if (!Arrays.equals(value(next[0], replaced), value)) {
                throw new IllegalStateException("wrong value " + next[0]);
              }
              next[0]++;
            });
    if (next[0] != RECORDS) {
      throw new IllegalStateException("values end at " + next[0]);
    }
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
