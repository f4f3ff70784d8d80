package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.store.ShardedStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code info} and {@code verify} print of a store of shards. */
class StoreInspectionTest extends CommandFixture {
  @TempDir Path directory;

  @Test
  void aStoreIsRecognized() {
    try (ShardedStore store = ShardedStore.builder(directory).shards(2).open()) {
      store.map("accounts", String.class, Long.class).put("alice", 1L);
    }
    assertThat(run("info", directory.toString())).isZero();
    assertThat(out.toString()).contains("shards  2", "maps    accounts", "shard-0001");
    assertThat(run("info", "--json", directory.toString())).isZero();
    assertThat(out.toString().replace(" ", "")).contains("\"shards\":2", "\"accounts\"");
    assertThat(run("verify", directory.toString())).isZero();
    assertThat(out.toString()).contains("OK: 2 heaps, 1 entries of maps.");
    assertThat(run("verify", "--json", directory.toString())).isZero();
    assertThat(out.toString().replace(" ", "")).contains("\"ok\":true", "\"entries\":1");
  }

  @Test
  void aStoreOfVersion1IsUpgraded() throws IOException {
    try (ShardedStore store = ShardedStore.builder(directory).shards(2).open()) {
      store.map("accounts", String.class, Long.class).put("alice", 1L);
    }
    for (Path shard : ShardedStore.shardDirectories(directory)) {
      try (Heap heap = Heap.open(shard)) { // version 1 has no sessions
        heap.map("everheap.store", String.class, String.class).remove("session");
      }
    }
    Path file = directory.resolve("store");
    ByteBuffer old = ByteBuffer.allocate(44).order(ByteOrder.LITTLE_ENDIAN);
    old.put(Files.readAllBytes(file), 0, 40).putInt(8, 1);
    CRC32C crc = new CRC32C();
    crc.update(old.array(), 0, 40);
    Files.write(file, old.putInt((int) crc.getValue()).array());
    String name = directory.toString();
    assertThat(run("info", name)).isZero();
    assertThat(out.toString()).contains("format  1; in it, a shard of an earlier moment");
    assertThat(run("upgrade", name)).isZero();
    assertThat(out.toString()).contains("The files of the store have the newest version now.");
    assertThat(run("upgrade", name)).isZero();
    assertThat(out.toString()).contains("format version 2, the newest");
    assertThat(run("info", "--json", name)).isZero();
    assertThat(out.toString().replace(" ", "")).contains("\"formatVersion\":2");
    try (ShardedStore store = ShardedStore.open(directory)) {
      assertThat(store.map("accounts", String.class, Long.class).get("alice")).isEqualTo(1L);
    }
  }
}
