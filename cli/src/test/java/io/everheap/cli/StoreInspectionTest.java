package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.store.ShardedStore;
import java.nio.file.Path;
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
}
