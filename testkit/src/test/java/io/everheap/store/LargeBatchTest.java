package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.engine.EngineOptions;
import io.everheap.error.TooLargeException;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.MediumSetting;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Batches that change so much in one shard that a transaction of its heap cannot hold it. */
class LargeBatchTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int MAX_TRANSACTION = 16 << 10;
  private static final int SEGMENT = 64 << 10;
  private static final int SHARDS = 3;
  private static final int MANY = 300;

  private final SimulatedMedium medium = SimulatedMedium.file(1);

  private static ShardedStore open(SimulatedMedium medium) {
    EngineOptions options =
        new EngineOptions(
            64 << 20,
            20,
            4 * SEGMENT,
            SEGMENT,
            SEGMENT,
            MAX_TRANSACTION,
            4 << 20,
            HOUR.toNanos(),
            false,
            HOUR.toNanos(),
            false);
    return MediumSetting.withoutThreads(
            MediumSetting.medium(
                ShardedStore.builder(Path.of(medium.location()))
                    .shards(SHARDS)
                    .durability(Durability.async(HOUR))
                    .heaps(heap -> HeapSettings.options(heap, options)),
                medium))
        .open();
  }

  private static ShardedMap<Integer, Integer> map(ShardedStore store) {
    return store.map("map", Integer.class, Integer.class);
  }

  /** Changes many keys of one shard, and one key of each other shard. */
  private static StoreBatch batch(ShardedStore store, int large) {
    StoreBatch batch = store.batch();
    ShardedMap<Integer, Integer> map = map(store);
    int[] counts = new int[SHARDS];
    for (int key = 0; counts[large] < MANY; key++) {
      int shard = store.placement().target(Placement.slot(map.encodeKey(key)));
      if (shard == large || counts[shard] == 0) {
        counts[shard]++;
        batch.put(map, key, key);
      }
    }
    return batch;
  }

  /** One image in so many, and the last one. */
  private static List<CrashImage> every(int stride, List<CrashImage> images) {
    List<CrashImage> some = new ArrayList<>();
    for (int i = images.size() - 1; i >= 0; i -= stride) {
      some.addFirst(images.get(i));
    }
    return some;
  }

  private static long unfinished(ShardedStore store) {
    return store.shards().stream().mapToLong(Batches::unfinished).sum();
  }

  /** It decides whether the batch is made. */
  @Test
  void theFirstShardRefusesIt() {
    try (ShardedStore store = open(medium)) {
      StoreBatch batch = batch(store, 0);
      assertThatThrownBy(batch::commit)
          .isInstanceOf(TooLargeException.class)
          .hasMessageContaining("(EH-TX-TOO-LARGE)");
      assertThat(map(store).isEmpty()).isTrue();
      assertThat(unfinished(store)).as("no intent is left").isZero();
      for (int key = 0; key < 10; key++) {
        store.batch().put(map(store), key, 1).put(map(store), key + 10, 1).commit();
      }
      assertThat(map(store).sizeLong()).isEqualTo(20);
    }
  }

  /** The batch is decided before another shard makes its changes: it has to make all of them. */
  @Test
  void anotherShardMakesItsChangesInSeveralTransactions() {
    List<CrashImage> images = new ArrayList<>();
    try (ShardedStore store = open(medium)) {
      ShardedMap<Integer, Integer> map = map(store);
      StoreBatch batch = batch(store, 2);
      assertThat(batch.size()).isEqualTo(MANY + 2);
      medium.observe(
          point -> {
            if (point.number() % 500 == 0) {
              images.add(medium.image());
            }
          });
      batch.commit();
      medium.observe(point -> {});
      assertThat(map.sizeLong()).isEqualTo(MANY + 2);
      map.forEach((key, value) -> assertThat(value).isEqualTo(key));
      assertThat(unfinished(store)).as("the outcome alone").isEqualTo(1);
      images.add(medium.image());
    }
    assertThat(images).hasSizeGreaterThan(2);
    boolean committed = false;
    int stride = Math.max(1, images.size() / 4);
    for (CrashImage image : every(stride, images)) {
      for (SimulatedMedium left : List.of(image.processKill(), image.powerLoss(Chooser.none()))) {
        try (ShardedStore store = open(left)) {
          assertThat(map(store).sizeLong()).isIn(0L, MANY + 2L);
          assertThat(unfinished(store)).isZero();
          committed = map(store).sizeLong() > 0;
        }
      }
    }
    assertThat(committed).isTrue();
  }
}
