package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.engine.home.HomeLayout;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.memory.MediumFile;
import io.everheap.support.Seeds;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Inverts single bits of the pages and checksums of a small heap that is not encrypted. No root and
 * no key that was stored is ever taken for absent, so that nothing new takes its place: either it
 * is found, or the heap says that it is damaged. Names that were not stored are never listed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlippedBitsTest {
  private static final HeapSetup SETUP = new HeapSetup(true);
  private static final Set<String> ROOTS = Set.of("accounts", "flags", "numbers", "prices");
  private static final List<String> KEYS =
      List.of("alice", "bob", "a name of forty bytes, in two lines");
  private static final int SAMPLE = 25;

  private CrashImage image;
  private SimulatedMedium sound;

  @BeforeAll
  void makeHeap() {
    try (SimulatedMedium medium = SimulatedMedium.file(1)) {
      Heap heap = SETUP.open(medium);
      for (String key : KEYS) {
        heap.map("accounts", String.class, Long.class).put(key, 100L);
        heap.set("flags", String.class).add(key);
        heap.sortedMap("prices", String.class, Long.class).put(key, 100L);
        heap.map("numbers", Long.class, Long.class).put((long) key.length(), 100L);
      }
      heap.checkpoint();
      image = medium.image();
      heap.close();
    }
    sound = image.powerLoss(Chooser.none());
  }

  @AfterAll
  void close() {
    sound.close();
  }

  @Test
  void aSampleOfBitsHidesNothing() {
    flip(SAMPLE);
  }

  /** With {@code -Deverheap.flips=all} every bit. */
  @Test
  @Campaign
  void noBitHidesAnything() {
    boolean all = System.getProperty("everheap.flips", "").equals("all");
    int found = flip(all ? Integer.MAX_VALUE : 20 * SAMPLE);
    assertThat(found).as("flips of bits in values, which nothing notices").isPositive();
  }

  /** Flips at most so many bits of each file; returns after how many of them all was found. */
  private int flip(int most) {
    Random random = new Random(Seeds.seed());
    int found = 0;
    for (String file : List.of("heap", "heap.crc")) {
      int[] words = written(file);
      int bits = words.length * Long.SIZE;
      for (int i = 0; i < Math.min(most, bits); i++) {
        int bit = bits <= most ? i : random.nextInt(bits);
        int at = words[bit / Long.SIZE] + bit % Long.SIZE / Byte.SIZE;
        found += flip(file, at, bit % Byte.SIZE) ? 1 : 0;
      }
    }
    return found;
  }

  /** The places of all words that are not zero, and of those beside them; no superblocks. */
  private int[] written(String name) {
    ByteBuffer bytes;
    try (MediumFile file = sound.open(name)) {
      bytes = ByteBuffer.allocate((int) Math.min(file.size(), 1 << 20));
      file.read(bytes, 0);
    }
    int first = name.equals("heap") ? (int) HomeLayout.CATALOG_ADDRESS : 0;
    return IntStream.range(first / Long.BYTES, bytes.capacity() / Long.BYTES - 1)
        .map(word -> word * Long.BYTES)
        .filter(at -> (bytes.getLong(at) | bytes.getLong(Math.max(0, at - Long.BYTES))) != 0)
        .toArray();
  }

  /** Returns whether everything was found. */
  private boolean flip(String file, int at, int bit) {
    SimulatedMedium damaged = image.powerLoss(Chooser.none());
    damaged.flipBit(file, at, bit);
    String what = "bit " + bit + " of byte " + at + " of " + file;
    Heap heap;
    try {
      heap = SETUP.open(damaged);
    } catch (EverheapException e) {
      damaged.close();
      assertNamed(what, e);
      return false;
    }
    boolean found = false;
    try {
      found = use(heap, what);
    } finally {
      try {
        heap.close();
      } catch (EverheapException e) {
        assertNamed(what, e);
      }
      damaged.close();
    }
    return found;
  }

  private static boolean use(Heap heap, String what) {
    boolean[] all = {true};
    check(all, what, () -> assertThat(heap.names()).as(what).isEqualTo(ROOTS));
    for (String root : ROOTS) {
      check(all, what, () -> assertThat(heap.contains(root)).as(what).isTrue());
    }
    check(all, what, () -> assertThat(heap.contains("other")).as(what).isFalse());
    for (String key : KEYS) {
      check(
          all,
          what,
          () ->
              assertThat(heap.map("accounts", String.class, Long.class).putIfAbsent(key, 7L))
                  .as(what)
                  .isNotNull());
      check(
          all, what, () -> assertThat(heap.set("flags", String.class).add(key)).as(what).isFalse());
      check(
          all,
          what,
          () ->
              assertThat(heap.sortedMap("prices", String.class, Long.class).putIfAbsent(key, 7L))
                  .as(what)
                  .isNotNull());
      check(
          all,
          what,
          () ->
              assertThat(
                      heap.map("numbers", Long.class, Long.class)
                          .putIfAbsent((long) key.length(), 7L))
                  .as(what)
                  .isNotNull());
    }
    return all[0];
  }

  private static void check(boolean[] all, String what, Runnable reading) {
    try {
      reading.run();
    } catch (EverheapException e) {
      assertNamed(what, e);
      all[0] = false;
    }
  }

  private static void assertNamed(String what, EverheapException e) {
    assertThat(e.code()).as(what).isIn(CorruptException.CODE, CorruptException.TRUNCATED_CODE);
  }
}
