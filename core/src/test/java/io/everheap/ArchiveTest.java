package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.DurableMap;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.backup.BackupDirectory;
import io.everheap.engine.log.LogArchiver;
import io.everheap.error.BackupException;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.log.LogTimer;
import io.everheap.memory.ChangedMedium;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestorePoint;
import io.everheap.report.RestoreReport;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restores of heaps as of single transactions. */
@Campaign
class ArchiveTest {
  private static final int SIZE = 50;

  @TempDir Path dir;

  /** A transaction: the LSN behind it, and the number that it wrote everywhere. */
  private record Written(long lsn, long number) {}

  private final List<Written> written = new ArrayList<>();
  private int restores;

  private Backups backups() {
    return Backups.in(dir.resolve("backups"));
  }

  private Heap open(String name) {
    return Heap.builder(dir.resolve(name)).archive(dir.resolve("backups")).open();
  }

  /** Writes a number to all entries in each of several transactions. */
  private void write(Heap heap, int transactions) {
    DurableMap<Integer, Long> map = heap.map("m", Integer.class, Long.class);
    Engine engine = OpenHeap.engine(heap);
    for (int i = 0; i < transactions; i++) {
      long number = written.size() + 1L;
      heap.transact(
          () -> {
            for (int key = 0; key < SIZE; key++) {
              map.put(key, number);
            }
            if (number % 7 == 0) { // several segments, and several parts
              heap.map("large", Long.class, byte[].class).put(number % 5, new byte[300_000]);
            }
          });
      written.add(new Written(engine.log().appended(), number));
    }
  }

  private void requireNumber(Path heap, long number) {
    try (Heap restored = Heap.open(heap)) {
      assertThat(restored.verify().problems()).isEmpty();
      DurableMap<Integer, Long> map = restored.map("m", Integer.class, Long.class);
      assertThat(map).hasSize(SIZE);
      assertThat(map.values()).containsOnly(number);
    }
  }

  private Path restore(RestorePoint point) {
    Path target = dir.resolve("restored" + ++restores);
    backups().restore(point, target);
    return target;
  }

  @Test
  void everyTransactionSinceABackupIsRestored() {
    int afterFull;
    try (Heap heap = open("heap")) {
      write(heap, 3);
      backups().take(heap);
      afterFull = written.size();
      write(heap, 20);
    }
    for (int opening = 0; opening < 12; opening++) { // more than a superblock has epochs
      try (Heap heap = open("heap")) {
        write(heap, 4);
        if (opening == 6) {
          backups().take(heap, Backup.Kind.INCREMENTAL);
        }
        if (opening % 3 == 1) {
          heap.checkpoint();
        }
      }
    }
    for (int i = afterFull; i < written.size(); i += 7) {
      Written w = written.get(i);
      requireNumber(restore(new RestorePoint.Lsn(w.lsn())), w.number());
      requireNumber(restore(new RestorePoint.Lsn(w.lsn() - 8)), w.number() - 1);
    }
    requireNumber(restore(new RestorePoint.Newest()), written.getLast().number());
  }

  @Test
  void aHeapIsRestoredAsOfATime() {
    try (Heap heap = open("heap")) {
      write(heap, 1);
      Backup backup = backups().take(heap);
      Instant before = Instant.ofEpochMilli(System.currentTimeMillis());
      write(heap, 5);
      Engine engine = OpenHeap.engine(heap);
      engine.archiver().copy();
      Instant after = Instant.ofEpochMilli(System.currentTimeMillis());
      write(heap, 5);
      assertThat(engine.archiver().archived()).isGreaterThanOrEqualTo(written.get(5).lsn());
      long number = numberAt(new RestorePoint.Time(after));
      assertThat(number).isBetween(6L, 11L);
      assertThatThrownBy(
              () ->
                  backups()
                      .restore(
                          backup,
                          new RestorePoint.Time(before.minusSeconds(60)),
                          dir.resolve("early"),
                          BackupProgress.NONE))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("choose an earlier backup");
    }
  }

