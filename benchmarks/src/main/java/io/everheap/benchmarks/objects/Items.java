package io.everheap.benchmarks.objects;

import io.everheap.Heap;
import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.memory.MediumSetting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** As many items as fit into the first-level cache, each linked from another one, and a map. */
final class Items implements AutoCloseable {
  static final int COUNT = 128;

  final Item[] items = new Item[COUNT];
  final Map<Long, Item> byNumber;
  final Heap heap;

  private final Path home;
  private final Function<Consumer<Item>, Item> factory;

  private Items(Path home, Heap heap, Kind kind) {
    this.home = home;
    this.heap = heap;
    if (kind == Kind.INTERFACE) {
      this.factory = init -> heap.create(Item.class, init);
      this.byNumber = heap.map("items", Long.class, Item.class);
    } else if (kind == Kind.WOVEN) {
      Class<? extends Item> type = WovenItems.load();
      this.factory = factory(heap, type);
      this.byNumber = map(heap, type);
    } else {
      this.factory =
          init -> {
            Item item = new PlainItem();
            init.accept(item);
            return item;
          };
      this.byNumber = new ConcurrentHashMap<>();
    }
    heap.transact(this::fill);
  }

  /** Of this kind; durable ones on emulated persistent memory. */
  static Items open(String directory, Kind kind) throws IOException {
    Path home = Directories.create(Path.of(directory));
    Heap heap =
        kind == Kind.PLAIN
            ? Heap.inMemory()
            : MediumSetting.medium(Heap.builder(home), EmulatedDaxMedium.open(home)).open();
    return new Items(home, heap, kind);
  }

  /** An object of the class calls its constructor, as all code that is woven may. */
  @SuppressWarnings("unchecked") // the class says so
  private static Function<Consumer<Item>, Item> factory(Heap heap, Class<? extends Item> type) {
    return (Function<Consumer<Item>, Item>) heap.object("factory", type);
  }

  @SuppressWarnings("unchecked") // it holds nothing else
  private static <T extends Item> Map<Long, Item> map(Heap heap, Class<T> type) {
    return (Map<Long, Item>) heap.map("items", Long.class, type);
  }

  /** Makes an item, inside a transaction. */
  Item make(Consumer<Item> init) {
    return factory.apply(init);
  }

  private void fill() {
    for (int i = 0; i < COUNT; i++) {
      int n = i;
      items[i] =
          make(
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
