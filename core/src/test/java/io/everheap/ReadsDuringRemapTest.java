package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.block.Block;
import io.everheap.block.UnloggedRegion;
import io.everheap.engine.EngineOptions;
import io.everheap.error.ClosedException;
import io.everheap.heap.HeapSettings;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads of every kind while the home image is unmapped for a moment, or for good. */
@Campaign
class ReadsDuringRemapTest {
  private static final int SHRINKS = Integer.getInteger("everheap.shrinks", 8);
  private static final int CLOSES = Integer.getInteger("everheap.closes", 5);
  private static final int READERS = 3;
  private static final long HOUR = TestHeaps.HOUR;

  @TempDir Path temp;

  /** One extent has all, so that all of it is unmapped; with little memory it is paged, too. */
  private Heap open(String name, int memoryMegabytes) {
    long memory = (long) memoryMegabytes << 20;
    EngineOptions options =
        new EngineOptions(
            1 << 28, 28, 4 << 20, 1 << 18, 1 << 18, 1 << 26, memory, HOUR, false, 1_000_000, true);
    return HeapSettings.options(Heap.builder(temp.resolve(name)), options).open();
  }

  private static void growAndShrink(Heap heap) {
    List<Block> blocks = new ArrayList<>();
    heap.transact(
        () -> {
          for (int i = 0; i < 3; i++) {
            blocks.add(heap.blocks().allocate(2 << 20));
          }
        });
    heap.transact(() -> blocks.forEach(Block::free));
    assertThat(heap.shrink()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 1})
  void noReadNoticesThatTheImageIsCut(int memoryMegabytes) throws Exception {
    try (Heap heap = open("h", memoryMegabytes)) {
      EveryRead every = new EveryRead(heap);
      Map<String, Object> expected = every.results();
      AtomicBoolean done = new AtomicBoolean();
      Set<String> wrong = new ConcurrentSkipListSet<>();
      List<Threads.Running<?>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        int start = i * every.reads().size() / READERS;
        readers.add(
            Threads.start(
                "reader " + i,
                () -> {
                  List<String> names = new ArrayList<>(every.reads().keySet());
                  for (int n = start; !done.get() || n < start + names.size(); n++) {
                    String name = names.get(n % names.size());
                    check(name, every.reads().get(name), expected.get(name), wrong);
                  }
                  return null;
                }));
      }
      for (int i = 0; i < SHRINKS; i++) {
        growAndShrink(heap);
      }
      done.set(true);
      for (Threads.Running<?> reader : readers) {
        reader.result();
      }
      assertThat(wrong).isEmpty();
    }
  }

  private static void check(String name, Callable<?> read, Object expected, Set<String> wrong) {
    try {
      Object result = read.call();
      if (!expected.equals(result)) {
        wrong.add(name + " returned " + result + ", not " + expected);
      }
    } catch (Throwable e) {
      wrong.add(name + ": " + e);
    }
  }

  @Test
  void everyReadOfAHeapThatIsBeingClosedSaysJustThat() throws Exception {
    Set<String> wrong = new TreeSet<>();
    for (int i = 0; i < CLOSES; i++) {
      wrong.addAll(closeWhileReading(i));
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void aCopyOfARegionThatIsUnderWayWhenTheHeapIsClosedSaysJustThat() throws Exception {
    for (int i = 0; i < CLOSES; i++) {
      Heap heap = open("copied " + i, 64);
      UnloggedRegion region = heap.region("region", 16 << 20);
      MemorySegment copy = MemorySegment.ofArray(new byte[16 << 20]);
      CountDownLatch copying = new CountDownLatch(1);
      Threads.Running<?> reader =
          Threads.start(
              "reader",
              () -> {
                while (true) {
                  region.copyTo(0, copy, 0, copy.byteSize());
                  copying.countDown();
                }
              });
      Limit.await(copying);
      heap.close();
      assertThatThrownBy(reader::result).hasCauseInstanceOf(ClosedException.class);
    }
  }

  private Set<String> closeWhileReading(int round) throws Exception {
    Heap heap = open("closed " + round, 64);
    EveryRead every = new EveryRead(heap);
    Map<String, Object> expected = every.results();
    List<String> names = new ArrayList<>(every.reads().keySet());
    CountDownLatch reading = new CountDownLatch(READERS);
    Set<String> wrong = new ConcurrentSkipListSet<>();
    List<Threads.Running<?>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      int start = (round * READERS + i) * 13;
      readers.add(
          Threads.start(
              "reader " + i,
              () -> {
                for (int n = start; ; n++) {
                  String name = names.get(n % names.size());
                  if (!isOpen(name, every.reads().get(name), expected.get(name), wrong)) {
                    reading.countDown();
                    return null;
                  }
                  if (n == start + 5) {
                    reading.countDown();
                  }
                }
              }));
    }
    Limit.await(reading);
    heap.close();
    for (Threads.Running<?> reader : readers) {
      reader.result();
    }
    return wrong;
  }

  /** Calls a read; returns whether it worked. */
  private static boolean isOpen(String name, Callable<?> read, Object expected, Set<String> wrong) {
    try {
      Object result = read.call();
      if (!expected.equals(result)) {
        wrong.add(name + " returned " + result + ", not " + expected);
      }
      return true;
    } catch (ClosedException e) {
      return false;
    } catch (Throwable e) {
      wrong.add(name + ": " + e);
      return false;
    }
  }
}
