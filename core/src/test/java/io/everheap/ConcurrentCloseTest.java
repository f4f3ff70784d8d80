package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two threads close a heap, such as the program and its shutdown hook. */
class ConcurrentCloseTest {
  @TempDir Path temp;

  @Test
  void whenASecondCloseReturnsTheHeapCanBeOpenedAgain() throws Exception {
    Path directory = temp.resolve("heap");
    Heap heap = Heap.open(directory);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    FutureTask<Boolean> write =
        new FutureTask<>(
            () ->
                heap.transact(
                    () -> {
                      heap.map("m", String.class, Integer.class).put("a", 1);
                      begun.countDown();
                      return end.await(Limit.seconds(), TimeUnit.SECONDS);
                    }));
    Thread.ofPlatform().start(write);
    begun.await();
    Thread first = Thread.ofPlatform().start(heap::close); // waits for the transaction
    while (heap.isOpen()) {
      Thread.onSpinWait();
    }
    FutureTask<Integer> closeAndOpen =
        new FutureTask<>(
            () -> {
              Thread.currentThread().interrupt();
              heap.close();
              assertThat(Thread.interrupted()).isTrue();
              try (Heap again = Heap.open(directory)) {
                return again.map("m", String.class, Integer.class).get("a");
              }
            });
    Thread second = Thread.ofPlatform().start(closeAndOpen);
    while (second.getState() != Thread.State.TIMED_WAITING && second.isAlive()) {
      Thread.onSpinWait();
    }
    end.countDown();
    assertThat(closeAndOpen.get(Limit.seconds(), TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(write.get()).isTrue();
    first.join();
  }
}
