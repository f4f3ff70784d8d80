package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RunIndexTest {
  @Property(tries = 30)
  void findsTheLowestChunkWithTheShortestRunThatIsLongEnough(@ForAll long seed) {
    Random random = new Random(seed);
    RunIndex index = new RunIndex();
    Map<Integer, Integer> model = new TreeMap<>();
    for (int i = 0; i < 500; i++) {
      int chunk = random.nextInt(40);
      int length = random.nextInt(8) == 0 ? RunIndex.UNKNOWN : random.nextInt(63);
      index.put(chunk, length);
      model.put(chunk, length);
      assertThat(index.longest(chunk)).isEqualTo(length);
      int wanted = 1 + random.nextInt(63);
      assertThat(index.find(wanted)).isEqualTo(find(model, wanted));
    }
    model.forEach((chunk, length) -> assertThat(index.longest(chunk)).isEqualTo(length));
  }

  @Test
  void aChunkThatWasNeverPutHasNoRun() {
    RunIndex index = new RunIndex();
    assertThat(index.longest(0)).isZero();
    assertThat(index.find(1)).isEqualTo(-1);
    index.put(5, 7);
    assertThat(index.longest(4)).isZero();
    assertThat(index.longest(6)).isZero();
    assertThat(index.longest(1 << 20)).isZero();
    assertThat(index.find(7)).isEqualTo(5);
    assertThat(index.find(8)).isEqualTo(-1);
    index.put(5, 0);
    assertThat(index.find(1)).isEqualTo(-1);
  }

  /** A chunk whose longest run is not known may have one of 63 pages, or none. */
  @Test
  void anUnknownRunIsFoundAfterAllKnownOnes() {
    RunIndex index = new RunIndex();
    index.put(1, RunIndex.UNKNOWN);
    index.put(2, 62);
    assertThat(index.find(62)).isEqualTo(2);
    assertThat(index.find(63)).isEqualTo(1);
    index.put(2, 3);
    assertThat(index.find(4)).isEqualTo(1);
    assertThat(index.find(2)).isEqualTo(2);
  }

  /** The lowest chunk of the shortest length, or -1. */
  private static int find(Map<Integer, Integer> model, int wanted) {
    int best = -1;
    int bestLength = 64;
    for (Map.Entry<Integer, Integer> entry : model.entrySet()) {
      int length = entry.getValue() == RunIndex.UNKNOWN ? 63 : entry.getValue();
      if (length >= wanted && length < bestLength) {
        best = entry.getKey();
        bestLength = length;
      }
    }
    return best;
  }
}
