package io.everheap.it.crash;

import io.everheap.it.journal.JournalLedger;
import io.everheap.replication.Primary;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The process that is killed: opens heaps and journals, checks everything in them, tells what it
 * found, and then writes to them without end, telling of each commit before that thread's next one
 * begins.
 */
public final class Worker {
  private Worker() {}

  /**
   * Works until it is killed.
   *
   * @param arguments where acknowledgements go ("-": standard output), then the {@link Order}s
   */
  @SuppressWarnings("resource") // nothing is closed before the process ends
  public static void main(String[] arguments) {
    // Nothing but acknowledgements may go to descriptor 1.
    System.setOut(System.err);
    try {
      OutputStream out =
          arguments[0].equals("-")
              ? new FileOutputStream(FileDescriptor.out)
              : new FileOutputStream(arguments[0]);
      List<Order> orders = new ArrayList<>();
      for (int i = 1; i < arguments.length; i++) {
        orders.add(Order.of(arguments[i]));
      }
      work(orders, out, () -> {});
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** Opens and checks all heaps, runs an action, and starts to write. */
  static void work(List<Order> orders, OutputStream out, Runnable beforeWriting) {
    List<Runnable> writers = new ArrayList<>();
    for (Order order : orders) {
      writers.add(order.kind() == Order.Kind.JOURNAL ? openJournal(order, out) : open(order, out));
    }
    beforeWriting.run();
    writers.forEach(Runnable::run);
  }

  /** Opens, checks and closes all heaps and journals. */
  static void check(List<Order> orders, OutputStream out) {
    for (Order order : orders) {
      if (order.kind() == Order.Kind.JOURNAL) {
        try (JournalLedger ledger = JournalWriters.open(order)) {
          send(out, new Ack(Ack.Kind.RECOVERED, order.heap(), ledger.check(), 0));
        }
        continue;
      }
      try (Ledger ledger = Ledger.open(order)) {
        send(out, new Ack(Ack.Kind.RECOVERED, order.heap(), ledger.check(), 0));
      }
    }
  }

  private static Runnable openJournal(Order order, OutputStream out) {
    JournalLedger ledger = JournalWriters.open(order);
    long recovered = ledger.check();
    if (order.run() % 4 == 3) {
      ledger.close();
      ledger = JournalWriters.open(order);
      requireSame(recovered, ledger.check());
    }
    send(out, new Ack(Ack.Kind.RECOVERED, order.heap(), recovered, 0));
    return new JournalWriters(order, ledger, ack -> send(out, ack), Worker::fail)::start;
  }

  private static void requireSame(long recovered, long again) {
    if (again != recovered) {
      throw new AssertionError(
          String.format(Locale.ROOT, "%d commits before closing, %d after", recovered, again));
    }
  }

  private static Runnable open(Order order, OutputStream out) {
    Ledger ledger = Ledger.open(order);
    long recovered = ledger.check();
    if (order.run() % 4 == 3) {
      // Closing and opening again must change nothing.
      ledger.close();
      ledger = Ledger.open(order);
      requireSame(recovered, ledger.check());
    }
    send(out, new Ack(Ack.Kind.RECOVERED, order.heap(), recovered, 0));
    if (order.kind() == Order.Kind.PRIMARY) {
      Primary.of(ledger.heap()).insecure().listen(new InetSocketAddress(Order.PORT)).copies(1);
    }
    return new Writer(order, ledger, ack -> send(out, ack), Worker::fail)::start;
  }

  static void send(OutputStream out, Ack ack) {
    try {
      synchronized (out) {
        out.write(ack.encode());
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  /** Ends the whole process and says why: one thread less would go unnoticed. */
  static void fail(Throwable cause) {
    cause.printStackTrace();
    Runtime.getRuntime().halt(1);
  }
}
