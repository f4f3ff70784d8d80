package io.everheap.testkit.mutation;

import io.everheap.testkit.mutation.Change.Answer;
import io.everheap.testkit.mutation.Change.Argument;
import io.everheap.testkit.mutation.Change.Both;
import io.everheap.testkit.mutation.Change.CallFirst;
import io.everheap.testkit.mutation.Change.CallOfFieldFirst;
import io.everheap.testkit.mutation.Change.Constant;
import io.everheap.testkit.mutation.Change.Drop;
import io.everheap.testkit.mutation.Change.DropStore;
import io.everheap.testkit.mutation.Change.Early;
import io.everheap.testkit.mutation.Change.Late;
import io.everheap.testkit.mutation.Change.RunAlone;
import io.everheap.testkit.mutation.Change.StoreAtOnce;
import java.util.List;

/**
 * The mutants: for each rule of the protocol that a line can break, at least one. Where two lines
 * guard the same thing, dropping one alone changes nothing that could be noticed, so these are not
 * here: the wait for the log in {@code Checkpointer.checkpoint} (pages that differ wait for
 * themselves), the forces of a checkpoint on byte-addressable storage (its sync of the file writes
 * the lines back too), the sync of a new heap's directory (the first segment's does it again), the
 * second writing of an accepted superblock (the next one is synced with it), recovery's word on how
 * far replay must reach (the superblock that names the new epoch says it again), the end of an
 * epoch that ended (it is looked for again when it is replayed), the chain of the parts of one
 * epoch (the seed of their checksum has their LSN), the registry of a process in {@code HeapLock}
 * (the virtual machine finds overlapping locks as well), the poisoning of what failed behind an
 * append (the lock's next owner does it). Nor are fences that x86 does not need, as of the end of a
 * commit's stores, nor a reader that merely waits longer, as where the stripes but the first stay
 * odd after a commit.
 */
final class Mutants extends MutantList {
  private Mutants() {
    super("", "");
  }

  static List<Mutant> all() {
    var mutants = new Mutants();
    mutants.history();
    mutants.log();
    mutants.transactions();
    mutants.checkpoint();
    mutants.opening();
    mutants.failing();
    mutants.races();
    mutants.rounds();
    mutants.rules();
    mutants.checksums();
    mutants.addAll(JournalMutants.all());
    mutants.addAll(CacheMutants.all());
    mutants.addAll(BackupMutants.all());
    mutants.addAll(ReplicaMutants.all());
    mutants.addAll(StoreMutants.all());
    mutants.addAll(EncryptionMutants.all());
    mutants.addAll(EncryptedJournalMutants.all());
    mutants.addAll(EncryptedCacheMutants.all());
    return mutants.added();
  }

  private static Change answer(int value) {
    return new Answer(value);
  }

