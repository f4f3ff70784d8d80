package io.everheap.benchmarks.store;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Checks that a store keeps the guarantee of its mode, in JVMs of its own.
 *
 * <p>Requests: {@code open} opens it, {@code bulk} opens it for a bulk load; {@code write} inserts
 * all records; {@code replace} replaces each; {@code pairs} replaces them two by two; {@code read
 * VERSION} reads them after so many replacements; {@code scan VERSION} does so in their order;
 * {@code close}.
 */
public final class StoreCheck extends StoreSubject {
  private static final int RECORDS = 100;
  private static final int VALUE_BYTES = 140;

  private int version;

  /** Makes a check that is not open. */
  public StoreCheck() {}

  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    switch (request[0]) {
      case "open", "bulk" -> openStore(request[0].equals("bulk"), RECORDS, VALUE_BYTES);
      case "write", "replace" -> write();
      case "pairs" -> pairs();
      case "read" -> read(Integer.parseInt(request[1]));
      case "scan" -> scan(Integer.parseInt(request[1]));
      case "close" -> close();
      default -> throw new IllegalArgumentException(request[0]);
    }
    return Map.of();
  }

  private static String key(int i) {
    return String.format(Locale.ROOT, "user%04d", i);
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
      throw new IllegalStateException("a value that was never written");
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
}
