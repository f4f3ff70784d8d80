package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.Engine;
import io.everheap.error.BackupException;
import io.everheap.heap.OpenHeap;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestoreReport;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small chains of backups: gaps, repetitions, other heaps, and backups that were given up. */
@Campaign
class BackupChainTest {
  private static final Backup.Kind FULL = Backup.Kind.FULL;
  private static final Backup.Kind INCREMENTAL = Backup.Kind.INCREMENTAL;

  @TempDir private Path dir;
  private int restores;

  private Path place() {
    return dir.resolve("backups");
  }

  private Backups backups() {
    return Backups.in(place());
  }

  private Heap open() {
    return TestHeaps.open(dir.resolve("heap"));
  }

  private void requireRestored(Backup backup, int entries) {
    Path target = dir.resolve("restored" + restores++);
    RestoreReport report = backups().restore(backup, target);
    assertThat(report).isEqualTo(new RestoreReport(backup, backup.endLsn(), null));
    TestHeaps.assertHolds(target, entries);
  }

  private void requireRefused(Backup backup, String message) {
    assertThatThrownBy(() -> backups().restore(backup, dir.resolve("refused")))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining(message);
    assertThat(dir.resolve("refused")).doesNotExist();
  }

  /** A heap with a chain of three: 10, 20 and 30 entries. */
  private List<Backup> chain() {
    try (Heap heap = open()) {
      TestHeaps.put(heap, 0, 10);
      Backup full = backups().take(heap);
      TestHeaps.put(heap, 10, 20);
      Backup second = backups().take(heap, INCREMENTAL);
      TestHeaps.put(heap, 20, 30);
      Backup third = backups().take(heap, INCREMENTAL);
      TestHeaps.put(heap, 30, 40);
      return List.of(full, second, third);
    }
  }

  private Path file(Backup backup) {
    return place().resolve(backup.name());
  }

  @Test
  void eachLinkIsRestored() {
    List<Backup> chain = chain();
    assertThat(backups().list()).isEqualTo(chain);
    for (int i = 0; i < 3; i++) {
      assertThat(chain.get(i).base()).isEqualTo(i == 0 ? null : chain.get(i - 1).id());
      assertThat(chain.get(i).kind()).isEqualTo(i == 0 ? FULL : INCREMENTAL);
      requireRestored(chain.get(i), 10 + 10 * i);
    }
  }

  @Test
  void aBackupDescribesItself() throws IOException {
    try (Heap heap = open()) {
      TestHeaps.put(heap, 0, 300);
      Engine engine = OpenHeap.engine(heap);
      long before = engine.log().appended();
      Backup full = backups().take(heap);
      assertThat(full.endLsn()).isEqualTo(before);
      assertThat(full.startLsn()).as("a checkpoint was made").isEqualTo(before);
      assertThat(full.heap()).isEqualTo(engine.uuid());
      assertThat(full.bytes()).isEqualTo(Files.size(file(full)));
      assertThat(full.heapBytes()).isPositive();
      assertThat(full.heapBytes() % (256 << 10)).isZero();
      assertThat(full.bytes()).isGreaterThan(full.pages() * 4096);
      TestHeaps.put(heap, 300, 301);
      Backup one = backups().take(heap, INCREMENTAL);
      assertThat(one.endLsn()).isGreaterThan(full.endLsn());
      assertThat(one.pages()).isBetween(1L, full.pages() / 2);
      Backup none = backups().take(heap, INCREMENTAL);
      assertThat(none.endLsn()).isEqualTo(one.endLsn());
      assertThat(none.pages()).as("nothing was written").isLessThanOrEqualTo(one.pages());
      requireRestored(none, 301);
    }
  }

  @Test
  void aGapIsNamed() throws IOException {
    List<Backup> chain = chain();
    Files.move(file(chain.get(1)), dir.resolve("aside"));
    requireRestored(chain.get(0), 10);
    requireRefused(chain.get(2), chain.get(1).id().toString());
    requireRefused(chain.get(1), chain.get(1).id().toString());
    assertThatThrownBy(() -> backups().verify(chain.get(2), BackupProgress.NONE))
        .isInstanceOf(BackupException.class);
    Files.move(dir.resolve("aside"), place().resolve("another name.backup"));
    requireRestored(chain.get(2), 30);
    Files.delete(file(chain.get(0)));
    requireRefused(chain.get(2), chain.get(0).id().toString());
  }

  @Test
  void aDamagedLinkIsFoundBeforeAnythingIsWritten() throws IOException {
    List<Backup> chain = chain();
    for (Backup link : chain) {
      byte[] whole = Files.readAllBytes(file(link));
      for (int at : new int[] {100, whole.length / 2, whole.length - 60}) {
        byte[] damaged = whole.clone();
        damaged[at] ^= 1;
        Files.write(file(link), damaged);
        requireRefused(chain.get(2), "");
      }
      Files.write(file(link), whole);
    }
    requireRestored(chain.get(2), 30);
  }

  @Test
  void repeatedFilesChangeNothing() throws IOException {
    List<Backup> chain = chain();
    for (Backup link : chain) {
      Files.copy(file(link), place().resolve("0 " + link.name()));
      Files.copy(file(link), place().resolve("z " + link.name()));
    }
    requireRestored(backups().newest(), 30);
    assertThat(backups().keep(1)).as("they are the same backup").isEmpty();
  }

