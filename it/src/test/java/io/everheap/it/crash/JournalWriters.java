package io.everheap.it.crash;

import io.everheap.it.journal.JournalLedger;
import io.everheap.journal.Journal;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The threads that append to a journal, and one that tells what became durable by itself. The
 * number of a commit is that of a record, from 1 on.
 */
final class JournalWriters {
  private static final long LOOK_NANOS = 1_000_000;
  private static final long RETAIN = 24 << 20;

  private final Order order;
  private final JournalLedger ledger;
  private final Consumer<Ack> acks;
  private final Consumer<Throwable> failure;

  JournalWriters(
      Order order, JournalLedger ledger, Consumer<Ack> acks, Consumer<Throwable> failure) {
    this.order = order;
    this.ledger = ledger;
    this.acks = acks;
    this.failure = failure;
  }

  /** Opens the journal, which recovers; its medium must be as ordered. */
  static JournalLedger open(Order order) {
    JournalLedger ledger = JournalLedger.open(order.directory(), order.interval(), RETAIN);
    String medium = ledger.journal().info().medium();
    if (!medium.equals(order.medium())) {
      throw new AssertionError(String.format(Locale.ROOT, "%s is on the medium %s", order, medium));
    }
    return ledger;
  }

  void start() {
    for (int i = 0; i < order.threads(); i++) {
      int thread = i;
      start("appender-" + i, () -> append(thread));
    }
    if (!order.isSync()) {
      start("observer", this::observe);
    }
  }

  private void start(String name, Runnable body) {
    Thread.ofPlatform()
        .name(name + "-of-journal-" + order.heap())
        .start(
            () -> {
              try {
                body.run();
              } catch (Throwable e) {
                failure.accept(e);
              }
            });
  }

  private void append(int thread) {
    for (long number = 0; ; number++) {
      long commit = ledger.append(order.run(), thread, number) + 1;
      acks.accept(new Ack(Ack.Kind.RETURNED, order.heap(), commit, System.nanoTime()));
      if (order.isSync()) {
        acks.accept(new Ack(Ack.Kind.DURABLE, order.heap(), commit, 0));
      }
    }
  }

  private void observe() {
    Journal journal = ledger.journal();
    for (int look = 1; ; look++) {
      if (look % 100 == 0) {
        long commit = journal.nextSequence();
        long began = System.nanoTime();
        journal.force();
        acks.accept(new Ack(Ack.Kind.DURABLE, order.heap(), commit, System.nanoTime() - began));
      } else {
        acks.accept(new Ack(Ack.Kind.DURABLE, order.heap(), journal.durableSequence(), 0));
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}
