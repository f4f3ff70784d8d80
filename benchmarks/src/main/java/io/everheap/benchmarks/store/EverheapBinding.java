package io.everheap.benchmarks.store;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableMap;
import io.everheap.encryption.KeyProvider;
import io.everheap.memory.MediumSetting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A {@link DurableMap} of this library, whose values are the fields of a record. */
public final class EverheapBinding implements Binding {
  private static final Duration INTERVAL = Duration.ofMillis(10);

  /** Makes the binding. */
  public EverheapBinding() {}

  @Override
  public Store open(Opening opening) {
    return open(opening, null);
  }

  /** Opens one that is encrypted with a key, or not. */
  static Store open(Opening opening, @Nullable KeyProvider key) {
    Heap heap = heap(opening, key);
    DurableMap<String, byte[][]> map = heap.map("records", Codecs.STRING, new FieldsCodec());
    if (map.isEmpty()) {
      map.reserve(opening.records());
    }
    return new MapStore(heap, map);
  }

  /** Opens the heap itself. */
  static Heap heap(Opening opening) {
    return heap(opening, null);
  }

  private static Heap heap(Opening opening, @Nullable KeyProvider key) {
    HeapBuilder builder = Heap.builder(opening.directory().resolve("heap"));
    if (key != null) {
      builder.encrypt(key);
    }
    if (opening.mode() == Mode.EMULATED) {
      MediumSetting.medium(builder, EmulatedDaxMedium.open(opening.directory().resolve("heap")));
    }
    boolean sync = opening.mode() != Mode.PROCESS && !opening.bulk();
    return builder.durability(sync ? Durability.SYNC : Durability.async(INTERVAL)).open();
  }

  private record MapStore(Heap heap, DurableMap<String, byte[][]> map)
      implements RecordStore, HeapStore {
    @Override
    public byte @Nullable [][] fields(String key) {
      return map.get(key);
    }

    @Override
    public void put(String key, byte[][] fields) {
      map.set(key, fields);
    }

    @Override
    public boolean replace(String key, int field, byte[] value) {
      byte @Nullable [][] fields = map.get(key);
      if (fields == null) {
        return false;
      }
      fields[field] = value;
      map.set(key, fields);
      return true;
    }
  }
}
