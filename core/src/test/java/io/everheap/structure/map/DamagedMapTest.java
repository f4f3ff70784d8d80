package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.BYTES;
import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.collection.DurableMap;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.structure.Structures;
import io.everheap.structure.common.FreesTask;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.PendingFrees;
import io.everheap.support.tier.Campaign;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A map whose words are not what it wrote says so: to readers, and to writers before they store.
 */
@Campaign
class DamagedMapTest {
  private static final int LARGE = 3 << 20;

  private final MapHeap heap = MapHeap.inMemory();
  private final HeapMemory memory = heap.engine().memory();

  @AfterEach
  void close() {
    heap.closeUnchecked();
  }

  private void damage(long address, long value) {
    heap.transact(
        () -> {
          memory.putLong(Stripes.NONE, address, value);
          return true;
        });
  }

  private static void assertDamaged(ThrowingCallable action) {
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(action)
        .returns("EH-CORRUPT", EverheapException::code)
        .withMessageContaining("damaged");
  }

  private long header(DurableMap<?, ?> map) {
    return Reference.address(HeapStructureId.of(map).reference());
  }

  private long directory(DurableMap<?, ?> map) {
    return memory.getLong(header(map) + MapLayout.DIRECTORY);
  }

  private long segment(DurableMap<?, ?> map) {
    return memory.getLong(Reference.payload(directory(map)));
  }

  /** Address of the first bucket that is not empty. */
  private long bucket(DurableMap<?, ?> map) {
    for (int bucket = 0; ; bucket++) {
      long slot = MapLayout.bucketSlot(segment(map), bucket);
      if (memory.getLong(slot) != 0) {
        return slot;
      }
    }
  }

  private long node(DurableMap<?, ?> map) {
    return NodeLayout.node(memory.getLong(bucket(map)));
  }

  // ---- Large values -------------------------------------------------------------------------

  private DurableMap<Long, byte[]> mapWithALargeValue() {
    DurableMap<Long, byte[]> map = heap.map(LONG, BYTES);
    map.put(1L, new byte[LARGE]);
    return map;
  }

