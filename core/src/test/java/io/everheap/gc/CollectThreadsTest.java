package io.everheap.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.everheap.Heap;
import io.everheap.engine.event.EngineLogger;
import io.everheap.error.GoneException;
import io.everheap.gc.CollectHeaps.Node;
import io.everheap.heap.OpenHeap;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Collections in threads of their own. */
@Campaign
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
      assertThat(Limit.get(first) + Limit.get(second)).isPositive();
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
      assertThat(Limit.get(collecting)).isPositive();
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void itCollectsByItselfWhenEnoughWasAllocated(@TempDir Path directory) {
    try (Heap heap =
        CollectHeaps.settings(Heap.builder(directory)).collectAutomatically(0.01).open()) {
      Node root = heap.object("root", Node.class);
      Node garbage = CollectHeaps.node(heap, 1);
      makeGarbageUntil("the garbage is collected", heap, () -> !isThere(garbage));
      assertThat(root.id()).isZero();
    }
  }

  @Test
  void itGoesOnAfterAnError(@TempDir Path directory) throws Exception {
    AtomicBoolean failed = new AtomicBoolean();
    Field logger = EngineLogger.class.getDeclaredField("logger");
    logger.setAccessible(true);
    Object before = logger.get(null);
    logger.set(null, failing(failed));
    try (Heap heap =
        CollectHeaps.settings(Heap.builder(directory)).collectAutomatically(0.01).open()) {
      heap.object("root", Node.class);
      makeGarbageUntil("a collection has failed", heap, failed::get);
      Node garbage = CollectHeaps.node(heap, 1);
      makeGarbageUntil("the garbage is collected", heap, () -> !isThere(garbage));
    } finally {
      logger.set(null, before);
    }
  }

  /** A logger that has no memory for the message of the first collection. */
  private static System.Logger failing(AtomicBoolean failed) {
    return (System.Logger)
        Proxy.newProxyInstance(
            System.Logger.class.getClassLoader(),
            new Class<?>[] {System.Logger.class},
            (proxy, method, arguments) -> {
              boolean collection =
                  arguments != null
                      && Arrays.asList(arguments).contains("an automatic collection: {0}");
              if (collection && !failed.getAndSet(true)) {
                throw new OutOfMemoryError("made up");
              }
              return method.getReturnType() == boolean.class ? false : null;
            });
  }

  private static void makeGarbageUntil(String what, Heap heap, BooleanSupplier condition) {
    Limit.until(
        what,
        () -> {
          heap.transact(
              () -> {
                for (int i = 0; i < 1000; i++) {
                  CollectHeaps.node(heap, i);
                }
              });
          return condition.getAsBoolean();
        });
  }

  private static boolean isThere(Node node) {
    try {
      return node.id() == 1;
    } catch (GoneException e) {
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
