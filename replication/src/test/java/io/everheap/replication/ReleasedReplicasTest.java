package io.everheap.replication;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.journal.Journal;
import io.everheap.support.release.Release;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Replicas of a release go on where they were, and can be promoted. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Campaign
class ReleasedReplicasTest {
  private static final String RELEASES = "io.everheap.support.release.Release#all";

  @TempDir Path dir;

  private static Stream<Arguments> journals() {
    return Release.all().stream()
        .flatMap(
            r ->
                Stream.of(
                    Arguments.of(r, ReleasedReplicas.JOURNAL),
                    Arguments.of(r, ReleasedReplicas.ENCRYPTED_JOURNAL)));
  }

  private Path primary() {
    return dir.resolve(ReleasedReplicas.PRIMARY);
  }

  private Path replica() {
    return dir.resolve(ReleasedReplicas.REPLICA);
  }

  // ---- Heaps --------------------------------------------------------------------------------

  private static void requireNumbers(Heap heap, int count) {
    assertThat(Numbers.map(heap)).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(Numbers.map(heap)).containsEntry(i, ReleasedReplicas.value(i));
    }
    assertThat(heap.verify().problems()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource(RELEASES)
  void aReplicaOfAHeapIsPromoted(Release release) throws IOException {
    release.unzip(ReleasedReplicas.HEAP, dir);
    assertThat(Replica.of(replica()).promote()).isPositive();
    try (Heap heap = Heap.open(replica())) {
      requireNumbers(heap, ReleasedReplicas.REPLICATED);
      ReleasedReplicas.put(heap, ReleasedReplicas.REPLICATED, ReleasedReplicas.ALL);
      requireNumbers(heap, ReleasedReplicas.ALL);
    }
  }

  @ParameterizedTest
  @MethodSource(RELEASES)
  void aReplicaOfAHeapIsWhereItWasAndFollowsItsPrimary(Release release) throws IOException {
    release.unzip(ReleasedReplicas.HEAP, dir);
    long position =
        Long.parseLong(release.contents(ReleasedReplicas.HEAP).get(ReleasedReplicas.POSITION));
    try (Replica alone =
        Replica.of(replica()).primary(ReleasedReplicas.ANY).secret(Numbers.SECRET).open()) {
      assertThat(alone.status().lsn()).isEqualTo(position);
      requireNumbers(alone.heap(), ReleasedReplicas.REPLICATED);
    }
    try (Heap heap = Heap.open(primary());
        Primary primary = Primary.of(heap).secret(Numbers.SECRET).listen(ReleasedReplicas.ANY);
        Replica replica =
            Replica.of(replica()).primary(primary.address()).secret(Numbers.SECRET).open()) {
      Numbers.untilEqual(replica, heap);
      requireNumbers(replica.heap(), ReleasedReplicas.ALL);
      Numbers.map(heap).clear();
      Numbers.untilEqual(replica, heap);
    }
  }

  // ---- Journals -----------------------------------------------------------------------------

  private static void requireRecords(Journal journal, int count) {
    assertThat(journal.nextSequence()).isEqualTo(count);
    for (int i = 0; i < count; i++) {
      assertThat(new String(journal.read(i), UTF_8)).isEqualTo(ReleasedReplicas.value(i));
    }
  }

  private static KeyProvider key(Release release, String name) throws IOException {
    return name.equals(ReleasedReplicas.ENCRYPTED_JOURNAL) ? KeyProvider.of(release.key()) : null;
  }

  private JournalReplica.Builder builder(KeyProvider key) {
    JournalReplica.Builder builder = JournalReplica.of(replica());
    return key == null ? builder : builder.encrypt(key);
  }

  @ParameterizedTest
  @MethodSource("journals")
  void aReplicaOfAJournalIsPromoted(Release release, String name) throws IOException {
    release.unzip(name, dir);
    KeyProvider key = key(release, name);
    assertThat(builder(key).promote()).isPositive();
    try (Journal journal = ReleasedReplicas.journal(replica(), key)) {
      requireRecords(journal, ReleasedReplicas.REPLICATED);
      ReleasedReplicas.append(journal, 5);
      requireRecords(journal, ReleasedReplicas.REPLICATED + 5);
    }
  }

  @ParameterizedTest
  @MethodSource("journals")
  void aReplicaOfAJournalFollowsItsPrimary(Release release, String name) throws IOException {
    release.unzip(name, dir);
    KeyProvider key = key(release, name);
    try (Journal journal = ReleasedReplicas.journal(primary(), key);
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ReleasedReplicas.ANY);
        JournalReplica replica =
            builder(key).primary(primary.address()).secret(Numbers.SECRET).open()) {
      ReleasedReplicas.append(journal, 5);
      Numbers.until(() -> replica.journal().nextSequence() == ReleasedReplicas.ALL + 5);
      requireRecords(replica.journal(), ReleasedReplicas.ALL + 5);
    }
  }
}