  /** Where the node says what leads to its value. */
  private long stub(DurableMap<?, ?> map) {
    return node(map) + NodeLayout.value(8);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, LARGE * 2L, Integer.MAX_VALUE - 8, Integer.MAX_VALUE, 1L << 40})
  void aLengthThatTheHeapDoesNotHoldTakesNoMemory(long length) {
    DurableMap<Long, byte[]> map = mapWithALargeValue();
    damage(stub(map), length);
    assertDamaged(() -> map.get(1L));
    assertDamaged(() -> map.forEach((key, value) -> {}));
    assertDamaged(() -> map.remove(1L));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -8, 1, 8, 1L << 40})
  void partsOfAnImpossibleSizeAreNotLookedFor(long size) {
    DurableMap<Long, byte[]> map = mapWithALargeValue();
    damage(stub(map) + 8, size);
    assertDamaged(() -> map.get(1L));
    assertDamaged(() -> map.remove(1L));
  }

  @Test
  void aPartThatIsNoneIsMissing() {
    DurableMap<Long, byte[]> map = mapWithALargeValue();
    damage(stub(map) + 24, HeapStructureId.of(map).reference());
    assertDamaged(() -> map.get(1L));
    assertDamaged(() -> map.remove(1L));
    assertThat(map.size()).as("the map whose reference it was is not freed").isOne();
  }

  @Test
  void aPartThatWasFreedIsMissing() {
    DurableMap<Long, byte[]> map = mapWithALargeValue();
    damage(stub(map) + 24, memory.getLong(stub(map) + 24) + (1L << 40));
    assertDamaged(() -> map.get(1L));
  }

  // ---- Chains -------------------------------------------------------------------------------

  /** All entries in one bucket, the last of which leads to the first. */
  private DurableMap<Long, String> mapWithACycle(int entries, long count) {
    DurableMap<Long, String> map = heap.map(LONG, STRING, 0);
    for (long i = 0; i < entries; i++) {
      map.put(i, "value " + i);
    }
    long first = memory.getLong(bucket(map));
    long last = first;
    while (memory.getLong(NodeLayout.node(last) + NodeLayout.NEXT) != 0) {
      last = memory.getLong(NodeLayout.node(last) + NodeLayout.NEXT);
    }
    damage(NodeLayout.node(last) + NodeLayout.NEXT, first);
    damage(header(map) + MapLayout.COUNT, count);
    return map;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 5000})
  void aCycleIsFoundWhateverTheMapClaimsToHold(int entries) {
    DurableMap<Long, String> map = mapWithACycle(entries, Long.MAX_VALUE);
    assertThat(map.get(entries - 1L)).isEqualTo("value " + (entries - 1));
    assertDamaged(() -> map.get(-1L));
    assertDamaged(() -> map.containsKey(-1L));
    assertDamaged(() -> map.put(-1L, "new"));
    assertDamaged(() -> map.remove(-1L));
    assertDamaged(() -> map.forEach((key, value) -> {}));
    assertDamaged(map::clear);
  }

  @Test
  void aLongChainIsNoDamageWhateverTheMapClaimsToHold() {
    DurableMap<Long, String> map = heap.map(LONG, STRING, 0);
    for (long i = 0; i < 5000; i++) {
      map.put(i, "v");
    }
    damage(header(map) + MapLayout.COUNT, 3);
    assertThat(map.get(-1L)).isNull();
    assertThat(map.keySet().stream().count()).isEqualTo(5000);
  }

  @Test
  void aCycleOfLargeEntriesTakesNoMoreMemoryThanTheHeapHas() {
    DurableMap<Long, byte[]> map = heap.map(LONG, BYTES, 0);
    map.put(1L, new byte[500_000]);
    damage(node(map) + NodeLayout.NEXT, memory.getLong(bucket(map)));
    assertDamaged(() -> map.forEach((key, value) -> {}));
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 39, (1L << 40) - 1, 1L << 27})
  void aLinkOutOfTheHomeImageIsDamageToReadersAndWriters(long link) {
    DurableMap<Long, String> map = heap.map(LONG, STRING, 0);
    map.put(1L, "one");
    damage(bucket(map), link);
    assertDamaged(() -> map.get(1L));
    assertDamaged(() -> map.put(1L, "two"));
    assertDamaged(() -> map.remove(1L));
    assertDamaged(() -> map.values().forEach(value -> {}));
    assertDamaged(map::clear);
    assertThat(heap.engine().isOpen()).as("nothing was logged, so nothing is poisoned").isTrue();
  }

  @Test
  void aLinkToSomethingElseIsNotFollowedByStores() {
    DurableMap<Long, Long> map = heap.map(LONG, LONG, 0);
    map.put(1L, 10L);
    DurableMap<Long, Long> other = heap.map(LONG, LONG);
    // What looks like a node with key 1 behind the header of another block.
    heap.transact(
        () -> {
          long fake = Reference.address(heap.engine().allocator().allocate(0, 56)) + 16;
          memory.initLong(fake + NodeLayout.WORD_KEY, 1L);
          memory.putLong(Stripes.NONE, bucket(map), NodeLayout.link(0, fake));
          return true;
        });
    assertDamaged(() -> map.put(1L, 11L));
    assertDamaged(() -> map.remove(1L));
    assertThat(other.size()).isZero();
  }

  // ---- Tables -------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(longs = {0, 7, -1, 1L << 20, 1L << 39, (1L << 39) + 1, Long.MAX_VALUE})
  void aNumberOfBucketsThatTheDirectoryCannotHave(long buckets) {
    DurableMap<Long, String> map = heap.map(LONG, STRING);
    map.put(1L, "one");
    damage(header(map) + MapLayout.BUCKETS, buckets);
    assertDamaged(
        () -> MapHandle.attach(heap.context(), HeapStructureId.of(map).reference(), LONG, STRING));
    assertDamaged(() -> map.forEach((key, value) -> {}));
    assertDamaged(map::clear);
    assertDamaged(() -> HashKind.MAP.destroy(heap.context(), HeapStructureId.of(map).reference()));
  }

  @Test
  void aDirectoryThatIsNone() {
    DurableMap<Long, String> map = heap.map(LONG, STRING);
    map.put(1L, "one");
    damage(header(map) + MapLayout.DIRECTORY, segment(map));
    assertDamaged(
        () -> MapHandle.attach(heap.context(), HeapStructureId.of(map).reference(), LONG, STRING));
    assertDamaged(() -> HashKind.MAP.destroy(heap.context(), HeapStructureId.of(map).reference()));
  }

  @Test
  void aSegmentAtTheSuperblocksIsNotStoredTo() {
    DurableMap<Long, String> map = heap.map(LONG, STRING);
    map.put(1L, "one");
    damage(Reference.payload(directory(map)), 0);
    byte[] before = new byte[HomeLayout.CHUNK_SIZE];
    heap.engine().home().copyOut(0, before, 0, before.length);
    for (long key = 2; key < 20; key++) {
      long k = key;
      assertDamaged(() -> map.put(k, "new"));
    }
    byte[] after = new byte[before.length];
    heap.engine().home().copyOut(0, after, 0, after.length);
    assertThat(after).isEqualTo(before);
  }

  // ---- Pending frees ------------------------------------------------------------------------

  private static final int NEXT = 8;
  private static final int DIRECTORY = 16;
  private static final int BUCKETS = 24;
  private static final int KINDS = 32;
  private static final int CURSOR = 40;

  /** Puts tables of maps on the list; returns the address of its first entry. */
  private long pending(int tables) {
    for (int i = 0; i < tables; i++) {
      DurableMap<Long, String> map = heap.map(LONG, STRING);
      heap.transact(
          () -> {
            for (long key = 0; key < 6000; key++) {
              map.put(key, "v");
            }
            return true;
          });
      heap.destroy(map);
    }
    return Reference.address(memory.getLong(list()));
  }

  private long list() {
    return heap.engine().context().catalog(PendingFrees.CATALOG_WORD);
  }

  private void assertListDamaged() {
    FreesTask frees = new FreesTask(Structures.of(heap.engine().context()), Structures.freers());
    long allocated = heap.allocated();
    assertThat(heap.problems()).isNotEmpty();
    assertDamaged(frees::step);
    assertThat(heap.allocated()).as("nothing was freed").isEqualTo(allocated);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 7, -1, 1L << 30, Long.MAX_VALUE})
  void aPendingTableWithAnImpossibleNumberOfBuckets(long buckets) {
    damage(pending(1) + BUCKETS, buckets);
    assertListDamaged();
  }

  @Test
  void aPendingTableWithoutADirectory() {
    long entry = pending(1);
    damage(entry + DIRECTORY, memory.getLong(Reference.payload(memory.getLong(entry + DIRECTORY))));
    assertListDamaged();
    damage(entry + DIRECTORY, 1L << 39);
    assertListDamaged();
  }

  @Test
  void aPendingTableOfUnknownKindsOrWithACursorBehindItsEnd() {
    long entry = pending(1);
    long kinds = memory.getLong(entry + KINDS);
    damage(entry + KINDS, kinds | 4);
    assertListDamaged();
    damage(entry + KINDS, kinds);
    damage(entry + CURSOR, 1L << 50);
    assertListDamaged();
  }

  @Test
  void aPendingTableWithASegmentThatIsNone() {
    long entry = pending(1);
    damage(Reference.payload(memory.getLong(entry + DIRECTORY)), 1L << 39);
    assertListDamaged();
  }

  @Test
  void aListThatLeadsToSomethingElse() {
    DurableMap<Long, String> map = heap.map(LONG, STRING);
    map.put(1L, "one");
    pending(1);
    damage(list(), HeapStructureId.of(map).reference());
    assertListDamaged();
    assertThat(map.get(1L)).isEqualTo("one");
  }

  @Test
  void aListThatLeadsBackToItselfIsDamageAndEnds() {
    long first = pending(3);
    long second = Reference.address(memory.getLong(first + NEXT));
    long third = Reference.address(memory.getLong(second + NEXT));
    damage(third + NEXT, memory.getLong(list()));
    FreesTask frees = new FreesTask(Structures.of(heap.engine().context()), Structures.freers());
    assertThat(heap.problems()).isNotEmpty();
    // Each table is freed once, and what leads to a freed one again is noticed.
    assertDamaged(frees::run);
  }

  @Test
  void aChainOfAPendingTableThatLeadsBackToItselfIsDamageAndEnds() {
    long entry = pending(1);
    long directory = memory.getLong(entry + DIRECTORY);
    long segment = memory.getLong(Reference.payload(directory));
    long slot = Reference.payload(segment);
    while (memory.getLong(slot) == 0) {
      slot += 8;
    }
    long link = memory.getLong(slot);
    damage(NodeLayout.node(link) + NodeLayout.NEXT, link);
    FreesTask frees = new FreesTask(Structures.of(heap.engine().context()), Structures.freers());
    assertThat(heap.problems()).isNotEmpty();
    assertThatExceptionOfType(EverheapException.class).isThrownBy(frees::run);
  }
}
