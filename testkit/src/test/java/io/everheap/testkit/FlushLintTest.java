package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How often a commit reaches for the medium, and that nothing is made durable twice or too late.
 */
@Campaign
class FlushLintTest {
  /** The log bytes of a commit that changes one entry of a small map, with its record's frame. */
  private static final long RECORD = 320;

  /** On a file: a block of its own. The first commit of a segment takes its header along. */
  private static final long BLOCK = 4096;

  private static final HeapSetup SETUP = new HeapSetup(true);

  static List<CrashTest.Operation> singleChanges() {
    return List.of(
        heap -> heap.transact(() -> map(heap).put(1L, 11L)),
        heap -> heap.transact(() -> map(heap).put(100L, 1L)),
        heap -> heap.transact(() -> map(heap).remove(1L)),
        heap -> map(heap).merge(1L, 1L, Long::sum),
        heap -> heap.map("texts", String.class, String.class).put("key", "another value"),
        heap -> heap.set("tags", Long.class).add(100L),
        heap -> heap.set("tags", Long.class).remove(1L));
  }

  @ParameterizedTest
  @MethodSource("singleChanges")
  void aCommitOfOneChangeOnDaxIsOneFenceOfOneRecord(CrashTest.Operation change) throws Exception {
    FlushLint.Cost cost = FlushLint.of(change).after(FlushLintTest::fill).onDax();

    assertThat(cost.fences()).as("fences").isEqualTo(1);
    assertThat(cost.syncs()).as("syncs").isZero();
    assertThat(cost.logBytes()).as("log bytes").isPositive().isLessThanOrEqualTo(RECORD);
    assertThat(cost.idle()).as("forces of nothing").isZero();
    assertThat(cost.cleanLines()).as("clean lines forced").isZero();
    assertThat(cost.unflushed()).as("left undurable").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("singleChanges")
  void aCommitOfOneChangeOnAFileIsOneDurableWriteOfOneBlock(CrashTest.Operation change)
      throws Exception {
    FlushLint.Cost cost = FlushLint.of(change).after(FlushLintTest::fill).onFiles();

    assertThat(cost.fences()).as("fences").isZero();
    assertThat(cost.syncs()).as("syncs").isEqualTo(1);
    assertThat(cost.logBytes()).as("log bytes").isEqualTo(BLOCK);
    assertThat(cost.unflushed()).as("left undurable").isEmpty();
  }

  @Test
  void aTransactionOfManyChangesIsStillOneFenceAndOneDurableWrite() throws Exception {
    CrashTest.Operation many =
        heap ->
            heap.transact(
                () -> {
                  for (long i = 0; i < 8; i++) {
                    map(heap).put(i, -i);
                  }
                });

    assertThat(FlushLint.of(many).after(FlushLintTest::fill).onDax().fences()).isEqualTo(1);
    assertThat(FlushLint.of(many).after(FlushLintTest::fill).onFiles().syncs()).isEqualTo(1);
  }

  @Test
  void aReadMakesNothingDurable() throws Exception {
    CrashTest.Operation read = heap -> assertThat(map(heap).get(1L)).isEqualTo(1L);
    var nothing = new FlushLint.Cost(0, 0, 0, 0, 0, List.of());

    assertThat(FlushLint.of(read).after(FlushLintTest::fill).onDax()).isEqualTo(nothing);
    assertThat(FlushLint.of(read).after(FlushLintTest::fill).onFiles()).isEqualTo(nothing);
  }

  /** Random work on maps of all kinds: each commit that returned is durable, and nothing twice. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whateverMapsDoIsDurableWhenItReturnsAndWrittenBackOnce(boolean dax) {
    try (SimulatedMedium medium = dax ? SimulatedMedium.dax(1) : SimulatedMedium.file(1);
        Heap heap = SETUP.open(medium)) {
      var maps = new MapWork(heap, 1);
      Contents model = maps.contents();
      for (int i = 0; i < 300; i++) {
        var meter = new FlushMeter(medium);
        long checkpoints = heap.stats().checkpoints();
        maps.step(model, state -> {});
        FlushLint.Cost cost = meter.read();

        assertThat(cost.unflushed()).as("left undurable by step %d", i).isEmpty();
        if (heap.stats().checkpoints() == checkpoints) {
          assertThat(cost.idle()).as("forces of nothing in step %d", i).isZero();
          assertThat(cost.cleanLines()).as("clean lines forced in step %d", i).isZero();
        }
      }
    }
  }

  /** A checkpoint forces whole pages, but none that is clean. */
  @Test
  void aCheckpointOnDaxForcesOnlyWhatIsDirty() {
    try (SimulatedMedium medium = SimulatedMedium.dax(1);
        Heap heap = SETUP.open(medium)) {
      fill(heap);
      long idle = medium.idleForces();

      heap.checkpoint();

      assertThat(medium.idleForces()).isEqualTo(idle);
      assertThat(Map.copyOf(map(heap))).isNotEmpty();
    }
  }

  private static void fill(Heap heap) {
    for (long i = 0; i < 6; i++) {
      map(heap).put(i, i);
    }
    heap.map("texts", String.class, String.class).put("key", "value");
    heap.set("tags", Long.class).add(1L);
  }

  private static DurableMap<Long, Long> map(Heap heap) {
    return heap.map("numbers", Long.class, Long.class);
  }
}
