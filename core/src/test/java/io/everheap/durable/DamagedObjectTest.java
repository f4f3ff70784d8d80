package io.everheap.durable;

import static io.everheap.durable.handle.StoredObjects.address;
import static io.everheap.durable.handle.StoredObjects.offset;
import static io.everheap.durable.handle.StoredObjects.payload;
import static io.everheap.durable.handle.StoredObjects.reference;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.block.Block;
import io.everheap.block.store.BlockStore;
import io.everheap.durable.Zoo.Color;
import io.everheap.durable.Zoo.Node;
import io.everheap.durable.Zoo.Square;
import io.everheap.durable.Zoo.Values;
import io.everheap.durable.type.TypeDescriptor;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.heap.OpenHeap;
import io.everheap.report.VerifyReport.Problem;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects and types whose bytes the library did not write. */
@Campaign
class DamagedObjectTest {
  @TempDir private Path directory;

  private static void store(Heap heap, long address, long word) {
    heap.transact(() -> OpenHeap.engine(heap).memory().putLong(Stripes.NONE, address, word));
  }

  private static Values fill(Heap heap) {
    return heap.object(
        "values",
        Values.class,
        v -> {
          v.text("text");
          v.color(Color.RED);
          v.boxed(1L);
          v.bytes(new byte[40]);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "object ",
        "object x",
        "object x()y",
        "object x(1 a long",
        "object x(0 a long)",
        "object x(1 a long, 1 b long)",
        "object x(1 a long, 2 a long)",
        "object x(1 a what)",
        "object x(1 a enum E)",
        "object x(1 a enum E(A,A))",
        "object x(1 a enum E(A,))",
        "object x(1 a cell )",
        "object x(1 a cell list<string)",
        "object x(99999999999 a long)",
        "object x((1 a long))",
      })
  void aHostileDescriptorIsRefused(String text) {
    assertThatThrownBy(() -> TypeDescriptor.parse(text)).isInstanceOf(CorruptException.class);
  }

  @Test
  void aDescriptorIsReadAsItWasWritten() {
    for (String text :
        new String[] {
          "object x()",
          "object a.B a.C a.D(1 a long, 3 b cell map<string,record r.R(int a, string? b)>)",
          "object a.B(1 e enum a.E(), 2 f enum a.E(X,Y), 7 n ref a.B, 9 w word local-date)",
        }) {
      assertThat(TypeDescriptor.parse(text).text()).isEqualTo(text);
    }
  }

  @Test
  void aCellThatIsMissingIsNamed() {
    try (Heap heap = ObjectHeaps.open(directory)) {
      Values values = fill(heap);
      long at = address(values) + offset(values, "text");
      store(heap, at, 0x1234567);
      assertThatThrownBy(values::text).isInstanceOf(CorruptException.class);
      assertThatThrownBy(() -> values.text("other")).isInstanceOf(EverheapException.class);
      assertThat(heap.verify().problems()).extracting(Problem::kind).contains("reference", "leak");
    }
  }

  /** The header of a block tells how much of its slot is unused. */
  @Test
  void aBlockWithMoreUnusedBytesThanItsSlotHasIsNamed() {
    try (Heap heap = ObjectHeaps.open(directory)) {
      Values values = fill(heap);
      Block block = heap.block("block", 40);
      HeapMemory memory = OpenHeap.engine(heap).memory();
      long cell = memory.getLong(address(values) + offset(values, "text"));
      long raw = new BlockStore(OpenHeap.structures(heap)).reference(block.handle());
      for (long each : new long[] {cell, raw}) {
        long header = Reference.address(each);
        store(heap, header, memory.getLong(header) | 0xF_FFFC);
      }
      assertThatThrownBy(values::text).isInstanceOf(CorruptException.class);
      assertThatThrownBy(() -> heap.blocks().at(block.handle()).size())
          .isInstanceOf(CorruptException.class);
      attempt(() -> heap.entries("values").forEach(entry -> {}));
      attempt(heap::collect);
      assertThat(heap.verify().problems()).isNotEmpty();
    }
  }

  @Test
  void aReferenceToAnObjectOfAnotherTypeIsNoCast() {
    try (Heap heap = ObjectHeaps.open(directory)) {
      Node node = heap.object("node", Node.class);
      Square square = heap.create(Square.class);
      store(heap, address(node) + offset(node, "next"), reference(square));
      assertThatThrownBy(node::next)
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("Square");
    }
  }

  @Test
  void aConstantThatThereIsNotIsNamed() {
    try (Heap heap = ObjectHeaps.open(directory)) {
      Values values = fill(heap);
      long at = address(values) + offset(values, "color");
      long word = OpenHeap.engine(heap).memory().getLong(at & -8);
      store(heap, at & -8, word | 0x7777_7777_7777_7777L);
      assertThatThrownBy(values::color)
          .isInstanceOf(EverheapException.class)
          .hasMessageContaining("color");
      assertThat(heap.verify().problems()).extracting(Problem::kind).contains("value");
    }
  }

  /** Whatever the words of an object are, reading ends with a value or a clear exception. */
  @Test
  void wordsAtRandomDoNoHarm() {
    Random random = new Random(5);
    for (int round = 0; round < 30; round++) {
      try (Heap heap = ObjectHeaps.open(directory.resolve("h" + round))) {
        Values values = fill(heap);
        Node node = heap.object("node", Node.class, n -> n.next(n));
        for (Object object : new Object[] {values, node}) {
          int words = payload(object) / 8;
          long at = address(object) + 8 + 8L * random.nextInt(words);
          store(heap, at, random.nextBoolean() ? random.nextLong() : random.nextInt(1 << 16));
        }
        attempt(() -> assertThat(values.toString()).isNotEmpty());
        attempt(() -> assertThat(node.toString()).isNotEmpty());
        attempt(() -> assertThat(heap.entries("values").count()).isPositive());
        attempt(() -> heap.remove("values"));
        assertThat(heap.verify()).isNotNull();
      }
    }
  }

  private static void attempt(Runnable read) {
    try {
      read.run();
    } catch (EverheapException e) {
      assertThat(e).hasMessageContaining("");
    }
  }
}
