package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.Heap;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.home.ChecksumLayout;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.MediumSetting;
import io.everheap.report.VerifyReport;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.CrashPoint;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Page checksums after crashes, faults and moves. */
@Campaign
class PageChecksumCrashTest {
  private static final HeapSetup SETUP = new HeapSetup(true);

  private static Map<Long, Long> map(Heap heap) {
    return heap.map("numbers", Long.class, Long.class);
  }

  private static Heap with(SimulatedMedium medium, long entries) {
    Heap heap = SETUP.open(medium);
    for (long i = 0; i < entries; i++) {
      map(heap).put(i, i);
    }
    return heap;
  }

  @Test
  void everyMomentOfACheckpointLeavesPagesThatMatchOrAreInDoubt() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap heap = with(medium, 300);
    heap.checkpoint();
    heap.transact(
        () -> {
          for (long i = 0; i < 300; i += 3) {
            map(heap).put(i, -i);
          }
        });
    Map<Long, Long> expected = new HashMap<>(map(heap));
    List<CrashImage> images = new ArrayList<>();
    medium.observe(point -> images.add(medium.image()));
    heap.checkpoint();
    medium.observe(point -> {});
    heap.close();
    assertThat(images).hasSizeGreaterThan(8);
    for (CrashImage image : images) {
      for (SimulatedMedium after : crashes(image)) {
        try (Heap reader = SETUP.open(after.image().readOnly())) {
          SETUP.verify(reader);
        }
        try (Heap again = SETUP.open(after)) {
          assertThat(map(again)).isEqualTo(expected);
          SETUP.verify(again);
        }
      }
    }
  }

  private static List<SimulatedMedium> crashes(CrashImage image) {
    List<SimulatedMedium> result = new ArrayList<>();
    result.add(image.processKill());
    result.add(image.powerLoss(Chooser.none()));
    result.add(image.powerLoss(Chooser.all()));
    for (long seed = 1; seed <= 6; seed++) {
      result.add(image.powerLoss(Chooser.random(seed)));
    }
    return result;
  }

  @Test
  void aPageThatTheLogDoesNotChangeIsCheckedEvenAfterAnInterruptedCheckpoint() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap heap = with(medium, 300);
    List<CrashImage> images = new ArrayList<>();
    medium.observe(point -> images.add(medium.image()));
    heap.checkpoint();
    medium.observe(point -> {});
    heap.close();
    for (CrashImage image : images) {
      SimulatedMedium after = image.processKill();
      after.flipBit("heap", 5 * 4096 + 9, 3);
      try (Heap again = SETUP.open(after)) {
        assertThat(again.verify().problems())
            .singleElement()
            .returns("checksum", VerifyReport.Problem::kind)
            .returns(5L * 4096, VerifyReport.Problem::offset);
      }
    }
  }

  @Test
  void noFailureOfTheDiskMakesASoundPageLookDamaged() {
    for (int write = 1; write < 40; write++) {
      SimulatedMedium medium = SimulatedMedium.file(3);
      Heap heap = with(medium, 100);
      medium.faults().cutWrite(write);
      for (int attempt = 0; attempt < 3; attempt++) {
        try {
          for (long i = 0; i < 40; i++) {
            map(heap).put(i, -i);
          }
          heap.checkpoint();
          SETUP.verify(heap);
        } catch (EverheapException e) {
          assertThat(e).isNotInstanceOf(CorruptException.class);
        }
      }
      medium.faults().cutWrite(-1);
      if (heap.isOpen()) {
        heap.checkpoint();
        SETUP.verify(heap);
      }
      try (Heap again = SETUP.open(medium.processKill())) {
        SETUP.verify(again);
      }
      heap.close();
    }
  }

  @Test
  void aHeapThatMovesToByteAddressableStorageAndBackIsCheckedAgain() {
    SimulatedMedium file = SimulatedMedium.file(1);
    with(file, 300).close();
    SimulatedMedium closed = file.processKill();
    assertThat(closed.exists(ChecksumLayout.NAME)).isTrue();

    SimulatedMedium dax = copy(closed, SimulatedMedium.dax(2));
    try (Heap heap = SETUP.open(dax)) {
      for (long i = 0; i < 300; i += 7) {
        map(heap).put(i, -i);
      }
      SETUP.verify(heap);
    }
    closed = dax.processKill();
    assertThat(closed.exists(ChecksumLayout.NAME)).isFalse();

    SimulatedMedium back = copy(closed, SimulatedMedium.file(3));
    List<CrashImage> images = new ArrayList<>();
    back.observe(point -> images.add(back.image()));
    try (Heap heap = SETUP.open(back)) {
      back.observe(point -> {});
      assertThat(map(heap)).containsEntry(7L, -7L).hasSize(300);
      SETUP.verify(heap);
      back.flipBit("heap", 5 * 4096 + 9, 3);
      assertThat(heap.verify().problems()).hasSize(1);
      back.flipBit("heap", 5 * 4096 + 9, 3);
    }
    for (CrashImage image : images) {
      for (SimulatedMedium after : crashes(image)) {
        try (Heap again = SETUP.open(after)) {
          assertThat(map(again)).containsEntry(7L, -7L).hasSize(300);
          SETUP.verify(again);
        }
      }
    }
  }

  @Test
  void aHeapThatCrashedOnByteAddressableStorageWhileItShrankOpensOnFiles() {
    SimulatedMedium dax = SimulatedMedium.dax(2);
    List<CrashImage> images = new ArrayList<>();
    try (Heap heap = SETUP.open(dax)) {
      Map<Integer, byte[]> large = heap.map("large", Integer.class, byte[].class);
      for (int i = 0; i < 12; i++) {
        large.put(i, new byte[200_000]);
      }
      heap.checkpoint();
      for (int i = 0; i < 12; i++) {
        large.remove(i);
      }
      dax.observe(
          point -> {
            if (point.kind() == CrashPoint.Kind.FORCE || point.kind() == CrashPoint.Kind.SYNC) {
              images.add(dax.image());
            }
          });
      assertThat(heap.shrink()).isPositive();
      dax.observe(point -> {});
    }
    assertThat(images).hasSizeGreaterThan(4);
    for (CrashImage image : images) {
      SimulatedMedium file = copy(image.processKill(), SimulatedMedium.file(3));
      try (Heap again = SETUP.open(file)) {
        again.map("large", Integer.class, byte[].class).put(1, new byte[200_000]);
        SETUP.verify(again);
      }
    }
  }

  @Test
  void aHeapThatCrashedOnFilesOpensOnByteAddressableStorageAndCrashesThere() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap heap = with(medium, 100);
    heap.checkpoint();
    for (long i = 0; i < 100; i += 3) {
      map(heap).put(i, -i);
    }
    Map<Long, Long> expected = new HashMap<>(map(heap));
    List<CrashImage> images = new ArrayList<>();
    medium.observe(point -> images.add(medium.image()));
    heap.checkpoint();
    medium.observe(point -> {});
    heap.close();
    images.add(medium.image());
    for (CrashImage image : images) {
      SimulatedMedium dax = copy(image.processKill(), SimulatedMedium.dax(1));
      List<CrashImage> opening = new ArrayList<>();
      dax.observe(
          point -> {
            if (point.kind().persists()) {
              opening.add(dax.image());
            }
          });
      try (Heap moved = SETUP.open(dax)) {
        dax.observe(point -> {});
        assertThat(map(moved)).isEqualTo(expected);
      }
      for (CrashImage at : opening) {
        for (SimulatedMedium after : List.of(at.processKill(), at.powerLoss(Chooser.none()))) {
          SimulatedMedium back = copy(after, SimulatedMedium.file(1));
          try (Heap again = SETUP.open(back)) {
            assertThat(map(again)).isEqualTo(expected);
            SETUP.verify(again);
          }
        }
      }
    }
  }

  /** Whatever segment the end of its log is in. */
  @Test
  void aHeapThatWasClosedOnFilesIsThereAfterACrashWhileItIsOpenedOnByteAddressableStorage() {
    for (long entries = 1; entries < 60; entries += 3) {
      SimulatedMedium medium = SimulatedMedium.file(1);
      with(medium, entries).close();
      SimulatedMedium dax = copy(medium.processKill(), SimulatedMedium.dax(1));
      List<CrashImage> opening = new ArrayList<>();
      dax.observe(
          point -> {
            if (point.kind().persists()) {
              opening.add(dax.image());
            }
          });
      SETUP.open(dax).close();
      dax.observe(point -> {});
      for (CrashImage at : opening) {
        try (Heap again = SETUP.open(at.processKill())) {
          assertThat((long) map(again).size()).isEqualTo(entries);
        }
      }
    }
  }

  @Test
  void checksumsThatAStayOnByteAddressableStorageMadeWrongAreNotUsed() {
    SimulatedMedium file = SimulatedMedium.file(1);
    with(file, 50).close();
    ByteBuffer old = content(file.processKill(), ChecksumLayout.NAME);
    SimulatedMedium dax = copy(file.processKill(), SimulatedMedium.dax(2));
    with(dax, 200).close();
    SimulatedMedium back = copy(dax.processKill(), SimulatedMedium.file(3));
    try (MediumFile left = back.create(ChecksumLayout.NAME)) {
      left.write(old, 0);
    }
    with(back, 10).close();
    try (Heap heap = SETUP.open(back.processKill())) {
      assertThat(map(heap)).hasSize(200);
      SETUP.verify(heap);
    }
  }

  @Test
  void aReplayThatNeedsMuchMemoryDoesNotGiveADamagedPageARightChecksum() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap heap = withMemory(medium, 64 << 20);
    Map<Integer, byte[]> large = heap.map("large", Integer.class, byte[].class);
    for (int i = 0; i < 600; i++) {
      large.put(i, new byte[5000]);
    }
    heap.checkpoint();
    for (int i = 0; i < 600; i++) {
      large.remove(i);
    }
    CrashImage image = medium.image();
    heap.close();
    ByteBuffer before = content(image.processKill(), "heap");
    SimulatedMedium recovered = image.processKill();
    try (Heap again = withMemory(recovered, 1 << 20)) {
      assertThat(again.map("large", Integer.class, byte[].class)).isEmpty();
      SETUP.verify(again);
    }
    ByteBuffer after = content(recovered.processKill(), "heap");
    SimulatedMedium damaged = image.processKill();
    LongStream.range(2, before.capacity() / 4096)
        .filter(p -> !slice(before, p).equals(slice(after, p)))
        .forEach(p -> damaged.flipBit("heap", p * 4096 + 4095, 3));
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> withMemory(damaged, 1 << 20)) // pages are written before it is open
        .withMessageContaining("does not match its checksum");
  }

  private static ByteBuffer slice(ByteBuffer file, long page) {
    return file.slice((int) page * 4096, 4096);
  }

  private static Heap withMemory(SimulatedMedium medium, long memoryBudget) {
    EngineOptions few = SimulatedHeaps.options(SETUP.durability());
    EngineOptions options =
        new EngineOptions(
            few.maxCapacity(),
            few.extentShift(),
            16 << 20,
            few.segmentSize(),
            1 << 18,
            few.maxTransaction(),
            memoryBudget,
            few.lockTimeoutNanos(),
            true,
            0,
            false);
    return HeapSettings.options(
            MediumSetting.medium(Heap.builder(Path.of(medium.location())), medium), options)
        .open();
  }

  private static SimulatedMedium copy(Medium from, SimulatedMedium to) {
    for (String directory : List.of("", "log")) {
      for (String name : from.list(directory)) {
        String path = directory.isEmpty() ? name : directory + "/" + name;
        if (path.equals("log") || path.equals("lock") || path.equals("owner")) {
          continue;
        }
        try (MediumFile target = to.create(path)) {
          target.write(content(from, path), 0);
          target.sync();
        }
      }
    }
    to.syncDirectory("log");
    to.syncDirectory("");
    return to;
  }

  private static ByteBuffer content(Medium medium, String name) {
    try (MediumFile file = medium.open(name)) {
      ByteBuffer bytes = ByteBuffer.allocateDirect((int) file.size());
      file.read(bytes, 0);
      return bytes.flip();
    }
  }
}
