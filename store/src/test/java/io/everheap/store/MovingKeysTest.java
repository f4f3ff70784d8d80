package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Readers and writers of keys that move to other shards, at each step of the move. */
class MovingKeysTest {
  private static MovingStore shared;

  @BeforeAll
  static void open() {
    shared = new MovingStore();
  }

  @AfterAll
  static void close() {
    shared.end();
  }

  // ---- One key -------------------------------------------------------------------------------

  /** Where a key is. */
  enum Step {
    NOT_MOVED,
    COPIED,
    MOVED,
    ABSENT;

    /** A key of a map at this step, with the value 1 unless it is absent. */
    int key(MovingStore moving, ShardedMap<Integer, Integer> map) {
      int key = moving.movingKey(map, 0);
      if (this != ABSENT) {
        moving
            .store
            .shard(moving.source(map, key))
            .commit(
                () ->
                    moving
                        .part(map, moving.source(map, key))
                        .put(map.encodeKey(key), map.encode(1)));
      }
      if (this == COPIED) {
        moving.copy(map, key);
      } else if (this == MOVED) {
        moving.move(map, key);
      }
      return key;
    }
  }

  private static void atEachStep(Step step, Operation operation) throws Exception {
    for (int to : new int[] {3, 1}) { // grows, shrinks
      try (MovingStore moving = shared.at(2)) {
        moving.begin(to);
        operation.run(moving, moving.map, step.key(moving, moving.map));
        operation.run(moving, moving.sorted, step.key(moving, moving.sorted));
      }
    }
  }

  /** What a test does with a key that moves. */
  private interface Operation {
    void run(MovingStore moving, ShardedMap<Integer, Integer> map, int key) throws Exception;
  }

  private static Integer present(Step step) {
    return step == Step.ABSENT ? null : 1;
  }

  @ParameterizedTest
  @EnumSource(Step.class)
  void aKeyIsReadWhereverItIs(Step step) throws Exception {
    atEachStep(
        step,
        (moving, map, key) -> {
          boolean there = step != Step.ABSENT;
          assertThat(map.get(key)).isEqualTo(present(step));
          assertThat(map.getOrDefault(key, 9)).isEqualTo(there ? 1 : 9);
          assertThat(map.containsKey(key)).isEqualTo(there);
          assertThat(map.isEmpty()).isEqualTo(!there);
          assertThat(map.sizeLong()).isEqualTo(step == Step.COPIED ? 2 : there ? 1 : 0);
          Set<Map.Entry<Integer, Integer>> seen = new HashSet<>();
          map.entries().forEachRemaining(seen::add);
          assertThat(seen).isEqualTo(there ? Set.of(Map.entry(key, 1)) : Set.of());
        });
  }

  @ParameterizedTest
  @EnumSource(Step.class)
  void aKeyIsInOneShardAfterItWasWritten(Step step) throws Exception {
    List<Operation> writes =
        List.of(
            (moving, map, key) -> assertThat(map.put(key, 2)).isEqualTo(present(step)),
            (moving, map, key) -> map.set(key, 2),
            (moving, map, key) ->
                assertThat(Limit.get(map.putAsync(key, 2).toCompletableFuture()))
                    .isEqualTo(present(step)),
            (moving, map, key) ->
                assertThat(map.compute(key, (k, v) -> v == null ? 2 : v + 1)).isEqualTo(2),
            (moving, map, key) -> moving.store.batch().put(map, key, 2).commit());
    for (Operation write : writes) {
      atEachStep(
          step,
          (moving, map, key) -> {
            write.run(moving, map, key);
            boolean stays = step == Step.NOT_MOVED;
            assertThat(moving.isIn(map, moving.source(map, key), key)).isEqualTo(stays);
            assertThat(moving.isIn(map, moving.target(map, key), key)).isEqualTo(!stays);
            assertThat(map.get(key)).isEqualTo(2);
            assertThat(map.sizeLong()).isEqualTo(1);
            assertThat(map.asMap().entrySet()).containsExactly(Map.entry(key, 2));
          });
    }
  }

