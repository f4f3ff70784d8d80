package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.Engine;
import io.everheap.engine.backup.BackupDirectory;
import io.everheap.engine.log.LogLayout;
import io.everheap.error.BackupException;
import io.everheap.error.EverheapException;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.log.SegmentHeader;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestorePoint;
import io.everheap.report.RestoreReport;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restores as of moments at the borders of backups, and what keep leaves for them. */
@Campaign
class RestorePointTest {
  private static final Backup.Kind INCREMENTAL = Backup.Kind.INCREMENTAL;

  @TempDir private Path dir;
  private int restores;

  /** The LSN after each entry was put. */
  private final List<Long> ends = new ArrayList<>();

  private Path place() {
    return dir.resolve("backups");
  }

  private Backups backups() {
    return Backups.in(place());
  }

  private Heap open(String name) {
    return HeapSettings.options(
            Heap.builder(dir.resolve(name)), TestHeaps.manual().withArchive(this::archive))
        .open();
  }

  private Medium archive(String history) {
    return FileMedium.open(BackupDirectory.archive(place(), history), false, true);
  }

  private void put(Heap heap, int count) {
    Engine engine = OpenHeap.engine(heap);
    for (int i = 0; i < count; i++) {
      TestHeaps.put(heap, ends.size(), ends.size() + 1);
      ends.add(engine.log().appended());
    }
  }

  private long end(int entries) {
    return ends.get(entries - 1);
  }

  private RestoreReport requireRestored(RestorePoint point, int entries) {
    Path target = dir.resolve("restored" + restores++);
    RestoreReport report = backups().restore(point, target);
    TestHeaps.assertHolds(target, entries);
    return report;
  }

  private void requireRefused(Backup backup, RestorePoint point, String message) {
    assertThatThrownBy(
            () -> backups().restore(backup, point, dir.resolve("refused"), BackupProgress.NONE))
        .isInstanceOf(EverheapException.class)
        .hasMessageContaining(message);
    assertThat(dir.resolve("refused/heap")).doesNotExist();
    assertThat(dir.resolve("refused/restoring")).doesNotExist();
  }

  private static RestorePoint lsn(long lsn) {
    return new RestorePoint.Lsn(lsn);
  }

  @Test
  void aMomentAtTheBorderOfTwoLinksIsRestored() {
    Backup full;
    Backup second;
    try (Heap heap = open("heap")) {
      put(heap, 3);
      full = backups().take(heap);
      put(heap, 3);
      second = backups().take(heap, INCREMENTAL);
      put(heap, 3);
    }
    assertThat(full.endLsn()).isEqualTo(end(3));
    assertThat(second.endLsn()).isEqualTo(end(6));
    for (int entries = 3; entries <= 9; entries++) {
      RestoreReport exactly = requireRestored(lsn(end(entries)), entries);
      assertThat(exactly.lsn()).isEqualTo(end(entries));
      assertThat(exactly.backup()).isEqualTo(entries < 6 ? full : second);
      assertThat(exactly.archived()).isNull();
    }
    assertThat(requireRestored(lsn(end(6) - 1), 5).backup()).isEqualTo(full);
    assertThat(requireRestored(lsn(end(6) + 1), 6).backup()).isEqualTo(second);
    assertThat(requireRestored(lsn(end(9) - 1), 8).lsn()).isEqualTo(end(8));
    assertThat(requireRestored(lsn(Long.MAX_VALUE), 9).lsn()).isEqualTo(end(9));
    assertThat(requireRestored(new RestorePoint.Newest(), 9).lsn()).isEqualTo(end(9));
    assertThat(requireRestored(new RestorePoint.OfBackup(), 6).lsn()).isEqualTo(end(6));
    Path target = dir.resolve("longer");
    RestoreReport report = backups().restore(full, lsn(end(8)), target, BackupProgress.NONE);
    assertThat(report.backup()).isEqualTo(full);
    TestHeaps.assertHolds(target, 8);
    requireRefused(second, lsn(end(6) - 1), "choose an earlier backup");
    requireRefused(full, lsn(end(3) - 1), "has pages as new as LSN " + end(3));
    assertThatThrownBy(() -> backups().before(lsn(end(3) - 1)))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("There is no backup in " + place())
        .hasMessageContaining("that is older than");
    assertThat(backups().before(lsn(end(3)))).isEqualTo(full);
    assertThat(backups().before(new RestorePoint.OfBackup())).isEqualTo(second);
  }

