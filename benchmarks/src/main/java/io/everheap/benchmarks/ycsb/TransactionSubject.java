package io.everheap.benchmarks.ycsb;

import io.everheap.benchmarks.harness.Scramble;
import io.everheap.benchmarks.store.Mode;
import io.everheap.benchmarks.store.Store;
import io.everheap.benchmarks.store.StoreSubject;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * One store with records of 100 bytes, and transactions that replace some of them.
 *
 * <p>Request: {@code run SIZE MILLIS} makes transactions of so many records, one after the other.
 */
public final class TransactionSubject extends StoreSubject {
  private static final int BYTES = 100;

  private final SplittableRandom random = new SplittableRandom(1);
  private long records;

  /** Makes a subject that is not open. */
  public TransactionSubject() {}

  @Override
  public void open(Map<String, String> parameters) throws Exception {
    super.open(parameters);
    records = Long.parseLong(parameter("records"));
    if (mode() == Mode.EMULATED) { // one process has to do all of it
      load(openStore(false, records, BYTES));
    } else {
      load(openStore(true, records, BYTES));
      close();
      openStore(false, records, BYTES);
    }
  }

  private void load(Store to) {
    for (long n = 0; n < records; n++) {
      to.put(key(n), value());
    }
  }

  private static String key(long n) {
    return HexFormat.of().toHexDigits(Scramble.key(n));
  }

  private byte[] value() {
    byte[] value = new byte[BYTES];
    random.nextBytes(value);
    return value;
  }

  @Override
  public Map<String, Double> measure(String[] request) {
    int size = Integer.parseInt(request[1]);
    long end = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(request[2]));
    long start = System.nanoTime();
    long replaced = 0;
    long now;
    do {
      transaction(size);
      replaced += size;
      now = System.nanoTime() - start;
    } while (now < end);
    return Map.of("ops_per_s", replaced * 1e9 / now);
  }

  /** Neighbours in number are none in the order of the keys. */
  private void transaction(int size) {
    long first = random.nextLong(records - size);
    List<String> keys = new ArrayList<>(size);
    List<byte[]> values = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      keys.add(key(first + i));
      values.add(value());
    }
    store().putAll(keys, values);
  }
}