  @ParameterizedTest
  @EnumSource(Step.class)
  void aRemovedKeyIsInNoShard(Step step) throws Exception {
    List<Operation> removals =
        List.of(
            (moving, map, key) -> assertThat(map.remove(key)).isEqualTo(present(step)),
            (moving, map, key) -> assertThat(map.remove(key, 1)).isEqualTo(step != Step.ABSENT),
            (moving, map, key) -> assertThat(map.compute(key, (k, v) -> null)).isNull(),
            (moving, map, key) ->
                assertThat(Limit.get(map.removeAsync(key).toCompletableFuture()))
                    .isEqualTo(present(step)),
            (moving, map, key) -> moving.store.batch().remove(map, key).commit(),
            (moving, map, key) -> map.clear(),
            (moving, map, key) -> {
              if (map instanceof ShardedSortedMap<Integer, Integer> sorted) {
                var expected = step == Step.ABSENT ? null : Map.entry(key, 1);
                assertThat(sorted.pollFirstEntry()).isEqualTo(expected);
                assertThat(sorted.pollLastEntry()).isNull();
              } else {
                map.asMap().keySet().remove(key);
              }
            });
    for (Operation removal : removals) {
      atEachStep(
          step,
          (moving, map, key) -> {
            removal.run(moving, map, key);
            assertThat(moving.isIn(map, moving.source(map, key), key)).isFalse();
            assertThat(moving.isIn(map, moving.target(map, key), key)).isFalse();
            assertThat(map.get(key)).isNull();
            assertThat(map.containsKey(key)).isFalse();
            assertThat(map.isEmpty()).isTrue();
          });
    }
  }

  @ParameterizedTest
  @EnumSource(Step.class)
  void conditionalWritesFindTheKey(Step step) throws Exception {
    boolean there = step != Step.ABSENT;
    atEachStep(
        step,
        (moving, map, key) -> {
          assertThat(map.replace(key, 7, 8)).isFalse();
          assertThat(map.remove(key, 7)).isFalse();
          assertThat(map.replace(key, 1, 5)).isEqualTo(there);
          assertThat(map.replace(key, 6)).isEqualTo(there ? 5 : null);
          assertThat(map.putIfAbsent(key, 9)).isEqualTo(there ? 6 : null);
          assertThat(map.merge(key, 1, Integer::sum)).isEqualTo(there ? 7 : 10);
          assertThat(map.computeIfAbsent(key, k -> 0)).isEqualTo(there ? 7 : 10);
          assertThat(map.sizeLong()).isEqualTo(1);
        });
  }

  /** A key that is in both shards has in the target the value that counts. */
  @Test
  void theTargetCounts() throws Exception {
    atEachStep(
        Step.COPIED,
        (moving, map, key) -> {
          byte[] bytes = map.encodeKey(key);
          moving.part(map, moving.target(map, key)).put(bytes, map.encode(3));
          assertThat(map.get(key)).isEqualTo(3);
          if (map instanceof ShardedSortedMap<Integer, Integer> sorted) {
            assertThat(sorted.firstEntry()).isEqualTo(Map.entry(key, 3));
            assertThat(sorted.lastEntry()).isEqualTo(Map.entry(key, 3));
            assertThat(list(sorted.entries())).containsExactly(Map.entry(key, 3));
            assertThat(list(sorted.descendingEntries())).containsExactly(Map.entry(key, 3));
          }
          assertThat(map.put(key, 4)).isEqualTo(3);
          assertThat(moving.isIn(map, moving.source(map, key), key)).isFalse();
        });
    atEachStep(
        Step.COPIED,
        (moving, map, key) -> {
          byte[] bytes = map.encodeKey(key);
          moving.part(map, moving.target(map, key)).put(bytes, map.encode(3));
          moving.move(map, key); // what a crash left there stays
          assertThat(map.get(key)).isEqualTo(3);
          assertThat(map.sizeLong()).isEqualTo(1);
        });
  }

  @Test
  void aNewKeyIsPutWhereItBelongs() {
    try (MovingStore moving = shared.at(2)) {
      moving.begin(3);
      int key = moving.movingKey(moving.map, 5);
      assertThat(moving.map.put(key, 1)).isNull();
      assertThat(moving.isIn(moving.map, moving.target(moving.map, key), key)).isTrue();
      moving.moved();
      assertThat(moving.map.get(key)).isEqualTo(1);
      assertThat(moving.store.verify().problems()).isEmpty();
    }
  }

