package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.EngineOptions;
import io.everheap.error.DiskFullException;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.MediumFile;
import io.everheap.memory.MediumSetting;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The disk of an encrypted heap is full while checkpoints of many small rounds run: each of them
 * completes in the space that growth has taken, nothing acknowledged is lost, and the heap works
 * again when there is space.
 */
public final class FullDiskScenarios {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int PAGE = 4096;

  /** Values that are there before the disk is full: their pages are those of some 30 rounds. */
  private static final int VALUES = 500;

  /** Values that make the heap grow. */
  private static final int MORE = 1500;

  private FullDiskScenarios() {}

  /** A heap of which a round has the fewest pages, and whose checkpoints run when tests ask. */
  private static Heap open(SimulatedMedium medium) {
    EngineOptions o = SimulatedHeaps.options(Durability.SYNC);
    EngineOptions options =
        new EngineOptions(
            o.maxCapacity(),
            o.extentShift(),
            16L << 20,
            o.segmentSize(),
            o.ringSize(),
            o.maxTransaction(),
            256 * PAGE,
            o.lockTimeoutNanos(),
            true,
            0,
            false);
    return HeapSettings.options(
            MediumSetting.medium(Heap.builder(Path.of(medium.location())).encrypt(KEY), medium),
            options)
        .open();
  }

  private static DurableMap<Integer, byte[]> map(Heap heap) {
    return heap.map("m", Integer.class, byte[].class);
  }

  private static void put(Heap heap, Map<Integer, Integer> acknowledged, int key, int value) {
    byte[] bytes = new byte[3800];
    Arrays.fill(bytes, (byte) value);
    map(heap).put(key, bytes);
    acknowledged.put(key, value);
  }

  private static SimulatedMedium made(Map<Integer, Integer> acknowledged) {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (Heap heap = open(medium)) {
      for (int i = 0; i < VALUES; i++) {
        put(heap, acknowledged, i, 1);
      }
      heap.checkpoint();
      for (int i = 0; i < VALUES; i++) { // so that its log has segments
        put(heap, acknowledged, i, 2);
      }
    }
    return medium.processKill();
  }

  private static long roundsOf(SimulatedMedium medium) {
    try (MediumFile file = medium.open("heap.round")) {
      return file.size();
    }
  }

  private static void expect(Heap heap, Map<Integer, Integer> acknowledged) {
    assertThat(map(heap)).hasSize(acknowledged.size());
    acknowledged.forEach(
        (key, value) -> assertThat(map(heap).get(key)).contains(value.byteValue()).hasSize(3800));
  }

  /** Checkpoints need no space: the file of rounds is as large as growth has made it. */
  public static void checkpointsOfManyRounds() {
    Map<Integer, Integer> acknowledged = new TreeMap<>();
    SimulatedMedium medium = made(acknowledged);
    long rounds = roundsOf(medium);
    try (Heap heap = open(medium)) {
      medium.faults().fillDisk(1);
      for (int n = 3; n < 8; n++) {
        for (int i = 0; i < VALUES; i++) {
          int value = n;
          int key = i;
          try {
            put(heap, acknowledged, key, value);
          } catch (DiskFullException e) { // of the log: a checkpoint makes room
            heap.checkpoint();
            put(heap, acknowledged, key, value);
          }
        }
        heap.checkpoint();
      }
      expect(heap, acknowledged);
    }
    SimulatedMedium closed = medium.processKill();
    assertThat(roundsOf(closed)).isEqualTo(rounds);
    try (Heap heap = open(closed)) {
      expect(heap, acknowledged);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  /** The disk begins to be full at any point of commits, growth and checkpoints. */
  public static void atAnyPoint() {
    int met = 0;
    int unmet = 0;
    for (long page = 1; unmet < 1; page += 1 + page / (3L * EFFORT)) {
      Map<Integer, Integer> acknowledged = new TreeMap<>();
      SimulatedMedium medium = made(acknowledged);
      boolean full = false;
      CrashImage image;
      try (Heap heap = open(medium)) {
        medium.faults().fillDisk(page);
        full = work(heap, acknowledged);
        image = medium.image();
        medium.faults().freeSpace();
        Map<Integer, Integer> later = new TreeMap<>(acknowledged);
        for (int i = 0; i < MORE; i++) {
          put(heap, later, i, 9);
        }
        heap.checkpoint();
        expect(heap, later);
      }
      for (SimulatedMedium left :
          List.of(
              image.processKill(),
              image.powerLoss(Chooser.none()),
              image.powerLoss(Chooser.random(page)))) {
        left.faults().freeSpace();
        try (Heap again = open(left)) {
          expect(again, acknowledged);
          assertThat(again.verify().problems()).isEmpty();
          put(again, new TreeMap<>(acknowledged), 0, 10);
          again.checkpoint();
        }
      }
      met += full ? 1 : 0;
      unmet += full ? 0 : 1;
    }
    assertThat(met).as("runs that met the full disk").isGreaterThan(5);
  }

  /** Returns whether the disk was full; checkpoints succeed all the same. */
  private static boolean work(Heap heap, Map<Integer, Integer> acknowledged) {
    boolean full = false;
    for (int n = 3; n < 5; n++) {
      for (int i = 0; i < MORE; i++) {
        try {
          put(heap, acknowledged, i, n);
        } catch (DiskFullException e) {
          full = true;
          heap.checkpoint();
          break;
        }
      }
      for (int i = 0; i < VALUES; i += 2) {
        try {
          put(heap, acknowledged, i, n);
        } catch (DiskFullException e) {
          heap.checkpoint();
          put(heap, acknowledged, i, n);
        }
      }
      heap.checkpoint();
    }
    return full;
  }
}
