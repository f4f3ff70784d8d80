package io.everheap.testkit.mutation;

import io.everheap.testkit.mutation.Change.Answer;
import io.everheap.testkit.mutation.Change.Drop;
import java.util.List;

/** The mutants of encrypted journals, by the promises of docs/encryption.md. */
final class EncryptedJournalMutants extends MutantList {
  private EncryptedJournalMutants() {
    super("journal.", "EncryptedJournalScenarios.");
  }

  static List<Mutant> all() {
    var mutants = new EncryptedJournalMutants();
    mutants.promises();
    return mutants.added();
  }

  private void promises() {
    add(
        "E2",
        "an end of a journal that is not authentic passes for a torn one",
        "Sealing",
        "refuse",
        new Answer(0),
        "changedEnd");
    add(
        "E3",
        "who reads an encrypted journal does not read its newest segment again",
        "WatchedTail",
        "follows",
        new Drop("Segment", "reload"),
        "watched");
    add(
        "E3",
        "readers of an encrypted journal do not share the memory of its newest segment",
        "Mode",
        "shared",
        new Answer(0),
        "file",
        "watched");
    add(
        "E4",
        "an encrypted journal is backed up in plaintext",
        "JournalBackups",
        "lambda$take$",
        new Drop("SealedMedium", "requireAsSecret"),
        "backups");
  }
}