  @Test
  void movedKeysAreCountedOnceAndAnotherMoveChangesNothing() {
    try (MovingStore moving = shared.at(2)) {
      moving.begin(3);
      int key = Step.NOT_MOVED.key(moving, moving.map);
      long moves = moving.store.moves();
      moving.move(moving.map, key);
      assertThat(moving.store.moves()).isEqualTo(moves + 1);
      moving.move(moving.map, key); // it is not there any longer
      assertThat(moving.store.moves()).isEqualTo(moves + 1);
      moving.map.put(key, 5);
      moving.move(moving.map, key);
      assertThat(moving.map.get(key)).isEqualTo(5);
      assertThat(moving.map.sizeLong()).isEqualTo(1);
    }
  }

  /** A step moves 128 keys, and as many bytes as a mebibyte or one more value. */
  @Test
  void manyAndLargeValuesMoveInSeveralSteps() {
    try (MovingStore moving = shared.at(1)) {
      ShardedMap<Integer, String> texts = moving.store.map("texts", Integer.class, String.class);
      moving.begin(2);
      List<byte[]> keys = new ArrayList<>();
      List<Integer> numbers = new ArrayList<>();
      for (int key = 0; keys.size() < 300; key++) {
        if (moving.moves(texts, key)) {
          byte[] bytes = texts.encodeKey(key);
          int length = keys.size() < 3 ? 600_000 : 10;
          moving.part(texts, 0).put(bytes, texts.encode("x".repeat(length)));
          keys.add(bytes);
          numbers.add(key);
        }
      }
      long moves = moving.store.moves();
      Moves.move(moving.store, moving.parts(texts, numbers.getFirst()), keys);
      // Two of the large ones, the third with 127 others, 128, and what is left.
      assertThat(moving.store.moves() - moves).isEqualTo(4);
      assertThat(moving.part(texts, 0)).isEmpty();
      assertThat(moving.part(texts, 1)).hasSize(300);
      for (int i = 0; i < 300; i++) {
        assertThat(texts.get(numbers.get(i))).hasSize(i < 3 ? 600_000 : 10);
      }
      texts.clear();
    }
  }

  /** A value of exactly a mebibyte fills a step. */
  @Test
  void aValueThatFillsAStepIsTheLastOneOfIt() {
    try (MovingStore moving = shared.at(1)) {
      moving.begin(2);
      List<byte[]> keys = new ArrayList<>();
      for (int key = moving.movingKey(moving.map, 0);
          keys.size() < 2;
          key = moving.movingKey(moving.map, key + 1)) {
        keys.add(moving.map.encodeKey(key));
        moving.part(moving.map, 0).put(keys.getLast(), new ValueCodec.Raw(new byte[1 << 20]));
      }
      long moves = moving.store.moves();
      Moves.move(moving.store, moving.parts(moving.map, moving.movingKey(moving.map, 0)), keys);
      assertThat(moving.store.moves() - moves).isEqualTo(2);
      keys.forEach(key -> moving.part(moving.map, 1).remove(key));
    }
  }

  /** Of a large map, 4096 keys are moved at a time. */
  @Test
  void keysOfALargeMapAreMovedInSeveralRounds() {
    try (MovingStore moving = shared.at(2)) {
      int inSecond = 0;
      int keys = 0;
      for (; inSecond < 5_000; keys++) {
        moving.map.set(keys, keys);
        inSecond += moving.target(moving.map, keys);
      }
      long before = moving.store.stats().moved();
      List<Long> moved = new ArrayList<>();
      moving.store.reshard(1, (done, total) -> moved.add(moving.store.stats().moved() - before));
      assertThat(moved).contains(0L, 4_096L).endsWith(5_000L);
      assertThat(moving.store.stats().moved() - before).isEqualTo(5_000);
      assertThat(moving.map.sizeLong()).isEqualTo(keys);
    }
  }

  // ---- Moves while a key is read -------------------------------------------------------------

  /** Between the two shards a reader misses the key, which was moved behind it. */
  @Test
  void aKeyThatMovesWhileItIsReadIsFound() throws ReflectiveOperationException {
    try (MovingStore moving = shared.at(2)) {
      moving.begin(3);
      List<Supplier<Object>> reads = new ArrayList<>();
      int key = moving.movingKey(moving.map, 0);
      reads.add(() -> moving.map.get(key));
      reads.add(() -> moving.map.getOrDefault(key, 9));
      reads.add(() -> moving.map.containsKey(key) ? 1 : 9);
      for (Supplier<Object> read : reads) {
        moving.map.remove(key);
        Step.NOT_MOVED.key(moving, moving.map);
        assertThat(moving.map.get(key)).isEqualTo(1);
        int target = moving.target(moving.map, key);
        Consumer<Runnable> afterFirstLook =
            action -> {
              boolean[] done = {false};
              Runnable once =
                  () -> {
                    if (!done[0]) {
                      done[0] = true;
                      action.run();
                    }
                  };
              replacePart(moving.map, target, once);
            };
        List<ConcurrentMap<byte[], Object>> before = parts(moving.map);
        afterFirstLook.accept(() -> moving.move(moving.map, key));
        assertThat(read.get()).isEqualTo(1);
        assertThat(moving.isIn(moving.map, target, key)).as("it moved").isTrue();
        parts(moving.map, before);
      }
    }
  }

