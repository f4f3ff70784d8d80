package io.everheap.benchmarks.store;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** {@link ConcurrentHashMap}: the cost of a map without durability. */
public final class HashMapBinding implements Binding {
  /** Makes the binding. */
  public HashMapBinding() {}

  @Override
  public Store open(Opening opening) {
    return new MapStore(new ConcurrentHashMap<>());
  }

  private record MapStore(ConcurrentMap<String, byte[]> map) implements Store {
    @Override
    public byte @Nullable [] get(String key) {
      return map.get(key);
    }

    @Override
    public void put(String key, byte[] value) {
      map.put(key, value);
    }

    @Override
    public void close() {}
  }
}