  private void history() {
    add(
        "1",
        "an opening takes the epoch of the one before",
        "engine.Recovery",
        "run",
        new Constant(1L, 0L),
        "engineFile",
        "logFile");
    add(
        "2",
        "recovery does not write again what it accepts",
        "engine.log.RecoveredLog",
        "persist",
        answer(0),
        "acceptedAfterAFailedWrite",
        "engineAsync",
        "engineFile");
    add(
        "2",
        "recovery ends without a checkpoint",
        "engine.CheckpointSchedule",
        "finishRecovery",
        drop("Checkpointer", "checkpoint"),
        "engineFile");
    add(
        "2",
        "nothing says that the log goes on with another epoch",
        "engine.Recovery",
        "goOn",
        drop("SuperblockStore", "write"),
        "engineFile");
    add(
        "2",
        "the segments of an epoch that ended are not kept for the next recovery",
        "engine.log.LogReader",
        "read",
        drop("Set", "addAll"),
        "epochsFollowEachOther");
    add(
        "2",
        "an epoch that ended is not replayed",
        "engine.log.LogReader",
        "readUntil",
        drop("LogWalk", "walkSegments"),
        "epochsFollowEachOther");
    add(
        "17",
        "growth after a recovery writes zeros over what replay needs",
        "engine.Recovery",
        "highestCapacity",
        answer(0),
        "growthAfterARecoveryKeepsWhatReplayNeeds");
    add(
        "2",
        "replay does not mark the pages that it changes",
        "engine.home.HomeRedo",
        "begin",
        drop("Home", "markDirty"),
        "engineFile");
    add(
        "26",
        "a word is loaded from a page that is not up to date",
        "memory.PendingRegion",
        "getLong",
        drop("PendingRegion", "use"),
        "engineFile");
    add(
        "26",
        "bytes are copied from a page that is not up to date",
        "memory.PendingRegion",
        "copyTo",
        drop("PendingRegion", "useAll"),
        "engineFile");
    add(
        "26",
        "a word is stored to a page that is not up to date",
        "memory.PendingRegion",
        "putLong",
        drop("PendingRegion", "use"),
        "RedoScenarios.storesAreKept");
    add(
        "26",
        "bytes are stored to a page that is not up to date",
        "memory.PendingRegion",
        "copyFrom",
        drop("PendingRegion", "useAll"),
        "RedoScenarios.storesAreKept");
    add(
        "26",
        "an older entry of a word wins",
        "engine.log.Redo$Lane",
        "has",
        answer(0),
        "engineFile");
    add(
        "26",
        "the redo of a page takes the entries of a transaction that is not complete",
        "engine.log.RedoLog$Reader",
        "isComplete",
        answer(1),
        "engineFile");
    add(
        "26",
        "pages count as up to date that the pass over the log did not reach",
        "engine.log.Redo",
        "redoAll",
        drop("RedoIndex", "forEachPart"),
        "engineFile");
    add(
        "26",
        "the pass takes the start of a ring that wrapped for older than its end",
        "engine.log.RedoIndex",
        "isWrapped",
        answer(0),
        "RedoScenarios.aRingThatWrapsIsAppliedInItsOrder");
    add(
        "26",
        "objects are read past the redo of their pages",
        "memory.PendingRegion",
        "isDirect",
        answer(1),
        "RedoScenarios.objectsAreUpToDate");
    add(
        "3",
        "the ring keeps the header of the epoch before",
        "engine.log.RingFile",
        "reset",
        drop("Region", "copyFrom"),
        "engineAsync");
    add(
        "3",
        "parts overwrite others in the ring that are not durable",
        "engine.log.RingLog",
        "awaitRoom",
        drop("GroupCommit", "await"),
        "ringWraps");
  }

  private void log() {
    add(
        "4",
        "damage before an acknowledged commit passes for a torn tail",
        "engine.log.LogTailCheck",
        "check",
        answer(0),
        "damageBeforeAnAcknowledgedCommitIsRefused");
    add(
        "4",
        "a batch is not written",
        "engine.log.BatchWriter",
        "write",
        drop("LogSegment", "writeDurably"),
        "logFile");
    add(
        "4",
        "a commit does not wait until it is durable",
        "engine.log.RingLog",
        "awaitDurable",
        answer(0),
        "logFile",
        "engineFile");
    add(
        "4",
        "the log on byte-addressable storage does not force a part",
        "engine.log.DirectLog",
        "seal",
        drop("Region", "force"),
        "logDax");
    add(
        "4",
        "the log on byte-addressable storage does not force a segment's header",
        "engine.log.DirectLog",
        "writeHeader",
        drop("Region", "force"),
        "logDax");
    add(
        "4",
        "the log on byte-addressable storage does not force what fills a segment",
        "engine.log.DirectLog",
        "roll",
        drop("Region", "force"),
        "logDax",
        "engineDax");
    add(
        "7",
        "each part of a large transaction commits",
        "engine.tx.RecordWriter",
        "nextPart",
        new Constant(1, 0),
        "engineFile",
        "engineAsync");
    add(
        "8",
        "an empty transaction does not wait for what it saw",
        "engine.tx.Commits",
        "commitNothing",
        answer(0),
        "anEmptyTransactionWaits");
  }

