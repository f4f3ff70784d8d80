package io.everheap.salvage;

import io.everheap.engine.alloc.Reference;
import io.everheap.error.EverheapException;
import io.everheap.structure.common.StructureKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One root that is being copied from a damaged heap to a new one, with the structures within it;
 * entries are written in batches. Used by one thread.
 */
final class SalvagedRoot {
  private static final int BATCH_ENTRIES = 1000;
  private static final long BATCH_BYTES = 4 << 20;

  private final SalvagedStructures structures;
  private final List<String> reasons = new ArrayList<>();
  private final List<String> doubtfulKeys = new ArrayList<>();
  private final List<Entry> batch = new ArrayList<>();
  private final List<Long> objects = new ArrayList<>();
  private String name;
  private SalvagedStructures.@Nullable Target first;
  private @Nullable SalvagedRoot outer;
  private long batchBytes;
  private long expected = -1;
  private long saved;
  private long byScan;
  private long doubtful;

  private record Entry(SalvagedStructures.Target target, Object key, Object value) {}

  SalvagedRoot(String name, SalvagedStructures structures) {
    this.name = name;
    this.structures = structures;
  }

  void rename(String other) {
    name = other;
  }

  /** Adds the root's structure, or one within it. */
  void add(SalvagedStructures.Target structure, long entries) {
    if (first == null) {
      first = structure;
    }
    expected = Math.max(0, expected) + entries;
  }

  /** Counts one more expected entry. */
  void expectMore() {
    expected++;
  }

  /** The copy of the root's own structure; null if its header is lost. */
  SalvagedStructures.@Nullable Target first() {
    return first;
  }

  /** Makes it a part of another root, whose entry refers to it. */
  void partOf(SalvagedRoot other) {
    outer = other;
  }

  boolean isPart() {
    return outer != null;
  }

  /** Adds its numbers to those of the root that it is a part of. */
  void fold() {
    SalvagedRoot to = outer;
    if (to == null) {
      return;
    }
    while (to.outer != null) {
      to = to.outer;
    }
    to.expected = Math.max(0, to.expected) + Math.max(0, expected);
    to.saved += saved;
    to.byScan += byScan;
    to.doubtful += doubtful;
    reasons.forEach(to::reason);
    for (String key : doubtfulKeys) {
      to.doubtfulKey(key);
    }
  }

  void reason(String reason) {
    if (reasons.size() < SalvageReport.MAX_LISTED) {
      reasons.add(reason);
    }
  }

  private void doubtfulKey(String key) {
    if (doubtfulKeys.size() < SalvageReport.MAX_LISTED) {
      doubtfulKeys.add(key);
    }
  }

  /** Saves an entry. */
  void add(
      SalvagedStructures.Target target,
      Object key,
      Object value,
      boolean scanned,
      @Nullable String doubt) {
    batch.add(new Entry(target, key, value));
    batchBytes += bytes(key) + bytes(value);
    byScan += scanned ? 1 : 0;
    if (doubt != null) {
      doubtful++;
      if (doubtfulKeys.size() < SalvageReport.MAX_LISTED) {
        doubtfulKey(target.text(key));
        reason(doubt);
      }
    }
    if (batch.size() >= BATCH_ENTRIES || batchBytes >= BATCH_BYTES) {
      flush();
    }
  }

  /** Saves an object. */
  void add(long object, @Nullable String doubt) {
    expected++;
    objects.add(object);
    if (doubt != null) {
      doubtful++;
      doubtfulKey("the object at " + Reference.describe(object));
      reason(doubt);
    }
    if (objects.size() >= BATCH_ENTRIES) {
      flush();
    }
  }

  private static long bytes(Object raw) {
    return raw instanceof byte[] bytes ? bytes.length : 8;
  }

  /** Writes the pending entries and objects. */
  void flush() {
    flushEntries();
    int[] next = {0};
    while (next[0] < objects.size()) {
      structures.transact(
          () -> {
            long bytes = 0;
            while (next[0] < objects.size() && bytes < BATCH_BYTES) {
              bytes += structures.objects().fill(objects.get(next[0]++), this::reason);
              saved++;
            }
          });
    }
    objects.clear();
  }

  private void flushEntries() {
    if (batch.isEmpty()) {
      return;
    }
    structures.transact(
        () -> {
          for (Entry entry : batch) {
            save(entry);
          }
        });
    batch.clear();
    batchBytes = 0;
  }

  private void save(Entry entry) {
    StructureKind kind = entry.target.kind();
    boolean keyed = kind.hasKeys();
    boolean valued = !keyed || kind.parts().stream().filter(StructureKind.Part::codec).count() > 1;
    Object key = entry.key;
    Object value = entry.value;
    try {
      if (keyed) {
        key = structures.objects().moved(entry.target.keyType(), key);
      }
      if (valued) {
        value = structures.objects().moved(entry.target.valueType(), value);
      }
    } catch (EverheapException e) {
      reason("key " + entry.target.text(entry.key) + ": " + e.getMessage());
      return;
    }
    if (entry.target.copy().add(key, value)) {
      saved++;
    } else {
      reason("a second entry of a key was left out");
    }
  }

  SalvageReport.Root report() {
    Map<String, String> types = new LinkedHashMap<>();
    SalvagedStructures.Target target = first;
    if (target != null) {
      List<StructureKind.Part> parts = target.kind().parts();
      for (int i = 0; i < parts.size(); i++) {
        types.put(parts.get(i).name(), target.types().get(i));
      }
    }
    String kind = target == null ? "" : target.kind().name();
    return new SalvageReport.Root(
        name, kind, types, expected, saved, byScan, doubtful, doubtfulKeys, reasons);
  }
}
