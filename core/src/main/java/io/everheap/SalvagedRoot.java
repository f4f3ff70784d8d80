package io.everheap;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableMap;
import io.everheap.collection.OrphanNodes;
import io.everheap.collection.RawCodecs;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One root on its way from a damaged heap to a new one; entries are written many at a time. */
final class SalvagedRoot {
  private static final int BATCH_ENTRIES = 1000;
  private static final long BATCH_BYTES = 4 << 20;

  private final String name;
  private final Codec<Object> keys;
  private final Codec<Object> values;
  private final long expected;
  private final List<String> reasons = new ArrayList<>();
  private final List<String> doubtfulKeys = new ArrayList<>();
  private final List<Object> batch = new ArrayList<>();
  private @Nullable OrphanNodes orphans;
  private @Nullable DurableMap<Object, Object> map;
  private long batchBytes;
  private long saved;
  private long byScan;
  private long doubtful;

  /**
   * A root.
   *
   * @param expected how many entries it should have; -1 if that is not known
   */
  SalvagedRoot(String name, Codec<Object> keys, Codec<Object> values, long expected) {
    this.name = name;
    this.keys = keys;
    this.values = values;
    this.expected = expected;
  }

  /** What finds nodes that are cut off; null if the header is lost. */
  @Nullable OrphanNodes orphans() {
    return orphans;
  }

  void orphans(OrphanNodes search) {
    orphans = search;
  }

  /** Whether its header was there. */
  boolean isKnown() {
    return expected >= 0;
  }

  void reason(String reason) {
    if (reasons.size() < SalvageReport.MOST_LISTED) {
      reasons.add(reason);
    }
  }

  /** Makes the map, which may stay empty. */
  void create(Heap heap) {
    map = heap.copy(name, keys, values);
  }

  /** Saves an entry. */
  void add(Heap heap, Object key, Object value, boolean scanned, @Nullable String doubt) {
    batch.add(key);
    batch.add(value);
    batchBytes += bytes(key) + bytes(value);
    byScan += scanned ? 1 : 0;
    if (doubt != null) {
      doubtful++;
      if (doubtfulKeys.size() < SalvageReport.MOST_LISTED) {
        doubtfulKeys.add(RawCodecs.text(keys.name(), key));
        reason(doubt);
      }
    }
    if (batch.size() >= 2 * BATCH_ENTRIES || batchBytes >= BATCH_BYTES) {
      flush(heap);
    }
  }

  private static long bytes(Object raw) {
    return raw instanceof byte[] bytes ? bytes.length : 8;
  }

  /** Writes what was added. */
  void flush(Heap heap) {
    DurableMap<Object, Object> target = map;
    if (target == null || batch.isEmpty()) {
      return; // its header is lost, or there is nothing
    }
    heap.transact(
        () -> {
          for (int i = 0; i < batch.size(); i += 2) {
            if (target.putIfAbsent(batch.get(i), batch.get(i + 1)) == null) {
              saved++;
            } else {
              reason("a second entry of a key was left out");
            }
          }
        });
    batch.clear();
    batchBytes = 0;
  }

  SalvageReport.Root report() {
    return new SalvageReport.Root(
        name, keys.name(), values.name(), expected, saved, byScan, doubtful, doubtfulKeys, reasons);
  }
}
