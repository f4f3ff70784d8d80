package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.journal.Journal;
import io.everheap.store.ShardedStore;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code everheap rekey} with each kind of directory. */
@Campaign
class RekeyCommandTest extends CheckedCommandFixture {
  @TempDir private Path dir;
  private String key = "";
  private String fresh = "";
  private String other = "";

  @BeforeEach
  void makeKeys() throws IOException {
    key = key("old", "0f");
    fresh = key("new", "1e");
    other = key("other", "2d");
  }

  private String key(String name, String octet) throws IOException {
    Path file = Files.writeString(dir.resolve(name), octet.repeat(32));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return "file:" + file;
  }

  private String at(String name) {
    return dir.resolve(name).toString();
  }

  private void rekey(String name) {
    run(1, "rekey", at(name), "--key", other, "--new-key", fresh);
    run(0, "rekey", at(name), "--key", key, "--new-key", fresh);
  }

  @Test
  void aHeapThenItsBackups() {
    put("a");
    run(0, "backup", at("heap"), at("to"), "--key", key);
    put("b");
    rekey("heap");
    assertThat(out.toString())
        .contains("Backups, archives and replicas of the heap keep their keys")
        .contains("everheap rekey DIR");
    run(0, "backups", at("to"), "--key", key);
    rekey("to");
    assertThat(out.toString()).doesNotContain("keep their keys");
    run(1, "backups", at("to"), "--key", key);
    run(0, "restore", at("to"), at("copy"), "--until", "newest", "--key", fresh);
    run(0, "get", at("copy"), "m", "b", "--key", fresh);
    run(0, "rekey", at("to"), "--key", key, "--new-key", fresh); // repeated
    run(1, "rekey", at("to"), "--key", fresh, "--data");
    run(0, "backups", at("to"), "--key", fresh);
  }

  /** Opens the heap with its archive. */
  private void put(String entry) {
    KeyProvider provider = KeyProvider.from(key);
    Path heap = dir.resolve("heap");
    try (Heap open = Heap.builder(heap).encrypt(provider).archive(dir.resolve("to")).open()) {
      open.map("m", String.class, Long.class).put(entry, 1L);
    }
  }

  @Test
  void aJournalThenItsBackups() {
    Journal.builder(dir.resolve("journal")).encrypt(KeyProvider.from(key)).open().close();
    run(0, "backup", at("journal"), at("to"), "--key", key);
    rekey("journal");
    assertThat(out.toString()).contains("Backups and replicas of the journal keep their keys");
    rekey("to");
    run(0, "backups", at("to"), "--key", fresh);
  }

  @Test
  void aStoreThenItsBackups() {
    KeyProvider provider = KeyProvider.from(key);
    ShardedStore.builder(dir.resolve("store")).shards(2).encrypt(provider).open().close();
    run(0, "backup", at("store"), at("to"), "--key", key);
    rekey("store");
    assertThat(out.toString()).contains("Backups of the store keep their keys");
    rekey("to");
    run(0, "backups", at("to"), "--key", fresh);
  }
}
