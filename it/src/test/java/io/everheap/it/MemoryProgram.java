package io.everheap.it;

import io.everheap.Heap;
import io.everheap.store.ShardedMap;
import io.everheap.store.ShardedStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A program for {@link EnvironmentsTest} that needs little memory, though it stores more than that:
 * a store of eight shards, or many small heaps, with the default settings.
 */
public final class MemoryProgram {
  private static final int SHARDS = 8;
  private static final int WRITERS = 16; // share the syncs
  private static final int VALUE_BYTES = 1000;

  private MemoryProgram() {}

  /**
   * Runs.
   *
   * @param arguments a directory; {@code store} or {@code heaps}; and the number of values or heaps
   */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    int number = Integer.parseInt(arguments[2]);
    if (arguments[1].equals("store")) {
      store(directory, number);
    } else {
      heaps(Files.createDirectory(directory), number);
    }
    System.out.println("ok");
  }

  private static void store(Path directory, int values) throws Exception {
    try (ShardedStore store = ShardedStore.builder(directory).shards(SHARDS).open()) {
      ShardedMap<Integer, byte[]> map = store.map("values", Integer.class, byte[].class);
      try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          int first = i;
          ends.add(writers.submit(() -> write(map, first, values)));
        }
        for (Future<?> end : ends) {
          end.get();
        }
      }
      require(map.sizeLong() == values, "the store has " + map.sizeLong() + " values");
    }
    try (ShardedStore store = ShardedStore.builder(directory).open()) {
      ShardedMap<Integer, byte[]> map = store.map("values", Integer.class, byte[].class);
      for (int i = 0; i < values; i += values / 1000) {
        byte[] stored = map.get(i);
        require(
            stored != null && stored[i % VALUE_BYTES] == (byte) i,
            "a wrong value has the key " + i);
      }
    }
  }

  private static void write(ShardedMap<Integer, byte[]> map, int first, int values) {
    byte[] value = new byte[VALUE_BYTES];
    for (int i = first; i < values; i += WRITERS) {
      value[i % VALUE_BYTES] = (byte) i;
      map.put(i, value);
    }
  }

  private static void heaps(Path directory, int number) {
    List<Heap> heaps = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      heaps.add(Heap.open(directory.resolve("heap-" + i)));
    }
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < number; i++) {
        heaps.get(i).map("values", Integer.class, String.class).put(round, "value " + i);
      }
    }
    heaps.forEach(Heap::close);
    for (int i = 0; i < number; i++) {
      try (Heap heap = Heap.open(directory.resolve("heap-" + i))) {
        String value = heap.map("values", Integer.class, String.class).get(2);
        require(("value " + i).equals(value), "heap " + i + " has " + value);
      }
    }
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalStateException(message);
    }
  }
}