  @Test
  void theFurthestTimesAreTheNewestStateAndNone() {
    try (Heap heap = open("heap")) {
      Backup backup = backups().take(heap);
      write(heap, 5);
      OpenHeap.engine(heap).archiver().copy();
      assertThat(numberAt(new RestorePoint.Time(Instant.MAX)))
          .isEqualTo(numberAt(new RestorePoint.Newest()));
      assertThatThrownBy(
              () ->
                  backups()
                      .restore(
                          backup,
                          new RestorePoint.Time(Instant.MIN),
                          dir.resolve("early"),
                          BackupProgress.NONE))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("choose an earlier backup");
    }
  }

  private long numberAt(RestorePoint point) {
    try (Heap restored = Heap.open(restore(point))) {
      return restored.map("m", Integer.class, Long.class).get(0);
    }
  }

  @Test
  void aRestoredHeapHasAnArchiveOfItsOwn() {
    Backup backup;
    try (Heap heap = open("heap")) {
      write(heap, 1);
      backup = backups().take(heap);
    }
    backups().restore(backup, dir.resolve("other"));
    try (Heap other = open("other")) { // with the same setting, and the same epochs
      other.map("m", Integer.class, Long.class).put(0, 1000L);
    }
    try (Heap heap = open("heap")) {
      write(heap, 3);
    }
    try (Heap other = open("other")) {
      other.map("m", Integer.class, Long.class).put(0, 2000L);
    }
    for (Written w : written) {
      requireNumber(restore(new RestorePoint.Lsn(w.lsn())), w.number());
    }
    requireNumber(restore(new RestorePoint.Newest()), written.getLast().number());
  }

