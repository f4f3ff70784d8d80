package io.everheap.structure.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableBytes;
import io.everheap.collection.DurableIntArray;
import io.everheap.collection.DurableLongArray;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableText;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.heap.OpenHeap;
import io.everheap.structure.bytes.AtomicCell;
import io.everheap.structure.bytes.ChunkedLayout;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.support.tier.Campaign;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/**
 * Words of arrays, texts, buffers and references that are changed at random: a use finishes or is
 * refused by an exception that says so, nothing hangs, and verify names what is not there.
 */
@Campaign
class DamagedArrayTest {
  private static final int LENGTH = 2 * ChunkedLayout.CHUNK / 8 + 100;

  @Test
  void headersAndDirectoriesThatAreDamagedAreReadOrRefusedAndNeverHang() {
    var random = new Random(1);
    for (int i = 0; i < 100; i++) {
      try (Heap heap = Heap.inMemory()) {
        List<Callable<?>> uses = fill(heap);
        List<Long> places = places(heap);
        long at = places.get(random.nextInt(places.size()));
        long value = damage(heap, at, random);
        for (Callable<?> use : uses) {
          try {
            use.call();
          } catch (EverheapException | IllegalArgumentException e) {
            assertThat(e).hasMessageNotContaining("null");
          } catch (IndexOutOfBoundsException e) {
            assertThat(e).hasMessageStartingWith("there are no bytes"); // the length says so
          } catch (Exception | Error e) {
            throw new AssertionError("word " + value + " at " + at, e);
          }
        }
        assertThat(heap.verify().found()).isNotNegative();
      }
    }
  }

  @Test
  void verifyFindsWhatIsNotThere() {
    for (String name : List.of("longs", "bytes", "text", "array")) {
      for (int field : new int[] {ChunkedLayout.LENGTH, ChunkedLayout.ROOT, ChunkedLayout.ROOM}) {
        try (Heap heap = Heap.inMemory()) {
          fill(heap);
          put(heap, Reference.address(reference(heap, name)) + field, 1L << 50 | 77);

          assertThat(heap.verify().problems())
              .as("%s, field %d", name, field)
              .isNotEmpty()
              .anySatisfy(problem -> assertThat(problem.root()).isEqualTo(name));
        }
      }
    }
    try (Heap heap = Heap.inMemory()) {
      fill(heap);
      long header = Reference.address(reference(heap, "longs"));
      long directory = OpenHeap.engine(heap).memory().getLong(header + ChunkedLayout.ROOT);
      put(heap, ChunkedLayout.slot(directory, 1), directory);
      assertThat(heap.verify().problems()).isNotEmpty();
      var array = heap.root("longs", DurableLongArray.ofLength(LENGTH));
      assertThatThrownBy(() -> array.get(LENGTH / 2)).isInstanceOf(CorruptException.class);
      assertThatThrownBy(() -> array.set(LENGTH / 2, 1)).isInstanceOf(CorruptException.class);
    }
  }

  private static long damage(Heap heap, long at, Random random) {
    long old = OpenHeap.engine(heap).memory().getLong(at);
    long value =
        switch (random.nextInt(4)) {
          case 0 -> old ^ (1L << random.nextInt(64));
          case 1 -> random.nextLong();
          case 2 -> -1;
          default -> 0;
        };
    put(heap, at, value);
    return value;
  }

  private static void put(Heap heap, long at, long value) {
    heap.transact(() -> OpenHeap.engine(heap).memory().putLong(Stripes.NONE, at, value));
  }

  /** Structures of all kinds, and uses of them. */
  private static List<Callable<?>> fill(Heap heap) {
    heap.root("longs", DurableLongArray.ofLength(LENGTH)).fill(7);
    heap.root("small", DurableIntArray.of(1, 2, 3));
    heap.root("text", DurableText.of()).append("some text");
    heap.root("bytes", DurableBytes.of()).append(new byte[300_000]);
    heap.root("reference", DurableReference.of(String.class)).set("value");
    heap.root("array", DurableArray.of(String.class, 10)).set(3, "element");
    return List.of(
        () -> heap.root("longs", DurableLongArray.ofLength(LENGTH)).get(LENGTH - 1L),
        () -> heap.root("longs", DurableLongArray.ofLength(LENGTH)).toArray(),
        () -> heap.root("small", DurableIntArray.ofLength(3)).get(2),
        () -> heap.root("small", DurableIntArray.ofLength(3)).getAndSet(2, 4),
        () -> heap.root("text", DurableText.of()).toString(),
        () -> heap.root("text", DurableText.of()).append("more"),
        () -> heap.root("bytes", DurableBytes.of()).toArray(),
        () -> heap.root("bytes", DurableBytes.of()).get(0),
        () -> heap.root("reference", DurableReference.of(String.class)).get(),
        () -> heap.root("reference", DurableReference.of(String.class)).getAndSet("other"),
        () -> heap.root("array", DurableArray.of(String.class, 10)).get(3),
        () -> heap.root("array", DurableArray.of(String.class, 10)).getAndSet(3, "other"),
        () -> heap.remove("longs"),
        () -> heap.remove("bytes"),
        () -> heap.remove("array"),
        () -> heap.remove("reference"));
  }

  /** Words of headers and directories, but not of elements, of which any is as good as another. */
  private static List<Long> places(Heap heap) {
    List<Long> all = new ArrayList<>();
    HeapMemory memory = OpenHeap.engine(heap).memory();
    for (String name : heap.names()) {
      long header = Reference.address(reference(heap, name));
      if (!name.equals("reference")) {
        for (int field = ChunkedLayout.LENGTH; field <= ChunkedLayout.ROOM; field += 8) {
          all.add(header + field);
        }
        long root = memory.getLong(header + ChunkedLayout.ROOT);
        for (long c = 0; c < memory.getLong(header + ChunkedLayout.ROOM); c++) {
          all.add(ChunkedLayout.slot(root, c));
        }
      } else {
        all.add(header + AtomicCell.REFERENCE_PRESENT);
        all.add(header + AtomicCell.REFERENCE_VALUE);
      }
    }
    return all;
  }

  private static long reference(Heap heap, String name) {
    return switch (name) {
      case "longs" ->
          HeapStructureId.of(heap.root(name, DurableLongArray.ofAnyLength())).reference();
      case "small" ->
          HeapStructureId.of(heap.root(name, DurableIntArray.ofAnyLength())).reference();
      case "text" -> HeapStructureId.of(heap.root(name, DurableText.of())).reference();
      case "bytes" -> HeapStructureId.of(heap.root(name, DurableBytes.of())).reference();
      case "array" ->
          HeapStructureId.of(heap.root(name, DurableArray.ofAnyLength(String.class))).reference();
      default -> HeapStructureId.of(heap.root(name, DurableReference.of(String.class))).reference();
    };
  }
}
