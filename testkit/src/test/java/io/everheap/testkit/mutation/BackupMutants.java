package io.everheap.testkit.mutation;

import java.util.List;

/** The mutants of backups, archives and restores, by the promises of docs/backup.md. */
final class BackupMutants extends MutantList {
  private BackupMutants() {
    super("", "");
  }

  static List<Mutant> all() {
    var mutants = new BackupMutants();
    mutants.changes();
    mutants.log();
    mutants.restores();
    mutants.journals();
    return mutants.added();
  }

  private void changes() {
    add(
        "B1",
        "pages that a checkpoint writes are not in the set of changed pages",
        "engine.PageWriter",
        "write",
        drop("ChangedPages", "add"),
        "BackupScenarios.file");
    add(
        "B1",
        "a checkpoint completes before the set of changed pages is durable",
        "engine.Checkpointer",
        "after",
        drop("ChangedPages", "sync"),
        "BackupScenarios.powerLossBehindACheckpoint");
    add(
        "B1",
        "pages that a growth sets to zero are not in the set of changed pages",
        "engine.HomeSize",
        "extend",
        drop("ChangedPages", "addZeros"),
        "BackupScenarios.whatGrewAgainIsZero");
  }

  private void log() {
    add(
        "B2",
        "segments are used again before a backup has copied them",
        "engine.log.SegmentPool",
        "hold",
        drop("List", "add"),
        "BackupScenarios.checkpointsMeanwhile");
    add(
        "B2",
        "a backup ends before the log that it needs is durable",
        "engine.BackupSource",
        "awaitDurable",
        drop("Log", "awaitDurable"),
        "BackupScenarios.commitsMeanwhile");
    add(
        "B2",
        "what a killed process left is not archived",
        "engine.Recovery",
        "archive",
        drop("LogArchiver", "catchUp"),
        "ArchiveScenarios.killedBehindACheckpoint");
    add(
        "B2",
        "what a recovery found in the ring is not archived",
        "engine.log.LogArchiver",
        "start",
        drop("LogArchiver", "copyOld"),
        "ArchiveScenarios.killedWithAFullRing");
  }

  private void restores() {
    add(
        "B3",
        "a directory in which a restore was interrupted is opened",
        "engine.HeapFiles",
        "openOrCreate",
        drop("HeapFiles", "requireRestored"),
        "BackupScenarios.restore");
    add(
        "B3",
        "a restored home image gets its name before it is durable",
        "engine.HeapRebuild",
        "complete",
        drop("MediumFile", "sync"),
        "BackupScenarios.restore");
    add(
        "B3",
        "tables behind the capacity keep what an older backup had there",
        "engine.backup.Restore$Applied",
        "superblock",
        drop("HeapRebuild", "resize"),
        "BackupScenarios.growthMeanwhile");
  }

  private void journals() {
    add(
        "B4",
        "a backup gets its name before it is durable",
        "backup.FileSink",
        "sync",
        drop("MediumFile", "sync"),
        "JournalBackupScenarios.target");
    add(
        "B4",
        "the file of a segment is used again while a backup copies it",
        "journal.Segment",
        "retire",
        new Change.Answer(1),
        "JournalBackupScenarios.releasedMeanwhile");
    add(
        "B4",
        "an incremental backup does not look at what it continues",
        "journal.JournalBackups",
        "requireBase",
        drop("JournalCopy", "whyNot"),
        "JournalBackupScenarios.diverged");
    add(
        "B5",
        "an interrupted restore is taken for a journal",
        "journal.StateFile",
        "isInterrupted",
        new Change.Answer(0),
        "JournalBackupScenarios.restore");
    add(
        "B5",
        "a restored journal gets its state before its segments are durable",
        "journal.JournalRebuild",
        "complete",
        drop("MediumFile", "sync"),
        "JournalBackupScenarios.restore");
  }
}
