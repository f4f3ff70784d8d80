package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.error.EverheapException;
import io.everheap.memory.MediumFile;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Inverts a bit of every byte that is not zero in the log and in the superblocks of a heap that
 * lost its power: what was acknowledged is found, or the heap says by name what is damaged and does
 * not open. Only the last batch of an ordinary file's log, and the last record of a
 * byte-addressable one, cannot be told from a write that the crash cut off. The same with a log of
 * two epochs, for a process was killed in between.
 */
@Campaign
class EveryBitTest {
  private static final HeapSetup SETUP = new HeapSetup(true);
  private static final int COMMITS = 6;

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void inTheLog(boolean dax, boolean reopened) {
    CrashImage image = image(dax, reopened);
    SimulatedMedium whole = image.powerLoss(Chooser.none());
    int refused = 0;
    for (String name : whole.list("log")) {
      byte[] bytes = bytes(whole, "log/" + name);
      long last = lastWritten(bytes);
      for (int at = 0; at <= last; at++) {
        if (bytes[at] != 0) {
          refused += flip(image, "log/" + name, at) ? 0 : 1;
        }
      }
    }
    assertThat(refused).as("damages that were refused").isPositive();
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void inTheSuperblocks(boolean dax, boolean reopened) {
    CrashImage image = image(dax, reopened);
    byte[] bytes = bytes(image.powerLoss(Chooser.none()), "heap");
    for (int at = 0; at < 8192; at++) {
      if (bytes[at] != 0) {
        flip(image, "heap", at);
      }
    }
  }

  private static CrashImage image(boolean dax, boolean reopened) {
    SimulatedMedium medium = dax ? SimulatedMedium.dax(1) : SimulatedMedium.file(1);
    try (medium) {
      Heap heap = SETUP.open(medium);
      map(heap).put(0L, 0L);
      heap.checkpoint();
      put(heap, 1, reopened ? COMMITS / 2 : COMMITS);
      CrashImage image = medium.image();
      heap.close();
      return reopened ? goneOn(image) : image;
    }
  }

  private static CrashImage goneOn(CrashImage killed) {
    try (SimulatedMedium medium = killed.processKill()) {
      Heap heap = SETUP.open(medium);
      put(heap, COMMITS / 2 + 1, COMMITS);
      CrashImage image = medium.image();
      heap.close();
      return image;
    }
  }

  private static void put(Heap heap, long first, long last) {
    for (long i = first; i <= last; i++) {
      map(heap).put(i, i);
    }
  }

  /** Returns whether the heap opened. */
  private static boolean flip(CrashImage image, String file, int at) {
    SimulatedMedium damaged = image.powerLoss(Chooser.none());
    damaged.flipBit(file, at, at % 8);
    try (damaged;
        Heap heap = SETUP.open(damaged)) {
      Map<Long, Long> found = new TreeMap<>(map(heap));
      assertThat(found)
          .as("byte %d of %s damaged", at, file)
          .isIn(commits(COMMITS), commits(COMMITS - 1));
      SETUP.verify(heap);
      return true;
    } catch (EverheapException e) {
      assertThat(e.code()).startsWith("EH-");
      assertThat(e).hasMessageContaining(file.startsWith("log") ? "log" : "heap");
      return false;
    }
  }

  private static Map<Long, Long> commits(long last) {
    Map<Long, Long> commits = new TreeMap<>();
    for (long i = 0; i <= last; i++) {
      commits.put(i, i);
    }
    return commits;
  }

  private static byte[] bytes(SimulatedMedium medium, String name) {
    try (MediumFile file = medium.open(name)) {
      ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(file.size(), 1 << 16));
      file.read(buffer, 0);
      return buffer.array();
    }
  }

  private static int lastWritten(byte[] bytes) {
    int last = bytes.length - 1;
    while (last >= 0 && bytes[last] == 0) {
      last--;
    }
    return last;
  }

  private static DurableMap<Long, Long> map(Heap heap) {
    return heap.map("numbers", Long.class, Long.class);
  }
}
