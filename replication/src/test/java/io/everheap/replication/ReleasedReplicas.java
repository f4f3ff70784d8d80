package io.everheap.replication;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBuilder;
import io.everheap.support.release.Release;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the primaries and replicas that each release leaves for the builds after it. Each primary
 * has changes that its replica has not. A file that is there is not made again.
 */
public final class ReleasedReplicas {
  static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  static final String PRIMARY = "primary";
  static final String REPLICA = "replica";
  static final String HEAP = "replica-heap";
  static final String JOURNAL = "replica-journal";
  static final String ENCRYPTED_JOURNAL = "replica-journal-encrypted";

  /** What the replica has, and what its primary has. */
  static final int REPLICATED = 100;

  static final int ALL = 120;

  /** The list of contents has the position of the replica. */
  static final String POSITION = "position";

  private ReleasedReplicas() {}

  /**
   * Makes those that are missing.
   *
   * @param arguments the directory of the release
   */
  public static void main(String[] arguments) throws IOException {
    Path to = Files.createDirectories(Path.of(arguments[0]));
    if (!Files.exists(to.resolve(HEAP + ".zip"))) {
      makeHeap(to);
    }
    makeJournal(to, JOURNAL, null);
    makeJournal(to, ENCRYPTED_JOURNAL, KeyProvider.of(Release.keyIn(to)));
  }

  private static void makeHeap(Path to) throws IOException {
    Path work = Files.createTempDirectory("release");
    try (Heap heap = Heap.builder(work.resolve(PRIMARY)).logSize(16 << 20).open();
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      put(heap, 0, REPLICATED);
      try (Replica replica =
          Replica.of(work.resolve(REPLICA))
              .heap(builder -> builder.logSize(16 << 20))
              .primary(primary.address())
              .secret(Numbers.SECRET)
              .open()) {
        Numbers.untilEqual(replica, heap);
        Release.write(
            Map.of(POSITION, Long.toString(replica.status().lsn())), to.resolve(HEAP + ".txt"));
      }
      put(heap, REPLICATED, ALL);
    }
    Release.zip(work, to.resolve(HEAP + ".zip"));
  }

  static void put(Heap heap, int from, int to) {
    for (int i = from; i < to; i++) {
      Numbers.map(heap).put(i, value(i));
    }
  }

  static String value(int i) {
    return "\u06f1 value " + i;
  }

  private static void makeJournal(Path to, String name, @Nullable KeyProvider key)
      throws IOException {
    Path zip = to.resolve(name + ".zip");
    if (Files.exists(zip)) {
      return;
    }
    Path work = Files.createTempDirectory("release");
    try (Journal journal = journal(work.resolve(PRIMARY), key);
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY)) {
      append(journal, REPLICATED);
      JournalReplica.Builder builder =
          JournalReplica.of(work.resolve(REPLICA))
              .primary(primary.address())
              .secret(Numbers.SECRET);
      try (JournalReplica replica = (key == null ? builder : builder.encrypt(key)).open()) {
        Numbers.until(() -> replica.journal().nextSequence() == REPLICATED);
      }
      append(journal, ALL - REPLICATED);
    }
    Release.zip(work, zip);
  }

  static Journal journal(Path directory, @Nullable KeyProvider key) {
    JournalBuilder builder = Journal.builder(directory).segmentSize(32 << 10);
    return (key == null ? builder : builder.encrypt(key)).open();
  }

  static void append(Journal journal, int count) {
    for (int i = 0; i < count; i++) {
      journal.append(value((int) journal.nextSequence()).getBytes(UTF_8));
    }
  }
}
