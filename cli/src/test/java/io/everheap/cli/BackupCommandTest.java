package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.everheap.Heap;
import io.everheap.journal.Journal;
import io.everheap.store.ShardedStore;
import io.everheap.store.StoreBackups;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code everheap backup}, {@code backups} and {@code restore}. */
@Campaign
class BackupCommandTest extends CommandFixture {
  @TempDir Path dir;

  private String at(String name) {
    return dir.resolve(name).toString();
  }

  private void put(String key, long value) {
    try (Heap heap = Heap.builder(dir.resolve("heap")).archive(dir.resolve("to")).open()) {
      heap.map("m", String.class, Long.class).put(key, value);
    }
  }

  private long get(String heap, String key) {
    try (Heap restored = Heap.open(dir.resolve(heap))) {
      return restored.map("m", String.class, Long.class).getOrDefault(key, -1L);
    }
  }

  private List<Path> backups() throws IOException {
    try (Stream<Path> found = Files.list(dir.resolve("to"))) {
      return found.filter(file -> file.toString().endsWith(".backup")).sorted().toList();
    }
  }

  /** A heap in plaintext becomes an encrypted one, of which encrypted backups are made. */
  @Test
  void backupsAreEncrypted() throws IOException {
    Path key = Files.writeString(dir.resolve("key"), "0f".repeat(32));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    String source = "file:" + key;
    put("a", 1);
    assertThat(run("backup", "--encrypt", at("heap"), at("plain"))).isNotZero();
    assertThat(run("backup", "--key", source, "--encrypt", at("heap"), at("secret"))).isZero();
    assertThat(run("backups", at("secret"))).isNotZero();
    assertThat(out.toString()).contains("--key");
    assertThat(run("restore", "--key", source, at("secret"), at("encrypted"))).isZero();
    assertThat(run("get", at("encrypted"), "m", "a")).isNotZero();
    assertThat(run("get", "--key", source, at("encrypted"), "m", "a")).isZero();
    assertThat(run("backup", at("encrypted"), at("other"))).isNotZero();
    assertThat(run("backup", "--key", source, at("encrypted"), at("other"))).isZero();
    assertThat(run("backups", "--key", source, "--verify", at("other"))).isZero();
    assertThat(out.toString()).contains("1 backups, all sound");
  }

  @Test
  void backupsOfStoresAreEncrypted() throws IOException {
    Path key = Files.writeString(dir.resolve("key"), "0f".repeat(32));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    String source = "file:" + key;
    ShardedStore.builder(dir.resolve("store")).shards(2).open().close();
    assertThat(run("backup", "--key", source, "--encrypt", at("store"), at("secret"))).isZero();
    assertThat(run("backups", at("secret"))).isNotZero();
    assertThat(run("backups", "--key", source, "--verify", at("secret"))).isZero();
    assertThat(run("restore", "--key", source, at("secret"), at("restored"))).isZero();
    assertThat(run("verify", at("restored"))).isNotZero();
    assertThat(run("verify", "--key", source, at("restored"))).isZero();
    assertThat(run("info", "--key", source, at("restored"))).isZero();
    assertThat(run("scrub", "--key", source, at("restored"))).isNotZero();
    assertThat(run("backup", at("restored"), at("other"))).isNotZero();
    assertThat(run("backup", "--key", source, at("restored"), at("other"))).isZero();
  }

  @Test
  void aHeapIsBackedUpListedAndRestored() throws IOException {
    put("a", 1);
    assertThat(run("backup", at("heap"), at("to"))).isZero();
    assertThat(out.toString()).contains("-full-").contains("up to LSN");
    put("a", 2);
    assertThat(run("backup", "--incremental", "--json", at("heap"), at("to"))).isZero();
    assertThat(out.toString()).contains("\"INCREMENTAL\"");
    put("a", 3);

    assertThat(run("backups", "--verify", at("to"))).isZero();
    assertThat(out.toString()).contains("incremental").contains("2 backups, all sound");
    assertThat(run("backups", "--json", at("to"))).isZero();
    assertThat(out.toString()).contains("\"endLsn\"");

    assertThat(run("restore", "--json", at("to"), at("second"))).isZero();
    assertThat(out.toString()).contains("\"backup\" : ");
    assertThat(get("second", "a")).isEqualTo(2);
    String first = backups().getFirst().getFileName().toString();
    assertThat(run("restore", "--backup", first, at("to"), at("first"))).isZero();
    assertThat(get("first", "a")).isEqualTo(1);
    assertThat(run("restore", "--until", "newest", at("to"), at("newest"))).isZero();
    assertThat(get("newest", "a")).isEqualTo(3);

    assertThat(run("backup", at("heap"), at("to"))).isZero();
    assertThat(run("backups", "--keep", "1", at("to"))).isZero();
    assertThat(out.toString()).contains("deleted " + first).contains("1 backups.");
  }

  /** Needs the right to mount; the heap lies on a file system that nobody can write. */
  @Test
  void aHeapOnAReadOnlyMountIsBackedUp() throws Exception {
    put("a", 1);
    String heap = at("heap");
    assumeTrue(execute("mount", "--bind", heap, heap), "no right to mount");
    try {
      assumeTrue(execute("mount", "-o", "remount,bind,ro", heap), "no right to mount");
      assertThat(run("backup", heap, at("to"))).isZero();
      assertThat(out.toString()).contains("-full-");
      assertThat(run("backup", "--incremental", heap, at("to"))).isEqualTo(1);
      assertThat(out.toString()).contains("take a full backup");
    } finally {
      execute("umount", heap);
    }
    assertThat(run("restore", at("to"), at("restored"))).isZero();
    assertThat(get("restored", "a")).isEqualTo(1);
  }