  @Test
  void aGapIsNamed() throws IOException {
    try (Heap heap = open("heap")) {
      write(heap, 1);
      backups().take(heap);
    }
    try (Heap heap = Heap.open(dir.resolve("heap"))) { // without the archive
      for (int i = 0; i < 30; i++) { // more than the segments that a close leaves
        byte[] value = new byte[1_000_000];
        Arrays.fill(value, (byte) i);
        heap.map("large", Long.class, byte[].class).put(0L, value);
      }
    }
    try (Heap heap = open("heap")) {
      write(heap, 5);
    }
    assertThatThrownBy(() -> restore(new RestorePoint.Newest()))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-LOG)")
        .hasMessageContaining("follows it at LSN");
  }

  @Test
  void writersGoOnWithoutTheArchive() throws IOException {
    HeapBuilder builder =
        Heap.builder(dir.resolve("heap")).archive(dir.resolve("backups")).logSize(16 << 20);
    try (Heap heap = builder.open()) {
      write(heap, 1);
      backups().take(heap);
      Path archive;
      try (Stream<Path> found = Files.list(dir.resolve("backups"))) {
        archive = found.filter(Files::isDirectory).findFirst().orElseThrow();
      }
      Files.move(archive, dir.resolve("gone"));
      for (int i = 0; i < 60; i++) { // several times the log
        byte[] value = new byte[1_000_000];
        Arrays.fill(value, (byte) i);
        heap.map("large", Long.class, byte[].class).put(0L, value);
      }
      Files.move(dir.resolve("gone"), archive);
      assertThat(heap.verify().problems()).isEmpty();
    }
    assertThatThrownBy(() -> restore(new RestorePoint.Newest()))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-LOG)")
        .hasMessageContaining("the log ends at LSN");
  }

  @Test
  void aMissingSegmentIsNamed() throws IOException {
    try (Heap heap = open("heap")) {
      write(heap, 1);
      backups().take(heap);
      for (int i = 0; i < 300; i++) {
        byte[] value = new byte[100_000];
        Arrays.fill(value, (byte) i);
        heap.map("large", Long.class, byte[].class).put(0L, value);
      }
    }
    Path log;
    try (Stream<Path> found = Files.list(dir.resolve("backups"))) {
      log = found.filter(Files::isDirectory).findFirst().orElseThrow().resolve("log");
    }
    List<Path> segments;
    try (Stream<Path> found = Files.list(log)) {
      segments = found.sorted().toList();
    }
    assertThat(segments).hasSizeGreaterThan(4);
    Files.delete(segments.get(2));
    assertThatThrownBy(() -> restore(new RestorePoint.Lsn(written.getFirst().lsn() + 20_000_000)))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-LOG)")
        .hasMessageContaining("the log ends at LSN");
    assertThatThrownBy(() -> restore(new RestorePoint.Newest()))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-LOG)");
  }

  @Test
  void withoutAnArchiveOnlyTheBackupIsRestored() {
    try (Heap heap = Heap.open(dir.resolve("heap"))) {
      write(heap, 2);
      backups().take(heap);
      write(heap, 2);
    }
    requireNumber(restore(new RestorePoint.OfBackup()), 2);
    assertThatThrownBy(() -> restore(new RestorePoint.Newest()))
        .isInstanceOf(EverheapException.class);
  }

  @Test
  void aHungArchiveStopsNoWriter() throws Exception {
    CountDownLatch hung = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Backup first;
    try (Heap heap = open("heap")) {
      write(heap, 1);
      first = backups().take(heap);
    }
    EngineOptions options = smallLog(history -> blocking(files(history), hung, end));
    try (Heap heap = HeapSettings.options(Heap.builder(dir.resolve("heap")), options).open()) {
      DurableMap<Integer, byte[]> map = heap.map("large", Integer.class, byte[].class);
      for (int i = 0; i < 80; i++) { // several times the log
        byte[] value = new byte[1_000_000];
        Arrays.fill(value, (byte) i);
        map.put(i % 3, value);
      }
      assertThat(hung.getCount()).isZero();
      end.countDown();
      OpenHeap.engine(heap).archiver().copy();
      backups().take(heap);
      write(heap, 2);
    }
    requireNumber(restore(new RestorePoint.Newest()), written.getLast().number());
    assertThatThrownBy(
            () ->
                backups()
                    .restore(
                        first, new RestorePoint.Newest(), dir.resolve("x"), BackupProgress.NONE))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-LOG)");
  }

  @Test
  void anErrorEndsNeitherTheArchiveNorItsThread() throws Exception {
    AtomicBoolean strikes = new AtomicBoolean();
    AtomicBoolean struck = new AtomicBoolean();
    CountDownLatch again = new CountDownLatch(1);
    ChangedMedium.Before error =
        (operation, arguments) -> {
          if (operation.equals("open") && strikes.getAndSet(false)) {
            struck.set(true);
            throw new OutOfMemoryError("made up");
          } else if (operation.equals("open") && struck.get()) {
            again.countDown();
          }
        };
    try (Heap heap =
        HeapSettings.options(
                Heap.builder(dir.resolve("heap")),
                smallLog(archive -> ChangedMedium.of(files(archive), error)))
            .open()) {
      write(heap, 1);
      backups().take(heap);
      strikes.set(true);
      write(heap, 3);
      Limit.await(again);
      write(heap, 3);
    }
    requireNumber(restore(new RestorePoint.Newest()), written.getLast().number());
  }

  @Test
  void nothingIsLostAfterTheThreadOfTheArchiveEnded() throws Exception {
    EngineOptions options = TestHeaps.automatic().withArchive(this::files);
    try (Heap heap = HeapSettings.options(Heap.builder(dir.resolve("heap")), options).open()) {
      TestHeaps.put(heap, 0, 1);
      backups().take(heap);
      endThread(OpenHeap.engine(heap).archiver());
      TestHeaps.put(heap, 1, 100);
      heap.checkpoint(); // frees the segments that are not held
      TestHeaps.put(heap, 100, 120);
    }
    try (Heap restored = Heap.open(restore(new RestorePoint.Newest()))) {
      assertThat(TestHeaps.numbers(restored)).hasSize(120);
    }
  }

  /** As an error does that nothing caught. */
  @SuppressWarnings("unchecked")
  private static void endThread(LogArchiver archiver) throws ReflectiveOperationException {
    Field field = LogArchiver.class.getDeclaredField("timer");
    field.setAccessible(true);
    LogTimer timer = (LogTimer) field.get(archiver);
    timer.stop();
    Field onDeath = LogTimer.class.getDeclaredField("onDeath");
    onDeath.setAccessible(true);
    ((Consumer<Throwable>) onDeath.get(timer)).accept(new OutOfMemoryError("made up"));
  }

  @Test
  void anArchiveThatCouldNotBeStartedIsNotLocked() {
    var archive = new FaultyMedium(dir.resolve("archive"), FaultyMedium.Fault.LOST);
    try (Heap heap = TestHeaps.open(dir.resolve("heap"))) {
      Engine engine = OpenHeap.engine(heap);
      archive.afterNext(
          "",
          () -> {
            throw new OutOfMemoryError("made up");
          });
      assertThatThrownBy(
              () -> LogArchiver.start(engine.medium(), archive, engine.uuid(), engine.log(), true))
          .isInstanceOf(OutOfMemoryError.class);
    }
    FileMedium.open(dir.resolve("archive"), false, true).close(); // throws if it is locked
  }

  private Medium files(String history) {
    return FileMedium.open(BackupDirectory.archive(dir.resolve("backups"), history), false, true);
  }

  private static EngineOptions smallLog(Function<String, Medium> archive) {
    EngineOptions d = EngineOptions.defaults();
    return new EngineOptions(
            d.maxCapacity(),
            d.extentShift(),
            4L * d.segmentSize(),
            d.segmentSize(),
            d.ringSize(),
            d.maxTransaction(),
            d.memoryBudget(),
            d.lockTimeoutNanos(),
            true,
            0,
            true)
        .withArchive(archive);
  }

  /** A medium on which the second and all later files that are created block until the end. */
  private static Medium blocking(Medium medium, CountDownLatch hung, CountDownLatch end) {
    AtomicInteger created = new AtomicInteger();
    return ChangedMedium.of(
        medium,
        (operation, arguments) -> {
          if (operation.equals("create") && created.incrementAndGet() > 1) {
            hung.countDown();
            Limit.await(end);
          }
        });
  }

  @Test
  void theLogBeforeTheOldestBackupIsDeleted() throws IOException {
    try (Heap heap = open("heap")) {
      write(heap, 1);
      backups().take(heap);
    }
    for (int i = 0; i < 4; i++) {
      try (Heap heap = open("heap")) {
        write(heap, 10);
      }
    }
    long before;
    try (Heap heap = open("heap")) {
      before = archivedSegments();
      Backup kept = backups().take(heap);
      write(heap, 10);
      assertThat(backups().keep(1)).hasSize(1);
      assertThat(archivedSegments()).isBetween(1L, before - 3);
      assertThat(kept).isEqualTo(backups().newest());
      write(heap, 10);
    }
    requireNumber(restore(new RestorePoint.Newest()), written.getLast().number());
    Written w = written.get(written.size() - 15);
    RestoreReport report =
        backups().restore(new RestorePoint.Lsn(w.lsn()), dir.resolve("reported"));
    assertThat(report.lsn()).isEqualTo(w.lsn());
    assertThat(report.archived()).isNull();
    requireNumber(dir.resolve("reported"), w.number());
  }

  private long archivedSegments() throws IOException {
    try (Stream<Path> files = Files.walk(dir.resolve("backups"))) {
      return files.filter(file -> file.getParent().endsWith("log")).count();
    }
  }

  @Test
  void anArchiveIsNotInTheHeap() {
    Path heap = dir.resolve("heap");
    assertThatThrownBy(() -> Heap.builder(heap).archive(heap.resolve("backups")).open())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("outside of it");
  }
}
