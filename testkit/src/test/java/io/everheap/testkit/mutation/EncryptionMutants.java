package io.everheap.testkit.mutation;

import io.everheap.testkit.mutation.Change.Answer;
import io.everheap.testkit.mutation.Change.Drop;
import java.util.List;

/** The mutants of encrypted heaps, by the promises of docs/encryption.md. */
final class EncryptionMutants extends MutantList {
  private EncryptionMutants() {
    super("", "");
  }

  static List<Mutant> all() {
    var mutants = new EncryptionMutants();
    mutants.nonces();
    mutants.authenticity();
    mutants.order();
    mutants.secrecy();
    mutants.conversions();
    return mutants.added();
  }

  private void nonces() {
    add(
        "E1",
        "a nonce is used again",
        "memory.crypt.SectorCipher",
        "seal",
        new Drop("AtomicLong", "getAndIncrement"),
        "SecretScenarios.noncesOverFailures",
        "EncryptionScenarios.nonces");
    add(
        "E1",
        "an opening writes with the salt of another one",
        "memory.crypt.SectorKeys",
        "series",
        new Drop("SecureRandom", "nextLong"),
        "EncryptionScenarios.nonces");
  }

  private void authenticity() {
    add(
        "E2",
        "the tag of a sector is not checked",
        "memory.crypt.SealedFile",
        "requireAuthentic",
        new Answer(0),
        "EncryptionScenarios.changed");
    add(
        "E2",
        "the place of a sector is not authenticated",
        "memory.crypt.SectorCipher",
        "begin",
        new Drop("Cipher", "updateAAD"),
        "EncryptionScenarios.moved");
    add(
        "E2",
        "the key of a shard does not depend on its place",
        "memory.crypt.SectorKeys",
        "derivedKey",
        new Drop("String", "getBytes"),
        "EncryptionScenarios.exchangedShards");
    add(
        "E2",
        "a page that is decrypted is not compared with its checksum",
        "memory.crypt.SealedFile",
        "load",
        new Drop("MediumFile$PageCheck", "check"),
        "EncryptionScenarios.oldPages");
    add(
        "E2",
        "all windows of checksums have one seal",
        "engine.home.WindowSeals",
        "sealOf",
        new Answer(1),
        "EncryptionScenarios.oldImage");
    add(
        "E2",
        "the seals of the checksums are not compared with their root",
        "engine.home.RootFile$Root",
        "has",
        new Answer(1),
        "EncryptionScenarios.oldSeals");
  }

  private void secrecy() {
    add(
        "E4",
        "the data key is in a log line",
        "memory.crypt.KeyFile",
        "wrap",
        new Change.LogBytes(1),
        "SecretScenarios.keysInMessages");
    add(
        "E4",
        "an encrypted heap is backed up in plaintext",
        "engine.backup.BackupRun",
        "begin",
        new Drop("SealedMedium", "requireAsSecret"),
        "EncryptionScenarios.backups");
  }

  private void order() {
    add(
        "E3",
        "a checkpoint completes without the root of its checksums",
        "engine.Checkpointer",
        "after",
        new Drop("CheckedPages", "syncRoot"),
        "EncryptionScenarios.file");
    add(
        "E3",
        "the root of the checksums is not durable when the superblock is",
        "engine.home.CheckedPages",
        "writeRoot",
        new Drop("Consumer", "accept"),
        "EncryptionScenarios.file");
    add(
        "E3",
        "pages are written that nothing announced",
        "engine.PageWriter",
        "write",
        new Drop("CheckedPages", "announce"),
        "EncryptionScenarios.file");
    add(
        "E3",
        "pages are written before what announces them is durable",
        "engine.home.WindowSeals",
        "announce",
        new Drop("Consumer", "accept"),
        "EncryptionScenarios.file");
    add(
        "E3",
        "what a checkpoint announced goes on after it",
        "engine.home.WindowSeals",
        "complete",
        new Drop("Rounds", "begin"),
        "EncryptionScenarios.file");
    add(
        "E3",
        "the rounds of a checkpoint take space without a bound",
        "engine.home.Rounds",
        "write",
        new Change.Argument("Rounds", "region", 1 << 20),
        "FullDiskScenarios.checkpointsOfManyRounds");
    add(
        "E3",
        "the neighbours of a durable write are not written as they were",
        "memory.crypt.TailWindow",
        "slide",
        new Drop("ByteBuffer", "put"),
        "EncryptionScenarios.file");
    add(
        "E3",
        "a page is decrypted again over what was stored",
        "memory.crypt.PageLoader",
        "redo",
        new Drop("PendingRegion", "done"),
        "EncryptionScenarios.file");
    add(
        "E3",
        "the file of keys gets its name before it is durable",
        "memory.crypt.KeyFile",
        "write",
        new Drop("MediumFile", "sync"),
        "EncryptionScenarios.rekey",
        "EncryptionScenarios.file");
  }

  private void conversions() {
    add(
        "E5",
        "the new files are not durable when they replace the old ones",
        "engine.HeapConversion",
        "copy",
        new Drop("MediumFile", "sync"),
        "ConversionScenarios.crashes");
    add(
        "E5",
        "the exchange of files begins before it is durable that it must be completed",
        "memory.Exchange",
        "write",
        new Drop("Medium", "syncDirectory"),
        "ConversionScenarios.crashes");
    add(
        "E5",
        "the exchange of files ends before the new names are durable",
        "memory.Exchange",
        "settle",
        new Drop("Exchange", "syncDirectories"),
        "ConversionScenarios.lastMoments");
    add(
        "E5",
        "files of the other state outlive the conversion",
        "memory.Exchange",
        "delete",
        new Change.Answer(0),
        "ConversionScenarios.crashes");
    add(
        "E5",
        "the new files are not compared with the old ones",
        "engine.HeapConversion",
        "copy",
        new Drop("HeapConversion", "compare"),
        "ConversionScenarios.wrongCopy");
  }
}