  private void transactions() {
    add(
        "6",
        "the log's space is not reserved before a record",
        "engine.log.LogSpace",
        "reserve",
        answer(0),
        "logFile",
        "engineFile");
    add(
        "13",
        "a rollback does not burn the generations that it gave out",
        "engine.alloc.BurnedGenerations",
        "burnSlot",
        answer(0),
        "anAbortedBlockIsStale");
    add(
        "24",
        "a view is not validated",
        "engine.tx.Stripes",
        "sequenceValid",
        answer(1),
        "ReaderScenarios.aViewSeesOneState");
    add(
        "9",
        "stores go home before they are logged",
        "engine.tx.HeapMemory",
        "putLong",
        new StoreAtOnce(),
        "engineFile",
        "engineDax");
    add(
        "9",
        "a rollback keeps the stores since the savepoint",
        "engine.tx.WriteSet",
        "rollbackTo",
        answer(0),
        "engineFile");
    add(
        "9",
        "a rollback keeps the allocator's summaries",
        "engine.alloc.AllocatorTransaction",
        "undo",
        answer(0),
        "engineFile");
    add(
        "9",
        "a commit frees nothing",
        "engine.alloc.AllocatorTransaction",
        "prepare",
        answer(0),
        "engineFile");
    add(
        "9",
        "fresh blocks are not logged",
        "engine.alloc.AllocatorTransaction",
        "fresh",
        answer(0),
        "engineFile");
    add(
        "11",
        "stripes are not odd while a commit is applied",
        "engine.tx.Stripes",
        "open",
        answer(0),
        "ReaderScenarios.aReadDuringACommitSeesAWholeValue");
    add(
        "11",
        "readers do not validate",
        "structure.common.Guard",
        "holds",
        answer(1),
        "ReaderScenarios.aCommitDuringARead");
    add(
        "11",
        "a writer trusts what it looked up before its turn",
        "structure.map.MapReads",
        "isUnchanged",
        answer(1),
        "ReaderScenarios.aWriterLooksAgain");
    add(
        "11",
        "a commit does not mark the pages that it changes",
        "engine.home.Home",
        "putLines",
        drop("Home", "markDirty"),
        "engineFile");
    add(
        "11",
        "a commit does not mark the pages of fresh blocks",
        "engine.tx.RecordWriter",
        "markFresh",
        drop("Home", "markDirty"),
        "engineFile");
    add(
        "13",
        "a freed block keeps its generation",
        "engine.alloc.BlockHeader",
        "freed",
        new Constant(1, 0),
        "aFreedBlockIsStale");
  }

  private void checkpoint() {
    add(
        "14",
        "the superblock is written before the pages are durable",
        "engine.Checkpointer",
        "checkpoint",
        drop("SuperblockStore", "syncFile"),
        "PageScenarios.aCheckpointOfOnePage",
        "engineFile");
    add(
        "14",
        "pages are written before the log of their changes is durable",
        "engine.PageWriter",
        "write",
        drop("Log", "awaitDurable"),
        "engineAsync");
    add(
        "14",
        "nothing says how far replay must reach",
        "engine.PageWriter",
        "write",
        drop("LongConsumer", "accept"),
        "pagesNewerThanADamagedTailAreRefused",
        "pagesNewerThanADamagedTailAreRefusedAfterRecovery");
    add(
        "14",
        "segments are recycled before the superblock is durable",
        "engine.SuperblockStore",
        "write",
        drop("SuperblockStore", "syncFile"),
        "engineFile");
    add(
        "14",
        "pages that could not be written are forgotten",
        "engine.Checkpointer",
        "makeDirtyAgain",
        answer(0),
        "aCheckpointThatFailedIsMadeUpFor");
    add(
        "15",
        "replay may end before what the home image holds",
        "engine.log.LogOrigin",
        "minEnd",
        answer(0),
        "pagesNewerThanADamagedTailAreRefused");
    add(
        "16",
        "an extent is mapped anew without its changes",
        "engine.Checkpointer",
        "lambda$remap$",
        drop("PageWriter", "write"),
        "PageScenarios.anExtentIsMappedAnewWithItsChanges");
    add(
        "17",
        "growth does not make the length durable",
        "engine.HomeSize",
        "extend",
        drop("SuperblockStore", "syncFile"),
        "engineFile");
    add(
        "17",
        "growth does not write zeros",
        "engine.HomeSize",
        "extend",
        drop("Home", "writeZeros"),
        "engineFile");
    add(
        "17",
        "a shrink cuts the file before its checkpoint",
        "engine.Shrink",
        "lambda$run$",
        drop("Checkpointer", "checkpoint"),
        "engineFile",
        "engineAsync");
  }

  private void opening() {
    add(
        "19",
        "a new heap gets its name before it is durable",
        "engine.HeapFiles",
        "create",
        drop("MediumFile", "sync"),
        "firstOpening",
        "engineFile");
    add(
        "19",
        "a segment gets its name before its zeros are durable",
        "log.SegmentFactory",
        "fill",
        drop("MediumFile", "sync"),
        "logFile",
        "engineFile");
    add(
        "19",
        "the name of a segment is not durable",
        "log.SegmentFactory",
        "rename",
        drop("Medium", "syncDirectory"),
        "logFile",
        "firstStart");
  }

