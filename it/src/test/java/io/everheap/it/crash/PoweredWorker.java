package io.everheap.it.crash;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What runs in the virtual machine until its power is cut: control files, and a worker. */
public final class PoweredWorker {
  private PoweredWorker() {}

  /**
   * Checks what the last power cut left, and writes until the next one.
   *
   * @param arguments where acknowledgements go, "work" or "check" for no writing, the number of the
   *     run, that of the run whose control files are checked (-1: none), their directory, then the
   *     {@link Order}s
   */
  @SuppressWarnings("resource") // nothing is closed before the machine is off
  public static void main(String[] arguments) {
    try {
      OutputStream out = new FileOutputStream(arguments[0]);
      int run = Integer.parseInt(arguments[2]);
      var control = new Control(Path.of(arguments[4]), run);
      List<Order> orders = new ArrayList<>();
      for (int i = 5; i < arguments.length; i++) {
        orders.add(Order.of(arguments[i]).withRun(run));
      }
      control.check(Integer.parseInt(arguments[3]), ack -> Worker.send(out, ack));
      Files.createFile(Path.of("/mnt/shared/started"));
      if (arguments[1].equals("check")) {
        Worker.check(orders, out);
      } else {
        control.prepare();
        Worker.work(orders, out, () -> write(control));
      }
    } catch (Throwable e) {
      Worker.fail(e);
    }
  }

  private static void write(Control control) {
    try {
      control.write();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
