package io.everheap.it.crash;

import io.everheap.support.Limit;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A virtual machine that runs one command: watched, and switched off. For one thread. */
final class Guest implements AutoCloseable {
  private static final int SHOWN_LINES = 60;

  private final Process emulator;
  private final Path directory;
  private final Path console;
  private long read;

  private Guest(Process emulator, Path directory, Path console) {
    this.emulator = emulator;
    this.directory = directory;
    this.console = console;
  }

  /**
   * Switches the machine on.
   *
   * @param rig holds the script {@code boot}
   * @param directory holds the built guest
   * @param forwarded a port of the loopback interface that leads to {@link Order#PORT} of the guest
   * @param command to run in it; {@code $PORT} in it stands for the device of acknowledgements
   */
  static Guest boot(Path rig, Path directory, int forwarded, List<String> command)
      throws IOException {
    Path console = directory.resolve("console");
    Files.deleteIfExists(directory.resolve("port"));
    Files.deleteIfExists(directory.resolve("shared").resolve("started"));
    List<String> line = new ArrayList<>();
    line.add(rig.resolve("boot").toString());
    line.add(directory.toString());
    line.add("tcp:127.0.0.1:" + forwarded + "-:" + Order.PORT);
    line.addAll(command);
    Process process =
        new ProcessBuilder(line)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(console.toFile())
            .start();
    return new Guest(process, directory, console);
  }

  boolean isOn() {
    return emulator.isAlive();
  }

  /** Whether the command made the file {@code /mnt/shared/started}. */
  boolean hasStarted() {
    return Files.exists(directory.resolve("shared").resolve("started"));
  }

  /** Hands over the acknowledgements that came since the last call; a cut one at the end waits. */
  void receive(Consumer<Ack> consumer) throws IOException {
    Path port = directory.resolve("port");
    if (!Files.exists(port)) {
      return;
    }
    byte[] bytes = new byte[Ack.BYTES];
    try (var in = new RandomAccessFile(port.toFile(), "r")) {
      byte[] all = new byte[(int) ((in.length() - read) / Ack.BYTES * Ack.BYTES)];
      in.seek(read);
      in.readFully(all);
      read += all.length;
      for (int i = 0; i < all.length; i += Ack.BYTES) {
        System.arraycopy(all, i, bytes, 0, Ack.BYTES);
        consumer.accept(Ack.decode(bytes));
      }
    }
  }

  /** Cuts the power: what the machine holds in its memory is gone. */
  void cutPower() throws InterruptedException {
    emulator.toHandle().destroyForcibly();
    emulator.waitFor();
  }

  /** The exit code of the command, once the machine is off; -1 if it did not get so far. */
  int status() throws IOException {
    Path status = directory.resolve("shared").resolve("status");
    return Files.exists(status) ? Integer.parseInt(Files.readString(status).strip()) : -1;
  }

  /** What the machine said, in whole lines. */
  List<String> console() throws IOException {
    String text = Files.readString(console, StandardCharsets.ISO_8859_1).replace("\r", "");
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  /** What the machine said at last, for messages. */
  String lastWords() throws IOException {
    List<String> lines = console();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
  }

  @Override
  public void close() {
    emulator.toHandle().destroyForcibly();
    try {
      emulator.waitFor(Limit.limit());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