  private void checksums() {
    add(
        "25",
        "the checksums are not durable when the superblock is",
        "engine.Checkpointer",
        "after",
        drop("CheckedPages", "sync"),
        "PageScenarios.aCheckpointOfOnePage",
        "engineFile");
    add(
        "25",
        "a page is written without its checksum",
        "engine.home.CheckedPages",
        "write",
        drop("ChecksumTable", "put"),
        "engineFile");
    add(
        "25",
        "nothing says that pages are being written",
        "engine.SuperblockStore",
        "beginWriting",
        new Constant(4, 0),
        "engineFile");
    add(
        "25",
        "pages that a crash may have torn are not in doubt",
        "engine.Recovery",
        "apply",
        drop("CheckedPages", "doubt"),
        "engineFile");
    add(
        "25",
        "growth keeps the checksums of pages that a shrink gave back",
        "engine.HomeSize",
        "extend",
        drop("CheckedPages", "clear"),
        "engineFile");
    add(
        "25",
        "a damaged page gets a right checksum",
        "engine.PageWriter",
        "write",
        drop("CheckedPages", "check"),
        "PageScenarios.aDamagedPageIsNotWrittenAgain");
    add(
        "25",
        "a name that a damaged page hides does not exist",
        "engine.home.Home",
        "requireSound",
        drop("CheckedPages", "requireSound"),
        "PageScenarios.aRootWhoseNameIsDamagedIsNotMissing");
    add(
        "25",
        "a page that left memory counts as checked",
        "engine.home.Home",
        "forgetWritten",
        drop("PageSet", "clear"),
        "PageScenarios.aPageThatLeftMemoryIsCheckedAgain");
    add(
        "14",
        "nobody looks what the newest change in a copied page is",
        "engine.PageWriter",
        "newest",
        drop("Transactions", "quiesced"),
        "PageScenarios.aCopyOfAPageIsNotAheadOfTheLog");
  }

  private void races() {
    add(
        "2",
        "recovery does not write the header of a segment again",
        "engine.log.LogPersister",
        "persistBatches",
        drop("BatchWriter", "rewriteHeader"),
        "RaceScenarios.aSegmentHeaderThatWasNotDurableIsWrittenAgain");
    add(
        "17",
        "a shrink cuts the file without a second checkpoint",
        "engine.Shrink",
        "lambda$run$1",
        drop("Checkpointer", "checkpoint"),
        "RaceScenarios.aCommitDuringAShrinkIsKept");
    add(
        "14",
        "segments are recycled that the checkpoint does not cover",
        "engine.Checkpointer",
        "checkpoint",
        new Argument("Log", "recycleBelow", Long.MAX_VALUE),
        "RaceScenarios.aCheckpointKeepsTheLogOfNewerCommits");
    add(
        "14",
        "what replay must reach is looked up while a record is being written",
        "engine.PageWriter",
        "newest",
        new RunAlone("Transactions", "quiesced"),
        "RaceScenarios.checkpointsNameNoMiddleOfARecord");
    add(
        "14",
        "a checkpoint begins while a record is being written",
        "engine.Checkpointer",
        "checkpoint",
        new RunAlone("Transactions", "quiesced"),
        "RaceScenarios.checkpointsNameNoMiddleOfARecord");
    add(
        "15",
        "a segment is let go before the next one has its header",
        "engine.log.SegmentPool",
        "recycleBelow",
        new Drop("LogSegment", "headerDurable", 1),
        "RaceScenarios.aSegmentIsKeptUntilTheNextOneHasItsHeader");
    add(
        "22",
        "a close writes one superblock",
        "engine.Engine",
        "end",
        drop("SuperblockStore", "repeat"),
        "RaceScenarios.eitherSuperblockOfAClosedHeapSuffices");
    add(
        "25",
        "a page whose write failed is not in doubt",
        "engine.home.CheckedPages",
        "write",
        drop("PageSet", "addPage"),
        "RaceScenarios.aPageThatWasHalfWrittenIsWrittenAgain");
    add(
        "6",
        "a recovery goes on without a spare segment",
        "engine.log.RingLog",
        "prepare",
        new Drop("SegmentPool", "tryReady", 1),
        "RaceScenarios.aKilledHeapOpensOnAFullDisk");
    add(
        "20",
        "a superblock passes for durable although another sync was told that it is lost",
        "engine.SuperblockStore",
        "syncAlone",
        drop("SuperblockStore", "requireSound"),
        "RaceScenarios.aSuperblockThatWasLostBeforeItsSyncDoesNotLetTheLogGo");
  }

