package io.everheap.engine.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.memory.Medium;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SegmentPoolTest {
  private static final int WANTED = 12; // more than the log may keep

  private final Medium medium = SimulatedMedium.file(1);
  private final LogOptions options = LogFixture.SMALL;
  private final int kept = (int) (options.limit() / options.segmentSize()) + 1;

  private SegmentPool pool() {
    SegmentPool pool = new SegmentPool(medium, options, false, Set.of());
    for (int i = 0; i < WANTED; i++) {
      pool.add();
    }
    return pool;
  }

  private int files() {
    return SegmentCatalog.names(medium).size();
  }

  @Test
  void promisedSegmentsAreNotDeletedWhenTheLogIsTrimmed() {
    try (SegmentPool pool = pool()) {
      int promised = pool.promise(WANTED);
      assertThat(promised).isEqualTo(WANTED - 1).isGreaterThan(kept);
      pool.recycleBelow(Long.MAX_VALUE);
      assertThat(pool.readyCount()).isEqualTo(WANTED);
      assertThat(files()).isEqualTo(WANTED);
      for (int i = 0; i < promised; i++) {
        pool.recycleBelow(0);
        pool.roll(i * 64L).setHeaderDurable();
      }
      assertThat(pool.liveCount()).isEqualTo(promised);
      assertThat(pool.readyCount()).as("the spare one").isOne();
    }
  }

  @Test
  void segmentsThatNobodyWasPromisedAreDeletedDownToTheLimit() {
    try (SegmentPool pool = pool()) {
      pool.promise(WANTED);
      pool.promise(0);
      pool.recycleBelow(Long.MAX_VALUE);
      assertThat(pool.readyCount()).isEqualTo(kept);
      assertThat(files()).isEqualTo(kept);
    }
  }

  @Test
  void aPromiseEndsWithTheUseOfItsSegment() {
    try (SegmentPool pool = pool()) {
      pool.promise(WANTED);
      for (int i = 0; i < WANTED - 1; i++) {
        pool.roll(i * 64L).setHeaderDurable();
      }
      pool.recycleBelow(Long.MAX_VALUE);
      assertThat(pool.liveCount()).isOne();
      assertThat(pool.readyCount()).isEqualTo(kept - 1);
    }
  }

  @Test
  void theSpareSegmentIsNeverPromised() {
    try (SegmentPool pool = new SegmentPool(medium, options, false, Set.of())) {
      assertThat(pool.promise(5)).isZero();
      pool.add();
      assertThat(pool.promise(5)).isZero();
      pool.add();
      assertThat(pool.promise(5)).isOne();
    }
  }
}
