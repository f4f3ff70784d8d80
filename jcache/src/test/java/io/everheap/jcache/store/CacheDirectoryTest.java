package io.everheap.jcache.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import javax.cache.CacheException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The directory of a cache, its modes, and what it makes of a file that is damaged. */
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

  private void assertDamaged() {
    assertThatThrownBy(
            () -> new CacheDirectory(temporary, "numbers").prepare(Integer.class, String.class))
        .isInstanceOf(CacheException.class)
        .hasMessageContaining("cache.properties is damaged")
        .hasMessageContaining("destroyCache");
  }

  @Test
  void aFileWithoutTheTypesIsDamaged() throws IOException {
    CacheDirectory cache = new CacheDirectory(temporary, "numbers");
    cache.prepare(Integer.class, String.class);
    Path file = cache.entries().resolveSibling("cache.properties");
    String whole = Files.readString(file);
    for (String text :
        List.of("", "\0".repeat(whole.length()), "keys=java.lang.Integer", "\\u12")) {
      Files.writeString(file, text);
      assertDamaged();
    }
    try (RandomAccessFile long3 = new RandomAccessFile(file.toFile(), "rw")) {
      long3.setLength(3L << 30);
    }
    assertDamaged();
    Files.writeString(file, whole);
    cache.prepare(Integer.class, String.class);
  }
}
