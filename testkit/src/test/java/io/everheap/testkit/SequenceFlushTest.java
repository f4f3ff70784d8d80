package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A change of a list, a deque or a priority queue is one fence, and few bytes of the log. */
class SequenceFlushTest {
  /**
   * A single change.
   *
   * @param bytes of the log that it may take, with its record's frame: a multiple of 64
   */
  record Change(String name, long bytes, CrashTest.Operation operation) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final Duration LONG = Duration.ofHours(1);

  static List<Change> changes() {
    return List.of(
        new Change("append", 64, heap -> heap.list("list", Long.class).add(1L)),
        new Change("set", 64, heap -> heap.list("list", Long.class).set(500, 1L)),
        new Change("remove last", 64, heap -> heap.list("list", Long.class).removeLast()),
        new Change("insert", 2048, heap -> heap.list("list", Long.class).add(500, 1L)),
        new Change("remove", 2048, heap -> heap.list("list", Long.class).remove(500)),
        new Change("offer", 64, heap -> heap.deque("deque", Long.class).offer(1L)),
        new Change("offer first", 64, heap -> heap.deque("deque", Long.class).offerFirst(1L)),
        new Change("poll", 64, heap -> heap.deque("deque", Long.class).poll()),
        new Change("poll last", 64, heap -> heap.deque("deque", Long.class).pollLast()),
        new Change("remove between", 64, heap -> heap.deque("deque", Long.class).remove(500L)),
        new Change("offer text", 160, heap -> heap.deque("texts", String.class).offer("text")),
        new Change("poll text", 128, heap -> heap.deque("texts", String.class).poll()),
        new Change("add to queue", 2048, heap -> heap.priorityQueue("queue", Long.class).add(500L)),
        new Change("add to work queue", 128, heap -> heap.workQueue("work", Long.class).add(500L)),
        new Change("lease", 512, heap -> heap.workQueue("work", Long.class).tryLease(LONG)),
        new Change("poll queue", 64, heap -> heap.priorityQueue("queue", Long.class).poll()));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void onDaxItIsOneFence(Change change) throws Exception {
    FlushLint.Cost cost = FlushLint.of(change.operation).after(SequenceFlushTest::fill).onDax();

    assertThat(cost.fences()).as("fences").isEqualTo(1);
    assertThat(cost.syncs()).as("syncs").isZero();
    assertThat(cost.logBytes()).as("log bytes").isPositive().isLessThanOrEqualTo(change.bytes);
    assertThat(cost.idle()).as("forces of nothing").isZero();
    assertThat(cost.cleanLines()).as("clean lines forced").isZero();
    assertThat(cost.unflushed()).as("left undurable").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("changes")
  void onAFileItIsOneDurableWrite(Change change) throws Exception {
    FlushLint.Cost cost = FlushLint.of(change.operation).after(SequenceFlushTest::fill).onFiles();

    assertThat(cost.fences()).as("fences").isZero();
    assertThat(cost.syncs()).as("syncs").isEqualTo(1);
    assertThat(cost.unflushed()).as("left undurable").isEmpty();
  }

  private static void fill(Heap heap) {
    var numbers = LongStream.range(0, 1000).boxed().toList();
    heap.list("list", Long.class).addAll(numbers);
    heap.deque("deque", Long.class).addAll(numbers);
    heap.deque("deque", Long.class).addFirst(-1L);
    heap.deque("deque", Long.class).addFirst(-2L); // a chunk that has room at the front
    heap.deque("texts", String.class).addAll(List.of("a", "b", "c"));
    heap.priorityQueue("queue", Long.class).addAll(numbers);
    heap.workQueue("work", Long.class).addAll(numbers);
  }
}
