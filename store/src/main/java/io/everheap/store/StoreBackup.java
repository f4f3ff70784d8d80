package io.everheap.store;

import io.everheap.Backups;
import io.everheap.error.ForeignHeapException;
import io.everheap.error.HeapMissingException;
import io.everheap.memory.Media;
import io.everheap.memory.Medium;
import java.nio.file.Path;
import java.util.List;

/**
 * A backup of a store: a directory with a directory of backups for each shard, and a copy of the
 * descriptor, which is written last. A restored store gets its descriptor last as well, so that
 * what is not complete cannot be opened.
 */
final class StoreBackup {
  private StoreBackup() {}

  /** Makes a backup, in the turns of all shards. */
  static void take(Descriptor descriptor, List<Shard> shards, Path target) {
    try (Medium medium = Media.open(target, false, true)) {
      requireNone(medium);
      for (Shard shard : shards) {
        var _ = Backups.in(target.resolve(Opening.name(shard.index))).take(shard.heap);
      }
      descriptor.write(medium);
    }
  }

  /** Restores a store into a new or empty directory. */
  static void restore(Path backup, Path target) {
    Descriptor descriptor;
    try (Medium medium = Media.open(backup, true, false)) {
      if (!medium.exists(Descriptor.FILE)) {
        throw new HeapMissingException("there is no complete backup in " + backup, null);
      }
      descriptor = Descriptor.read(medium);
    }
    try (Medium medium = Media.open(target, false, true)) {
      requireNone(medium);
      int shards = Math.max(descriptor.shards(), descriptor.target());
      for (int i = 0; i < shards; i++) {
        Backups backups = Backups.in(backup.resolve(Opening.name(i)));
        backups.restore(backups.newest(), target.resolve(Opening.name(i)));
      }
      descriptor.write(medium);
    }
  }

  private static void requireNone(Medium medium) {
    if (medium.exists(Descriptor.FILE)) {
      throw new ForeignHeapException(
          medium.location(), "empty", "it has a store or a backup; choose another directory");
    }
  }
}
