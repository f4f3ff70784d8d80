package io.everheap.it.crash;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
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
   *     run, the directory of control files, then the {@link Order}s
   */
  @SuppressWarnings("resource") // nothing is closed before the machine is off
  public static void main(String[] arguments) {
    try {
      OutputStream out = new FileOutputStream(arguments[0]);
      int run = Integer.parseInt(arguments[2]);
      var control = new Control(Path.of(arguments[3]), run);
      List<Order> orders = new ArrayList<>();
      for (int i = 4; i < arguments.length; i++) {
        orders.add(Order.of(arguments[i]).withRun(run));
      }
      control.check(ack -> Worker.send(out, ack));
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
