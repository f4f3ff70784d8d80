package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.everheap.block.Blocks;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableSet;
import io.everheap.collection.Shape;
import io.everheap.collection.Structure;
import io.everheap.durable.Durable;
import io.everheap.error.ClosedException;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.heap.OpenHeap;
import io.everheap.report.Footprint;
import io.everheap.structure.Structures;
import io.everheap.structure.map.MapPlaces;
import io.everheap.support.tier.Campaign;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which blocks the footprint of a structure or object counts. */
class FootprintTest {
  private static final Shape<DurableSet<Long>> LONGS = DurableSet.of(Long.class);
  private static final int ELEMENTS = 200;

  @TempDir Path temp;

  @Durable
  interface Node {
    Node next();

    void next(Node node);

    String text();

    void text(String text);
  }

  private static DurableSet<Long> longs(Heap heap, int count) {
    return heap.transact(
        () -> {
          DurableSet<Long> set = heap.create(LONGS);
          LongStream.range(0, count).forEach(set::add);
          return set;
        });
  }

  private static long usedBytes(Heap heap) {
    OpenHeap.engine(heap).drainHousekeeping();
    return heap.stats().usedBytes();
  }

  @Test
  @Campaign
  void aStructureThatIsFreedGivesItsOwnBytesBack() {
    try (Heap heap = Heap.inMemory()) {
      Kinds.all().forEach(kind -> assertFreedBytes(heap, kind));
    }
  }

  private static <S extends Structure> void assertFreedBytes(Heap heap, Kinds.Kind<S> kind) {
    S structure =
        heap.transact(
            () -> {
              S made = heap.create(kind.shape());
              kind.fill().accept(made, ELEMENTS);
              return made;
            });
    long before = usedBytes(heap);

    Footprint space = heap.footprint(structure);

    heap.free(structure);
    assertThat(before - usedBytes(heap)).as(kind.name()).isEqualTo(space.ownBytes());
    assertThat(space.bytes()).as(kind.name()).isEqualTo(space.ownBytes());
    assertThat(space.ownBlocks()).as(kind.name()).isPositive();
  }

  @Test
  @Campaign
  void aTransactionMeasuresWhatItSees() {
    try (Heap heap = Heap.inMemory()) {
      Kinds.all().forEach(kind -> assertSameInTransaction(heap, kind));
    }
  }

  private static <S extends Structure> void assertSameInTransaction(Heap heap, Kinds.Kind<S> kind) {
    S structure = heap.root(kind.name(), kind.shape());
    Footprint empty = heap.footprint(structure);
    Footprint inside =
        heap.transact(
            () -> {
              kind.fill().accept(structure, ELEMENTS);
              return heap.footprint(kind.name());
            });
    assertThat(heap.footprint(structure)).as(kind.name()).isEqualTo(inside);
    assertThat(inside.bytes()).as(kind.name()).isGreaterThanOrEqualTo(empty.bytes());
  }

  @Test
  void anEmptyStructureTakesItsTables() {
    try (Heap heap = Heap.inMemory()) {
      heap.map("map", Long.class, Long.class);
      heap.list("list", Long.class);

      assertThat(heap.footprint("map").ownBlocks()).isEqualTo(3); // header, directory, segment
      assertThat(heap.footprint("list").ownBlocks()).isPositive();
      assertThat(heap.footprint("list").bytes()).isLessThan(heap.footprint("map").bytes());
    }
  }

  @Test
  void nestedStructuresCountInTheTotalAndRootsDoNot() {
    try (Heap heap = Heap.inMemory()) {
      DurableMap<String, DurableSet<Long>> map =
          heap.root("map", DurableMap.of(String.class, LONGS));
      Footprint empty = heap.footprint("map");
      DurableSet<Long> root = heap.root("root", LONGS);
      LongStream.range(0, 100).forEach(root::add);
      DurableSet<Long> shared = longs(heap, 50);
      DurableSet<Long> alone = longs(heap, 20);
      map.put("root", root);
      map.put("shared", shared);
      map.put("again", shared);
      map.put("alone", alone);
      DurableReference<DurableSet<Long>> other = heap.root("other", DurableReference.of(LONGS));

      Footprint space = heap.footprint(map);

      assertThat(space.ownBlocks()).isEqualTo(empty.ownBlocks() + 4);
      assertThat(space.bytes() - space.ownBytes())
          .isEqualTo(heap.footprint(shared).bytes() + heap.footprint(alone).bytes());
      assertThat(space.blocks() - space.ownBlocks())
          .isEqualTo(heap.footprint(shared).blocks() + heap.footprint(alone).blocks());
      other.set(shared);
      assertThat(heap.footprint(other).bytes() - heap.footprint(other).ownBytes())
          .isEqualTo(heap.footprint(shared).bytes());
    }
  }

  @Test
  void structuresThatWereFreedDoNotCountWhereTheyAreStillNamed() {
    try (Heap heap = Heap.inMemory()) {
      DurableList<DurableSet<Long>> list = heap.root("list", DurableList.of(LONGS));
      DurableSet<Long> freed = longs(heap, 50);
      list.add(freed);
      heap.free(freed);

      assertThat(heap.footprint(list).bytes()).isEqualTo(heap.footprint(list).ownBytes());
      assertThatExceptionOfType(GoneException.class).isThrownBy(() -> heap.footprint(freed));
    }
  }

