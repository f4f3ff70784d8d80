package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.store.Changes.Change;
import io.everheap.store.ValueCodec.Raw;
import io.everheap.support.Limit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a batch holds, what an intent keeps of it, and the order in which it takes turns. */
class StoreBatchTest {
  private static MovingStore shared;

  @BeforeAll
  static void open() {
    shared = new MovingStore();
  }

  @AfterAll
  static void close() {
    shared.end();
  }

  @Test
  void theLastChangeOfAKeyCountsAndMapsHaveTheirOwnKeys() {
    try (MovingStore moving = shared.at(2)) {
      StoreBatch batch = moving.store.batch();
      assertThat(batch.size()).isZero();
      batch.commit();
      batch.put(moving.map, 1, 1).put(moving.sorted, 1, 2);
      assertThat(batch.size()).isEqualTo(2);
      batch.put(moving.map, 1, 3).put(moving.map, 2, 4).remove(moving.map, 2);
      assertThat(batch.size()).isEqualTo(3);
      batch.commit();
      assertThat(batch.size()).isZero();
      assertThat(moving.map.get(1)).isEqualTo(3);
      assertThat(moving.sorted.get(1)).isEqualTo(2);
      assertThat(moving.map.get(2)).isNull();
      assertThat(moving.map.sizeLong()).isEqualTo(1);
    }
  }

  /** Two keys with one hash, of which a hash table compares the keys themselves. */
  @Test
  void keysWithTheSameHashAreTwoKeys() {
    try (MovingStore moving = shared.at(2)) {
      Map<Integer, Integer> byHash = new HashMap<>();
      Integer other = null;
      int key = 0;
      for (; other == null; key++) {
        other = byHash.put((int) Placement.hash(moving.map.encodeKey(key)), key);
      }
      int last = key - 1;
      StoreBatch batch = moving.store.batch().put(moving.map, other, 1).put(moving.map, last, 2);
      assertThat(batch.size()).isEqualTo(2);
      batch.commit();
      assertThat(moving.map.get(other)).isEqualTo(1);
      assertThat(moving.map.get(last)).isEqualTo(2);
    }
  }

  @Test
  void aMapOfAnotherStoreIsRefused() {
    MovingStore other = new MovingStore();
    try (MovingStore moving = shared.at(2)) {
      StoreBatch batch = moving.store.batch();
      assertThatThrownBy(() -> batch.put(other.map, 1, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("map");
      assertThat(batch.size()).isZero();
    } finally {
      other.end();
    }
  }

  @Test
  void anIntentKeepsAllChanges() {
    List<Change> all =
        List.of(
            new Change("a", false, new byte[] {1, 2, 3}, new Raw(new byte[] {4})),
            new Change("b", true, new byte[0], null),
            new Change("c", false, new byte[200], new Raw(new byte[0])));
    byte[] intent = new Changes(all).encode(5);
    assertThat(Changes.coordinator(intent)).isEqualTo(5);
    List<Change> found = Changes.decode(intent).all();
    assertThat(found).hasSize(3);
    for (int i = 0; i < 3; i++) {
      assertThat(found.get(i).map()).isEqualTo(all.get(i).map());
      assertThat(found.get(i).sorted()).isEqualTo(all.get(i).sorted());
      assertThat(found.get(i).key()).isEqualTo(all.get(i).key());
    }
    assertThat(found.get(0).value().bytes()).containsExactly(4);
    assertThat(found.get(1).value()).isNull();
    assertThat(found.get(2).value().bytes()).isEmpty();
    byte[] longer = Arrays.copyOf(intent, intent.length + 1);
    assertThatThrownBy(() -> Changes.decode(longer)).isInstanceOf(RuntimeException.class);
  }

  /** Turns are taken in the order of the shards, so that no two threads wait for each other. */
  @Test
  void twoShardsAreTakenInTheirOrder() throws Exception {
    try (MovingStore moving = shared.at(2)) {
      Shard first = moving.store.shard(0);
      Shard second = moving.store.shard(1);
      for (boolean swapped : new boolean[] {false, true}) {
        CompletableFuture<Thread> started = new CompletableFuture<>();
        CompletableFuture<Integer> done = new CompletableFuture<>();
        Shard.inTurns(
            List.of(first),
            () -> {
              Thread.ofPlatform()
                  .daemon()
                  .start(
                      () -> {
                        started.complete(Thread.currentThread());
                        done.complete(
                            swapped
                                ? Moves.inTurns(second, first, () -> 1)
                                : Moves.inTurns(first, second, () -> 1));
                      });
              Thread waiting = started.join();
              Limit.until(
                  "it waits for the first shard", () -> waiting.getState() == Thread.State.WAITING);
              assertThat(second.version() & 1).as("the second shard is not taken").isZero();
              assertThat(done).isNotDone();
              return true;
            });
        assertThat(Limit.get(done)).isEqualTo(1);
      }
    }
  }
}
