package io.everheap.it.crash;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.ThrowingSupplier;
import io.everheap.collection.DurableMap;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.EngineOptions;
import io.everheap.heap.HeapSettings;
import io.everheap.it.crash.Expected.Written;
import io.everheap.it.crash.Plan.Table;
import io.everheap.report.VerifyReport;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * A heap whose commits follow the {@link Plan}, each also counting itself. Small log, segments and
 * extents make checkpoints, recycling and growth frequent. Thread-safe.
 *
 * <pre>
 *   counts  0: number of commits; 1 + n % 63: n
 *   recent  n: seed ^ n, for the last 1,000 commits: an entry is made and one freed each time
 *   rows    small values
 *   blobs   values of up to 96 KiB
 * </pre>
 */
final class Ledger implements AutoCloseable {
  private static final int COUNTERS = 63;
  private static final long RECENT = 1_000;
  private static final Duration LOCK_TIMEOUT = Duration.ofMinutes(2);

  private final Heap heap;
  private final long seed;
  private final DurableMap<Long, Long> counts;
  private final DurableMap<Long, Long> recent;
  private final DurableMap<Long, byte[]> rows;
  private final DurableMap<Long, byte[]> blobs;

  private Ledger(Heap heap, long seed) {
    this.heap = heap;
    this.seed = seed;
    counts = heap.map("counts", Long.class, Long.class);
    recent = heap.map("recent", Long.class, Long.class);
    rows = heap.map("rows", Long.class, byte[].class);
    blobs = heap.map("blobs", Long.class, byte[].class);
  }

  /** Opens the heap, which recovers if it was not closed; its medium must be as ordered. */
  static Ledger open(Order order) {
    var options =
        new EngineOptions(
            1L << 30,
            22,
            1 << 20,
            1 << 17,
            1 << 20,
            1L << 28,
            16 << 20,
            LOCK_TIMEOUT.toNanos(),
            order.isSync(),
            order.interval().toNanos(),
            true);
    HeapBuilder builder = Heap.builder(order.directory()).durability(order.durability());
    if (order.kind() == Order.Kind.ENCRYPTED) {
      builder.encrypt(KeyProvider.of(new byte[32]));
    }
    Heap heap = HeapSettings.options(builder, options).open();
    String medium = heap.stats().medium();
    if (!medium.equals(order.medium())) {
      throw new AssertionError(String.format(Locale.ROOT, "%s is on the medium %s", order, medium));
    }
    return new Ledger(heap, order.seed());
  }

  /** The commits of an open heap, which may be a replica. */
  static Ledger of(Heap heap, long seed) {
    return new Ledger(heap, seed);
  }

  Heap heap() {
    return heap;
  }

  /** Makes the next commit, with the heap's durability, and returns its number. */
  long commit() {
    return heap.transact(this::change);
  }

  long commit(Durability durability) {
    return heap.transact(durability, this::change);
  }

  /** Commits without waiting for the disk; {@code number} gets the commit's number at once. */
  CompletionStage<Long> commitAsync(long[] number) {
    ThrowingSupplier<Long, RuntimeException> body = () -> number[0] = change();
    return heap.transactAsync(body);
  }

  /** Does all that the next commit would do, and undoes it. */
  void abort() {
    try {
      heap.transact(
          () -> {
            change();
            throw new Regret();
          });
    } catch (Regret e) {
      // as intended
    }
  }

  private static final class Regret extends RuntimeException {}

  private long change() {
    long n = count() + 1;
    Plan.apply(
        seed,
        n,
        new Plan.Changes() {
          @Override
          public void put(Table table, long key, int length) {
            map(table).put(key, Plan.value(seed, n, table, key, length));
          }

          @Override
          public void remove(Table table, long key) {
            map(table).remove(key);
          }

          @Override
          public void clear(Table table) {
            map(table).clear();
          }
        });
    recent.put(n, seed ^ n);
    recent.remove(n - RECENT);
    counts.put(1 + n % COUNTERS, n);
    counts.put(0L, n);
    return n;
  }

  private DurableMap<Long, byte[]> map(Table table) {
    return table == Table.ROWS ? rows : blobs;
  }

  /** How many commits there were. */
  long count() {
    return counts.getOrDefault(0L, 0L);
  }

  /**
   * Checks the heap's structure and every value, before anyone writes.
   *
   * @return the number of the last commit
   * @throws AssertionError if the heap holds anything but a prefix of the commits
   */
  long check() {
    VerifyReport report = heap.verify();
    if (!report.ok()) {
      throw new AssertionError("verify found " + report.problems());
    }
    long n = count();
    Map<Long, Long> expectedCounts = new HashMap<>();
    Map<Long, Long> expectedRecent = new HashMap<>();
    for (long i = Math.max(1, n - COUNTERS + 1); i <= n; i++) {
      expectedCounts.put(1 + i % COUNTERS, i);
      expectedCounts.put(0L, n);
    }
    for (long i = Math.max(1, n - RECENT + 1); i <= n; i++) {
      expectedRecent.put(i, seed ^ i);
    }
    require(counts.equals(expectedCounts), n, "counts holds " + counts);
    require(recent.equals(expectedRecent), n, "recent holds " + recent);
    Expected expected = Expected.after(seed, n);
    for (Table table : Table.values()) {
      compare(n, table, expected.table(table));
    }
    return n;
  }

  private void compare(long n, Table table, Map<Long, Written> expected) {
    DurableMap<Long, byte[]> map = map(table);
    require(map.size() == expected.size(), n, table + " has " + map.size() + " entries");
    expected.forEach(
        (key, written) -> {
          byte[] value = map.get(key);
          byte[] due = Plan.value(seed, written.commit(), table, key, written.length());
          require(
              Arrays.equals(value, due),
              n,
              String.format(
                  Locale.ROOT, "%s %d is not as commit %d left it", table, key, written.commit()));
        });
  }

  private void require(boolean condition, long n, String problem) {
    if (!condition) {
      throw new AssertionError(
          String.format(Locale.ROOT, "after %d commits with seed %d: %s", n, seed, problem));
    }
  }

  @Override
  public void close() {
    heap.close();
  }
}