  @Test
  void theBackupsOfAnotherHeapAreNoBase() {
    chain();
    try (Heap other = TestHeaps.open(dir.resolve("other"))) {
      TestHeaps.put(other, 0, 5);
      assertThatThrownBy(() -> backups().take(other, INCREMENTAL))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("take a full backup");
      Backup full = backups().take(other);
      TestHeaps.put(other, 5, 6);
      requireRestored(backups().take(other, INCREMENTAL), 6);
      requireRestored(full, 5);
    }
  }

  /** It continues the last one, wherever that was made. */
  @Test
  void theLastBackupMustBeInTheDirectory() {
    Backups elsewhere = Backups.in(dir.resolve("elsewhere"));
    try (Heap heap = open()) {
      TestHeaps.put(heap, 0, 10);
      backups().take(heap);
      TestHeaps.put(heap, 10, 20);
      Backup other = elsewhere.take(heap);
      TestHeaps.put(heap, 20, 30);
      assertThatThrownBy(() -> backups().take(heap, INCREMENTAL))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining(other.id().toString());
      assertThat(backups().list()).hasSize(1);
      TestHeaps.put(heap, 30, 35);
      Backup next = elsewhere.take(heap, INCREMENTAL);
      assertThat(next.base()).isEqualTo(other.id());
      elsewhere.restore(next, dir.resolve("restored"));
    }
    TestHeaps.assertHolds(dir.resolve("restored"), 35);
  }

  /** Gives up when the progress is reported for the n-th time. */
  private void giveUp(Heap heap, Backup.Kind kind, int call) {
    AtomicInteger calls = new AtomicInteger();
    assertThatThrownBy(
            () ->
                backups()
                    .take(
                        heap,
                        kind,
                        0,
                        (what, part) -> {
                          if (calls.incrementAndGet() == call) {
                            throw new IllegalStateException("given up");
                          }
                        }))
        .hasMessage("given up");
  }

  @Test
  void aBackupThatWasGivenUpIsNoLink() throws IOException {
    for (Backup.Kind kind : Backup.Kind.values()) {
      try (Heap heap = TestHeaps.open(dir.resolve("heap" + kind))) {
        TestHeaps.put(heap, 0, 10);
        Backup full = backups().take(heap);
        TestHeaps.put(heap, 10, 20);
        giveUp(heap, kind, 1);
        assertThat(heapFiles("heap" + kind)).contains("changed").doesNotContain("changed.new");
        assertThat(backups().list()).last().isEqualTo(full);
        TestHeaps.put(heap, 20, 30);
        Backup next = backups().take(heap, INCREMENTAL);
        assertThat(next.base()).isEqualTo(full.id());
        requireRestored(next, 30);
      }
      try (Stream<Path> files = Files.list(place())) {
        assertThat(files.filter(file -> file.toString().endsWith(".new"))).isEmpty();
      }
    }
  }

  private List<String> heapFiles(String heap) throws IOException {
    try (Stream<Path> files = Files.list(dir.resolve(heap))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void aFirstBackupThatWasGivenUpLeavesNoBase() {
    try (Heap heap = open()) {
      TestHeaps.put(heap, 0, 10);
      giveUp(heap, FULL, 1);
      assertThatThrownBy(() -> backups().take(heap, INCREMENTAL))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("no backup of it was made");
      requireRestored(backups().take(heap), 10);
    }
  }

  @Test
  void oneBackupIsMadeAtATime() {
    try (Heap heap = open()) {
      TestHeaps.put(heap, 0, 10);
      AtomicInteger refused = new AtomicInteger();
      Backup backup =
          backups()
              .take(
                  heap,
                  FULL,
                  0,
                  (what, part) -> {
                    if (refused.getAndIncrement() == 0) {
                      assertThatThrownBy(() -> Backups.in(dir.resolve("x")).take(heap))
                          .isInstanceOf(IllegalStateException.class)
                          .hasMessageContaining("another backup");
                      TestHeaps.put(heap, 10, 12);
                    }
                  });
      assertThat(refused.get()).isPositive();
      requireRestored(backup, 12);
      TestHeaps.put(heap, 12, 15);
      requireRestored(backups().take(heap, INCREMENTAL), 15);
    }
  }

  /** What is written while a backup is made is in it, or in the next one. */
  @Test
  void nothingIsLostBetweenTwoLinks() {
    try (Heap heap = open()) {
      TestHeaps.put(heap, 0, 200);
      backups().take(heap);
      int next = 200;
      Backup last = null;
      for (int round = 0; round < 4; round++) {
        int from = next;
        int[] calls = {0};
        last =
            backups()
                .take(
                    heap,
                    INCREMENTAL,
                    0,
                    (what, part) -> {
                      TestHeaps.put(heap, from + calls[0], from + calls[0] + 1);
                      calls[0]++;
                      heap.checkpoint();
                    });
        next += calls[0];
        requireRestored(last, next);
      }
      assertThat(next).isGreaterThan(203);
    }
  }

  @Test
  void aChainContinuesOverOpeningsAndKills() {
    for (int opening = 0; opening < 3; opening++) {
      try (Heap heap = open()) {
        TestHeaps.put(heap, 10 * opening, 10 * opening + 5);
        requireRestored(backups().take(heap, opening == 0 ? FULL : INCREMENTAL), 10 * opening + 5);
        TestHeaps.put(heap, 10 * opening + 5, 10 * opening + 10);
      }
    }
  }
}
