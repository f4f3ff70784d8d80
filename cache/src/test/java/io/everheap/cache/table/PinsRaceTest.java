package io.everheap.cache.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Pins that come and go while the entry of their slot ends, and the slot is given out again. */
class PinsRaceTest {
  private static final int READERS = 3;
  private static final int ROUNDS = 20_000;
  private static final int SLOT = 5;

  private final Pins pins = new Pins();
  private final AtomicInteger freed = new AtomicInteger();
  private volatile int owner; // of the slot, which changes when it is free only

  @Test
  void aSlotIsFreedOnceAndNotWhileItIsPinned() throws Exception {
    pins.reserve(SLOT + 1);
    var barrier = new CyclicBarrier(READERS + 1);
    try (ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        readers.add(threads.submit(() -> read(barrier)));
      }
      for (int round = 1; round <= ROUNDS; round++) {
        pins.allocate(SLOT);
        owner = round;
        pins.publish(SLOT, true);
        barrier.await(Limit.seconds(), TimeUnit.SECONDS);
        if (pins.retire(SLOT)) {
          free();
        }
        barrier.await(Limit.seconds(), TimeUnit.SECONDS);
        assertThat(freed.getAndSet(0)).as("round %s", round).isEqualTo(1);
        assertThat(pins.word(SLOT)).as("round %s", round).isEqualTo(Pins.FREE);
      }
      for (Future<?> reader : readers) {
        Limit.get(reader);
      }
    }
  }

  private void free() {
    owner = 0;
    freed.incrementAndGet();
  }

  private boolean read(CyclicBarrier barrier) throws Exception {
    for (int round = 1; round <= ROUNDS; round++) {
      barrier.await(Limit.seconds(), TimeUnit.SECONDS);
      boolean live = true;
      for (int i = 0; i < 4 && live; i++) {
        live = Pins.state(pins.pin(SLOT)) == Pins.LIVE;
        if (live) {
          pins.hit(SLOT);
          assertThat(owner).isEqualTo(round);
        }
        if (pins.unpin(SLOT)) {
          free();
        }
      }
      barrier.await(Limit.seconds(), TimeUnit.SECONDS);
    }
    return true;
  }
}
