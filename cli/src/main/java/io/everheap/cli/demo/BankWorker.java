package io.everheap.cli.demo;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * The process that is killed: it makes transfers in several threads until it is killed, and writes
 * an acknowledgement to its standard output after each one, before that thread's next one begins. A
 * client of a real bank relies on the acknowledged transfers.
 */
public final class BankWorker {
  private final Bank bank;
  private final Layout layout;
  private final Order order;
  private final FileOutputStream pipe;

  /** The parameters of the worker, passed as command line arguments. */
  record Order(
      Path directory, int scale, int threads, DurabilityOption durability, int run, long seed) {
    String[] toArguments() {
      return new String[] {
        directory.toString(),
        Integer.toString(scale),
        Integer.toString(threads),
        durability.toString(),
        Integer.toString(run),
        Long.toString(seed)
      };
    }

    static Order of(String[] arguments) {
      return new Order(
          Path.of(arguments[0]),
          Integer.parseInt(arguments[1]),
          Integer.parseInt(arguments[2]),
          DurabilityOption.parse(arguments[3]),
          Integer.parseInt(arguments[4]),
          Long.parseLong(arguments[5]));
    }
  }

  private BankWorker(Bank bank, Layout layout, Order order, FileOutputStream pipe) {
    this.bank = bank;
    this.layout = layout;
    this.order = order;
    this.pipe = pipe;
  }

  /**
   * Works until it is killed, or until its output is closed.
   *
   * @param arguments those of {@link Order}
   */
  public static void main(String[] arguments) {
    // Only frames may be written to file descriptor 1.
    var pipe = new FileOutputStream(FileDescriptor.out);
    System.setOut(System.err);
    try {
      Order order = Order.of(arguments);
      var layout = new Layout(order.scale());
      Bank bank = Bank.open(order.directory(), layout, order.durability().durability());
      new BankWorker(bank, layout, order, pipe).start();
    } catch (Throwable e) {
      fail(e);
    }
  }

  private void start() {
    if (order.run() == 0) {
      bank.load(accounts -> send(Frame.loaded(accounts)));
    }
    send(Frame.ready());
    for (int i = 0; i < order.threads(); i++) {
      int thread = i;
      Thread.ofPlatform().name("teller-" + i).start(() -> work(thread));
    }
  }

  private void work(int thread) {
    try {
      var random =
          new SplittableRandom(order.seed() ^ TransferId.of(order.run() + 1, thread, 0)).split();
      for (long sequence = 0; ; sequence++) {
        Transfer transfer = layout.draw(random, System.currentTimeMillis());
        long id = TransferId.of(order.run(), thread, sequence);
        long balance = bank.execute(id, transfer);
        send(new Frame(id, transfer.account(), transfer.teller(), transfer.delta(), balance));
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** Ends the whole process with a message: the end of one thread alone would go unnoticed. */
  private static void fail(Throwable cause) {
    cause.printStackTrace();
    Runtime.getRuntime().halt(1);
  }

  private void send(Frame frame) {
    try {
      pipe.write(frame.encode());
    } catch (IOException e) {
      throw new UncheckedIOException("the demo no longer listens", e);
    }
  }
}
