package io.everheap.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.engine.alloc.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class BlockSetTest {
  @Test
  void holdsWhatWasAddedAndNotRemoved() {
    BlockSet set = new BlockSet(1 << 20);
    TreeSet<Long> model = new TreeSet<>();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      long address = random.nextLong(1 << 12) << 4;
      long reference = Reference.of(address, random.nextInt(100));
      if (random.nextBoolean()) {
        assertThat(set.add(reference)).isEqualTo(model.add(address));
      } else {
        assertThat(set.remove(reference)).isEqualTo(model.remove(address));
      }
      assertThat(set.contains(reference)).isEqualTo(model.contains(address));
    }
    List<Long> found = new ArrayList<>();
    set.forEach(found::add);
    assertThat(found).containsExactlyElementsOf(model);
  }

  @Test
  void reachesAddressesBehindItsFirstSizeAndTheHighestOfAll() {
    BlockSet set = new BlockSet(1 << 20);
    for (long address : new long[] {5L << 20, (1L << 35) + 16, (1L << 40) - 16}) {
      long reference = Reference.of(address, 0);
      assertThat(set.contains(reference)).isFalse();
      assertThat(set.add(reference)).isTrue();
      assertThat(set.add(reference)).isFalse();
      assertThat(set.contains(reference)).isTrue();
    }
  }
}
