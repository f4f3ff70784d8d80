package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.BYTES;
import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.codec.Codec;
import io.everheap.collection.DurableMap;
import io.everheap.error.GoneException;
import io.everheap.support.Limit;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A writer looks its key up before its turn comes; what other writers do until then counts. */
class DurableMapWaitingWriterTest {
  @Test
  void aKeyThatIsRemovedMeanwhileIsInsertedAgain() throws Exception {
    whileAWriterWaits(LONG, k -> k, map -> map.remove(5L));
    whileAWriterWaits(STRING, Long::toString, map -> map.remove("5"));
  }

  @Test
  void aKeyThatIsInsertedMeanwhileIsNotInsertedTwice() throws Exception {
    whileAWriterWaits(LONG, k -> k, map -> map.put(500L, new byte[7]));
    whileAWriterWaits(STRING, Long::toString, map -> map.put("500", new byte[7]));
  }

  @Test
  void aNodeThatMovesMeanwhileIsFoundAgain() throws Exception {
    whileAWriterWaits(LONG, k -> k, map -> map.put(5L, new byte[3000]));
    whileAWriterWaits(STRING, Long::toString, map -> map.put("5", new byte[3000]));
  }

  @Test
  void aTableThatIsExchangedMeanwhileIsNotWrittenTo() throws Exception {
    whileAWriterWaits(LONG, k -> k, DurableMap::clear);
    whileAWriterWaits(STRING, Long::toString, DurableMap::clear);
  }

  @Test
  void aMapThatIsRemovedMeanwhileIsNotWrittenTo() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      DurableMap<Long, Long> map = heap.map("map", Long.class, Long.class);
      heap.transact(() -> LongStream.range(0, 50_000).forEach(k -> map.put(k, 1L)));
      FutureTask<Long> putting = new FutureTask<>(() -> map.put(5L, 2L));
      FutureTask<Long> setting = new FutureTask<>(() -> map.set(6L, 2L), null);
      Thread first = waiting(putting);
      Thread second = waiting(setting);
      heap.transact(
          () -> {
            first.start();
            second.start();
            awaitWaiting(first);
            awaitWaiting(second);
            heap.remove("map");
          });
      assertThatThrownBy(() -> Limit.get(putting)).hasCauseInstanceOf(GoneException.class);
      assertThatThrownBy(() -> Limit.get(setting)).hasCauseInstanceOf(GoneException.class);
    }
  }

  private interface Change<K> {
    void make(DurableMap<K, byte[]> map);
  }

  private static <K> void whileAWriterWaits(Codec<K> keys, LongFunction<K> key, Change<K> meanwhile)
      throws Exception {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<K, byte[]> map = heap.map(keys, BYTES);
      for (long k = 0; k < 100; k++) {
        map.put(key.apply(k), new byte[9]);
      }
      for (long k : new long[] {5, 500}) {
        AtomicReference<byte[]> found = new AtomicReference<>();
        AtomicReference<byte[]> replaced = new AtomicReference<>();
        Thread putting = waiting(() -> replaced.set(map.put(key.apply(k), new byte[] {1})));
        Thread setting = waiting(() -> map.set(key.apply(k + 1), new byte[] {2}));
        heap.context()
            .transactions()
            .run(
                () -> {
                  putting.start();
                  setting.start();
                  awaitWaiting(putting);
                  awaitWaiting(setting);
                  meanwhile.make(map);
                  found.set(map.get(key.apply(k)));
                });
        Limit.join(putting);
        Limit.join(setting);
        assertThat(map.get(key.apply(k))).containsExactly(1);
        assertThat(map.get(key.apply(k + 1))).containsExactly(2);
        assertThat(map.keySet().stream().filter(key.apply(k)::equals)).hasSize(1);
        assertThat(replaced.get()).isEqualTo(found.get());
      }
    }
  }

  private static Thread waiting(Runnable body) {
    return Thread.ofPlatform().daemon().unstarted(body);
  }

  private static void awaitWaiting(Thread thread) {
    Limit.until("the writer waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
  }
}