  /** Pages in a backup are as new as its end: nothing before that can be restored from it. */
  @Test
  void aMomentInTheMiddleOfABackupNeedsAnEarlierOne() {
    Backup full;
    Backup second;
    try (Heap heap = open("heap")) {
      put(heap, 2);
      full = backups().take(heap);
      put(heap, 2);
      int[] calls = {0};
      second =
          backups()
              .take(
                  heap,
                  Backup.Kind.FULL,
                  0,
                  (what, part) -> {
                    if (calls[0]++ == 0) {
                      put(heap, 2);
                    }
                  });
      put(heap, 1);
    }
    assertThat(second.startLsn()).isEqualTo(end(4));
    assertThat(second.endLsn()).isEqualTo(end(6));
    requireRefused(second, lsn(end(4)), "choose an earlier backup");
    requireRefused(second, lsn(end(6) - 1), "choose an earlier backup");
    assertThat(requireRestored(lsn(end(4)), 4).backup()).isEqualTo(full);
    assertThat(requireRestored(lsn(end(5)), 5).backup()).isEqualTo(full);
    assertThat(requireRestored(lsn(end(6)), 6).backup()).isEqualTo(second);
  }

  /** Writes when the archive had what, as its format says. */
  private void times(long[]... records) throws IOException {
    ByteBuffer b = ByteBuffer.allocate(24 * records.length).order(ByteOrder.LITTLE_ENDIAN);
    for (long[] record : records) {
      int at = b.position();
      b.putLong(record[0]).putLong(record[1]);
      CRC32C crc = new CRC32C();
      crc.update(b.array(), at, 16);
      b.putInt((int) crc.getValue()).putInt(0);
    }
    Files.write(archives().getFirst().resolve("times"), b.array());
  }

  private List<Path> archives() throws IOException {
    try (Stream<Path> found = Files.list(place())) {
      return found.filter(Files::isDirectory).sorted().toList();
    }
  }

  @Test
  void aTimeIsThatWhichTheArchiveNoted() throws IOException {
    Backup full;
    Backup second;
    try (Heap heap = open("heap")) {
      put(heap, 2);
      full = backups().take(heap);
      put(heap, 2);
      second = backups().take(heap, INCREMENTAL);
      put(heap, 2);
    }
    times(
        new long[] {1000, end(1)},
        new long[] {2000, end(2)},
        new long[] {3000, end(3)},
        new long[] {4000, end(4)},
        new long[] {5000, end(6)});
    assertThat(requireRestored(at(2000), 2).backup()).isEqualTo(full);
    assertThat(requireRestored(at(2999), 2).archived()).isEqualTo(Instant.ofEpochMilli(2000));
    RestoreReport third = requireRestored(at(3000), 3);
    assertThat(third.archived()).isEqualTo(Instant.ofEpochMilli(3000));
    assertThat(third.backup()).isEqualTo(full);
    assertThat(requireRestored(at(4000), 4).backup()).isEqualTo(second);
    assertThat(requireRestored(at(4999), 4).archived()).isEqualTo(Instant.ofEpochMilli(4000));
    requireRestored(at(5000), 6);
    assertThatThrownBy(() -> backups().before(at(1999))).isInstanceOf(BackupException.class);
    requireRefused(full, at(1999), "is LSN " + end(1) + ": choose an earlier backup");
    requireRefused(full, at(999), "is before the archive begins");
    requireRefused(second, at(3999), "choose an earlier backup");
  }

  private static RestorePoint at(long millis) {
    return new RestorePoint.Time(Instant.ofEpochMilli(millis));
  }

  @Test
  void withoutAnArchiveThereIsTheBackupOnly() {
    Backup backup;
    try (Heap heap = TestHeaps.open(dir.resolve("heap"))) {
      put(heap, 2);
      backup = backups().take(heap);
      put(heap, 1);
    }
    for (RestorePoint point :
        List.of(new RestorePoint.Newest(), lsn(end(2)), lsn(end(3)), at(Long.MAX_VALUE / 2))) {
      requireRefused(backup, point, "");
      assertThatThrownBy(() -> backups().restore(point, dir.resolve("refused")))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("There is no archive of the log since the backup " + backup.name());
    }
    requireRestored(new RestorePoint.OfBackup(), 2);
    assertThat(backups().keep(1)).isEmpty();
    backups().restore(backup, dir.resolve("refused")); // what was refused is not in the way
    TestHeaps.assertHolds(dir.resolve("refused"), 2);
  }

  @Test
  void ofSeveralHeapsOneMustBeNamed() {
    Backup mine;
    try (Heap heap = open("heap");
        Heap other = open("other")) {
      put(heap, 2);
      mine = backups().take(heap);
      backups().take(other);
      put(heap, 1);
    }
    assertThatThrownBy(() -> backups().before(new RestorePoint.Newest()))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("backups of several heaps");
    backups().restore(mine, new RestorePoint.Newest(), dir.resolve("x"), BackupProgress.NONE);
    TestHeaps.assertHolds(dir.resolve("x"), 3);
  }

  private record Segment(String archive, String name, long epoch, long ordinal, long first) {}

