package io.everheap.testkit.mutation;

import io.everheap.testkit.mutation.Change.Answer;
import io.everheap.testkit.mutation.Change.Drop;
import java.util.List;

/** The mutants of encrypted caches, by the promises of docs/encryption.md. */
final class EncryptedCacheMutants extends MutantList {
  private EncryptedCacheMutants() {
    super("", "EncryptedCacheScenarios.");
  }

  static List<Mutant> all() {
    var mutants = new EncryptedCacheMutants();
    mutants.promises();
    return mutants.added();
  }

  private void promises() {
    add(
        "E1",
        "a nonce of a cache is used again",
        "memory.crypt.EntrySealer",
        "seal",
        new Drop("AtomicLong", "getAndAdd"),
        "nonces");
    add(
        "E2",
        "a block of a cache that is not authentic is used",
        "cache.store.Sealing",
        "decrypt",
        new Answer(1),
        "changedBlocks");
    add(
        "E2",
        "the tag of a cache's slot does not depend on it",
        "memory.crypt.RecordCipher",
        "tag",
        new Drop("Mac", "update"),
        "changedSlots");
    add(
        "E2",
        "the sequence of an ended entry of a cache brings it back",
        "cache.format.SealedSlot",
        "wipe",
        new Drop("Region", "fill"),
        "endedEntries");
    add(
        "E2",
        "segments of a closed cache are not compared with their digests",
        "cache.store.Segment",
        "hasDigest",
        new Answer(1),
        "oldSlots");
    add(
        "E3",
        "the segments of a closed cache have no digests",
        "cache.store.BlockStore",
        "digest",
        new Answer(1),
        "closed");
    add(
        "E3",
        "another expiry does not reach the file of an encrypted cache",
        "cache.store.Expiries",
        "lambda$setSealed$",
        new Drop("Slots", "store"),
        "soonerExpiry");
  }
}
