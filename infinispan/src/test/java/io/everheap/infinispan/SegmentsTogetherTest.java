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
import java.util.Objects;
import java.util.TreeSet;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.io.ByteBufferImpl;
import org.junit.jupiter.api.Test;

/**
 * Power losses and kills at every moment: what changes several segments, a batch, a clear, or the
 * decision of a prepared transaction, happens wholly or not at all, and survives when it is
 * complete.
 */
@Campaign
class SegmentsTogetherTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final Durability UNSYNCED = Durability.async(Duration.ofHours(1));
  private static final int STEPS = 12;
  private static final long DEADLINE = 1_000_000;

  /** What a heap has of the cache: prepared transactions, and each segment's keys and mortals. */
  private record State(List<PreparedTransaction> prepared, List<String> segments) {}

  /** The cache of a heap, changed as the store does it. */
  private static final class Cached {
    private final Heap heap;
    private final List<Segment> segments;
    private final Prepared prepared;

    Cached(Heap heap) {
      this.heap = heap;
      this.segments = List.of(Segment.open(heap, "one"), Segment.open(heap, "two"));
      this.prepared = new Prepared(heap, "prepared");
    }

    void step(int number) {
      heap.transact(UNSYNCED, () -> change(number));
      new SharedSync(heap, Runnable::run).complete(number, true).toCompletableFuture().join();
    }

    private void change(int number) {
      switch (number % 6) {
        case 0, 3 -> prepared.keep("transaction", Change.encode(changes(number)));
        case 1, 4 -> apply(Change.decode(Objects.requireNonNull(prepared.take("transaction"))));
        case 2 -> apply(changes(number));
        default -> segments.forEach(Segment::clear);
      }
    }

    private static List<Change> changes(int number) {
      var changes = new ArrayList<Change>();
      for (int i = 0; i < 2; i++) {
        ByteBuffer value = ByteBufferImpl.create(new byte[300 * number]);
        StoredEntry entry = new StoredEntry(DEADLINE + number, -1, -1, value, null, null);
        changes.add(new Change(i, key(number), entry));
        changes.add(new Change(i, key(number - 1), null));
      }
      return changes;
    }

    private static ByteBuffer key(int number) {
      return ByteBufferImpl.create(new byte[] {(byte) number});
    }

    private void apply(List<Change> changes) {
      for (Change change : changes) {
        Segment segment = segments.get(change.segment());
        if (change.entry() == null) {
          segment.remove(change.key(), Long.MAX_VALUE);
        } else {
          segment.put(change.key(), change.entry());
        }
      }
    }

    State state() {
      return new State(prepared.list(), segments.stream().map(Cached::describe).toList());
    }

    private static String describe(Segment segment) {
      var keys = new TreeSet<Byte>();
      segment
          .iterator(
              failure -> {
                throw failure;
              })
          .forEachRemaining(keyed -> keys.add(keyed.key().getBuf()[0]));
      return keys + ", not expired " + segment.size(DEADLINE + STEPS);
    }
  }

  @Test
  void theyChangeTogether() {
    List<State> expected = states();
    CrashReport report =
        CrashTest.of(
                (heap, steps) -> {
                  var cache = new Cached(heap);
                  for (int i = 0; i < STEPS; i++) {
                    steps.begin();
                    cache.step(i);
                    steps.end();
                  }
                })
            .onFilesOnly() // on DAX a commit is durable when it returns
            .seeds(1, EFFORT)
            .effort(6 * EFFORT, 8)
            .verify(
                (heap, progress) ->
                    assertThat(new Cached(heap).state())
                        .isIn(expected.subList(progress.least(), progress.most() + 1)));
    assertThat(report.states()).isGreaterThan(50);
  }

  /** The states after no step, one, and so on. */
  private static List<State> states() {
    var states = new ArrayList<State>();
    try (Heap heap = Heap.inMemory()) {
      var cache = new Cached(heap);
      states.add(cache.state());
      for (int i = 0; i < STEPS; i++) {
        cache.step(i);
        states.add(cache.state());
      }
    }
    return states;
  }
}
