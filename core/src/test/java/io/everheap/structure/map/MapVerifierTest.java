package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableMap;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.PendingFrees;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever is wrong with a map, the verifier says so and ends. */
class MapVerifierTest {
  private final MapHeap heap = MapHeap.inMemory();
  private final DurableMap<String, String> map = heap.map(STRING, STRING);
  private final HeapMemory memory = heap.engine().memory();
  private final long header = Reference.address(HeapStructureId.of(map).reference());

  @BeforeEach
  void fill() {
    for (int i = 0; i < 700; i++) {
      map.put("key " + i, "value " + i);
    }
    heap.check();
  }

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

  private long directory() {
    return memory.getLong(header + MapLayout.DIRECTORY);
  }

  /** Address of a bucket, not the first one, with at least two nodes. */
  private long fullBucket() {
    for (long bucket = 1; ; bucket++) {
      long segment = memory.getLong(MapLayout.segmentSlot(directory(), bucket));
      long slot = MapLayout.bucketSlot(segment, bucket);
      long link = memory.getLong(slot);
      if (link != 0 && next(link) != 0) {
        return slot;
      }
    }
  }

  private long next(long link) {
    return memory.getLong(NodeLayout.node(link) + NodeLayout.NEXT);
  }

  @Test
  void aWrongCount() {
    damage(header + MapLayout.COUNT, 699);
    assertThat(heap.problems()).anyMatch(p -> p.contains("the count is 699"));
  }

  @Test
  void aCycle() {
    long first = memory.getLong(fullBucket());
    damage(NodeLayout.node(next(first)) + NodeLayout.NEXT, first);
    assertThat(heap.problems()).isNotEmpty();
  }

  @Test
  void aWrongTag() {
    long slot = fullBucket();
    damage(slot, memory.getLong(slot) ^ 1L << 50);
    assertThat(heap.problems()).anyMatch(p -> p.contains("tag"));
  }

  @Test
  void aNodeInAnotherBucket() {
    long slot = fullBucket();
    long link = memory.getLong(slot);
    long other = slot - 8;
    damage(other, link);
    assertThat(heap.problems()).anyMatch(p -> p.contains("belongs into bucket"));
  }

  @Test
  void aKeyThatWasChanged() {
    long node = NodeLayout.node(memory.getLong(fullBucket()));
    damage(node + NodeLayout.KEY, 0);
    assertThat(heap.problems()).isNotEmpty();
  }

  @Test
  void lengthsThatDoNotFit() {
    long node = NodeLayout.node(memory.getLong(fullBucket()));
    damage(node + NodeLayout.LENGTHS, NodeLayout.lengths(8, 1 << 20));
    assertThat(heap.problems()).anyMatch(p -> p.contains("do not fit"));
  }

  @Test
  void anImpossibleNumberOfBuckets() {
    for (long buckets : new long[] {0, 7, -1, 1 << 30, Long.MAX_VALUE}) {
      damage(header + MapLayout.BUCKETS, buckets);
      assertThat(heap.problems()).anyMatch(p -> p.contains("buckets"));
    }
  }

  @Test
  void aDirectoryOrASegmentThatIsNone() {
    long directory = directory();
    long slot = MapLayout.segmentSlot(directory, 0);
    damage(slot, HeapStructureId.of(map).reference());
    assertThat(heap.problems()).anyMatch(p -> p.contains("segment 0"));
    damage(header + MapLayout.DIRECTORY, 12345);
    assertThat(heap.problems()).anyMatch(p -> p.contains("directory"));
  }

  @Test
  void anEntryOfThePendingFreesWithAnImpossibleTableDoesNotHang() {
    DurableMap<Long, String> removed = heap.map(LONG, STRING);
    heap.transact(
        () -> {
          for (long key = 0; key < 20_000; key++) {
            removed.put(key, "value");
          }
          return true;
        });
    heap.transact(
        () -> {
          heap.destroy(removed);
          long list = memory.getLong(heap.engine().context().catalog(PendingFrees.CATALOG_WORD));
          long entry = Reference.address(list);
          for (long hostile : new long[] {0, 7, -1, 1L << 38, Long.MAX_VALUE}) {
            memory.putLong(Stripes.NONE, entry + PendingFrees.BUCKETS, hostile);
            assertThat(heap.problems()).anyMatch(p -> !p.contains("are owned"));
          }
          memory.putLong(Stripes.NONE, entry + PendingFrees.NEXT, list);
          assertThat(heap.problems()).isNotEmpty();
          return false;
        });
  }

  @Test
  void aHeaderWithUnknownKinds() {
    damage(header + MapLayout.KINDS, 77);
    assertThat(heap.problems()).anyMatch(p -> p.contains("kinds"));
  }

  @Test
  void randomWordsAnywhereAreSurvivedByReadersAndVerifier() {
    SplittableRandom random = new SplittableRandom(1);
    DurableMap<Long, String> small = heap.map(LONG, STRING);
    small.put(1L, "one");
    small.put(2L, "two");
    long at = Reference.address(HeapStructureId.of(small).reference());
    long dir = memory.getLong(at + MapLayout.DIRECTORY);
    long segment = memory.getLong(Reference.payload(dir));
    for (int i = 0; i < 500; i++) {
      long[] targets = {
        at + MapLayout.COUNT,
        at + MapLayout.BUCKETS,
        at + MapLayout.DIRECTORY,
        at + MapLayout.KINDS,
        Reference.payload(dir),
        Reference.payload(segment) + 8L * random.nextInt(8)
      };
      long target = targets[random.nextInt(targets.length)];
      long before = memory.getLong(target);
      damage(target, random.nextLong() >>> random.nextInt(64));
      heap.problems(); // ends, whatever it finds
      for (long key = 1; key <= 2; key++) {
        readDamaged(small, key);
      }
      damage(target, before);
    }
    heap.check();
  }

  /** Any result and any exception will do, but no endless loop and no error. */
  private static void readDamaged(DurableMap<Long, String> map, long key) {
    try {
      assertThat(map.get(key)).isNotEqualTo("three");
    } catch (RuntimeException e) {
      assertThat(e).isNotNull();
    }
  }
}
