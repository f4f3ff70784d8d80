package io.everheap.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cache.BlockCache;
import io.everheap.encryption.KeyProvider;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
  void anEncryptedCacheNeedsItsKey(@TempDir Path keys) throws Exception {
    Path other = directory.resolve("encrypted");
    String key = keyFile(keys.resolve("one"), "00");
    try (BlockCache cache =
        BlockCache.builder(other, 4 << 20).encrypt(KeyProvider.from(key)).open()) {
      cache.put("secret key".getBytes(UTF_8), new byte[100]);
    }
    String at = other.toString();
    assertThat(run("cache", "verify", at)).isEqualTo(2);
    assertThat(out.toString()).contains("EH-ENCRYPTION").contains("give its key");
    assertThat(run("cache", "verify", at, "--key", key)).isZero();
    assertThat(out.toString()).startsWith("OK: 1 sound entries, 110 B");
    assertThat(run("cache", "info", at, "--key", key)).isZero();
    assertThat(out.toString()).contains("Entries     1 with 110 B").contains("Format      3");
    assertThat(run("cache", "keys", at, "--key", key)).isZero();
    assertThat(out.toString()).contains("secret key  100 B");
    String fresh = keyFile(keys.resolve("two"), "11");
    assertThat(run("rekey", at, "--key", key, "--new-key", fresh)).isZero();
    assertThat(run("cache", "verify", at, "--key", key)).isEqualTo(2);
    assertThat(run("cache", "verify", at, "--key", fresh)).isZero();
    assertThat(run("shred", at, "--yes")).isZero();
    assertThat(other.resolve("cache")).doesNotExist();
  }

  private static String keyFile(Path file, String digits) throws Exception {
    Files.writeString(file, digits.repeat(32));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return "file:" + file;
  }

  @Test
  void whatIsNoCacheCannotBeChecked(@TempDir Path empty) {
    assertThat(run("cache", "verify", empty.toString())).isEqualTo(2);
  }
}