  /** A reader that began under one placement looks again under the next. */
  @Test
  void aKeyIsFoundThoughThePlacementChangesWhileItIsRead() throws ReflectiveOperationException {
    try (MovingStore moving = shared.at(2)) {
      moving.begin(3);
      int key = moving.movingKey(moving.map, 0);
      int source = moving.source(moving.map, key);
      for (Supplier<Object> read :
          List.<Supplier<Object>>of(
              () -> moving.map.get(key), () -> moving.map.containsKey(key) ? 1 : 9)) {
        while (moving.store.placement().to() != 2) {
          moving.store.reshard(2);
        }
        moving.map.put(key, 1);
        assertThat(moving.map.get(key)).isEqualTo(1);
        List<ConcurrentMap<byte[], Object>> before = parts(moving.map);
        boolean[] done = {false};
        replaceBefore(
            moving.map,
            source,
            () -> {
              if (!done[0]) {
                done[0] = true;
                moving.store.reshard(3);
              }
            });
        assertThat(read.get()).isEqualTo(1);
        assertThat(done[0]).isTrue();
        parts(moving.map, before);
      }
    }
  }

  private static Field field() throws NoSuchFieldException {
    Field field = ShardedMap.class.getDeclaredField("parts");
    field.setAccessible(true);
    return field;
  }

  @SuppressWarnings("unchecked")
  private static List<ConcurrentMap<byte[], Object>> parts(ShardedMap<?, ?> map)
      throws ReflectiveOperationException {
    return (List<ConcurrentMap<byte[], Object>>) field().get(map);
  }

  private static void parts(ShardedMap<?, ?> map, List<ConcurrentMap<byte[], Object>> parts)
      throws ReflectiveOperationException {
    field().set(map, parts);
  }

  private static void replacePart(ShardedMap<?, ?> map, int shard, Runnable after) {
    replace(map, shard, () -> {}, after);
  }

  private static void replaceBefore(ShardedMap<?, ?> map, int shard, Runnable before) {
    replace(map, shard, before, () -> {});
  }

  private static void replace(ShardedMap<?, ?> map, int shard, Runnable before, Runnable after) {
    try {
      List<ConcurrentMap<byte[], Object>> parts = new ArrayList<>(parts(map));
      ConcurrentMap<byte[], Object> part = parts.get(shard);
      parts.set(
          shard,
          MovingStore.hooked(
              MovingStore.hooked(part, "get", before, after), "containsKey", before, after));
      parts(map, List.copyOf(parts));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static <T> List<T> list(Iterator<T> all) {
    List<T> list = new ArrayList<>();
    all.forEachRemaining(list::add);
    return list;
  }

  // ---- Batches -------------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource(Step.class)
  void aBatchChangesKeysAtAnyStepTogether(Step step) throws Exception {
    atEachStep(
        step,
        (moving, map, key) -> {
          int staying = moving.stayingKey(map, 0);
          int absent = moving.movingKey(map, key + 1);
          moving.store.batch().put(map, staying, 7).commit();
          moving
              .store
              .batch()
              .put(map, key, 2)
              .remove(map, staying)
              .put(map, absent, 3)
              .put(map, key, 4) // the last change of a key counts
              .commit();
          assertThat(map.get(key)).isEqualTo(4);
          assertThat(map.get(staying)).isNull();
          assertThat(map.get(absent)).isEqualTo(3);
          assertThat(map.sizeLong()).isEqualTo(2);
          assertThat(moving.isIn(map, moving.target(map, absent), absent)).isTrue();
          moving.move(map, key);
          moving.move(map, absent);
          assertThat(map.asMap().keySet()).containsExactlyInAnyOrder(key, absent);
        });
  }
}
