package io.everheap.testkit.mutation;

import io.everheap.testkit.mutation.Change.Answer;
import io.everheap.testkit.mutation.Change.Both;
import io.everheap.testkit.mutation.Change.Constant;
import io.everheap.testkit.mutation.Change.Drop;
import io.everheap.testkit.mutation.Change.DropStore;
import java.util.ArrayList;
import java.util.List;

/**
 * The mutants of the journal, by the guarantees of docs/journal-format.md. Not among them is what
 * something else guards as well: the previous crc in a record (within an epoch no place gets two
 * records that are both complete, and the seed of the checksum tells epochs and places apart), and
 * the force of a segment's END on byte-addressable storage (the next header says where it ended).
 */
final class JournalMutants {
  private static final int LAST = 1 << 25;
  private static final int FIRST = 1 << 24;

  private final List<Mutant> all = new ArrayList<>();

  private JournalMutants() {}

  static List<Mutant> all() {
    var mutants = new JournalMutants();
    mutants.whole();
    mutants.durable();
    mutants.stale();
    mutants.files();
    mutants.damage();
    return List.copyOf(mutants.all);
  }

  private void add(
      String rule, String name, String type, String method, Change change, String... scenarios) {
    List<String> names = List.of(scenarios).stream().map(s -> "JournalScenarios." + s).toList();
    String path = type.contains(".") ? type : "journal." + type;
    all.add(new Mutant(rule, name, path, method, change, names));
  }

  private static Change drop(String owner, String name) {
    return new Drop(owner, name);
  }

  private static Change answer(int value) {
    return new Answer(value);
  }

  private void whole() {
    add(
        "J1",
        "the checksums of records are not checked",
        "RecordScanner",
        "valid",
        answer(1),
        "readersCheckRecords",
        "file");
    add(
        "J1",
        "a batch counts from its first record on",
        "JournalRecovery",
        "scan",
        new Constant(LAST, FIRST),
        "file",
        "dax");
    add(
        "J1",
        "a released segment is used again while it is read",
        "Segment",
        "retire",
        answer(1),
        "whatIsReadStaysAsItIs");
    add(
        "J1",
        "a reader does not see that records were cut off",
        "LocalSource",
        "lambda$cut$",
        drop("Segment", "end"),
        "readersGoOnBehindACut");
  }

  private void durable() {
    add(
        "J2",
        "an append on byte-addressable storage is not forced",
        "Tail",
        "force",
        drop("Region", "force"),
        "dax");
    add(
        "J2",
        "an append does not wait",
        "LocalSource",
        "settle",
        drop("JournalWriter", "await"),
        "file");
    add(
        "J2",
        "the group's leader writes nothing",
        "JournalWriter$Tickets",
        "write",
        drop("SegmentPersister", "persistTo"),
        "file");
    add(
        "J2",
        "the end of a segment is not written",
        "SegmentPersister",
        "persistTo",
        drop("Segment", "endOffset"),
        "file",
        "async");
    add(
        "J2",
        "the header of a segment is not durable before its records",
        "OpenSegment",
        "begin",
        drop("OpenSegment", "persist"),
        "dax",
        "file");
    add(
        "J2",
        "what recovery accepts is not written again",
        "Opening",
        "persist",
        answer(0),
        "whatRecoveryAcceptsIsDurable");
    add(
        "J2",
        "a close makes nothing durable, and says so",
        "LocalSource",
        "lambda$close$",
        drop("JournalWriter", "finish"),
        "aClosedJournalIsComplete");
    add(
        "J2",
        "appends go on after a failed write",
        "LocalSource",
        "*",
        new Both(new DropStore("broken"), drop("WriterFailure", "fail")),
        "nothingIsAppendedAfterAFailedSync");
  }

  private void stale() {
    add(
        "J4",
        "a record's checksum does not depend on its epoch and place",
        "log.LogSeed",
        "seed",
        answer(0),
        "whatWasCutOffStaysAwayFromAFileThatIsUsedAgain",
        "file");
    add(
        "J4",
        "an opening takes the epoch and the segment of the one before",
        "Opening",
        "begin",
        new Constant(1L, 0L),
        "file");
    add(
        "J4",
        "a cut is not in the state",
        "LocalSource",
        "cut",
        drop("StateFile", "write"),
        "file",
        "dax");
    add(
        "J4",
        "records are released before all before is durable",
        "LocalSource",
        "truncateBefore",
        drop("JournalWriter", "await"),
        "async");
    add(
        "J4",
        "segments are used again before the state says that they are released",
        "LocalSource",
        "truncateBefore",
        drop("StateFile", "write"),
        "file");
    add(
        "J4",
        "a state is not durable when it is relied on",
        "StateFile",
        "write",
        drop("MediumFile", "sync"),
        "file",
        "dax");
  }

  private void files() {
    add(
        "J5",
        "a journal gets its name before its state is durable",
        "StateFile",
        "create",
        drop("MediumFile", "sync"),
        "firstStart");
    add(
        "J5",
        "a segment of a journal gets its name before its zeros are durable",
        "log.SegmentFactory",
        "fill",
        drop("MediumFile", "sync"),
        "async",
        "file",
        "dax");
    add(
        "J5",
        "the name of a journal's segment is not durable",
        "log.SegmentFactory",
        "rename",
        drop("Medium", "syncDirectory"),
        "file",
        "firstStart");
    add(
        "J5",
        "a copy without the unused end replaces a segment before it is durable",
        "Opening",
        "copy",
        drop("MediumFile", "sync"),
        "file",
        "dax");
  }

  private void damage() {
    add(
        "J6",
        "damage before an acknowledged record passes for a torn tail",
        "TailCheck",
        "check",
        answer(0),
        "damageBeforeAnAcknowledgedRecordIsRefused");
    add(
        "J6",
        "damage passes for the end in a process that only reads",
        "WatchedSource",
        "requireEnd",
        answer(0),
        "damageBeforeAnAcknowledgedRecordIsNamedToWatchers");
  }
}
