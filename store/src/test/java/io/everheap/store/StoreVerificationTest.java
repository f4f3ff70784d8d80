package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableMap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verifying a store while keys move, and when one is in the wrong shard. */
class StoreVerificationTest {
  private static final long KEYS = 200;

  @TempDir Path directory;

  private ShardedStore open() {
    return ShardedStore.builder(directory)
        .shards(3)
        .durability(Durability.async(Duration.ofMillis(10)))
        .open();
  }

  private static void fill(ShardedStore store) {
    ShardedMap<Long, Long> map = store.map("map", Long.class, Long.class);
    for (long key = 0; key < KEYS; key++) {
      map.set(key, key);
    }
  }

  @Test
  void nothingIsWrongWhileTheNumberOfShardsChanges() {
    for (int shards : new int[] {1, 5}) {
      try (ShardedStore store = open()) {
        fill(store);
        AtomicBoolean changed = new AtomicBoolean();
        StoreReport report =
            store.verify(
                (what, part) -> {
                  if (what.equals("keys of shard-0000") && !changed.getAndSet(true)) {
                    store.reshard(shards);
                  }
                });
        assertThat(changed).isTrue();
        assertThat(report.problems()).isEmpty();
        assertThat(report.ok()).isTrue();
        assertThat(report.heaps()).hasSizeGreaterThanOrEqualTo(shards);
        assertThat(report.entries()).isEqualTo(KEYS);
      }
    }
  }

  @Test
  void aKeyInTheWrongShardIsReported() {
    try (ShardedStore store = open()) {
      fill(store);
    }
    byte[] key = new byte[8];
    int wrong = (new Placement(3, 3).target(Placement.slot(key)) + 1) % 3;
    try (Heap shard = Heap.open(ShardedStore.shardDirectories(directory).get(wrong))) {
      shard
          .root("map map", DurableMap.of(Codecs.BYTES, ValueCodec.RAW))
          .put(key, ValueCodec.encode(Codecs.LONG, 1L));
    }
    try (ShardedStore store = open()) {
      StoreReport report = store.verify();
      assertThat(report.ok()).isFalse();
      assertThat(report.problems()).hasSize(1).first().asString().contains("is in shard " + wrong);
    }
  }
}
