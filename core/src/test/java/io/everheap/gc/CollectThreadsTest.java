package io.everheap.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.everheap.Heap;
import io.everheap.error.StaleReferenceException;
import io.everheap.gc.CollectHeaps.Node;
import io.everheap.heap.OpenHeap;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Collections in threads of their own. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class CollectThreadsTest {
  @Test
  void twoThreadsCollectWhileAnotherOneChangesTheGraph() throws Exception {
    try (Heap heap = CollectHeaps.open();
        ExecutorService executor = Executors.newFixedThreadPool(2)) {
      GraphWork work = new GraphWork(heap, 7);
      AtomicBoolean over = new AtomicBoolean();
      Future<Integer> first = executor.submit(() -> collectUntil(heap, over));
      Future<Integer> second = executor.submit(() -> collectUntil(heap, over));
      for (int i = 0; i < 3000; i++) {
        work.step();
      }
      over.set(true);
      assertThat(first.get() + second.get()).isPositive();
      work.check();
      assertThat(heap.collect().liveObjects()).isEqualTo(work.reachable().size());
      OpenHeap.engine(heap).drainHousekeeping();
      assertThat(heap.verify().problems()).isEmpty();
      assertThat(heap.verify().unreachable()).isZero();
    }
  }

  private static int collectUntil(Heap heap, AtomicBoolean over) {
    int runs = 0;
    do {
      assertThat(heap.collect().complete()).isTrue();
      runs++;
    } while (!over.get());
    return runs;
  }

  @Test
  void shrinkingWaitsForACollectionThatLooksAtWhatWouldBeGone(@TempDir Path directory)
      throws Exception {
    try (Heap heap = CollectHeaps.settings(Heap.builder(directory)).open();
        ExecutorService executor = Executors.newFixedThreadPool(1)) {
      heap.object("root", Node.class);
      AtomicBoolean over = new AtomicBoolean();
      Future<Integer> collecting = executor.submit(() -> collectUntil(heap, over));
      for (int i = 0; i < 20; i++) {
        heap.transact(
            () -> {
              for (int n = 0; n < 5000; n++) {
                CollectHeaps.node(heap, n);
              }
            });
        assertThat(heap.shrink()).isNotNegative();
      }
      over.set(true);
      assertThat(collecting.get()).isPositive();
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void itCollectsByItselfWhenEnoughWasAllocated(@TempDir Path directory) {
    try (Heap heap =
        CollectHeaps.settings(Heap.builder(directory)).collectAutomatically(0.01).open()) {
      Node root = heap.object("root", Node.class);
      Node garbage = CollectHeaps.node(heap, 1);
      while (isThere(garbage)) {
        makeGarbage(heap);
      }
      assertThat(root.id()).isZero();
    }
  }

  @Test
  void itGoesOnAfterAnError(@TempDir Path directory) {
    Logger logger = Logger.getLogger("io.everheap");
    Level level = logger.getLevel();
    FailingHandler handler = new FailingHandler();
    logger.addHandler(handler);
    logger.setLevel(Level.FINE);
    try (Heap heap =
        CollectHeaps.settings(Heap.builder(directory)).collectAutomatically(0.01).open()) {
      heap.object("root", Node.class);
      while (!handler.failed) {
        makeGarbage(heap);
      }
      Node garbage = CollectHeaps.node(heap, 1);
      while (isThere(garbage)) {
        makeGarbage(heap);
      }
    } finally {
      logger.setLevel(level);
      logger.removeHandler(handler);
    }
  }

  private static void makeGarbage(Heap heap) {
    heap.transact(
        () -> {
          for (int i = 0; i < 1000; i++) {
            CollectHeaps.node(heap, i);
          }
        });
  }

  /** Has no memory for the message of the first collection, nor for the one that tells so. */
  private static final class FailingHandler extends Handler {
    volatile boolean failed;

    @Override
    public void publish(LogRecord message) {
      if (message.getMessage().startsWith("an automatic collection failed")) {
        failed = true;
        throw new OutOfMemoryError("made up, again");
      }
      if (message.getMessage().startsWith("an automatic collection") && !failed) {
        failed = true;
        throw new OutOfMemoryError("made up");
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private static boolean isThere(Node node) {
    try {
      return node.id() == 1;
    } catch (StaleReferenceException e) {
      return false;
    }
  }

  @Test
  void closingDoesNotWaitForWhatIsNotNeeded(@TempDir Path directory) {
    Heap heap = CollectHeaps.settings(Heap.builder(directory)).collectAutomatically(1e9).open();
    heap.object("root", Node.class);
    heap.close();
    assertThat(heap.isOpen()).isFalse();
  }

  @Test
  void settingsThatMakeNoSenseAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CollectHeaps.builder().collectAutomatically(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CollectHeaps.builder().collectAutomatically(Double.NaN));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CollectHeaps.builder().collectMemory(1000));
  }
}
