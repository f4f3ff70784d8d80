package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSet;
import io.everheap.collection.Shape;
import io.everheap.error.GoneException;
import io.everheap.report.Footprint;
import io.everheap.support.tier.Campaign;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Footprints are measured while transactions change the measured structures. */
class FootprintConcurrencyTest {
  private static final Shape<DurableSet<Long>> LONGS = DurableSet.of(Long.class);
  private static final int SETS = 40;

  private final Heap heap = new HeapBuilder(null).durability(Durability.SYNC).open();
  private final DurableMap<Long, DurableSet<Long>> map =
      heap.root("map", DurableMap.of(Long.class, LONGS));
  private final AtomicBoolean ended = new AtomicBoolean();

  @AfterEach
  void close() {
    heap.close();
  }

  private DurableSet<Long> set(int elements) {
    DurableSet<Long> set = heap.create(LONGS);
    LongStream.range(0, elements).forEach(set::add);
    return set;
  }

  /** Each commit replaces a set by an equal one, so that every state has the same footprint. */
  private void replaceSets(int everyNanos) {
    for (long i = 0; !ended.get(); i++) {
      long key = i % SETS;
      heap.transact(() -> heap.free(map.put(key, set(30))));
      long until = System.nanoTime() + everyNanos;
      while (System.nanoTime() < until) {
        Thread.onSpinWait();
      }
    }
  }

  private void assertConstant(int writers, int everyNanos, int reads) throws Exception {
    heap.transact(() -> LongStream.range(0, SETS).forEach(key -> map.put(key, set(30))));
    Footprint expected = heap.footprint("map");
    List<Threads.Running<?>> running = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      running.add(
          Threads.start(
              "writer " + i,
              () -> {
                replaceSets(everyNanos);
                return null;
              }));
    }
    for (int i = 0; i < reads; i++) {
      assertThat(heap.footprint("map")).isEqualTo(expected);
      assertThat(heap.footprint(map)).isEqualTo(expected);
      assertThat(heap.<List<Footprint>, RuntimeException>read(this::both))
          .containsExactly(expected, expected);
    }
    ended.set(true);
    for (Threads.Running<?> writer : running) {
      writer.result();
    }
    assertThat(heap.verify().problems()).isEmpty();
  }

  private List<Footprint> both() {
    return List.of(heap.footprint("map"), heap.footprint(map));
  }

  @Test
  void everyFootprintIsThatOfOneState() throws Exception {
    assertConstant(2, 0, 20);
  }

  @Test
  @Campaign
  void everyFootprintIsThatOfOneStateWithRareAndFrequentCommits() throws Exception {
    assertConstant(1, 2_000_000, 300);
    ended.set(false);
    assertConstant(3, 1_000, 300);
  }

  @Test
  void rootsAndStructuresThatComeAndGoAreMeasuredOrMissing() throws Exception {
    Threads.Running<?> writer =
        Threads.start(
            "writer",
            () -> {
              while (!ended.get()) {
                heap.transact(() -> map.put(1L, set(100)));
                heap.transact(() -> heap.root("root", LONGS).add(1L));
                heap.removeDeep("root");
                heap.freeDeep(map.remove(1L));
              }
              return null;
            });
    int measured = 0;
    for (int i = 0; i < 1_000 || measured == 0; i++) {
      DurableSet<Long> set = map.get(1L);
      try {
        if (set != null) {
          assertThat(heap.footprint(set).ownBlocks()).isGreaterThan(100);
          measured++;
        }
      } catch (GoneException e) {
        // it was freed since
      }
      try {
        assertThat(heap.footprint("root").ownBlocks()).isEqualTo(4);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("no root named root");
      }
    }
    ended.set(true);
    writer.result();
  }

  @Test
  void aStructureThatGrowsIsMeasuredBetweenCommits() throws Exception {
    DurableMap<Long, String> growing = heap.map("growing", Long.class, String.class);
    Threads.Running<?> writer =
        Threads.start(
            "writer",
            () -> {
              for (long key = 0; !ended.get(); key++) {
                growing.put(key % 5_000, "x".repeat((int) (key * 31 % 3_000)));
              }
              return null;
            });
    for (int i = 0; i < 100; i++) {
      Footprint space = heap.footprint("growing");
      assertThat(space.bytes()).isEqualTo(space.ownBytes());
      assertThat(space.ownBlocks()).isBetween(3L, 5_500L);
    }
    ended.set(true);
    writer.result();
  }
}
