package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.store.ShardedStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code everheap scrub}. */
class ScrubCommandTest extends CommandFixture {
  @TempDir Path dir;

  private String at(String name) {
    return dir.resolve(name).toString();
  }

  private void put(int value) {
    try (Heap heap = Heap.builder(dir.resolve("heap")).archive(dir.resolve("backups")).open()) {
      heap.map("m", Integer.class, byte[].class).put(value, new byte[10_000]);
    }
  }

  private void damage() throws IOException {
    damage("heap/heap");
  }

  private void damage(String heap) throws IOException {
    try (FileChannel file = FileChannel.open(dir.resolve(heap), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}), 2 * 4096 + 77);
    }
  }

  @Test
  void pagesAreRepairedFromBackups() throws IOException {
    put(1);
    assertThat(run("backup", at("heap"), at("backups"))).isZero();
    put(2);
    assertThat(run("scrub", at("heap"))).isZero();
    assertThat(out.toString()).contains("OK: ").contains("0 damaged");
    damage();
    assertThat(run("scrub", at("heap"))).isEqualTo(1);
    assertThat(out.toString()).contains("DAMAGED page 2 ").contains("--repair-from");
    assertThat(run("scrub", "--json", at("heap"))).isEqualTo(1);
    assertThat(out.toString()).contains("\"ok\" : false").contains("\"page\" : 2");
    assertThat(run("scrub", at("heap"), "--repair-from", at("backups"))).isZero();
    assertThat(out.toString()).contains("REPAIRED page 2 ").contains("1 repaired");
    assertThat(run("verify", at("heap"))).isZero();
    try (var files = Files.list(dir)) {
      assertThat(files).hasSize(2); // what was restored is gone
    }
  }

  @Test
  void theShardsOfAStoreAreRepaired() throws IOException {
    try (ShardedStore store = ShardedStore.builder(dir.resolve("store")).shards(2).open()) {
      store.map("m", Long.class, Long.class).put(1L, 1L);
    }
    assertThat(run("scrub", at("store"))).isZero();
    assertThat(out.toString()).contains("OK: shard-0000: ", "OK: shard-0001: ");
    try (ShardedStore store = ShardedStore.open(dir.resolve("store"))) {
      store.backup(dir.resolve("backup"));
    }
    damage("store/shard-0001/heap");
    assertThat(run("scrub", at("store"))).isEqualTo(1);
    assertThat(out.toString()).contains("DAMAGED shard-0001: page 2 ", "OK: shard-0000: ");
    assertThat(run("scrub", "--json", at("store"))).isEqualTo(1);
    assertThat(out.toString()).contains("\"ok\" : false").contains("\"name\" : \"shard-0001\"");
    assertThat(run("scrub", at("store"), "--repair-from", at("backup"))).isZero();
    assertThat(out.toString()).contains("REPAIRED shard-0001: page 2 ");
    assertThat(run("verify", at("store"))).isZero();
    copy(dir.resolve("store"), dir.resolve("copy"));
    damage("store/shard-0000/heap");
    assertThat(run("scrub", at("store"), "--repair-from", at("copy"))).isZero();
    assertThat(out.toString()).contains("REPAIRED shard-0000: page 2 ");
    try (var files = Files.list(dir.resolve("store"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .allMatch(name -> name.matches("store|lock|owner|shard-000[01]"));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Files.copy(path, to.resolve(from.relativize(path)));
      }
    }
  }

  /** What is beside the heap belongs to the user, whatever its name. */
  @Test
  void nothingBesideTheHeapIsTouched() throws IOException {
    put(1);
    assertThat(run("backup", at("heap"), at("backups"))).isZero();
    Path other = Files.createDirectory(dir.resolve("heap.repair1"));
    Files.writeString(other.resolve("precious"), "data");
    damage();
    int exit = run("scrub", at("heap"), "--repair-from", at("backups"));
    assertThat(exit).as(out.toString()).isZero();
    assertThat(other.resolve("precious")).hasContent("data");
    try (var files = Files.list(dir)) {
      assertThat(files).hasSize(3);
    }
  }

  @Test
  void whatCannotBeCheckedIsNamed() {
    assertThat(run("scrub", at("none"))).isEqualTo(2);
    put(1);
    try (Heap heap = Heap.open(dir.resolve("heap"))) {
      assertThat(run("scrub", at("heap"), "--repair-from", at("heap"))).isEqualTo(2);
      assertThat(heap.isOpen()).isTrue();
    }
  }
}
