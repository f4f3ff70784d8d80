package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableSortedMap;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Crashes a heap with a sorted map and a sorted set, and counts what their changes cost. */
@Campaign
class SortedCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  /** The log bytes of a commit that changes one entry without splitting a node. */
  private static final long RECORD = 448;

  /** The log bytes of a commit that moves a part of a tree of three levels. */
  private static final long MOVE = 16 << 10;

  @Test
  void onAnOrdinaryFile() {
    explore(false, true);
  }

  @Test
  void onAnOrdinaryFileWithoutWaiting() {
    explore(false, false);
  }

  @Test
  void onByteAddressableStorage() {
    explore(true, true);
  }

  private static void explore(boolean dax, boolean sync) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(3, 40, 4), new Explorer.Effort(1, 2, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      var medium = dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
      new Explorer(seed, efforts, report)
          .explore(new SortedProcess(new HeapSetup(sync), seed, 30), medium);
    }
    CrashFigures.add("sorted maps, " + (dax ? "dax" : "file") + (sync ? "" : ", async"), report);
    assertThat(report.states()).isPositive();
  }

  static List<CrashTest.Operation> singleChanges() {
    return List.of(
        heap -> heap.sortedMap("numbers", Long.class, Long.class).put(7L, 1L),
        heap -> heap.sortedMap("numbers", Long.class, Long.class).put(8L, 1L),
        heap -> heap.sortedMap("numbers", Long.class, Long.class).remove(8L),
        heap -> heap.sortedMap("numbers", Long.class, Long.class).pollFirstEntry(),
        heap -> heap.sortedMap("numbers", Long.class, Long.class).merge(8L, 1L, Long::sum),
        heap -> heap.sortedMap("texts", String.class, String.class).put("key 7", "a value"),
        heap -> heap.sortedMap("texts", String.class, String.class).put("key 8", "a value"),
        heap -> heap.sortedMap("texts", String.class, String.class).remove("key 8"),
        heap -> heap.sortedSet("set", Long.class).add(7L));
  }

  @ParameterizedTest
  @MethodSource("singleChanges")
  void aCommitOfOneChangeIsOneFenceOrOneDurableWrite(CrashTest.Operation change) throws Exception {
    FlushLint.Cost dax = FlushLint.of(change).after(SortedCrashTest::fill).onDax();
    assertThat(dax.fences()).as("fences").isEqualTo(1);
    assertThat(dax.logBytes()).as("log bytes").isPositive().isLessThanOrEqualTo(RECORD);
    assertThat(dax.idle()).as("forces of nothing").isZero();
    assertThat(dax.cleanLines()).as("clean lines forced").isZero();
    assertThat(dax.unflushed()).as("left undurable").isEmpty();
    FlushLint.Cost file = FlushLint.of(change).after(SortedCrashTest::fill).onFiles();
    assertThat(file.fences()).as("fences").isZero();
    assertThat(file.syncs()).as("syncs").isEqualTo(1);
    assertThat(file.unflushed()).as("left undurable").isEmpty();
  }

  @Test
  void aMoveOfThousandsOfEntriesStoresAFewNodes() throws Exception {
    CrashTest.Operation move =
        heap ->
            assertThat(texts(heap, "texts").moveTailTo("key 3", texts(heap, "moved"))).isPositive();
    FlushLint.Cost dax = FlushLint.of(move).after(SortedCrashTest::fillMany).onDax();
    assertThat(dax.fences()).as("fences").isEqualTo(1);
    assertThat(dax.logBytes()).as("log bytes").isPositive().isLessThanOrEqualTo(MOVE);
    assertThat(dax.unflushed()).as("left undurable").isEmpty();
    FlushLint.Cost file = FlushLint.of(move).after(SortedCrashTest::fillMany).onFiles();
    assertThat(file.syncs()).as("syncs").isEqualTo(1);
    assertThat(file.unflushed()).as("left undurable").isEmpty();
  }

  private static DurableSortedMap<String, String> texts(Heap heap, String name) {
    return heap.sortedMap(name, String.class, String.class);
  }

  private static void fillMany(Heap heap) {
    Map<String, String> all = new TreeMap<>();
    for (int i = 0; i < 5_000; i++) {
      all.put("key " + i, "value " + i);
    }
    texts(heap, "texts").putAll(all);
    assertThat(texts(heap, "moved")).isEmpty();
  }

  private static void fill(Heap heap) {
    for (long i = 0; i < 40; i += 2) {
      heap.sortedMap("numbers", Long.class, Long.class).put(i, i);
      heap.sortedMap("texts", String.class, String.class).put("key " + i, "value " + i);
      heap.sortedSet("set", Long.class).add(i);
    }
  }
}