  private static boolean execute(String... command) throws Exception {
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException _) {
      return false; // there is no such program
    }
  }

  @Test
  void mistakesAreExplained() throws IOException {
    put("a", 1);
    assertThat(run("backup", "--incremental", at("heap"), at("to"))).isEqualTo(1);
    assertThat(out.toString()).contains("take a full backup");
    assertThat(run("backup", at("nothing"), at("to"))).isEqualTo(1);
    assertThat(out.toString()).contains("no heap");
    assertThat(run("restore", at("to"), at("x"))).isEqualTo(1);
    assertThat(out.toString()).contains("There is no backup");
    assertThat(run("backup", at("heap"), at("to"))).isZero();
    assertThat(run("restore", "--until", "yesterday", at("to"), at("x"))).isEqualTo(2);
    assertThat(out.toString()).contains("not a number, a time in UTC, or 'newest'");
    assertThat(run("restore", "--backup", "other", at("to"), at("x"))).isEqualTo(2);
    assertThat(run("restore", at("to"), at("heap"))).isEqualTo(1);
    assertThat(out.toString()).contains("empty or a new directory");
    Path file = backups().getFirst();
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    assertThat(run("backups", "--verify", at("to"))).isEqualTo(1);
    assertThat(out.toString()).contains("does not match its checksum");
  }

  private void append(int count) {
    try (Journal journal = Journal.builder(dir.resolve("journal")).timestamps().open()) {
      for (int i = 0; i < count; i++) {
        journal.append(new byte[] {(byte) journal.nextSequence()});
      }
    }
  }

  private long next(String journal) {
    try (Journal restored = Journal.builder(dir.resolve(journal)).readOnly().open()) {
      return restored.nextSequence();
    }
  }

  @Test
  void aJournalIsBackedUpListedAndRestored() throws IOException {
    append(3);
    assertThat(run("backup", at("journal"), at("to"))).isZero();
    assertThat(out.toString()).contains("-full-").contains("records up to 2.");
    append(2);
    assertThat(run("backup", "--incremental", "--json", at("journal"), at("to"))).isZero();
    assertThat(out.toString()).contains("\"INCREMENTAL\"").contains("\"nextSequence\" : 5");

    assertThat(run("backups", "--verify", at("to"))).isZero();
    assertThat(out.toString()).contains("next record").contains("2 backups, all sound");
    assertThat(run("backups", "--json", at("to"))).isZero();
    assertThat(out.toString()).contains("\"journal\"");

    assertThat(run("restore", at("to"), at("all"))).isZero();
    assertThat(out.toString()).contains("records 0 up to 4.");
    assertThat(next("all")).isEqualTo(5);
    assertThat(run("restore", "--until", "1", "--json", at("to"), at("some"))).isZero();
    assertThat(next("some")).isEqualTo(2);
    assertThat(run("restore", "--until", "2001-01-01T00:00:00Z", at("to"), at("x"))).isEqualTo(1);
    assertThat(out.toString()).contains("choose an earlier backup");
    assertThat(run("restore", at("to"), at("all"))).isEqualTo(1);
    assertThat(out.toString()).contains("empty or a new directory");

    put("a", 1);
    assertThat(run("backup", at("heap"), at("to"))).isZero();
    assertThat(run("restore", at("to"), at("y"))).isEqualTo(2);
    assertThat(out.toString()).contains("choose one by --backup");
    assertThat(
            run(
                "restore",
                "--backup",
                backups().getFirst().getFileName().toString(),
                at("to"),
                at("y")))
        .isZero();
    assertThat(get("y", "a")).isEqualTo(1);
    append(1);
    assertThat(run("backup", at("journal"), at("to"))).isZero();
    assertThat(run("backups", "--keep", "1", at("to"))).isZero();
    assertThat(out.toString()).contains("deleted ").contains("2 backups.");
  }

  @Test
  void aStoreIsBackedUpListedAndRestored() throws IOException {
    for (long value = 1; value <= 3; value++) {
      try (ShardedStore store = ShardedStore.builder(dir.resolve("store")).shards(2).open()) {
        store.map("m", String.class, Long.class).put("a", value);
      }
      if (value == 1) {
        assertThat(run("backup", at("store"), at("to"))).isZero();
        assertThat(out.toString()).contains("-full-").contains("in 2 shards");
      } else if (value == 2) {
        assertThat(run("backup", "--incremental", "--json", at("store"), at("to"))).isZero();
        assertThat(out.toString()).contains("\"INCREMENTAL\"").contains("\"shards\" : 2");
      }
    }
    assertThat(run("backups", "--verify", at("to"))).isZero();
    assertThat(out.toString()).contains("incremental").contains("2 backups, all sound");
    assertThat(run("restore", at("to"), at("second"))).isZero();
    assertThat(restoredStore("second")).isEqualTo(2);
    String first = StoreBackups.in(dir.resolve("to")).list().getFirst().name();
    assertThat(run("restore", "--backup", first, "--json", at("to"), at("first"))).isZero();
    assertThat(restoredStore("first")).isEqualTo(1);
    assertThat(run("restore", "--backup", "none", at("to"), at("none"))).isNotZero();
    assertThat(run("restore", "--until", "newest", at("to"), at("none"))).isNotZero();
    assertThat(run("backup", at("store"), at("to"))).isZero();
    assertThat(run("backups", "--keep", "1", at("to"))).isZero();
    assertThat(out.toString()).contains("deleted " + first);
    assertThat(run("backups", "--json", at("to"))).isZero();
    assertThat(out.toString()).contains("\"FULL\"").doesNotContain(first);
  }

  private long restoredStore(String name) {
    try (ShardedStore store = ShardedStore.open(dir.resolve(name))) {
      return store.map("m", String.class, Long.class).getOrDefault("a", -1L);
    }
  }
}
