package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PersistentFileTest {
  @TempDir Path temp;

  /**
   * The force of a mapping leaves bytes in the cache of the disk on macOS, that of a file does not.
   */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aSystemWhoseMappingsStayInTheCacheOfTheDiskSyncsTheFile() throws IOException {
    assertThat(descriptorsOfFileOn("Linux")).isZero();
    assertThat(descriptorsOfFileOn("Mac OS X")).isEqualTo(1);
  }

  /** Forces a file, and returns how many descriptors there are by which it can be synced. */
  private long descriptorsOfFileOn(String system) throws IOException {
    Path path = temp.toRealPath().resolve(system);
    try (PersistentFile file = PersistentFile.open(path, 0, 8192, system)) {
      file.region().putLong(4096, 42);
      file.force(4096, Long.BYTES);
      return descriptors(path);
    } finally {
      assertThat(descriptors(path)).isZero();
    }
  }

  private static long descriptors(Path path) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(descriptor -> path.equals(target(descriptor))).count();
    }
  }

  private static Path target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor);
    } catch (IOException e) {
      return descriptor; // closed meanwhile
    }
  }
}
