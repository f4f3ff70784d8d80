package io.everheap.testkit.mutation;

import io.everheap.testkit.mutation.Change.Drop;
import java.util.List;

/** The mutants of the store, by the guarantees of docs/store.md. */
final class StoreMutants extends MutantList {
  private StoreMutants() {
    super("store.", "StoreScenarios.");
  }

  static List<Mutant> all() {
    var mutants = new StoreMutants();
    mutants.batches();
    mutants.shards();
    mutants.backups();
    mutants.sessions();
    return mutants.added();
  }

  private void batches() {
    add(
        "H1",
        "a batch is decided before its intents are durable",
        "Batches",
        "commit",
        new Drop("Batches", "forceIntents"),
        "async",
        "file");
    add(
        "H1",
        "a shard makes its changes before the outcome is durable",
        "Batches",
        "commit",
        new Drop("Batches", "forceOutcome"),
        "async",
        "file");
    add(
        "H1",
        "an opening drops intents that were decided",
        "Batches",
        "lambda$recover$",
        new Drop("DurableMap", "containsKey", 0),
        "async",
        "file");
    add(
        "H1",
        "an opening makes changes that were not decided",
        "Batches",
        "lambda$recover$",
        new Drop("DurableMap", "containsKey", 1),
        "async",
        "file");
    add(
        "H1",
        "an intent outlives its changes",
        "Batches",
        "lambda$finish$",
        new Drop("DurableMap", "remove"),
        "intents");
  }

  private void shards() {
    add(
        "H2",
        "a key is removed from its old shard before it is durable in the new one",
        "Moves",
        "copyAndRemove",
        new Drop("Heap", "sync"),
        "async",
        "file");
    add(
        "H2",
        "a key in both shards stays in the old one",
        "Moves",
        "lambda$place$",
        new Drop("ConcurrentMap", "remove"),
        "file",
        "moreFile");
    add(
        "H2",
        "a removal of a key that moves is not durable when others can put it elsewhere",
        "ShardedMap",
        "lambda$writeMoving$",
        new Drop("Shard", "awaitDurable"),
        "moving");
    add(
        "H3",
        "the file that says how many shards there are is not synced",
        "Descriptor",
        "write",
        new Drop("MediumFile", "sync"),
        "file");
    add(
        "H3",
        "the directory of a store is not synced",
        "Descriptor",
        "write",
        new Drop("Medium", "syncDirectory"),
        "file");
  }

  private void backups() {
    add(
        "H4",
        "the backups of the shards do not end at the moment of the store's backup",
        "BackupCut",
        "lambda$tryCut$",
        new Drop("BackupRun", "end"),
        "backups");
    add(
        "H4",
        "the file of a store's backup is not synced",
        "BackupManifest",
        "write",
        new Drop("MediumFile", "sync"),
        "backups");
    add(
        "H4",
        "the name of a store's backup is not durable",
        "BackupManifest",
        "write",
        new Drop("Medium", "syncDirectory"),
        "backups");
  }

  private void sessions() {
    add(
        "H5",
        "a shard does not announce a session",
        "Session",
        "lambda$announce$",
        new Drop("ShardIdentity", "announce"),
        "sessions");
    add(
        "H5",
        "a shard does not get the session",
        "Session",
        "lambda$enter$",
        new Drop("ShardIdentity", "enter"),
        "sessions");
    add(
        "H5",
        "shards of another session are opened",
        "Opening",
        "openAll",
        new Drop("Session", "require"),
        "sessions");
    add(
        "H5",
        "a store is closed without another session",
        "ShardedStore",
        "lambda$closeAll$",
        new Drop("ShardedStore", "renewIfPossible"),
        "sessions");
    add(
        "H5",
        "a shard that was unused keeps what it held",
        "Opening",
        "lambda$more$",
        new Drop("ShardIdentity", "empty"),
        "unused");
  }
}
