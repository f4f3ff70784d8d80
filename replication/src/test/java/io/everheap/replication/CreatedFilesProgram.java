package io.everheap.replication;

import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.journal.Journal;
import java.nio.file.Path;

/** Makes replicas of all kinds in a directory, for {@link CreatedFilesTest}. */
public final class CreatedFilesProgram {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);

  private CreatedFilesProgram() {}

  /**
   * Runs.
   *
   * @param arguments the directory
   */
  public static void main(String[] arguments) {
    Path in = Path.of(arguments[0]);
    Path secret = in.resolve("secret");
    try (Heap heap = Heap.builder(in.resolve("heap")).logSize(16 << 20).open();
        Primary primary = Primary.of(heap).secret(secret).listen(ReleasedReplicas.ANY)) {
      Numbers.map(heap).put(1, "one");
      Replica.Builder copy =
          Replica.of(in.resolve("copy")).primary(primary.address()).secret(secret);
      try (Replica replica = copy.open()) {
        Numbers.untilEqual(replica, heap);
      }
      try (Replica replica =
          Replica.of(in.resolve("encrypted"))
              .encrypt(KEY)
              .primary(primary.address())
              .secret(secret)
              .open()) {
        Numbers.untilEqual(replica, heap);
      }
      Numbers.untilEqual(primary.mirror(in.resolve("mirror")), heap);
    }
    Replica.of(in.resolve("copy")).promote();
    Heap.open(in.resolve("copy")).close();
    try (Journal journal = Journal.open(in.resolve("journal"));
        Primary primary = Primary.of(journal).secret(secret).listen(ReleasedReplicas.ANY)) {
      journal.append(new byte[10]);
      try (JournalReplica replica =
          JournalReplica.of(in.resolve("records"))
              .primary(primary.address())
              .secret(secret)
              .open()) {
        Numbers.until(() -> replica.journal().nextSequence() == 1);
      }
    }
    JournalReplica.of(in.resolve("records")).promote();
  }
}
