package io.everheap.benchmarks.objects;

import io.everheap.Heap;
import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.collection.DurableMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** As many items as a cache of the first level holds, each the next one of another, and a map. */
final class Items implements AutoCloseable {
  static final int COUNT = 128;

  final Item[] items = new Item[COUNT];
  final Map<Long, Item> byNumber;
  final Heap heap;

  private final Path home;

  private Items(Path home, Heap heap, boolean durable) {
    this.home = home;
    this.heap = heap;
    if (durable) {
      DurableMap<Long, Item> map = heap.map("items", Long.class, Item.class);
      this.byNumber = map;
      heap.transact(() -> fill(init -> heap.create(Item.class, init)));
    } else {
      this.byNumber = new ConcurrentHashMap<>();
      fill(
          init -> {
            Item item = new PlainItem();
            init.accept(item);
            return item;
          });
    }
  }

  /** Durable ones on emulated persistent memory. */
  static Items durable(String directory) throws IOException {
    Path home = Directories.create(Path.of(directory));
    Heap heap = Heap.builder(home).medium(EmulatedDaxMedium.open(home)).open();
    return new Items(home, heap, true);
  }

  /** Plain ones. */
  static Items plain(String directory) throws IOException {
    Path home = Directories.create(Path.of(directory));
    return new Items(home, Heap.inMemory(), false);
  }

  private void fill(Function<Consumer<Item>, Item> factory) {
    for (int i = 0; i < COUNT; i++) {
      int n = i;
      items[i] =
          factory.apply(
              item -> {
                item.amount(n);
                item.count(n);
                item.name("item number " + n);
              });
      byNumber.put((long) i, items[i]);
    }
    for (int i = 0; i < COUNT; i++) {
      items[i].next(items[(i * 29 + 1) % COUNT]);
    }
  }

  @Override
  public void close() throws IOException {
    heap.close();
    Directories.delete(home);
  }
}
