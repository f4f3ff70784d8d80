package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.Shape;
import io.everheap.collection.Structure;
import io.everheap.engine.HeapCopy;
import io.everheap.error.EverheapException;
import io.everheap.heap.HeapSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What sets of both kinds do while others change them, and when their bytes are damaged. */
class SetsTest {
  private static final int ELEMENTS = 2000;

  @TempDir Path directory;

  /** A kind of set with elements that tell by themselves whether they are whole. */
  record Kind<E, S extends Set<E> & Structure>(
      String name, Shape<S> shape, IntFunction<E> element) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static long word(int i) {
    return i * 0x9E37_79B9_7F4A_7C15L;
  }

  private static String text(int i) {
    return "element " + i + " " + "x".repeat(i % 40);
  }

  static Stream<Kind<?, ?>> kinds() {
    return Stream.of(
        new Kind<>("set of words", DurableSet.of(Long.class), SetsTest::word),
        new Kind<>("set of texts", DurableSet.of(String.class), SetsTest::text),
        new Kind<>("sorted set of words", DurableSortedSet.of(Long.class), SetsTest::word),
        new Kind<>("sorted set of texts", DurableSortedSet.of(String.class), SetsTest::text));
  }

  /**
   * A writer moves elements in transactions: of each pair one is there, at any moment. Elements
   * that are multiples of ten never leave.
   */
  @ParameterizedTest
  @MethodSource("kinds")
  <E, S extends Set<E> & Structure> void readersSeeWhatWasCommitted(Kind<E, S> kind)
      throws Exception {
    try (Heap heap = Heap.inMemory()) {
      S set = heap.root("set", kind.shape());
      heap.transact(() -> fill(kind, set));
      AtomicBoolean done = new AtomicBoolean();
      List<Threads.Running<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        int seed = i;
        readers.add(Threads.start("reader " + i, () -> read(heap, kind, set, done, seed)));
      }
      Random random = new Random(1);
      for (int i = 0; i < 3000; i++) {
        int n = random.nextInt(ELEMENTS / 10) * 10 + 1 + random.nextInt(4);
        E one = kind.element().apply(n);
        E other = kind.element().apply(n + 5);
        heap.transact(
            () -> {
              if (set.remove(one)) {
                assertThat(set.add(other)).isTrue();
              } else {
                assertThat(set.remove(other)).isTrue();
                assertThat(set.add(one)).isTrue();
              }
            });
      }
      done.set(true);
      for (Threads.Running<Integer> reader : readers) {
        assertThat(reader.result()).isPositive();
      }
      assertThat(set).hasSize(ELEMENTS / 10 * 5);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  /** Elements 10 n, which stay, and 10 n + 1 to 10 n + 4, each of which trades with that plus 5. */
  private static <E, S extends Set<E> & Structure> void fill(Kind<E, S> kind, S set) {
    for (int n = 0; n < ELEMENTS; n++) {
      if (n % 10 < 5) {
        set.add(kind.element().apply(n));
      }
    }
  }

  private static <E, S extends Set<E> & Structure> int read(
      Heap heap, Kind<E, S> kind, S set, AtomicBoolean done, int seed) {
    Random random = new Random(seed);
    int reads = 0;
    do {
      int tens = random.nextInt(ELEMENTS / 10) * 10;
      assertThat(set.contains(kind.element().apply(tens))).isTrue();
      int n = tens + 1 + random.nextInt(4);
      boolean one =
          heap.read(
              () ->
                  set.contains(kind.element().apply(n))
                      != set.contains(kind.element().apply(n + 5)));
      assertThat(one).as("one of %s and %s", n, n + 5).isTrue();
      if (reads++ % 100 == 0) {
        Set<E> seen = new HashSet<>(set);
        for (int i = 0; i < ELEMENTS; i += 10) {
          assertThat(seen.contains(kind.element().apply(i))).as("element %s", i).isTrue();
        }
      }
    } while (!done.get());
    return reads;
  }

  /** Whatever is damaged, there is an answer or an exception that says so, and every walk ends. */
  @ParameterizedTest
  @MethodSource("kinds")
  <E, S extends Set<E> & Structure> void damageIsToldOrHarmless(Kind<E, S> kind)
      throws IOException {
    Path sound = directory.resolve("sound");
    try (Heap heap = TestHeaps.open(sound)) {
      S set = heap.root("set", kind.shape());
      heap.transact(() -> fill(kind, set));
    }
    for (int seed = 0; seed < 12; seed++) {
      Random random = new Random(seed);
      Path damaged = HeapCopy.killed(sound, directory.resolve("damaged" + seed));
      Path file = damaged.resolve("heap");
      Files.delete(damaged.resolve("heap.crc")); // else the pages are refused as a whole
      long size = Files.size(file);
      for (int i = 0; i < 20; i++) {
        if (i == 0) {
          long page = random.nextLong(64, size / 4096) * 4096;
          TestHeaps.write(file, page, ByteBuffer.allocate(random.nextBoolean() ? 64 : 4096));
        } else {
          TestHeaps.flip(file, random.nextLong(64 * 4096, size), 1 << random.nextInt(8));
        }
      }
      try (Heap heap =
          HeapSettings.options(Heap.builder(damaged), TestHeaps.manual()).readOnly().open()) {
        S set = heap.root("set", kind.shape());
        attempt(() -> assertThat(set.stream().limit(10 * ELEMENTS).count()).isNotNegative());
        for (int n = 0; n < ELEMENTS; n++) {
          E element = kind.element().apply(n);
          attempt(() -> assertThat(set.contains(element)).isIn(true, false));
        }
        assertThat(heap.verify()).isNotNull();
      } catch (EverheapException e) {
        assertThat(e).hasMessageContaining("");
      }
    }
  }

  private static void attempt(Runnable read) {
    try {
      read.run();
    } catch (EverheapException e) {
      assertThat(e).hasMessageContaining("");
    }
  }
}
