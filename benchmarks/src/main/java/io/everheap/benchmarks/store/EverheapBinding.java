package io.everheap.benchmarks.store;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.collection.DurableMap;
import io.everheap.engine.EngineOptions;
import java.time.Duration;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** A {@link DurableMap} of this library. */
public final class EverheapBinding implements Binding {
  private static final Duration INTERVAL = Duration.ofMillis(10);
  private static final int PARTS = 4; // as the default has it

  /** Makes the binding. */
  public EverheapBinding() {}

  @Override
  public Store open(Opening opening) {
    Heap heap = heap(opening);
    return new MapStore(heap, heap.map("records", String.class, byte[].class));
  }

  /** Opens the heap itself. */
  static Heap heap(Opening opening) {
    HeapBuilder builder = Heap.builder(opening.directory().resolve("heap"));
    if (opening.mode() == Mode.EMULATED) {
      builder.medium(EmulatedDaxMedium.open(opening.directory().resolve("heap")));
    }
    builder.memoryBudget(MemoryLimit.share(EngineOptions.defaults().memoryBudget(), PARTS));
    boolean sync = opening.mode() != Mode.PROCESS && !opening.bulk();
    return builder.durability(sync ? Durability.SYNC : Durability.async(INTERVAL)).open();
  }

  /** A map of a heap that closes with it. */
  static class MapStore implements Store {
    private final Heap heap;
    private final ConcurrentMap<String, byte[]> map;

    MapStore(Heap heap, ConcurrentMap<String, byte[]> map) {
      this.heap = heap;
      this.map = map;
    }

    @Override
    public byte @Nullable [] get(String key) {
      return map.get(key);
    }

    @Override
    public void put(String key, byte[] value) {
      map.put(key, value);
    }

    @Override
    public void putBoth(String first, byte[] firstValue, String second, byte[] secondValue) {
      heap.transact(
          () -> {
            map.put(first, firstValue);
            map.put(second, secondValue);
          });
    }

    @Override
    public void close() {
      heap.close();
    }
  }
}
