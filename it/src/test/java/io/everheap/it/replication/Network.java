package io.everheap.it.replication;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Two network namespaces of the kernel with a cable between them, which can be cut, made deaf in
 * one direction, and slowed down. Needs root.
 */
final class Network implements AutoCloseable {
  private static final List<String> ADDRESSES = List.of("10.77.0.1", "10.77.0.2");

  private final List<String> names;
  private @Nullable String bad;

  private Network(List<String> names) {
    this.names = names;
  }

  /** Makes the network; throws with the reason if this machine has no such thing. */
  static Network create() throws IOException {
    String prefix = "everheap-" + ProcessHandle.current().pid();
    Network made = new Network(List.of(prefix + "-a", prefix + "-b"));
    try {
      for (String name : made.names) {
        run("ip", "netns", "add", name);
      }
      run(
          "ip",
          "-n",
          made.names.get(0),
          "link",
          "add",
          "wire",
          "type",
          "veth",
          "peer",
          "name",
          "wire",
          "netns",
          made.names.get(1));
      for (int side = 0; side < 2; side++) {
        made.ip(side, "addr", "add", ADDRESSES.get(side) + "/24", "dev", "wire");
        made.ip(side, "link", "set", "lo", "up");
        made.ip(side, "link", "set", "wire", "up");
      }
      return made;
    } catch (IOException e) {
      made.close();
      throw e;
    }
  }

  /** The address of a side. */
  static String address(int side) {
    return ADDRESSES.get(side);
  }

  /** The words before a command that runs on a side. */
  List<String> on(int side) {
    return List.of("ip", "netns", "exec", names.get(side));
  }

  /** Cuts the cable. */
  void cut() throws IOException {
    ip(0, "link", "set", "wire", "down");
  }

  /** What a side sends does not arrive any more; it still hears. */
  void silence(int side) throws IOException {
    ip(side, "route", "add", "blackhole", ADDRESSES.get(1 - side) + "/32");
  }

  /**
   * Delays and loses packets, by netem where the kernel has it, or by a rate that is too low for
   * what is sent, so that packets wait in a queue that is too short.
   *
   * @return what it did
   */
  String disturb(SplittableRandom random) throws IOException {
    int delay = random.nextInt(1, 30);
    int loss = random.nextInt(0, 8);
    try {
      for (int side = 0; side < 2; side++) {
        tc(
            side,
            String.format(Locale.ROOT, "netem delay %dms %dms loss %d%%", delay, delay / 2, loss));
      }
      return String.format(Locale.ROOT, "delay of %d ms, loss of %d %%", delay, loss);
    } catch (IOException e) {
      bad = "without netem"; // this kernel has none
    }
    int rate = random.nextInt(1, 20);
    for (int side = 0; side < 2; side++) {
      tc(side, String.format(Locale.ROOT, "tbf rate %dmbit burst 4kb latency %dms", rate, delay));
    }
    return String.format(
        Locale.ROOT, "a rate of %d Mbit/s, and loss beyond a queue of %d ms", rate, delay);
  }

  /** A note if packets could not be delayed and lost as they should. */
  @Nullable String limitation() {
    return bad;
  }

  /** Undoes all damage. */
  void mend() throws IOException {
    for (int side = 0; side < 2; side++) {
      try {
        ip(side, "route", "del", "blackhole", ADDRESSES.get(1 - side) + "/32");
      } catch (IOException e) {
        // it was not silent
      }
      try {
        tc(side, "");
      } catch (IOException e) {
        // it was not disturbed
      }
    }
    ip(0, "link", "set", "wire", "up");
  }

  private void tc(int side, String discipline) throws IOException {
    List<String> command = new ArrayList<>(List.of("tc", "-n", names.get(side), "qdisc"));
    command.addAll(List.of(discipline.isEmpty() ? "del" : "replace", "dev", "wire", "root"));
    if (!discipline.isEmpty()) {
      command.addAll(List.of(discipline.split(" ", -1)));
    }
    run(command.toArray(String[]::new));
  }

  private void ip(int side, String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip", "-n", names.get(side)));
    command.addAll(List.of(words));
    run(command.toArray(String[]::new));
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output.strip());
    }
  }

  /** Removes it, with what is sent over it. */
  @Override
  public void close() {
    for (String name : names) {
      try {
        run("ip", "netns", "del", name);
      } catch (IOException e) {
        // it was never made
      }
    }
  }
}
