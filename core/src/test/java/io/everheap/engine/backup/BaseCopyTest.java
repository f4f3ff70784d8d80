package io.everheap.engine.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Backups;
import io.everheap.Heap;
import io.everheap.backup.FileSink;
import io.everheap.collection.DurableMap;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.alloc.AllocatorStats;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.log.EpochStart;
import io.everheap.error.BackupException;
import io.everheap.error.ForeignException;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.RecordedMedium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy of an open heap, from which a replica is made. */
class BaseCopyTest {
  private static final EngineOptions OPTIONS = EngineOptions.defaults();

  @TempDir private Path dir;

  private final RecordedMedium held = new RecordedMedium();

  private Heap open() {
    return Heap.builder(dir.resolve("heap")).maxSize(64 << 20).open();
  }

  private static void put(Heap heap, int from, int to) {
    DurableMap<Integer, byte[]> map = heap.map("m", Integer.class, byte[].class);
    heap.transact(
        () -> {
          for (int i = from; i < to; i++) {
            map.put(i, new byte[500]);
          }
        });
  }

  private void send(Heap heap) {
    Medium medium = held.open();
    medium.delete(BaseCopy.NAME);
    try (MediumFile file = medium.create(BaseCopy.NAME)) {
      BaseCopy.send(OpenHeap.engine(heap), new FileSink(medium, file), BackupProgress.NONE);
    }
  }

  private Medium target(String name) {
    return FileMedium.open(dir.resolve(name), false, true);
  }

  private EpochStart restore(String name, EngineOptions options, BackupProgress progress) {
    return BaseCopy.restore(held.open(), () -> target(name), options, progress);
  }

  /** Checks that nothing holds the lock of a directory. */
  private void requireClosed(String name) {
    target(name).close();
  }

  @Test
  void aReplicaHasEverythingUpToTheEndOfTheCopyAndKnowsThatEnd() {
    AllocatorStats expected;
    long line;
    long end;
    try (Heap heap = open()) {
      put(heap, 0, 300);
      heap.checkpoint();
      put(heap, 300, 400);
      send(heap);
      Engine engine = OpenHeap.engine(heap);
      expected = engine.allocator().stats();
      line = engine.superblock().createdMillis();
      end = engine.log().appended();
      put(heap, 400, 500); // not in the copy
    }
    assertThat(held.changes()).contains("sync " + BaseCopy.NAME);
    List<String> steps = new ArrayList<>();
    EpochStart restored = restore("replica", OPTIONS, (what, part) -> steps.add(what));
    assertThat(restored.lsn()).isEqualTo(end);
    assertThat(steps).isNotEmpty().containsOnly(BaseCopy.NAME);
    requireClosed("replica");
    try (Engine replica = Engine.open(target("replica"), OPTIONS.ofReplica())) {
      assertThat(replica.home().getLong(HomeLayout.REPLICA_ADDRESS)).isEqualTo(line);
      assertThat(replica.home().getLong(HomeLayout.REPLICA_ADDRESS + 8)).isEqualTo(end);
      assertThat((int) replica.home().getLong(HomeLayout.REPLICA_ADDRESS + 16))
          .isEqualTo(restored.chain());
      assertThat(replica.allocator().stats().blocks()).isEqualTo(expected.blocks());
      assertThat(replica.allocator().stats().bytesUsed()).isEqualTo(expected.bytesUsed());
    }
  }

  @Test
  void aCopyDescribesItselfAsAFullBackup() {
    try (Heap heap = open()) {
      put(heap, 0, 10);
      send(heap);
      Backup copy = new BackupReader(held.open(), BaseCopy.NAME, BackupProgress.NONE).describe();
      assertThat(copy.kind()).isEqualTo(Backup.Kind.FULL);
      assertThat(copy.base()).isNull();
      assertThat(copy.heap()).isEqualTo(OpenHeap.engine(heap).uuid());
      assertThat(copy.endLsn()).isEqualTo(OpenHeap.engine(heap).log().appended());
      send(heap);
      Backup again = new BackupReader(held.open(), BaseCopy.NAME, BackupProgress.NONE).describe();
      assertThat(again.id()).isNotEqualTo(copy.id());
    }
  }

  @Test
  void aCopyIsNoLinkOfTheBackups() {
    Backups backups = Backups.in(dir.resolve("backups"));
    try (Heap heap = open()) {
      put(heap, 0, 10);
      Backup full = backups.take(heap);
      put(heap, 10, 20);
      send(heap);
      put(heap, 20, 30);
      Backup next = backups.take(heap, Backup.Kind.INCREMENTAL);
      assertThat(next.base()).isEqualTo(full.id());
      backups.restore(next, dir.resolve("restored"));
    }
    try (Heap heap = Heap.builder(dir.resolve("restored")).open()) {
      assertThat(heap.map("m", Integer.class, byte[].class).size()).isEqualTo(30);
    }
  }

  @Test
  void oneCopyIsMadeAtATime() {
    try (Heap heap = open()) {
      put(heap, 0, 10);
      List<String> refused = new ArrayList<>();
      Backups.in(dir.resolve("backups"))
          .take(
              heap,
              Backup.Kind.FULL,
              0,
              (what, part) -> {
                if (refused.isEmpty()) {
                  assertThatThrownBy(() -> send(heap)).isInstanceOf(IllegalStateException.class);
                  refused.add(what);
                }
              });
      assertThat(refused).hasSize(1);
      send(heap);
      send(heap);
    }
  }

  @Test
  void aDamagedCopyIsRefusedBeforeAnythingIsMade() {
    try (Heap heap = open()) {
      put(heap, 0, 100);
      send(heap);
    }
    byte[] bytes = held.bytes(BaseCopy.NAME);
    for (int at : new int[] {0, 100, bytes.length / 2, bytes.length - 1}) {
      byte[] changed = bytes.clone();
      changed[at] ^= 1;
      held.put(BaseCopy.NAME, changed);
      assertThatThrownBy(() -> restore("replica", OPTIONS, BackupProgress.NONE))
          .as("byte %s", at)
          .isInstanceOf(BackupException.class);
      assertThat(dir.resolve("replica")).doesNotExist();
    }
  }

  @Test
  void theTargetIsClosedIfItCannotBeRestored() throws Exception {
    try (Heap heap = open()) {
      put(heap, 0, 10);
      send(heap);
    }
    Path foreign = dir.resolve("foreign");
    Files.createDirectories(foreign);
    Files.writeString(foreign.resolve("thesis"), "text");
    assertThatThrownBy(() -> restore("foreign", OPTIONS, BackupProgress.NONE))
        .isInstanceOf(ForeignException.class);
    requireClosed("foreign");
    EngineOptions unusable =
        OPTIONS.withArchive(
            history -> {
              throw new IllegalStateException("made up");
            });
    assertThatThrownBy(() -> restore("unusable", unusable, BackupProgress.NONE))
        .as("it cannot be opened with these options")
        .hasMessage("made up");
    requireClosed("unusable");
  }
}