  private void rounds() {
    add(
        "14",
        "what replay must reach is looked up before pages are copied",
        "engine.PageWriter",
        "copy",
        new Early("newest"),
        "RoundsScenarios.commitsInACheckpoint");
    add(
        "14",
        "pages are written, then the log of their changes",
        "engine.PageWriter",
        "write",
        new Late("Log", "awaitDurable", "CheckedPages", "write"),
        "RoundsScenarios.commitsInACheckpoint");
    add(
        "14",
        "pages are written, then the superblock that says so",
        "engine.PageWriter",
        "write",
        new Late("LongConsumer", "accept", "CheckedPages", "write"),
        "RoundsScenarios.commitsInACheckpoint");
    add(
        "14",
        "a superblock ends the checkpoint, then its pages are synced",
        "engine.Checkpointer",
        "checkpoint",
        new Late("SuperblockStore", "syncFile", "SuperblockStore", "write"),
        "RoundsScenarios.commitsInACheckpoint");
    add(
        "14",
        "a superblock is synced, then written",
        "engine.SuperblockStore",
        "write",
        new Late("MediumFile", "write", "SuperblockStore", "syncFile"),
        "RoundsScenarios.commitsInACheckpoint");
    add(
        "14",
        "pages that a commit changes while others are written pass for clean",
        "engine.home.Home",
        "markWritten",
        new CallOfFieldFirst("dirty", "engine.home.PageSet", "clear"),
        "RoundsScenarios.commitsInACheckpoint");
  }

  private void rules() {
    add(
        "5",
        "an interrupt is forgotten while a thread waits for its commit",
        "log.GroupCommit",
        "await",
        drop("Thread", "interrupt"),
        "RuleScenarios.anInterruptDoesNotEndTheWaitForACommit");
    add(
        "5",
        "an interrupt is forgotten while a thread waits for its turn",
        "engine.tx.WriterLock",
        "await",
        drop("Thread", "interrupt"),
        "RuleScenarios.anInterruptDoesNotEndTheWaitForATurn");
    add(
        "10",
        "a commit is applied before its record is durable",
        "engine.tx.Commits",
        "writeRecord",
        new CallFirst("apply"),
        "engineDax");
    add(
        "12",
        "a commit keeps the writer's lock",
        "engine.tx.Commits",
        "appendAndApply",
        drop("Running", "finish"),
        "engineFile");
    add(
        "18",
        "a writer's lock admits readers, and it names itself to nobody",
        "memory.HeapLock",
        "*",
        new Both(new Argument("FileChannel", "tryLock", 1), drop("HeapLock", "announce")),
        "RuleScenarios.aHeapThatIsWrittenIsReadByNoOtherProcess");
    add(
        "21",
        "a reader does not replay the log",
        "engine.Recovery",
        "run",
        drop("Recovery", "apply"),
        "RuleScenarios.aReaderSeesAllAndWritesNothing");
    add(
        "21",
        "a reader maps byte-addressable storage shared",
        "engine.home.Home",
        "<init>",
        drop("Medium", "readOnly"),
        "RuleScenarios.aReaderSeesAllAndWritesNothing");
    add(
        "21",
        "a reader writes a superblock",
        "engine.Recovery",
        "run",
        drop("Medium", "readOnly"),
        "RuleScenarios.aReaderSeesAllAndWritesNothing");
    add(
        "23",
        "only the first of several stripes is odd while a commit is applied",
        "engine.tx.Commits",
        "apply",
        new Argument("Stripes", "open", 1),
        "ReaderScenarios.aReadDuringACommitSeesAWholeValue");
    add(
        "23",
        "a reader trusts what it loads while a commit is applied",
        "structure.common.Guard",
        "open",
        new Constant(1L, 0L),
        "ReaderScenarios.aReadDuringACommitSeesAWholeValue");
  }

  private void failing() {
    add(
        "20",
        "commits go on after a failed sync",
        "log.GroupCommit",
        "*",
        new DropStore("failure"),
        "nothingIsAcknowledgedAfterAFailedSync");
    add(
        "20",
        "a heap goes on after a failed sync of its image",
        "engine.HeapState",
        "poison",
        answer(0),
        "nothingIsAcknowledgedAfterAFailedSync");
    add(
        "22",
        "a close makes nothing durable",
        "engine.Engine",
        "end",
        drop("Checkpointer", "checkpoint"),
        "aClosedHeapIsComplete");
  }
}
