package io.everheap.testkit.mutation;

import java.util.List;

/** The mutants of replicas, by the promises of docs/replication.md. */
final class ReplicaMutants extends MutantList {
  private ReplicaMutants() {
    super("", "");
  }

  static List<Mutant> all() {
    var mutants = new ReplicaMutants();
    mutants.state();
    mutants.log();
    mutants.copies();
    mutants.journals();
    mutants.terms();
    return mutants.added();
  }

  private void state() {
    add(
        "R1",
        "a replica's position is not stored with the transaction",
        "engine.ReplicaApplier",
        "complete",
        drop("ReplicaPosition", "write"),
        "ReplicaScenarios.follow");
    add(
        "R1",
        "the home image of a replica does not grow with the primary's",
        "engine.ReplicaApplier",
        "complete",
        drop("HomeSize", "follow"),
        "ReplicaScenarios.grow");
    add(
        "R1",
        "a replica does not learn of chunks that come into use",
        "engine.ReplicaApplier",
        "complete",
        drop("ChunkFollower", "beforeCommit"),
        "ReplicaScenarios.grow");
    add(
        "R1",
        "a base copy does not say where it ends",
        "engine.backup.BaseCopy",
        "restore",
        drop("Restore", "asReplica"),
        "ReplicaScenarios.follow");
  }

  private void copies() {
    add(
        "R3",
        "a commit does not wait for copies",
        "engine.tx.Transactions",
        "end",
        drop("RemoteCopies", "await"),
        "ReplicaScenarios.failOver");
  }

  private void log() {
    add(
        "R2",
        "a replica gets the log from the wrong place",
        "engine.log.LogFeed",
        "open",
        drop("LogFeed", "skipTo"),
        "ReplicaScenarios.follow");
  }

  private void journals() {
    journal(
        "a replica acknowledges records that are not durable",
        "ReceivedFile",
        "store",
        drop("MediumFile", "sync"),
        "whatIsStoredIsDurable");
    journal(
        "a replica does not say what it stores in any order",
        "SegmentReceiver",
        "store",
        drop("ReplicaFile", "write"),
        "aTornPieceIsNoDamage");
    journal(
        "what is torn behind the end of a replica stays",
        "SegmentReceiver",
        "findEnd",
        drop("ReceivedFile", "eraseFrom"),
        "whatIsTornIsNoRecordLater");
    journal(
        "a recovered replica acknowledges what is not durable",
        "SegmentReceiver",
        "settle",
        drop("Opening", "persist"),
        "whatIsFoundIsDurable");
    journal(
        "a replica deletes files as a state says that is not durable",
        "SegmentReceiver",
        "settle",
        drop("StateFile", "write"),
        "filesAreDeletedAsADurableStateSays");
    journal(
        "the header of a replica's segment is not durable",
        "ReceivedFile",
        "create",
        drop("MediumFile", "sync"),
        "whatIsStoredIsDurable");
    journal(
        "the name of a replica's segment is not durable",
        "ReceivedFile",
        "create",
        drop("Medium", "syncDirectory"),
        "whatIsStoredIsDurable");
    journal(
        "a promotion is not stored",
        "SegmentReceiver",
        "promote",
        drop("ReplicaFile", "write"),
        "aPromotionIsDurable");
    journal(
        "a promotion is believed that is not durable",
        "ReplicaFile",
        "open",
        drop("ReplicaFile", "write"),
        "aPromotionThatIsFoundIsDurable");
  }

  private void terms() {
    add(
        "R5",
        "a replica believes a term that no promotion gives",
        "journal.SegmentReceiver",
        "follow",
        drop("Terms", "requireCredible"),
        "JournalReplicaScenarios.aTermThatNoPromotionGivesIsNotStored");
  }

  private void journal(String name, String type, String method, Change change, String scenario) {
    add("R4", name, "journal." + type, method, change, "JournalReplicaScenarios." + scenario);
  }
}
