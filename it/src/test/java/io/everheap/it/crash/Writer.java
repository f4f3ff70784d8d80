package io.everheap.it.crash;

import io.everheap.Durability;
import io.everheap.engine.log.Log;
import io.everheap.heap.OpenHeap;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The threads that write to one heap, and one that tells what became durable by itself. */
final class Writer {
  private static final long LOOK_NANOS = 1_000_000;
  private static final int LOOKS_PER_SYNC = 8;

  private final Order order;
  private final Ledger ledger;
  private final Consumer<Ack> acks;
  private final Consumer<Throwable> failure;
  private final AtomicLong returned = new AtomicLong();

  Writer(Order order, Ledger ledger, Consumer<Ack> acks, Consumer<Throwable> failure) {
    this.order = order;
    this.ledger = ledger;
    this.acks = acks;
    this.failure = failure;
  }

  void start() {
    for (int i = 0; i < order.threads(); i++) {
      int thread = i;
      start("writer-" + i, () -> write(thread));
    }
    if (!order.isSync() && !order.neverSyncs()) {
      start("observer", this::observe);
    }
  }

  private void start(String name, Runnable body) {
    Thread.ofPlatform()
        .name(name + "-of-heap-" + order.heap())
        .start(
            () -> {
              try {
                body.run();
              } catch (Throwable e) {
                failure.accept(e);
              }
            });
  }

  private void write(int thread) {
    var random = new SplittableRandom(order.seed() + order.run() * 1_000L + thread).split();
    while (true) {
      switch (random.nextInt(16)) {
        case 0 -> ledger.abort();
        case 1, 2 -> commitAsync(order.neverSyncs());
        default -> commit(order.mixed() && random.nextInt(4) == 0);
      }
    }
  }

  private void commit(boolean other) {
    Durability durability = other ? order.otherDurability() : order.durability();
    long n = other ? ledger.commit(durability) : ledger.commit();
    acknowledgeReturned(n);
    if (durability.equals(Durability.SYNC) || order.medium().equals("dax")) {
      acknowledgeDurable(n, 0);
    }
  }

  private void commitAsync(boolean neverSync) {
    if (neverSync) {
      commit(false);
      return;
    }
    long[] number = new long[1];
    var stage = ledger.commitAsync(number);
    acknowledgeReturned(number[0]);
    stage.whenComplete(
        (n, problem) -> {
          if (problem != null) {
            failure.accept(problem);
          } else {
            acknowledgeDurable(n, 0);
          }
        });
  }

  private void acknowledgeReturned(long n) {
    long now = System.nanoTime();
    returned.accumulateAndGet(n, Math::max);
    acks.accept(new Ack(Ack.Kind.RETURNED, order.heap(), n, now));
  }

  private void acknowledgeDurable(long n, long syncNanos) {
    acks.accept(new Ack(Ack.Kind.DURABLE, order.heap(), n, syncNanos));
  }

  /** Watches what the log's own syncs make durable, and now and then asks for one. */
  private void observe() {
    Log log = OpenHeap.engine(ledger.heap()).log();
    for (int look = 1; ; look++) {
      long n = returned.get();
      long began = System.nanoTime();
      if (look % LOOKS_PER_SYNC == 0) {
        ledger.heap().sync();
        acknowledgeDurable(n, System.nanoTime() - began);
      } else {
        long lsn = log.appended();
        while (log.durable() < lsn) {
          LockSupport.parkNanos(LOOK_NANOS);
        }
        acknowledgeDurable(n, 0);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}
