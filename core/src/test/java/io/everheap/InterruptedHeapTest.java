package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableMap;
import io.everheap.heap.HeapSettings;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An interrupt ends nothing that the heap does, and is still there afterwards. */
class InterruptedHeapTest {
  @TempDir Path temp;
  private Path directory;

  @BeforeEach
  void nameAHeap() {
    directory = temp.resolve("h");
  }

  private Heap open() {
    return HeapSettings.options(Heap.builder(directory), TestHeaps.automatic()).open();
  }

  @Test
  void commitsOfThreadsThatAreInterruptedAllTheTimeAreAllThere() throws Exception {
    int threads = 4;
    int each = 40;
    try (Heap heap = open()) {
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);
      List<Threads.Running<Integer>> running = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int first = t * each;
        running.add(
            Threads.start(
                "committer " + t,
                () -> {
                  int interrupts = 0;
                  for (int i = first; i < first + each; i++) {
                    Thread.currentThread().interrupt();
                    map.put(i, TestHeaps.value(i));
                    interrupts += Thread.interrupted() ? 1 : 0;
                  }
                  return interrupts;
                }));
      }
      Limit.until(
          "all have committed",
          () -> {
            for (int i = 0; i < 1000; i++) {
              running.forEach(r -> r.thread().interrupt());
            }
            return running.stream().allMatch(r -> r.task().isDone());
          });
      for (Threads.Running<Integer> r : running) {
        assertThat(r.result()).isEqualTo(each);
      }
      TestHeaps.assertHolds(heap, threads * each);
    }
    TestHeaps.assertHolds(directory, threads * each);
  }

  @Test
  void anInterruptedThreadKeepsItsPlaceInTheQueueOfWriters() throws Exception {
    try (Heap heap = open()) {
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);
      Threads.Running<?>[] waiting = new Threads.Running<?>[1];
      heap.transact(
          () -> {
            map.put(0, TestHeaps.value(0));
            waiting[0] =
                Threads.start(
                    "waiting",
                    () -> {
                      map.put(1, TestHeaps.value(1));
                      return Thread.interrupted();
                    });
            waiting[0].awaitWaiting();
            waiting[0].thread().interrupt();
            waiting[0].awaitWaiting();
            map.put(2, TestHeaps.value(2));
          });
      assertThat(waiting[0].result()).isEqualTo(true);
      TestHeaps.assertHolds(heap, 3);
    }
    TestHeaps.assertHolds(directory, 3);
  }

  @Test
  void anInterruptedThreadClosesTheHeapProperly() {
    Heap heap = open();
    TestHeaps.put(heap, 0, 20);
    Thread.currentThread().interrupt();
    heap.close();
    assertThat(Thread.interrupted()).isTrue();

    try (Heap reopened = TestHeaps.open(directory)) {
      assertThat(reopened.stats().recovery().clean()).isTrue();
      TestHeaps.assertHolds(reopened, 20);
    }
  }

  @Test
  void aThreadThatIsInterruptedWhileItClosesTheHeapGoesOn() throws Exception {
    Heap heap = open();
    DurableMap<Integer, String> map = TestHeaps.numbers(heap);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Threads.Running<Object> writer =
        Threads.start(
            "writer",
            () -> {
              heap.transact(
                  () -> {
                    begun.countDown();
                    Limit.await(end);
                    map.put(0, TestHeaps.value(0));
                  });
              return "committed";
            });
    Limit.await(begun);
    Threads.Running<Boolean> closing =
        Threads.start(
            "closing",
            () -> {
              heap.close();
              return Thread.interrupted();
            });
    closing.awaitWaiting();
    closing.thread().interrupt();
    closing.awaitWaiting();
    end.countDown();
    assertThat(writer.result()).isEqualTo("committed");
    assertThat(closing.result()).isTrue();
    TestHeaps.assertHolds(directory, 1);
  }

  @Test
  void anInterruptedThreadOpensRecoversReadsChecksAndShrinks() {
    TestHeaps.killed(directory, 30);
    Thread.currentThread().interrupt();
    try (Heap heap = open()) {
      TestHeaps.assertHolds(heap, 30);
      heap.checkpoint();
      heap.sync();
      heap.shrink();
      TestHeaps.put(heap, 30, 40);
      TestHeaps.assertHolds(heap, 40);
    }
    assertThat(Thread.interrupted()).isTrue();
    TestHeaps.assertHolds(directory, 40);
  }
}
