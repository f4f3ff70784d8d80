package io.everheap.cache.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Seeds;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The index from hashes to slots, compared with a map; some hashes share a place or are equal. */
class SlotIndexTest {
  private final SlotIndex index = new SlotIndex();
  private final Map<Long, Set<Integer>> model = new HashMap<>();

  @Test
  void slotsAreFoundUnderTheirHashesWhateverWasChanged() {
    Random random = new Random(Seeds.seed());
    long[] hashes = new long[60];
    for (int i = 0; i < hashes.length; i++) {
      // A few shards; in each some hashes of one place, also at the table's end.
      long shard = (long) (i % 3) << 56;
      hashes[i] = shard | (i % 5 == 0 ? 0xFFFF_FFFFL - i : (long) random.nextInt() & 0xFFFF_FFFFL);
      if (i < 3) {
        hashes[i] = shard; // its word looks like a deleted one but for the slot
      }
    }
    int slots = 0;
    for (int step = 0; step < 6000; step++) {
      long hash = hashes[random.nextInt(hashes.length)];
      Set<Integer> its = model.computeIfAbsent(hash, h -> new HashSet<>());
      boolean grows = step % 2000 < 1000;
      int choice = random.nextInt(10);
      if (its.isEmpty() || choice < (grows ? 6 : 2)) {
        index.add(hash, slots);
        its.add(slots++);
      } else {
        int slot = its.iterator().next();
        its.remove(slot);
        if (choice == 9) {
          SlotIndex.Table table = index.table(hash);
          int before = table.replaced();
          index.replace(hash, slot, slots);
          assertThat(table.replaced()).isEqualTo(before + 1);
          its.add(slots++);
        } else {
          index.remove(hash, slot);
        }
      }
      assertThat(found(hash)).isEqualTo(its);
      assertThat(index.find(hash, slot -> true) >= 0).isEqualTo(!its.isEmpty());
      assertThat(index.find(hash, slot -> false)).isEqualTo(-1);
    }
    model.forEach((hash, its) -> assertThat(found(hash)).isEqualTo(its));
    assertThat(index.size()).isEqualTo(model.values().stream().mapToInt(Set::size).sum());
  }

  /** As a search without a lock finds them. */
  private Set<Integer> found(long hash) {
    Set<Integer> found = new HashSet<>();
    SlotIndex.Table table = index.table(hash);
    int position = table.first(hash);
    for (long word = table.word(position); word != SlotIndex.EMPTY; word = table.word(position)) {
      if (SlotIndex.matches(word, hash)) {
        assertThat(found.add(SlotIndex.slot(word))).isTrue();
      }
      position = table.next(position);
    }
    return found;
  }

  @Test
  void aSlotThatIsNotThereIsNotRemoved() {
    index.add(5, 0);
    index.remove(5, 1);
    index.remove(6, 0);
    assertThat(index.size()).isEqualTo(1);
    assertThat(found(5)).containsExactly(0);
    index.remove(5, 0);
    assertThat(index.size()).isZero();
  }

  @Test
  void manyChangesOfFewEntriesTakeNoMoreMemory() {
    long bytes = index.bytes();
    for (int i = 0; i < 10_000; i++) {
      index.add(i * 31L & 0xFFFF, i);
      index.remove(i * 31L & 0xFFFF, i);
    }
    assertThat(index.bytes()).isEqualTo(bytes);
  }
}
