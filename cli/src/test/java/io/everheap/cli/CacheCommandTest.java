package io.everheap.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cache.BlockCache;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code everheap cache} prints. */
class CacheCommandTest extends CommandFixture {
  @TempDir Path directory;

  @BeforeEach
  void fill() {
    try (BlockCache cache = BlockCache.builder(directory, 4 << 20).onFile().open()) {
      for (int i = 0; i < 3; i++) {
        cache.put(("key " + i).getBytes(UTF_8), new byte[100]);
      }
      cache.put(new byte[] {0, 1, (byte) 255}, new byte[5]);
    }
  }

  @Test
  void infoTellsWhatACacheHolds() {
    assertThat(run("cache", "info", directory.toString())).isZero();
    assertThat(out.toString())
        .contains("Entries     4 with 323 B; 0 expired, 0 to be dropped")
        .contains("opened 1 times, closed");
    assertThat(run("cache", "info", "--json", directory.toString())).isZero();
    assertThat(out.toString().replace(" ", "")).contains("\"entries\":4");
  }

  @Test
  void keysAreListed() {
    assertThat(run("cache", "keys", directory.toString())).isZero();
    assertThat(out.toString()).contains("key 0  100 B, written ").contains("0x0001ff  5 B");
    assertThat(run("cache", "keys", "--limit", "1", directory.toString())).isZero();
    assertThat(out.toString().lines()).hasSize(2);
    assertThat(run("cache", "keys", "--json", directory.toString())).isZero();
    assertThat(out.toString()).contains("\"0x0001ff\"");
  }

  @Test
  void damageIsFound() throws Exception {
    assertThat(run("cache", "verify", directory.toString())).isZero();
    assertThat(out.toString()).startsWith("OK: 4 sound entries");
    String bytes = Files.readString(directory.resolve("cache"), ISO_8859_1);
    int at = bytes.indexOf("key 1");
    try (var file = new RandomAccessFile(directory.resolve("cache").toFile(), "rw")) {
      file.seek(at);
      file.write('K');
    }
    byte[] before = Files.readAllBytes(directory.resolve("cache"));
    assertThat(run("cache", "verify", directory.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("PROBLEM at byte ").contains("DAMAGED: 3 sound");
    assertThat(Files.readAllBytes(directory.resolve("cache"))).isEqualTo(before);
  }

  @Test
  void whatIsNoCacheCannotBeChecked(@TempDir Path empty) {
    assertThat(run("cache", "verify", empty.toString())).isEqualTo(2);
  }
}
