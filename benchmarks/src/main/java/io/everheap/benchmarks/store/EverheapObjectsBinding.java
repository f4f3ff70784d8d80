package io.everheap.benchmarks.store;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Durable objects of this library, found by a {@link DurableMap}. */
public final class EverheapObjectsBinding implements Binding {
  /** Makes the binding. */
  public EverheapObjectsBinding() {}

  @Override
  public Store open(Opening opening) {
    Heap heap = EverheapBinding.heap(opening);
    return new ObjectStore(heap, heap.map("objects", String.class, DurableRecord.class));
  }

  private record ObjectStore(Heap heap, DurableMap<String, DurableRecord> map)
      implements RecordStore, HeapStore {
    @Override
    public byte @Nullable [][] fields(String key) {
      DurableRecord record = map.get(key);
      if (record == null) {
        return null;
      }
      byte[][] fields = new byte[DurableRecord.FIELDS][];
      for (int i = 0; i < fields.length; i++) {
        byte[] field = record.get(i);
        if (field == null) {
          return Arrays.copyOf(fields, i);
        }
        fields[i] = field;
      }
      return fields;
    }

    @Override
    public void put(String key, byte[][] fields) {
      if (fields.length > DurableRecord.FIELDS) {
        throw new UnsupportedOperationException(
            "the class of the objects has " + DurableRecord.FIELDS + " fields");
      }
      heap.transact(
          () -> {
            DurableRecord old = map.get(key);
            if (old == null) {
              map.set(key, heap.create(DurableRecord.class, fresh -> fill(fresh, fields)));
            } else {
              fill(old, fields);
            }
          });
    }

    private static void fill(DurableRecord record, byte[][] fields) {
      for (int i = 0; i < fields.length; i++) {
        record.set(i, fields[i]);
      }
    }

    @Override
    public boolean replace(String key, int field, byte[] value) {
      DurableRecord record = map.get(key);
      if (record == null) {
        return false;
      }
      record.set(field, value);
      return true;
    }
  }
}
