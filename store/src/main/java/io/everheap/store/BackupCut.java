package io.everheap.store;

import io.everheap.engine.backup.BackupDirectory;
import io.everheap.engine.backup.BackupRun;
import io.everheap.error.BackupException;
import io.everheap.heap.OpenHeap;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Backs up all shards of a store so that they fit each other. First the pages of one after another
 * are copied, while writers go on; then all backups end at one moment, in the turns of all shards;
 * then the log up to there is copied. Used by one thread.
 */
final class BackupCut implements AutoCloseable {
  private final ShardedStore store;
  private final IntFunction<BackupDirectory> directories;
  private final Backup.Kind kind;
  private final long bytesPerSecond;
  private final BackupProgress progress;
  private final List<BackupRun> runs = new ArrayList<>();

  /**
   * Creates it.
   *
   * @param directories of the backups of each shard
   */
  BackupCut(
      ShardedStore store,
      IntFunction<BackupDirectory> directories,
      Backup.Kind kind,
      long bytesPerSecond,
      BackupProgress progress) {
    this.store = store;
    this.directories = directories;
    this.kind = kind;
    this.bytesPerSecond = bytesPerSecond;
    this.progress = progress;
  }

  /** Copies the pages and chooses the moment; returns where keys were at that moment. */
  Placement cut() {
    while (true) {
      while (runs.size() < store.placement().shards()) {
        copyNext();
      }
      Placement placement = tryCut();
      if (placement != null) {
        return placement;
      }
    }
  }

  private void copyNext() {
    int shard = runs.size();
    BackupProgress named =
        (what, part) -> {
          keepUp(0); // the other shards are written as well
          progress.update(ShardNames.of(shard) + ": " + what, part);
        };
    BackupRun run = begin(shard, named);
    runs.add(run);
    run.copyPages();
  }

  private BackupRun begin(int shard, BackupProgress named) {
    var engine = OpenHeap.engine(store.shard(shard).heap);
    BackupDirectory directory = directories.apply(shard);
    if (kind == Backup.Kind.INCREMENTAL) {
      try {
        return directory.begin(engine, kind, bytesPerSecond, named);
      } catch (BackupException e) {
        // The shard is new, or does not know what changed: then all of it is copied.
      }
    }
    return directory.begin(engine, Backup.Kind.FULL, bytesPerSecond, named);
  }

  private void keepUp(int from) {
    runs.subList(from, runs.size()).forEach(BackupRun::keepUp);
  }

  /** Ends the backups of all shards at one moment; null if there are more shards by now. */
  private @Nullable Placement tryCut() {
    List<Shard> all = store.shards();
    List<Placement> found = new ArrayList<>();
    boolean cut =
        Shard.inTurns(
            all,
            () -> {
              Placement now = store.placement(); // it changes in the turns of all only
              if (all.size() < now.shards() || runs.size() < now.shards()) {
                return false;
              }
              for (BackupRun run : runs) {
                run.end();
              }
              return found.add(now);
            });
    return cut ? found.getFirst() : null;
  }

  /** Completes the backups of the first shards. */
  List<Backup> complete(int shards) {
    List<Backup> backups = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      keepUp(i);
      progress.update(ShardNames.of(i) + ": log", (double) i / shards);
      backups.add(runs.get(i).complete());
    }
    return backups;
  }

  /** Gives up what is not complete. */
  @Override
  public void close() {
    RuntimeException failure = null;
    for (BackupRun run : runs.reversed()) {
      try {
        run.close();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
