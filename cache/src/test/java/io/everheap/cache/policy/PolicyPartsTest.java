package io.everheap.cache.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Lists of slots, ghosts, frequencies and recorded hits. */
@SuppressWarnings("SameNameButDifferent") // lists of slots, and those of the JDK
class PolicyPartsTest {
  @Test
  void listsOfSlotsAreThoseOfTheJdk() {
    Random random = new Random(Seeds.seed());
    SlotLists lists = new SlotLists();
    SlotLists.List[] all = {lists.new List(1), lists.new List(2), lists.new List(3)};
    List<Deque<Integer>> model =
        List.of(new ArrayDeque<>(), new ArrayDeque<>(), new ArrayDeque<>());
    for (int step = 0; step < 4000; step++) {
      int slot = random.nextInt(50);
      int owner = lists.owner(slot);
      if (owner == 0) {
        int to = random.nextInt(3);
        if (random.nextBoolean()) {
          all[to].addNewest(slot, slot);
          model.get(to).addLast(slot);
        } else {
          all[to].addOldest(slot, slot);
          model.get(to).addFirst(slot);
        }
      } else if (random.nextInt(3) == 0) {
        all[owner - 1].makeNewest(slot, slot);
        model.get(owner - 1).remove(slot);
        model.get(owner - 1).addLast(slot);
      } else {
        all[owner - 1].remove(slot, slot);
        model.get(owner - 1).remove(slot);
      }
      for (int i = 0; i < 3; i++) {
        Deque<Integer> its = model.get(i);
        assertThat(all[i].size()).isEqualTo(its.size());
        assertThat(all[i].weight()).isEqualTo(its.stream().mapToLong(Integer::longValue).sum());
        assertThat(all[i].oldest()).isEqualTo(its.isEmpty() ? -1 : its.getFirst());
        assertThat(all[i].holds(slot)).isEqualTo(its.contains(slot));
      }
    }
    for (int i = 0; i < 3; i++) {
      List<Integer> order = new ArrayList<>();
      while (all[i].size() > 0) {
        order.add(all[i].oldest());
        all[i].remove(all[i].oldest(), all[i].oldest());
      }
      assertThat(order).isEqualTo(List.copyOf(model.get(i)));
    }
    assertThat(lists.owner(1_000_000)).isZero();
  }

  @Test
  void aGhostCountsWhileNotMoreEvictionsFollowedThanThereAreEntries() {
    Ghosts ghosts = new Ghosts();
    IntStream.rangeClosed(1, 4).forEach(hash -> ghosts.add(hash, 3));
    assertThat(ghosts.remove(1, 3)).as("three followed").isFalse();
    assertThat(ghosts.remove(2, 3)).as("two followed").isTrue();
    assertThat(ghosts.remove(2, 3)).as("it was forgotten").isFalse();
    assertThat(ghosts.remove(4, 0)).as("of an empty cache").isFalse();
    assertThat(ghosts.remove(5, 3)).as("never seen").isFalse();
    ghosts.add(3, 3);
    IntStream.rangeClosed(10, 11).forEach(hash -> ghosts.add(hash, 3));
    assertThat(ghosts.remove(3, 3)).as("evicted again").isTrue();
  }

  @Test
  void ghostsAreKeptWhenThereAreMore() {
    Ghosts ghosts = new Ghosts();
    long small = ghosts.bytes();
    IntStream.rangeClosed(1, 40).forEach(hash -> ghosts.add(hash, 256));
    assertThat(ghosts.bytes()).isEqualTo(small);
    ghosts.add(41, 257);
    assertThat(ghosts.bytes()).isEqualTo(2 * small);
    assertThat(IntStream.rangeClosed(1, 41).filter(hash -> ghosts.remove(hash, 257)).count())
        .isEqualTo(41);
  }

  @Test
  void theOldestGhostOfABucketMakesRoom() {
    Ghosts ghosts = new Ghosts();
    // Enough for some bucket of four to overflow: what is missing is older than what is there.
    IntStream.rangeClosed(1, 400).forEach(hash -> ghosts.add(hash, 256));
    for (int hash = 400; hash > 384; hash--) {
      assertThat(ghosts.remove(hash, 256)).as("ghost %s", hash).isTrue();
    }
    assertThat(IntStream.rangeClosed(1, 144).filter(hash -> ghosts.remove(hash, 256)).count())
        .as("more evictions followed than there are entries")
        .isZero();
  }

  @Test
  void aFrequencyIsCountedUpToFifteenAndHalvedAtTimes() {
    FrequencySketch sketch = new FrequencySketch();
    for (int i = 1; i <= 20; i++) {
      sketch.increment(7);
      assertThat(sketch.frequency(7)).isEqualTo(Math.min(i, 15));
    }
    sketch.increment(9);
    assertThat(sketch.frequency(9)).isBetween(1, 2);
    sketch.ensure(257);
    assertThat(sketch.frequency(7)).as("in a wider table").isEqualTo(15);
    assertThat(sketch.bytes()).isEqualTo(512 * 8);
    for (int i = 0; i < 5120 - 16; i++) {
      assertThat(sketch.frequency(7)).isEqualTo(15);
      sketch.increment(1_000_000 + i);
    }
    assertThat(sketch.frequency(7)).isEqualTo(7);
  }

  @Test
  void hitsAreDrainedInTheirOrderAndTheOldestStayWhenThereAreTooMany() {
    AccessBuffer buffer = new AccessBuffer();
    List<Integer> seen = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (int slot = 0; slot < 130; slot++) {
        buffer.add(slot);
      }
      buffer.drain(seen::add);
      assertThat(seen).isEqualTo(IntStream.range(0, 128).boxed().toList());
      seen.clear();
      buffer.add(5);
      buffer.drain(seen::add);
      assertThat(seen).containsExactly(5);
      seen.clear();
    }
    buffer.drain(seen::add);
    assertThat(seen).isEmpty();
  }
}
