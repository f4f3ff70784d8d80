package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.everheap.support.Limit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** A file system in memory that is soon full. Only root can make one. */
final class SmallDisk implements AutoCloseable {
  private final Path path;

  SmallDisk(Path path, int kibibytes) throws Exception {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "only Linux has tmpfs");
    assumeTrue("root".equals(System.getProperty("user.name")), "only root can mount");
    this.path = Files.createDirectory(path);
    run("mount", "-t", "tmpfs", "-o", size(kibibytes), "everheap-test", path.toString());
  }

  Path heap() {
    return path.resolve("heap");
  }

  void resize(int kibibytes) throws Exception {
    run("mount", "-o", "remount," + size(kibibytes), path.toString());
  }

  private static String size(int kibibytes) {
    return "size=" + kibibytes + "k";
  }

  /** Takes all the room but some. */
  void fill(int leftKibibytes) throws IOException {
    ByteBuffer page = ByteBuffer.allocate(4096);
    try (FileChannel ballast =
        FileChannel.open(
            path.resolve("ballast"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (true) {
        ballast.write(page.clear());
      }
    } catch (IOException full) {
      TestHeaps.truncate(
          path.resolve("ballast"),
          Math.max(0, Files.size(path.resolve("ballast")) - leftKibibytes * 1024L));
    }
  }

  /** Gives back what {@link #fill} took. */
  void empty() throws IOException {
    Files.delete(path.resolve("ballast"));
  }

  @Override
  public void close() {
    try {
      run("umount", path.toString());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(Limit.waitFor(process)).as("%s: %s", Arrays.toString(command), output).isZero();
  }
}
