package io.everheap.testkit.mutation;

import io.everheap.testkit.mutation.Change.Answer;
import io.everheap.testkit.mutation.Change.Drop;
import java.util.List;

/** The mutants of encrypted heaps, by the promises of docs/encryption.md. */
final class EncryptionMutants extends MutantList {
  private EncryptionMutants() {
    super("", "EncryptionScenarios.");
  }

  static List<Mutant> all() {
    var mutants = new EncryptionMutants();
    mutants.nonces();
    mutants.authenticity();
    mutants.order();
    mutants.secrecy();
    return mutants.added();
  }

  private void nonces() {
    add(
        "E1",
        "a nonce is used again",
        "memory.crypt.SectorCipher",
        "seal",
        new Drop("AtomicLong", "getAndIncrement"),
        "nonces");
    add(
        "E1",
        "an opening writes with the salt of another one",
        "memory.crypt.SectorKeys",
        "series",
        new Drop("SecureRandom", "nextLong"),
        "nonces");
  }

  private void authenticity() {
    add(
        "E2",
        "the tag of a sector is not checked",
        "memory.crypt.SealedFile",
        "requireAuthentic",
        new Answer(0),
        "changed");
    add(
        "E2",
        "the place of a sector is not authenticated",
        "memory.crypt.SectorCipher",
        "begin",
        new Drop("Cipher", "updateAAD"),
        "moved");
    add(
        "E2",
        "a page that is decrypted is not compared with its checksum",
        "memory.crypt.SealedFile",
        "load",
        new Drop("MediumFile$PageCheck", "check"),
        "oldPages");
    add(
        "E2",
        "the root of the checksums is not compared",
        "engine.Scrub",
        "lambda$run$",
        new Drop("CheckedPages", "scrubRoot"),
        "oldImage");
  }

  private void secrecy() {
    add(
        "E4",
        "an encrypted heap is backed up in plaintext",
        "engine.backup.BackupRun",
        "begin",
        new Drop("SealedMedium", "requireAsSecret"),
        "backups");
  }

  private void order() {
    add(
        "E3",
        "a checkpoint completes without the root of its checksums",
        "engine.Checkpointer",
        "after",
        new Drop("CheckedPages", "syncRoot"),
        "file");
    add(
        "E3",
        "the root of the checksums is not durable when the superblock is",
        "engine.home.CheckedPages",
        "syncRoot",
        new Drop("Consumer", "accept"),
        "file");
    add(
        "E3",
        "the neighbours of a durable write are not written as they were",
        "memory.crypt.TailWindow",
        "slide",
        new Drop("ByteBuffer", "put"),
        "file");
    add(
        "E3",
        "a page is decrypted again over what was stored",
        "memory.crypt.PageLoader",
        "redo",
        new Drop("PendingRegion", "done"),
        "file");
    add(
        "E3",
        "the file of keys gets its name before it is durable",
        "memory.crypt.KeyFile",
        "write",
        new Drop("MediumFile", "sync"),
        "rekey",
        "file");
  }
}
