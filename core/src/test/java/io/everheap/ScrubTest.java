package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.DurableMap;
import io.everheap.error.CorruptException;
import io.everheap.error.LockedException;
import io.everheap.error.MissingException;
import io.everheap.report.RestorePoint;
import io.everheap.report.ScrubReport;
import io.everheap.report.VerifyProgress;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages that decay, and copies that have them or not. */
@Campaign
class ScrubTest {
  private static final int PAGE = 4096;

  @TempDir Path dir;
  private Path heap;
  private Path copy;

  @BeforeEach
  void aHeapAndACopy() throws IOException {
    heap = dir.resolve("heap");
    copy = dir.resolve("copy");
    fill(heap, 1, 200);
    copy(heap, copy);
  }

  private static void fill(Path directory, long seed, int entries) {
    Random random = new Random(seed);
    try (Heap opened = Heap.open(directory)) {
      DurableMap<Integer, byte[]> map = opened.map("m", Integer.class, byte[].class);
      for (int i = 0; i < entries; i++) {
        byte[] value = new byte[1 + random.nextInt(8_000)];
        random.nextBytes(value);
        map.put(i, value);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Files.copy(path, to.resolve(from.relativize(path).toString()));
      }
    }
  }

  /** Flips a bit. */
  private static void damage(Path file, long position) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, position);
      one.put(0, (byte) (one.get(0) ^ 4));
      channel.write(one.flip(), position);
    }
  }

  /** The pages that have a checksum. */
  private static List<Long> written(Path directory) throws IOException {
    ByteBuffer table = ByteBuffer.wrap(Files.readAllBytes(directory.resolve("heap.crc")));
    List<Long> pages = new ArrayList<>();
    for (int page = 2; page < table.capacity() / 8; page++) {
      if (table.getLong(page * 8) != 0) {
        pages.add((long) page);
      }
    }
    return pages;
  }

  private ScrubReport scrub(Path... copies) {
    return HeapCheck.scrub(heap, List.of(copies), null, VerifyProgress.NONE);
  }

  private void requireSound() {
    assertThat(scrub().damaged()).isEmpty();
    assertThat(HeapCheck.verify(heap).problems()).isEmpty();
  }

  @Test
  void aSoundHeapHasNoDamagedPages() {
    ScrubReport report = scrub();
    assertThat(report.ok()).isTrue();
    assertThat(report.torn()).isFalse();
    assertThat(report.pages()).isGreaterThan(200);
  }

  @Test
  void pagesAreRepairedFromACopy() throws IOException {
    List<Long> written = written(heap);
    List<Long> pages = List.of(2L, 3L, written.get(20), written.get(21), written.getLast());
    for (long page : pages) { // 3 was never written
      damage(heap.resolve("heap"), page * PAGE + page % PAGE);
    }
    assertThat(scrub().damaged())
        .extracting(ScrubReport.Page::number)
        .containsExactlyElementsOf(pages);
    assertThat(scrub().ok()).isFalse();
    ScrubReport report = scrub(copy);
    assertThat(report.ok()).isTrue();
    assertThat(report.damaged()).hasSize(5);
    assertThat(report.damaged().getFirst().repaired()).isEqualTo(copy.toRealPath().toString());
    requireSound();
  }

  @Test
  void anOpeningRepairsPages() throws IOException {
    long page = written(heap).get(20);
    damage(heap.resolve("heap"), page * PAGE + 17);
    try (Heap opened = Heap.builder(heap).repairFrom(dir.resolve("none yet"), copy).open()) {
      assertThat(opened.verify().problems()).isEmpty();
      assertThat(opened.map("m", Integer.class, byte[].class)).hasSize(200);
    }
    requireSound();
  }

  @Test
  void anOpeningThatCannotRepairRefuses() throws IOException {
    Path other = dir.resolve("other");
    fill(other, 2, 10);
    long page = written(heap).get(20);
    damage(heap.resolve("heap"), page * PAGE + 17);
    damage(copy.resolve("heap"), page * PAGE + 18);
    byte[] before = Files.readAllBytes(heap.resolve("heap"));
    assertThatThrownBy(() -> Heap.builder(heap).repairFrom(copy).open())
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("Damaged")
        .hasMessageContaining("page " + page);
    assertThatThrownBy(() -> Heap.builder(heap).repairFrom(other).open())
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("is no copy of");
    assertThat(Files.readAllBytes(heap.resolve("heap"))).isEqualTo(before);
    Heap.builder(heap).repairFrom(copy).readOnly().open().close();
    Heap.open(heap).close();
  }

  @Test
  void anOpeningNeedsNoCopiesIfNothingIsDamagedNorIfThereIsNoHeap() throws IOException {
    Heap.builder(heap).repairFrom(dir.resolve("none")).open().close();
    Path fresh = dir.resolve("fresh");
    try (Heap opened = Heap.builder(fresh).repairFrom(dir.resolve("none")).open()) {
      opened.map("m", Integer.class, Integer.class).put(1, 1);
    }
  }

  @Test
  void anOldCopyRepairsWhatDidNotChangeSince() throws IOException {
    try (Heap opened = Heap.open(heap)) {
      opened.map("m", Integer.class, byte[].class).put(7, new byte[3_000]);
      opened.map("other", Integer.class, Integer.class).put(1, 1);
    }
    ByteBuffer then = ByteBuffer.wrap(Files.readAllBytes(copy.resolve("heap.crc")));
    ByteBuffer now = ByteBuffer.wrap(Files.readAllBytes(heap.resolve("heap.crc")));
    long changed =
        written(copy).stream()
            .filter(page -> then.getLong((int) (8 * page)) != now.getLong((int) (8 * page)))
            .findFirst()
            .orElseThrow();
    long same = written(copy).get(50);
    damage(heap.resolve("heap"), changed * PAGE + 100);
    damage(heap.resolve("heap"), same * PAGE);
    damage(heap.resolve("heap"), 3L * PAGE); // never written, as far as the older copy knows
    ScrubReport report = scrub(copy);
    assertThat(report.ok()).isFalse();
    assertThat(report.damaged())
        .filteredOn(page -> page.repaired().isEmpty())
        .extracting(ScrubReport.Page::number)
        .containsExactlyInAnyOrder(changed, 3L);
    assertThat(scrub().damaged()).hasSize(2);
  }

  @Test
  void aBackupWithTheLogSinceRepairsEverything() throws IOException {
    Path backups = dir.resolve("backups");
    Backups in = Backups.in(backups);
    try (Heap opened = Heap.builder(heap).archive(backups).open()) {
      in.take(opened);
      opened.map("m", Integer.class, byte[].class).put(7, new byte[3_000]);
    }
    for (long page : written(heap)) {
      if (page % 64 < 32) {
        damage(heap.resolve("heap"), page * PAGE + page % PAGE);
      }
    }
    Path restored = dir.resolve("restored");
    RestorePoint newest = new RestorePoint.Newest();
    in.restore(newest, restored);
    ScrubReport report = scrub(restored);
    assertThat(report.damaged()).hasSizeGreaterThan(50);
    assertThat(report.damaged()).filteredOn(page -> page.repaired().isEmpty()).isEmpty();
    requireSound();
  }

  @Test
  void aDamagedChecksumIsRepairedIfThePageIsSound() throws IOException {
    long sound = written(heap).get(50);
    long lost = written(heap).get(51);
    damage(heap.resolve("heap.crc"), sound * 8 + 5);
    damage(heap.resolve("heap.crc"), lost * 8 + 5);
    damage(heap.resolve("heap"), lost * PAGE);
    assertThat(scrub().damaged()).hasSize(2);
    ScrubReport report = scrub(copy);
    assertThat(report.damaged())
        .filteredOn(page -> page.repaired().isEmpty())
        .extracting(ScrubReport.Page::number)
        .containsExactly(lost);
  }

  /** A copy that has shrunk since does not know that pages behind its end were never written. */
  @Test
  void pagesBehindTheEndOfACopyAreNotTakenForUnwritten() throws IOException {
    Path smaller = dir.resolve("smaller");
    copy(heap, smaller);
    try (Heap opened = Heap.open(smaller)) {
      opened.map("m", Integer.class, byte[].class).clear();
      opened.collect();
      assertThat(opened.shrink()).isPositive();
    }
    long last = written(heap).getLast();
    assertThat(Files.size(smaller.resolve("heap"))).isLessThan(last * PAGE);
    byte[] before = Files.readAllBytes(heap.resolve("heap"));
    try (FileChannel channel =
        FileChannel.open(heap.resolve("heap.crc"), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(512), last * 8 & -512);
    }
    assertThat(scrub(smaller).ok()).isFalse();
    assertThat(Files.readAllBytes(heap.resolve("heap"))).isEqualTo(before);
    assertThat(scrub(copy).ok()).isTrue(); // it has the entries
    requireSound();
  }

  @Test
  void missingChecksumsAreFoundAndNotTakenForRepaired() throws IOException {
    Path checksums = heap.resolve("heap.crc");
    long half = Files.size(checksums) / 2;
    try (FileChannel channel = FileChannel.open(checksums, StandardOpenOption.WRITE)) {
      channel.truncate(half);
    }
    assertThat(scrub().damaged())
        .singleElement()
        .satisfies(page -> assertThat(page.message()).contains("the file ends there"));
    assertThat(scrub(copy).ok()).isFalse();
    assertThat(Files.size(checksums)).isEqualTo(half);
    Files.delete(checksums);
    assertThat(scrub().ok()).isFalse();
    assertThatThrownBy(() -> scrub(copy)).isInstanceOf(CorruptException.class);
  }

  @Test
  void damageInTheCopyDoesNotSpread() throws IOException {
    long page = written(heap).get(50);
    damage(heap.resolve("heap"), page * PAGE);
    damage(copy.resolve("heap"), page * PAGE + 1);
    assertThat(scrub(copy).ok()).isFalse();
    Path second = dir.resolve("second");
    copy(copy, second);
    damage(second.resolve("heap"), page * PAGE + 1); // back again
    assertThat(scrub(copy, second).damaged().getFirst().repaired())
        .isEqualTo(second.toRealPath().toString());
    requireSound();
  }

  @Test
  void aCopyOfAnotherHeapIsRefused() {
    fill(dir.resolve("other"), 2, 10);
    assertThatThrownBy(() -> scrub(dir.resolve("other")))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("is no copy of");
    assertThatThrownBy(() -> scrub(dir.resolve("missing"))).isInstanceOf(MissingException.class);
    assertThatThrownBy(() -> HeapCheck.scrub(dir.resolve("none")))
        .isInstanceOf(MissingException.class);
  }

  /** A page and its checksum are two writes. */
  @Test
  void anOpenHeapIsScrubbedWhileItIsWritten() throws Exception {
    try (Heap opened =
        Heap.builder(heap).durability(Durability.async(Duration.ofMillis(10))).open()) {
      assertThatThrownBy(() -> scrub(copy)).isInstanceOf(LockedException.class);
      AtomicBoolean enough = new AtomicBoolean();
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(
              () -> {
                Random random = new Random(3);
                DurableMap<Integer, byte[]> map = opened.map("m", Integer.class, byte[].class);
                while (!enough.get()) {
                  map.put(random.nextInt(200), new byte[1 + random.nextInt(8_000)]);
                  if (random.nextInt(50) == 0) {
                    opened.checkpoint();
                  }
                }
              });
      for (int i = 0; i < 20; i++) {
        assertThat(scrub().damaged()).isEmpty();
      }
      enough.set(true);
      Limit.get(writer);
    }
    requireSound();
  }
}
