package io.everheap.jcache.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The directory of a cache and its file belong to their owner alone, whatever the umask is. */
class CacheDirectoryTest {
  @TempDir private Path temporary;

  @Test
  void onlyTheOwnerReadsAndChangesThem() throws IOException {
    Path base = temporary.resolve("caches");
    new CacheDirectory(base, "numbers").prepare(Integer.class, String.class);
    List<Path> all;
    try (Stream<Path> files = Files.walk(base)) {
      all = files.toList();
    }
    assertThat(all).hasSize(3);
    for (Path each : all) {
      assertThat(Files.getPosixFilePermissions(each))
          .as(each.toString())
          .isEqualTo(
              PosixFilePermissions.fromString(Files.isDirectory(each) ? "rwx------" : "rw-------"));
    }
    new CacheDirectory(base, "numbers").prepare(Integer.class, String.class);
  }
}
