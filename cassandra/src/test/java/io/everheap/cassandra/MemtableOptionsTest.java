package io.everheap.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemtableOptionsTest {
  private static MemtableOptions options(String durability, String shards, String period) {
    return MemtableOptions.take(
        new HashMap<>(
            Map.of(
                "directory",
                "shared",
                "durability",
                durability,
                "shards",
                shards,
                "purge_period",
                period)));
  }

  /** A table with sync must not get the durability of another configuration. */
  @Test
  void configurationsOfOneDirectoryNeedTheSameDurability() {
    MemtableOptions safe = options("sync", "4", "10m");
    MemtableOptions fast = options("1h", "4", "10m");
    assertThat(safe.isSameStore(fast)).isFalse();
    assertThat(safe.isSameStore(options("sync", "8", "10m"))).isFalse();
    assertThat(safe.isSameStore(options("sync", "4", "1h"))).isTrue();
    assertThat(MemtableOptions.conflict(safe, fast)).contains("shared", "another directory");
  }
}
