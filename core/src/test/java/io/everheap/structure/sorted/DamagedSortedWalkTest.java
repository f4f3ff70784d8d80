package io.everheap.structure.sorted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.codec.Codecs;
import io.everheap.collection.DurableSortedMap;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.CorruptException;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.map.MapHeap;
import java.util.Iterator;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An iterator that met damage says so again and again; it never goes on with what it had not. */
class DamagedSortedWalkTest {
  private final MapHeap heap = MapHeap.inMemory();
  private final HeapMemory memory = heap.engine().memory();
  private final DurableSortedMap<Long, String> map =
      heap.make(SortedKind.MAP.definition(SortedTypes.natural(Codecs.LONG, Codecs.STRING)));

  /** Address of the payload at a position of the first leaf, which leads to a value's cell. */
  private long payload(int position) {
    long root =
        Reference.address(
            word(Reference.address(HeapStructureId.of(map).reference()) + SortedLayout.ROOT));
    long leaf = Reference.address(word(root + SortedLayout.PAYLOADS + 8 * place(root, 0)));
    return leaf + SortedLayout.PAYLOADS + 8 * place(leaf, position);
  }

  private long place(long node, int position) {
    return word(node + SortedLayout.ORDER + (position & ~7)) >>> (8 * (position & 7)) & 0xff;
  }

  private long word(long address) {
    return memory.getLong(address);
  }

  private void damage(long address, long value) {
    heap.transact(
        () -> {
          memory.putLong(Stripes.NONE, address, value);
          return true;
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1L << 43, 1L << 62})
  void itTellsTheDamageEachTime(long wrong) {
    for (long i = 0; i < 400; i++) {
      map.put(i, "value " + i);
    }
    long at = payload(8);
    long sound = word(at);
    damage(at, wrong);
    Iterator<Map.Entry<Long, String>> entries = map.entrySet().iterator();
    for (long key = 0; key < 4; key++) { // the first batch
      assertThat(entries.next()).isEqualTo(Map.entry(key, "value " + key));
    }
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(entries::hasNext).isInstanceOf(CorruptException.class);
      assertThatThrownBy(entries::next).isInstanceOf(CorruptException.class);
    }
    damage(at, sound);
    for (long key = 4; key < 400; key++) {
      assertThat(entries.next()).isEqualTo(Map.entry(key, "value " + key));
    }
    assertThat(entries.hasNext()).isFalse();
    heap.check();
    heap.closeUnchecked();
  }
}