  private List<Segment> segments() throws IOException {
    List<Segment> found = new ArrayList<>();
    for (Path archive : archives()) {
      try (Medium medium = FileMedium.watch(archive)) {
        for (String name : medium.list("log")) {
          try (MediumFile file = medium.open("log/" + name)) {
            SegmentHeader header = SegmentHeader.read(file, LogLayout.MAGIC);
            found.add(
                new Segment(
                    archive.getFileName().toString(),
                    name,
                    header.epoch(),
                    header.ordinal(),
                    header.first()));
          }
        }
      }
    }
    return found;
  }

  /** Fills a few segments of the log of 64 KiB. */
  private void fill(Heap heap, int commits) {
    for (int i = 0; i < commits; i++) {
      heap.map("large", Integer.class, byte[].class).put(i % 2, new byte[40_000 + 100 * i]);
      put(heap, 1);
      OpenHeap.engine(heap).archiver().copy();
    }
  }

  /** Of each kept backup, and each moment since the oldest one, nothing may be missing. */
  @Test
  void keepLeavesTheLogSinceTheOldestBackupThatIsKept() throws IOException {
    List<Backup> taken = new ArrayList<>();
    List<Integer> at = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      try (Heap heap = open("heap")) {
        fill(heap, 3);
        taken.add(backups().take(heap));
        at.add(ends.size());
        fill(heap, 2);
        taken.add(backups().take(heap, INCREMENTAL));
        at.add(ends.size());
        fill(heap, 2);
      }
    }
    List<Segment> before = segments();
    assertThat(backups().keep(3)).isEmpty();
    requireNeeded(before, taken.get(0));
    requireRestored(lsn(end(at.get(0))), at.get(0));
    assertThat(backups().keep(2)).containsExactly(taken.get(0), taken.get(1));
    requireNeeded(before, taken.get(2));
    for (int entries : new int[] {at.get(2), at.get(2) + 1, at.get(3), at.get(4) - 1, at.get(5)}) {
      requireRestored(lsn(end(entries)), entries);
    }
    assertThatThrownBy(() -> backups().before(lsn(end(at.get(2)) - 1)))
        .isInstanceOf(BackupException.class);
    assertThat(backups().keep(1)).containsExactly(taken.get(2), taken.get(3));
    requireNeeded(before, taken.get(4));
    for (int entries : new int[] {at.get(4), at.get(4) + 1, at.get(5), ends.size()}) {
      requireRestored(lsn(end(entries)), entries);
    }
    requireRestored(new RestorePoint.Newest(), ends.size());
    assertThat(backups().list()).containsExactly(taken.get(4), taken.get(5));
    try (Heap heap = open("heap")) {
      fill(heap, 1);
    }
    requireRestored(new RestorePoint.Newest(), ends.size());
  }

  /** Exactly the segments from the one on in which the log of a backup begins are left. */
  private void requireNeeded(List<Segment> all, Backup oldest) throws IOException {
    List<Segment> before = ofHeap(all, oldest);
    Segment start =
        before.stream()
            .filter(s -> s.first() <= oldest.startLsn())
            .max(Comparator.comparingLong(Segment::epoch).thenComparingLong(Segment::ordinal))
            .orElseThrow();
    List<Segment> needed =
        before.stream()
            .filter(
                s ->
                    s.epoch() > start.epoch()
                        || (s.epoch() == start.epoch() && s.ordinal() >= start.ordinal()))
            .toList();
    assertThat(ofHeap(segments(), oldest)).containsExactlyInAnyOrderElementsOf(needed);
    assertThat(needed).isNotEmpty();
  }

  /** The segments in the archive of the heap of a backup. */
  private static List<Segment> ofHeap(List<Segment> all, Backup backup) {
    return all.stream().filter(s -> s.archive().contains(backup.heap().toString())).toList();
  }

  @Test
  void keepPrunesEachHistoryByItsOwnBackups() throws IOException {
    try (Heap heap = open("heap")) {
      fill(heap, 4);
      backups().take(heap);
      fill(heap, 4);
    }
    Backup first;
    try (Heap other = open("other")) { // with one backup, at the start of its log
      first = backups().take(other);
      for (int i = 0; i < 6; i++) {
        other.map("large", Integer.class, byte[].class).put(i % 2, new byte[40_000 + i]);
        OpenHeap.engine(other).archiver().copy();
      }
    }
    try (Heap heap = open("heap")) {
      Backup kept = backups().take(heap);
      List<Segment> before = segments();
      assertThat(backups().keep(1)).hasSize(1).doesNotContain(first);
      requireNeeded(before, kept);
      requireNeeded(before, first);
      assertThat(ofHeap(segments(), first).size()).isGreaterThan(3);
      assertThat(ofHeap(segments(), kept).size()).isLessThan(ofHeap(before, kept).size());
    }
  }
}
