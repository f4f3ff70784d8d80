package io.everheap.benchmarks.store;

import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** {@link ConcurrentSkipListMap}: the cost of an ordered map without durability. */
public final class SkipListBinding implements Binding {
  /** Makes the binding. */
  public SkipListBinding() {}

  @Override
  public Store open(Opening opening) {
    return new MapStore(new ConcurrentSkipListMap<>());
  }

  /** Hands the values of at most {@code count} keys, from the first one on, to a consumer. */
  static void scan(
      ConcurrentNavigableMap<String, byte[]> map,
      String first,
      int count,
      Consumer<byte[]> values) {
    int left = count;
    for (byte[] value : map.tailMap(first).values()) {
      if (left-- == 0) {
        return;
      }
      values.accept(value);
    }
  }

  private record MapStore(ConcurrentNavigableMap<String, byte[]> map) implements Store {
    @Override
    public byte @Nullable [] get(String key) {
      return map.get(key);
    }

    @Override
    public void put(String key, byte[] value) {
      map.put(key, value);
    }

    @Override
    public void scan(String first, int count, Consumer<byte[]> values) {
      SkipListBinding.scan(map, first, count, values);
    }

    @Override
    public void close() {}
  }
}