  @Test
  void objectsCountInTheTotalOnceAlsoInCycles() {
    try (Heap heap = Heap.inMemory()) {
      DurableMap<String, Node> map = heap.map("map", String.class, Node.class);
      Node first = heap.create(Node.class, n -> n.text("x".repeat(3000)));
      Node second = heap.create(Node.class);
      first.next(second);
      second.next(first);
      map.put("first", first);
      map.put("second", second);

      Footprint one = heap.footprint(first);
      Footprint other = heap.footprint(second);

      assertThat(one.bytes()).isEqualTo(other.bytes()).isEqualTo(one.ownBytes() + other.ownBytes());
      assertThat(one.ownBytes()).isGreaterThan(3000);
      assertThat(one.ownBlocks()).isEqualTo(2);
      assertThat(heap.footprint(map).bytes() - heap.footprint(map).ownBytes())
          .isEqualTo(one.bytes());
      heap.free(second);
      assertThat(heap.footprint(first).bytes()).isEqualTo(one.ownBytes());
      assertThatExceptionOfType(GoneException.class).isThrownBy(() -> heap.footprint(second));
    }
  }

  @Test
  void anObjectThatIsARootCountsInItsOwnFootprintOnly() {
    try (Heap heap = Heap.inMemory()) {
      Node root = heap.object("root", Node.class, n -> n.text("root"));
      Node child = heap.create(Node.class, n -> n.text("child"));
      root.next(child);
      child.next(root);
      heap.map("map", String.class, Node.class).put("root", root);

      assertThat(heap.footprint("root").blocks()).isEqualTo(4);
      assertThat(heap.footprint("root").ownBlocks()).isEqualTo(2);
      assertThat(heap.footprint(root)).isEqualTo(heap.footprint("root"));
      assertThat(heap.footprint(child).blocks()).isEqualTo(2);
      assertThat(heap.footprint("map").bytes()).isEqualTo(heap.footprint("map").ownBytes());
    }
  }

  @Test
  void aNamedRawBlockTakesItsFootprint() {
    try (Heap heap = Heap.inMemory()) {
      heap.block("block", 1000).setLong(0, heap.blocks().allocate(10).handle());

      long bytes = Blocks.footprint(1000);
      assertThat(heap.footprint("block")).isEqualTo(new Footprint(bytes, 1, bytes, 1));
    }
  }

  @Test
  void allRootsTogetherTakeWhatTheHeapUses() {
    try (Heap heap = Heap.inMemory()) {
      heap.map("map", String.class, String.class).put("key", "value".repeat(30_000));
      heap.list("list", String.class).addAll(List.of("a", "b"));
      long bytes = heap.footprint("map").bytes() + heap.footprint("list").bytes();
      long catalog = usedBytes(heap) - bytes;

      heap.map("map", String.class, String.class).put("other", "value".repeat(300_000));

      long grown = heap.footprint("map").bytes() + heap.footprint("list").bytes();
      assertThat(grown).isGreaterThan(bytes + 1_500_000);
      assertThat(usedBytes(heap)).isEqualTo(grown + catalog);
    }
  }

  @Test
  @Campaign
  void encryptedAndReadOnlyHeapsHaveTheSameFootprints() {
    Path directory = temp.resolve("heap");
    var builder = TestHeaps.builder(directory).encrypt(TestHeaps.key(1));
    Footprint written;
    try (Heap heap = builder.open()) {
      TestHeaps.put(heap, 0, 300);
      written = heap.footprint(TestHeaps.NAME);
    }
    try (Heap heap = builder.readOnly().open()) {
      assertThat(heap.footprint(TestHeaps.NAME)).isEqualTo(written);
      assertThat(heap.footprint(TestHeaps.numbers(heap))).isEqualTo(written);
    }
  }

  @Test
  void aHeapThatWasKilledHasTheFootprintsOfItsCommits() {
    Path killed = TestHeaps.killed(temp.resolve("killed"), 200);
    try (Heap heap = TestHeaps.openReadOnly(killed)) {
      Footprint found = heap.footprint(TestHeaps.NAME);
      assertThat(found.ownBlocks()).isBetween(203L, 220L);
    }
  }

  @Test
  void whatIsNotInTheHeapIsRefused() {
    Heap other = Heap.inMemory();
    try (Heap heap = Heap.inMemory()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> heap.footprint("none"))
          .withMessageContaining("no root named none");
      assertThatIllegalArgumentException().isThrownBy(() -> heap.footprint((Object) 3L));
      DurableMap<Long, Long> foreign = other.map("map", Long.class, Long.class);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> heap.footprint(foreign))
          .withMessageContaining("of the heap");
      Node node = other.create(Node.class);
      assertThatIllegalArgumentException().isThrownBy(() -> heap.footprint(node));
      other.close();
      assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> other.footprint("map"));
      assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> other.footprint(foreign));
      assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> other.footprint(node));
    }
  }

  @Test
  void damageIsNamed() {
    Path directory = temp.resolve("heap");
    long slot;
    try (Heap heap = TestHeaps.open(directory)) {
      TestHeaps.put(heap, 0, 100);
      heap.list("sound", Long.class).add(1L);
      long reference =
          new Catalog(Structures.of(OpenHeap.engine(heap).context()))
              .reference(TestHeaps.NAME)
              .orElseThrow();
      slot = MapPlaces.of(heap, reference).chain(1).slot();
    }
    TestHeaps.write(directory.resolve("heap"), slot, ByteBuffer.allocate(8).putLong(0, -2));
    try (Heap heap = TestHeaps.open(directory)) {
      assertThatExceptionOfType(CorruptException.class)
          .isThrownBy(() -> heap.footprint(TestHeaps.NAME))
          .withMessageContaining("Heap.verify");
      assertThat(heap.footprint("sound").bytes()).isPositive();
    }
  }
}
