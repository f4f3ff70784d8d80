package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.cache.BlockCacheBuilder;
import io.everheap.cache.DurableCache;
import io.everheap.codec.Codecs;
import io.everheap.encryption.KeyProvider;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBuilder;
import io.everheap.store.ShardedStore;
import io.everheap.store.ShardedStoreBuilder;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commands that are not there to print what is stored print no value, no key of an entry and no
 * text of a record (rule E4 of docs/encryption.md), of sound files and of damaged ones.
 */
@Campaign
class NoValuesInCommandsTest {
  private static final String SECRET = "4111-1111";
  private static final String KEY = "key-8080";

  @TempDir private Path dir;
  private String key = "";
  private boolean isEncrypted = true;

  @BeforeEach
  void create() throws IOException {
    Path file = Files.writeString(dir.resolve("key"), "0f".repeat(32));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    key = "file:" + file;
  }

  private <T> T with(T builder, BiConsumer<T, KeyProvider> encrypt) {
    if (isEncrypted) {
      encrypt.accept(builder, KeyProvider.from(key));
    }
    return builder;
  }

  private void make() {
    try (Heap heap = with(Heap.builder(dir.resolve("heap")), HeapBuilder::encrypt).open()) {
      for (int i = 0; i < 200; i++) {
        heap.map("m", String.class, String.class).put(KEY + i, SECRET + i);
        heap.list("l", String.class).add(SECRET + i);
      }
    }
    try (Journal journal =
        with(Journal.builder(dir.resolve("journal")), JournalBuilder::encrypt).open()) {
      for (int i = 0; i < 200; i++) {
        journal.append((SECRET + i).getBytes(StandardCharsets.UTF_8));
      }
    }
    try (DurableCache<String, String> cache =
        DurableCache.builder(dir.resolve("cache"), 16 << 20, Codecs.STRING, Codecs.STRING)
            .blocks(blocks -> with(blocks, BlockCacheBuilder::encrypt))
            .open()) {
      cache.put(KEY, SECRET);
    }
    try (ShardedStore store =
        with(ShardedStore.builder(dir.resolve("store")).shards(1), ShardedStoreBuilder::encrypt)
            .open()) {
      store.map("m", String.class, String.class).put(KEY, SECRET);
    }
  }

  private String at(String name) {
    return dir.resolve(name).toString();
  }

  /** Runs a command; returns its exit code. */
  private int run(String... arguments) {
    StringWriter printed = new StringWriter();
    PrintWriter writer = new PrintWriter(printed, true);
    List<String> all = new ArrayList<>(List.of(arguments));
    if (isEncrypted) {
      all.addAll(List.of("--key", key));
    }
    int code = Main.commandLine().setOut(writer).setErr(writer).execute(all.toArray(String[]::new));
    assertThat(printed.toString()).as(all.toString()).doesNotContain(SECRET);
    if (isEncrypted) {
      assertThat(printed.toString()).as(all.toString()).doesNotContain(KEY);
    }
    return code;
  }

  @Test
  void ofSoundFiles() {
    make();
    assertThat(run("info", at("heap"))).isZero();
    assertThat(run("list", at("heap"))).as("names of roots").isZero();
    assertThat(run("schema", at("heap"))).isZero();
    assertThat(run("verify", at("heap"))).isZero();
    assertThat(run("scrub", at("heap"))).isZero();
    assertThat(run("undecodable", at("heap"))).isZero();
    assertThat(run("collect", at("heap"))).isZero();
    assertThat(run("compact", at("heap"))).isZero();
    assertThat(run("backup", at("heap"), at("backups"))).isZero();
    assertThat(run("backups", at("backups"), "--verify")).isZero();
    assertThat(run("restore", at("backups"), at("restored"))).isZero();
    assertThat(run("mirror", at("heap"), at("mirror"))).isZero();
    assertThat(run("salvage", at("heap"), "--to", at("saved"))).isZero();
    assertThat(run("import", at("heap"), at("nothing"))).isNotZero();
    assertThat(run("journal", "info", at("journal"))).isZero();
    assertThat(run("journal", "verify", at("journal"))).isZero();
    assertThat(run("journal", "salvage", at("journal"), "--to", at("records"))).isZero();
    assertThat(run("cache", "info", at("cache"))).isZero();
    assertThat(run("cache", "verify", at("cache"))).isZero();
    assertThat(run("info", at("store"))).isZero();
    assertThat(run("verify", at("store"))).isZero();
    assertThat(run("rekey", at("heap"), "--data")).isZero();
    assertThat(run("decrypt", at("heap"))).isZero();
    assertThat(run("encrypt", at("heap"))).isZero();
  }

  private void damage(String name, Random random) throws IOException {
    try (var files = Files.walk(dir.resolve(name))) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        long size = Files.size(file);
        if (size > 4096 && !file.endsWith("keys")) {
          try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            for (int i = 0; i < 40; i++) {
              open.seek(4096 + random.nextLong(size - 4096));
              open.write(random.nextInt());
            }
          }
        }
      }
    }
  }

  /** Of a value that does not decode, as in damaged plaintext, the key is named. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofDamagedFiles(boolean encrypted) throws IOException {
    isEncrypted = encrypted;
    make();
    Random random = new Random(7);
    for (String name : List.of("heap", "journal", "cache", "store")) {
      damage(name, random);
    }
    run("info", at("heap"));
    run("verify", at("heap"));
    run("scrub", at("heap"));
    run("collect", at("heap"));
    run("backup", at("heap"), at("backups"));
    run("journal", "verify", at("journal"));
    run("journal", "info", at("journal"));
    run("cache", "verify", at("cache"));
    run("cache", "info", at("cache"));
    run("verify", at("store"));
    run("info", at("store"));
  }
}
