package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.support.tier.Campaign;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Crashes a short program at every one of its moments, and loses the power there in every possible
 * way where these are not more than 4,096; programs of more work at many of their moments.
 */
@Campaign
class SmallProgramCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  /** Something to do with a map, and what it makes of a model of it. */
  private interface Change {
    void change(Map<Long, Long> map);
  }

  @Test
  void aFewCommitsAndACheckpoint() {
    List<CrashTest.Operation> program =
        List.of(put(1, 1), put(2, 2), checkpoint(), put(1, 3), remove(2));
    CrashReport report =
        CrashTest.ofOperations(program)
            .seeds(FIRST, 1)
            .everywhere(12 * EFFORT)
            .verify(SmallProgramCrashTest::holdsAPrefix);
    CrashFigures.add("small programs, everywhere", report);
    assertThat(report.exhaustivePoints()).isPositive();
  }

  @Test
  void growth() {
    explore("growth", List.of(put(1, 1), large(700_000), put(2, 2)));
  }

  @Test
  void aReservedTable() {
    explore("reserve", List.of(put(1, 1), reserve(40), checkpoint(), put(2, 2), reserve(600)));
  }

  @Test
  void freedBlocksThatAreUsedAgain() {
    explore(
        "reuse", List.of(put(1, 1), remove(1), checkpoint(), put(2, 2), large(3_000), put(3, 3)));
  }

  @Test
  void commitsThatDoNotWait() {
    List<CrashTest.Operation> program =
        List.of(put(1, 1), put(2, 2), sync(), put(1, 3), checkpoint(), remove(2));
    CrashReport report =
        CrashTest.ofOperations(program)
            .durability(Durability.async(Duration.ofMinutes(30)))
            .seeds(FIRST, 1)
            .effort(4 * EFFORT, 12)
            .onFilesOnly()
            .verify(SmallProgramCrashTest::holdsAPrefix);
    CrashFigures.add("small programs, commits that do not wait", report);
  }

  private static void explore(String name, List<CrashTest.Operation> program) {
    CrashReport report =
        CrashTest.ofOperations(program)
            .seeds(FIRST, 1)
            .effort(4 * EFFORT, 12)
            .verify(SmallProgramCrashTest::holdsAPrefix);
    CrashFigures.add("small programs, " + name, report);
  }

  private static void holdsAPrefix(Heap heap, CrashTest.Progress progress) {
    List<Map<Long, Long>> states = new ArrayList<>();
    Map<Long, Long> state = new TreeMap<>();
    states.add(Map.copyOf(state));
    for (CrashTest.Operation operation : progress.operations()) {
      ((Step) operation).change.change(state);
      states.add(Map.copyOf(state));
    }
    assertThat(states.subList(progress.least(), progress.most() + 1))
        .contains(Map.copyOf(map(heap)));
  }

  private record Step(CrashTest.Operation operation, Change change) implements CrashTest.Operation {
    @Override
    public void run(Heap heap) throws Exception {
      operation.run(heap);
    }
  }

  private static CrashTest.Operation put(long key, long value) {
    return new Step(heap -> map(heap).put(key, value), model -> model.put(key, value));
  }

  private static CrashTest.Operation remove(long key) {
    return new Step(heap -> map(heap).remove(key), model -> model.remove(key));
  }

  private static CrashTest.Operation checkpoint() {
    return new Step(Heap::checkpoint, model -> {});
  }

  private static CrashTest.Operation reserve(long entries) {
    return new Step(heap -> map(heap).reserve(entries), model -> {});
  }

  private static CrashTest.Operation sync() {
    return new Step(Heap::sync, model -> {});
  }

  private static CrashTest.Operation large(int bytes) {
    return new Step(
        heap -> heap.map("large", Long.class, byte[].class).put(1L, new byte[bytes]), model -> {});
  }

  private static DurableMap<Long, Long> map(Heap heap) {
    return heap.map("numbers", Long.class, Long.class);
  }
}
