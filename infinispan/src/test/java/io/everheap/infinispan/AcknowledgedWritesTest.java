package io.everheap.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.CrashReport;
import io.everheap.testkit.CrashTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.io.ByteBufferImpl;
import org.junit.jupiter.api.Test;

/**
 * Power losses and kills at every moment: a write that is complete is found with its deadline, and
 * an entry is in the map and in the order of deadlines, or in neither.
 */
@Campaign
class AcknowledgedWritesTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final Durability UNSYNCED = Durability.async(Duration.ofHours(1));
  private static final int WRITES = 12;
  private static final long DEADLINE = 1_000_000;

  @Test
  void aWriteThatIsCompleteSurvives() {
    CrashReport report =
        CrashTest.of(
                (heap, steps) -> {
                  Segment segment = Segment.open(heap, "segment");
                  SharedSync sync = new SharedSync(heap, Runnable::run);
                  for (int i = 0; i < WRITES; i++) {
                    steps.begin();
                    write(heap, segment, sync, i, i % 2 == 0).join();
                    steps.end();
                  }
                })
            .onFilesOnly() // on DAX a commit is durable when it returns
            .seeds(1, EFFORT)
            .effort(6 * EFFORT, 8)
            .verify((heap, progress) -> check(heap, progress.least(), progress.most()));
    assertThat(report.states()).isGreaterThan(50);
  }

  /** The first sync is for one write, the second for all others. */
  @Test
  void allWritesThatShareASyncSurviveIt() {
    CrashTest.of(
            (heap, steps) -> {
              Segment segment = Segment.open(heap, "segment");
              List<Runnable> tasks = new ArrayList<>();
              SharedSync sync = new SharedSync(heap, tasks::add);
              IntStream.range(0, WRITES).forEach(i -> steps.begin());
              List<CompletableFuture<Integer>> writes =
                  IntStream.range(0, WRITES)
                      .mapToObj(i -> write(heap, segment, sync, i, false))
                      .toList();
              while (!tasks.isEmpty()) {
                tasks.removeFirst().run();
              }
              writes.forEach(CompletableFuture::join);
              writes.forEach(write -> steps.end());
            })
        .onFilesOnly()
        .seeds(1, EFFORT)
        .effort(3 * EFFORT, 8)
        .verify((heap, progress) -> check(heap, progress.least(), progress.most()));
  }

  private static CompletableFuture<Integer> write(
      Heap heap, Segment segment, SharedSync sync, int number, boolean inline) {
    ByteBuffer value = ByteBufferImpl.create(new byte[100 * number]);
    StoredEntry entry = new StoredEntry(DEADLINE + number, -1, -1, value, null, null);
    heap.transact(UNSYNCED, () -> segment.put(key(number), entry));
    return sync.complete(number, inline).toCompletableFuture();
  }

  private static ByteBuffer key(int number) {
    return ByteBufferImpl.create(new byte[] {(byte) number});
  }

  private static void check(Heap heap, long least, long most) {
    Segment segment = Segment.open(heap, "segment");
    long found = segment.sizeWithExpired();
    assertThat(found).isBetween(least, most);
    for (int i = 0; i < found; i++) {
      StoredEntry entry = segment.get(key(i));
      assertThat(entry).isNotNull();
      assertThat(entry.deadline()).isEqualTo(DEADLINE + i);
    }
    assertThat(segment.size(DEADLINE + WRITES)).isZero(); // each is in the order of deadlines
  }
}
