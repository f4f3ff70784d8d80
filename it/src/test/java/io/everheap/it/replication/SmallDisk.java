package io.everheap.it.replication;

import io.everheap.support.Limit;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A file system in memory of a few hundred megabytes, which can be filled. Needs root. */
final class SmallDisk implements AutoCloseable {
  private final Path place;

  private SmallDisk(Path place) {
    this.place = place;
  }

  /**
   * Mounts one.
   *
   * @throws IOException if this process may not, or the system cannot
   */
  static SmallDisk mount(Path place) throws IOException {
    Files.createDirectories(place);
    run("mount", "-t", "tmpfs", "-o", "size=400m", "everheap-test", place.toString());
    return new SmallDisk(place);
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().orTimeout(Limit.seconds(), TimeUnit.SECONDS).join().exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output);
    }
  }

  Path path(String name) {
    return place.resolve(name);
  }

  /** Leaves no room. */
  void fill() throws IOException {
    byte[] bytes = new byte[1 << 20];
    for (int size = bytes.length; size >= 4096; size /= 16) {
      try (OutputStream out = Files.newOutputStream(place.resolve("filler" + size))) {
        while (true) {
          out.write(bytes, 0, size);
        }
      } catch (IOException e) {
        // it is full
      }
    }
  }

  /** Makes room again. */
  void free() throws IOException {
    for (int size = 1 << 20; size >= 4096; size /= 16) {
      Files.deleteIfExists(place.resolve("filler" + size));
    }
  }

  @Override
  public void close() throws IOException {
    run("umount", "-l", place.toString());
  }
}
