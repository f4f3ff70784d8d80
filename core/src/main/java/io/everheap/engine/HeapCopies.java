package io.everheap.engine;

import io.everheap.engine.home.ChangedPages;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.Log;
import io.everheap.engine.log.LogArchiver;
import io.everheap.engine.tx.Transactions;
import io.everheap.memory.Medium;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The copies of an open heap: its backups, and the archive of its log. Thread-safe. */
final class HeapCopies {
  private final Medium medium;
  private final Home home;
  private final @Nullable CheckedPages checked;
  private final ChangedPages changes;
  private final Checkpointer checkpointer;
  private final SuperblockStore superblocks;
  private final Transactions transactions;
  private final HeapState state;
  private final Log log;
  private final LongSupplier allocated;
  private final @Nullable LogArchiver archiver;

  /** Copies to the archive, if there is one, what older epochs left. */
  HeapCopies(
      Medium medium,
      EngineOptions options,
      Recovery found,
      Checkpointer checkpointer,
      Transactions transactions,
      HeapState state,
      LongSupplier allocated) {
    this.medium = medium;
    this.home = found.home();
    this.checked = found.checked();
    this.changes = found.changes();
    this.checkpointer = checkpointer;
    this.superblocks = found.superblocks();
    this.transactions = transactions;
    this.state = state;
    this.log = found.log();
    this.allocated = allocated;
    Superblock s = superblocks.current();
    Function<String, Medium> archive = options.archive();
    this.archiver =
        archive == null || medium.readOnly()
            ? null
            : LogArchiver.start(
                medium, archive.apply(s.history()), s.uuid(), log, options.automatic());
  }

  /** Begins to archive in the background. */
  void begin() {
    if (archiver != null) {
      archiver.begin();
    }
  }

  BackupSource backup(UUID id) {
    return new BackupSource(
        medium,
        home,
        checked,
        changes,
        checkpointer,
        superblocks,
        transactions,
        state,
        log,
        allocated,
        id);
  }

  @Nullable LogArchiver archiver() {
    return archiver;
  }

  /** Archives the rest of the log; to be called before the log is deleted or closed. */
  void endArchive() {
    if (archiver != null) {
      archiver.close();
    }
  }
}
