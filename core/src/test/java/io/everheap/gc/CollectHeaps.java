package io.everheap.gc;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.durable.Durable;
import io.everheap.engine.EngineOptions;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.MediumSetting;
import io.everheap.memory.MemoryMedium;
import io.everheap.structure.Structures;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Small heaps of nodes, where nothing runs by itself, and collectors that go in small steps. */
final class CollectHeaps {
  private CollectHeaps() {}

  /** Leads to others in every way that fields can. */
  @Durable
  interface Node {
    int id();

    void id(int value);

    @Nullable String text();

    void text(@Nullable String value);

    @Nullable Node left();

    void left(@Nullable Node value);

    @Nullable Node right();

    void right(@Nullable Node value);

    @Nullable List<Node> many();

    void many(@Nullable List<Node> value);

    @Nullable Pair pair();

    void pair(@Nullable Pair value);

    @Nullable DurableList<Node> list();

    void list(@Nullable DurableList<Node> value);

    @Nullable DurableMap<String, Node> map();

    void map(@Nullable DurableMap<String, Node> value);
  }

  /** A value that leads to nodes. */
  record Pair(String name, @Nullable Node first, @Nullable Node second) {}

  static HeapBuilder builder() {
    return settings(MediumSetting.medium(Heap.builder(Path.of("memory")), new MemoryMedium()));
  }

  static HeapBuilder settings(HeapBuilder builder) {
    return HeapSettings.options(builder.lookup(MethodHandles.lookup()), options(false));
  }

  static EngineOptions options(boolean automatic) {
    return new EngineOptions(
        1L << 30,
        22,
        1 << 20,
        1 << 16,
        1 << 17,
        1L << 28,
        64 << 20,
        3_600_000_000_000L,
        true,
        0,
        automatic);
  }

  static Heap open() {
    return builder().open();
  }

  static Node node(Heap heap, int id) {
    return heap.create(
        Node.class,
        node -> {
          node.id(id);
          node.text("node " + id);
        });
  }

  /** One that tells its progress at every block, and frees two things at a time. */
  static Collector slow(Heap heap) {
    return new Collector(
        Structures.of(OpenHeap.engine(heap).context()), 1 << 24, 1, new Effort(1, 4, 2));
  }
}
