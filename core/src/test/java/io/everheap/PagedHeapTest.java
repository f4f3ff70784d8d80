package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codecs;
import io.everheap.collection.DurableMap;
import io.everheap.durable.Durable;
import io.everheap.heap.OpenHeap;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Heaps that are larger than their memory, on a file. */
@Campaign
class PagedHeapTest {
  private static final int RECORDS = 12_000;
  private static final int VALUE = 1000;

  @TempDir Path directory;

  private Heap open() {
    return Heap.builder(directory)
        .memoryBudget(1 << 20)
        .durability(Durability.async(Duration.ofSeconds(1)))
        .open();
  }

  private static DurableMap<Long, byte[]> map(Heap heap) {
    return heap.map("records", Codecs.LONG, Codecs.BYTES);
  }

  private static byte[] value(long key, int version) {
    byte[] value = new byte[VALUE];
    Arrays.fill(value, (byte) (key * 31 + version));
    return value;
  }

  private static void check(DurableMap<Long, byte[]> map, int version) {
    assertThat(map.size()).isEqualTo(RECORDS);
    for (long key = 0; key < RECORDS; key++) {
      long scattered = key * 7919 % RECORDS;
      assertThat(map.get(scattered)).isEqualTo(value(scattered, version));
    }
  }

  @Test
  void readersSeeEveryRecordWhileItOutgrowsItsMemory() throws Exception {
    try (Heap heap = open()) {
      DurableMap<Long, byte[]> map = map(heap);
      var present = new AtomicInteger();
      var over = new AtomicBoolean();
      var reader =
          CompletableFuture.runAsync(
              () -> {
                long key = 0;
                while (!over.get()) {
                  int most = present.get();
                  key = most == 0 ? 0 : (key + 7919) % most;
                  if (most > 0) {
                    assertThat(map.get(key)).isEqualTo(value(key, 0));
                  }
                }
              });
      try {
        for (long key = 0; key < RECORDS; key++) {
          map.set(key, value(key, 0));
          present.set((int) key + 1);
        }
      } finally {
        over.set(true);
      }
      Limit.get(reader);
      check(map, 0);
    }
    try (Heap heap = open()) {
      check(map(heap), 0);
      assertThat(OpenHeap.engine(heap).memory().extent(0).getClass().getSimpleName())
          .isEqualTo("PagedRegion");
      assertThat(heap.verify().ok()).isTrue();
    }
  }

  @Test
  void whatIsReplacedRemovedAndShrunkIsRight() {
    try (Heap heap = open()) {
      DurableMap<Long, byte[]> map = map(heap);
      for (int version = 0; version < 3; version++) {
        for (long key = 0; key < RECORDS; key++) {
          long scattered = key * 7919 % RECORDS;
          map.set(scattered, value(scattered, version));
        }
        check(map, version);
      }
      heap.checkpoint();
      check(map, 2);
      map.clear();
      heap.shrink();
      for (long key = 0; key < RECORDS; key++) {
        map.set(key, value(key, 9));
      }
      check(map, 9);
    }
    try (Heap heap = open()) {
      check(map(heap), 9);
    }
  }

  /** An object of half a page. */
  @Durable
  public interface Node {
    long number();

    void number(long value);

    Node next();

    void next(Node value);

    byte[] body();

    void body(byte[] value);
  }

  private static final int NODES = 4_000;

  private static Node make(Heap heap, long number) {
    Node node = heap.create(Node.class);
    node.number(number);
    node.body(value(number, 0));
    return node;
  }

  @Test
  void objectsAreReadChangedAndCollected() {
    try (Heap heap = open()) {
      DurableMap<Long, Node> nodes = heap.map("nodes", Long.class, Node.class);
      for (long number = 0; number < NODES; number++) {
        long key = number;
        heap.transact(() -> nodes.set(key, make(heap, key)));
      }
      for (long number = 0; number < NODES; number++) {
        Node node = nodes.get(number * 1009 % NODES);
        node.next(nodes.get((node.number() + 7) % NODES));
      }
    }
    try (Heap heap = open()) {
      DurableMap<Long, Node> nodes = heap.map("nodes", Long.class, Node.class);
      assertThat(OpenHeap.engine(heap).memory().extent(0).getClass().getSimpleName())
          .isEqualTo("PagedRegion");
      for (long number = 0; number < NODES; number++) {
        long key = number * 1009 % NODES;
        Node node = nodes.get(key);
        assertThat(node.number()).isEqualTo(key);
        assertThat(node.next().number() % NODES).isEqualTo((key + 7) % NODES);
        assertThat(node.next().body()).isEqualTo(value((key + 7) % NODES, 0));
        node.number(key + NODES);
        assertThat(node.number()).isEqualTo(key + NODES);
      }
      heap.checkpoint();
      nodes.clear();
      nodes.set(0L, make(heap, 5));
      heap.collect();
      heap.shrink();
      assertThat(nodes.get(0L).number()).isEqualTo(5);
      assertThat(heap.verify().ok()).isTrue();
    }
  }

  @Test
  void aHeapThatIsOnlyReadIsRead() {
    try (Heap heap = open()) {
      DurableMap<Long, byte[]> map = map(heap);
      for (long key = 0; key < RECORDS; key++) {
        map.set(key, value(key, 0));
      }
    }
    try (Heap heap = Heap.builder(directory).memoryBudget(1 << 20).readOnly().open()) {
      check(map(heap), 0);
    }
  }
}
