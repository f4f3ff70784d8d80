package io.everheap.replication;

import static io.everheap.replication.Numbers.failingPeers;
import static io.everheap.replication.Numbers.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.error.EverheapException;
import io.everheap.error.FencedException;
import io.everheap.error.LockedException;
import io.everheap.error.MediumException;
import io.everheap.error.ReadOnlyException;
import io.everheap.error.ReplicationException;
import io.everheap.journal.Claim;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackups;
import io.everheap.journal.JournalReader;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Journals and their replicas in one process, over real sockets. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Campaign
class JournalReplicationTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir Path dir;

  private Journal journal(String name) {
    return Journal.builder(dir.resolve(name)).segmentSize(64 << 10).open();
  }

  private JournalReplica.Builder replica(String name, InetSocketAddress... primary) {
    return JournalReplica.of(dir.resolve(name)).primary(primary).secret(Numbers.SECRET);
  }

  private static byte[] record(long sequence) {
    byte[] bytes = new byte[new Random(sequence).nextInt(3_000)];
    new Random(sequence).nextBytes(bytes);
    return bytes;
  }

  private static void append(Journal journal, int count) {
    for (int i = 0; i < count; i++) {
      journal.append(record(journal.nextSequence()));
    }
  }

  private static List<byte[]> records(Journal journal) {
    List<byte[]> all = new ArrayList<>();
    try (JournalReader reader = journal.reader()) {
      while (reader.next()) {
        all.add(reader.bytes());
      }
    }
    return all;
  }

  /** Waits until a replica has all that its primary has, and nothing else. */
  private static void untilEqual(JournalReplica replica, Journal primary) {
    until(
        () ->
            replica.journal().nextSequence() == primary.nextSequence()
                && replica.journal().firstSequence() == primary.firstSequence());
    assertThat(records(replica.journal())).containsExactlyElementsOf(records(primary));
  }

  @Test
  void aReaderOnAReplicaFollowsInRealTime() throws InterruptedException {
    try (Journal journal = journal("primary");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY)) {
      append(journal, 100);
      try (JournalReplica replica = replica("replica", primary.address()).open();
          JournalReader reader = replica.journal().reader()) {
        for (long s = 0; s < 300; s++) {
          if (s >= 100) {
            append(journal, 1);
          }
          assertThat(reader.next(Limit.limit())).isTrue();
          assertThat(reader.sequence()).isEqualTo(s);
          assertThat(reader.bytes()).isEqualTo(record(s));
        }
        assertThatThrownBy(() -> replica.journal().append(new byte[1]))
            .isInstanceOf(ReadOnlyException.class)
            .hasMessageContaining("(EH-JOURNAL-READ-ONLY)");
        assertThat(primary.status().replicas().getFirst().name()).isEqualTo("replica");
        until(() -> primary.status().replicas().getFirst().lag() == 0);
        until(() -> replica.status().silent() >= 0 && replica.status().lag() == 0);
        assertThat(Status.of(primary.address()).secret(Numbers.SECRET).ask().replicas()).hasSize(1);
      }
    }
  }

  @Test
  void anEncryptedJournalHasEncryptedReplicasOnly() throws IOException {
    KeyProvider key = KeyProvider.of(new byte[32]);
    byte[] other = new byte[32];
    other[0] = 1;
    KeyProvider theirs = KeyProvider.of(other);
    try (Journal journal =
            Journal.builder(dir.resolve("primary")).encrypt(key).segmentSize(64 << 10).open();
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY)) {
      append(journal, 100);
      assertThatThrownBy(() -> replica("plain", primary.address()).open())
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("encrypted")
          .hasMessageContaining("--key");
      primary.copies(1);
      try (JournalReplica replica = replica("replica", primary.address()).encrypt(theirs).open()) {
        journal.append("top secret".getBytes(StandardCharsets.UTF_8));
        append(journal, 300);
        untilEqual(replica, journal);
      }
      primary.copies(0);
      append(journal, 100);
      try (JournalReplica replica = replica("replica", primary.address()).encrypt(theirs).open()) {
        untilEqual(replica, journal);
        Journal promoted = replica.promote();
        append(promoted, 10);
        assertThat(promoted.nextSequence()).isEqualTo(journal.nextSequence() + 10);
      }
    }
    assertThatThrownBy(() -> Journal.open(dir.resolve("replica")))
        .isInstanceOf(EncryptionException.class);
    try (Stream<Path> files = Files.list(dir.resolve("replica"))) {
      for (Path file : files.toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .doesNotContain("top secret");
      }
    }
  }

  /** Its segment is older than all of the primary's, and the record that it begins at is not. */
  @Test
  void aReplicaOfADrainedQueueSurvivesRestartsOfBoth() {
    try (Journal journal = journal("primary");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY);
        JournalReplica replica = replica("replica", primary.address()).open()) {
      append(journal, 100);
      untilEqual(replica, journal);
      journal.truncateBefore(100);
      untilEqual(replica, journal);
    }
    try (Journal journal = journal("primary")) {
      append(journal, 5);
      journal.truncateBefore(103);
    }
    for (int round = 0; round < 3; round++) {
      try (Journal journal = journal("primary");
          Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY);
          JournalReplica replica = replica("replica", primary.address()).open()) {
        append(journal, 5);
        untilEqual(replica, journal);
      }
    }
    assertThat(JournalReplica.of(dir.resolve("replica")).promote()).isPositive();
    try (Journal copy = journal("replica")) {
      assertThat(copy.firstSequence()).isEqualTo(103);
      assertThat(copy.nextSequence()).isEqualTo(120);
      assertThat(copy.append(record(120))).isEqualTo(120);
    }
  }

  @Test
  void aReplicaThatWasAwayWhileAllRecordsWereReleasedGoesOn() {
    try (Journal journal = journal("primary");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY);
        JournalReplica replica = replica("replica", primary.address()).open()) {
      append(journal, 10);
      untilEqual(replica, journal);
    }
    try (Journal journal = journal("primary")) {
      journal.truncateBefore(journal.nextSequence());
    }
    try (Journal journal = journal("primary");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY);
        JournalReplica replica = replica("replica", primary.address()).open()) {
      append(journal, 10);
      untilEqual(replica, journal);
    }
    try (Journal copy = Journal.builder(dir.resolve("replica")).readOnly().open()) {
      assertThat(copy.firstSequence()).isEqualTo(10);
      assertThat(records(copy)).hasSize(10);
    }
  }

  /** Its key cannot be had again for reads, when the connection is made. */
  @Test
  void aReplicaThatCannotBeOpenedLeavesNoConnection() throws IOException {
    KeyProvider key = KeyProvider.of(new byte[32]);
    AtomicInteger asked = new AtomicInteger();
    KeyProvider once =
        new KeyProvider() {
          @Override
          public byte[] wrap(byte[] dataKey, byte[] context) {
            return key.wrap(dataKey, context);
          }

          @Override
          public byte[] unwrap(byte[] wrapped, byte[] context) {
            if (asked.getAndIncrement() > 1) {
              throw new IllegalStateException("the key service is gone");
            }
            return key.unwrap(wrapped, context);
          }
        };
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> startOneReplica(server));
      InetSocketAddress address = (InetSocketAddress) server.getLocalSocketAddress();
      assertThatThrownBy(() -> replica("replica", address).encrypt(once).open())
          .hasMessageContaining("the key service is gone");
      ended.join();
      assertThat(JournalReplica.of(dir.resolve("replica")).encrypt(key).promote()).isPositive();
    }
  }

  /** A primary that waits until its replica ends the connection. */
  private static void startOneReplica(ServerSocket server) {
    try (Connection connection = Numbers.welcome(server.accept())) {
      connection.receive(Message.HELLO);
      connection.receive(Message.POSITION);
      byte[] start = new JournalStart(UUID.randomUUID(), 0, 0, 64 << 10).encode();
      connection.send(Message.START, start);
      assertThatThrownBy(connection::receive).isInstanceOf(EOFException.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aJournalInPlaintextMayHaveAnEncryptedReplica() {
    try (Journal journal = journal("primary");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY)) {
      append(journal, 100);
      try (JournalReplica replica =
          replica("replica", primary.address()).encrypt(KeyProvider.of(new byte[32])).open()) {
        append(journal, 100);
        untilEqual(replica, journal);
      }
    }
  }

  @Test
  void theSegmentsOfAReplicaHaveTheBytesOfThePrimary() throws IOException {
    try (Journal journal = journal("primary");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY);
        JournalReplica replica = replica("replica", primary.address()).open()) {
      append(journal, 100);
      journal.appendAll(List.of(record(1), record(2), record(3)));
      journal.append(new byte[5 << 20]); // several messages
      append(journal, 100);
      untilEqual(replica, journal);
    }
    List<Path> copies;
    try (Stream<Path> files = Files.list(dir.resolve("replica"))) {
      copies =
          files.filter(file -> file.getFileName().toString().matches("0[0-9a-f]{15}")).toList();
    }
    assertThat(copies).hasSizeGreaterThan(3);
    for (Path copy : copies) {
      byte[] here = Files.readAllBytes(copy);
      byte[] there = Files.readAllBytes(dir.resolve("primary").resolve(copy.getFileName()));
      assertThat(Arrays.copyOfRange(here, 4096, there.length))
          .as(copy.getFileName().toString())
          .isEqualTo(Arrays.copyOfRange(there, 4096, there.length));
    }
  }

  @Test
  void aReplicaThatWasAwayGoesOnOverRestartsOfThePrimary() {
    for (int round = 0; round < 4; round++) {
      try (Journal journal = journal("primary");
          Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY)) {
        append(journal, round == 2 ? 0 : 50);
        try (JournalReplica replica = replica("replica", primary.address()).open()) {
          append(journal, 20);
          untilEqual(replica, journal);
        }
        append(journal, 50);
      }
      try (Journal journal = journal("primary")) {
        append(journal, round % 2);
      }
    }
    assertThat(dir.resolve("replica.aside")).doesNotExist();
  }

  @Test
  void anAppendWaitsForItsCopies() {
    try (Journal journal = journal("primary");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY)) {
      append(journal, 3);
      primary.copies(1);
      CompletableFuture<Long> future = journal.appendAsync(record(3));
      CompletableFuture<Long> other =
          CompletableFuture.supplyAsync(() -> journal.append(record(4)));
      until(() -> journal.durableSequence() == 5);
      assertThat(future).isNotDone();
      assertThat(other).isNotDone();
      try (JournalReplica replica = replica("replica", primary.address()).open()) {
        assertThat(future.join()).isEqualTo(3);
        assertThat(other.join()).isEqualTo(4);
        append(journal, 20);
        assertThat(replica.status().lsn()).isPositive();
        until(() -> replica.journal().nextSequence() == 25);
      }
      primary.copies(1, Duration.ofMillis(10));
      append(journal, 1);
      assertThat(primary.status().degraded()).isTrue();
    }
  }

  @Test
  void ofTwoReplicasThatArePromotedOneFencesTheOther() {
    try (Journal old = journal("a");
        Primary former = Primary.of(old).secret(Numbers.SECRET).listen(ANY);
        JournalReplica b = replica("b", former.address()).open();
        JournalReplica c = replica("c", former.address()).open()) {
      append(old, 3);
      untilEqual(b, old);
      untilEqual(c, old);
    }
    long ofB = JournalReplica.of(dir.resolve("b")).promote();
    long ofC = JournalReplica.of(dir.resolve("c")).promote();
    try (Journal low = journal(ofB < ofC ? "b" : "c");
        Journal high = journal(ofB < ofC ? "c" : "b");
        Primary one = Primary.of(low).secret(Numbers.SECRET).listen(ANY);
        Primary other = Primary.of(high).secret(Numbers.SECRET).peers(one.address()).listen(ANY)) {
      assertThat(other.status().term()).isGreaterThan(one.status().term());
      until(() -> one.status().fenced());
      assertThatThrownBy(() -> low.append(record(3))).isInstanceOf(FencedException.class);
      append(high, 1);
    }
  }

  @Test
  void virtualThreadsWaitForTheirCopies() throws Exception {
    try (Journal journal = journal("primary");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      primary.copies(1);
      List<Future<Long>> all = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        byte[] record = record(i);
        all.add(
            threads.submit(
                () -> {
                  try (Claim claim = journal.claim(record.length)) { // or an append
                    MemorySegment.copy(
                        record, 0, claim.memory(), ValueLayout.JAVA_BYTE, 0, record.length);
                    return claim.commit();
                  }
                }));
        all.add(threads.submit(() -> journal.append(record)));
      }
      until(() -> journal.durableSequence() == 400);
      assertThat(all).noneMatch(Future::isDone);
      try (JournalReplica replica = replica("replica", primary.address()).open()) {
        for (Future<Long> each : all) {
          assertThat(each.get()).isBetween(0L, 399L);
        }
        untilEqual(replica, journal);
      }
    }
  }

  @Test
  void virtualThreadsThatWaitAreRefusedWhenTheReplicationEnds() {
    try (Journal journal = journal("primary");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY);
      primary.copies(1);
      Future<Long> waits = threads.submit(() -> journal.append(record(0)));
      until(() -> journal.durableSequence() == 1);
      primary.close();
      assertThatThrownBy(waits::get).hasCauseInstanceOf(ReplicationException.class);
      assertThat(journal.read(0)).isEqualTo(record(0));
    }
  }

  @Test
  void theEndOfAReplicationEndsWaitsAndTheRecordStands() {
    try (Journal journal = journal("primary")) {
      Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY);
      assertThatThrownBy(() -> Primary.of(journal).secret(Numbers.SECRET).listen(ANY))
          .isInstanceOf(IllegalStateException.class);
      primary.copies(1);
      CompletableFuture<Long> future = journal.appendAsync(record(0));
      primary.close(); // before the record is durable, or after it
      assertThatThrownBy(future::join).hasCauseInstanceOf(ReplicationException.class);
      assertThat(journal.read(0)).isEqualTo(record(0));
      append(journal, 1);
    }
  }

  @Test
  void whatIsReleasedAndCutOffIsSoOnTheReplicaToo() {
    try (Journal journal = journal("primary");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY);
        JournalReplica replica = replica("replica", primary.address()).open()) {
      append(journal, 200);
      untilEqual(replica, journal);
      int segments = replica.journal().info().segments();
      journal.truncateBefore(120);
      untilEqual(replica, journal);
      until(() -> replica.journal().info().segments() < segments);
      journal.truncateAfter(150);
      append(journal, 1);
      untilEqual(replica, journal);
      journal.truncateAfter(130); // in an earlier segment
      untilEqual(replica, journal);
      append(journal, 100);
      journal.truncateAfter(119); // everything
      append(journal, 5);
      untilEqual(replica, journal);
    }
  }

  @Test
  void aCutWhileTheReplicaIsAwayIsMadeThereToo() {
    try (Journal journal = journal("primary");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY)) {
      append(journal, 10);
      try (JournalReplica replica = replica("replica", primary.address()).open()) {
        untilEqual(replica, journal);
      }
      journal.truncateAfter(4);
      append(journal, 2);
      try (JournalReplica replica = replica("replica", primary.address()).open()) {
        untilEqual(replica, journal);
      }
    }
  }

  @Test
  void aReplicaThatMissedTheReleaseOfAllItsRecordsGoesOn() {
    try (Journal journal = journal("primary");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY);
        JournalReplica replica = replica("replica", primary.address()).open()) {
      append(journal, 10);
      untilEqual(replica, journal);
    }
    try (Journal journal = journal("primary")) {
      journal.truncateBefore(10);
    }
    try (Journal journal = journal("primary");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY);
        JournalReplica replica = replica("replica", primary.address()).open()) {
      append(journal, 5);
      untilEqual(replica, journal);
    }
    try (Journal copy = Journal.builder(dir.resolve("replica")).readOnly().open()) {
      assertThat(records(copy)).hasSize(5);
    }
  }

  @Test
  void aReplicaWhoseRecordsWereReleasedIsRefusedAndMadeAnew() {
    try (Journal journal = journal("primary");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY)) {
      append(journal, 10);
      try (JournalReplica replica = replica("replica", primary.address()).open()) {
        untilEqual(replica, journal);
      }
      append(journal, 300);
      journal.truncateBefore(250);
      assertThatThrownBy(() -> replica("replica", primary.address()).open())
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("Records 10 to 249 were released")
          .hasMessageContaining("anew");
      try (JournalReplica replica = replica("replica", primary.address()).anew().open()) {
        untilEqual(replica, journal);
      }
    }
    try (Journal aside = Journal.builder(dir.resolve("replica.aside")).readOnly().open()) {
      assertThat(aside.nextSequence()).isEqualTo(10);
    }
  }

  @Test
  @SuppressWarnings("try") // the former primary ends within its block
  void aReplicaTakesOverAndTheFormerPrimaryIsFencedAndFollows() {
    Journal old = journal("old");
    try (Primary former = Primary.of(old).secret(Numbers.SECRET).listen(ANY)) {
      append(old, 40);
      try (JournalReplica replica =
          replica("new", former.address()).journal(j -> j.segmentSize(64 << 10)).open()) {
        untilEqual(replica, old);
        Journal journal = replica.promote();
        assertThat(replica.promote()).isSameAs(journal);
        append(journal, 10);
        until(() -> former.status().fenced());
        assertThatThrownBy(() -> old.append(new byte[1])).isInstanceOf(FencedException.class);
        assertThatThrownBy(() -> old.appendAsync(new byte[1])).isInstanceOf(FencedException.class);
        assertThatThrownBy(() -> old.truncateBefore(1)).isInstanceOf(FencedException.class);
        assertThatThrownBy(() -> replica("third", former.address()).open())
            .isInstanceOf(ReplicationException.class)
            .hasMessageContaining("replaced");
        former.close();
        old.close();
        try (Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY)) {
          assertThat(primary.status().term()).isPositive();
          try (JournalReplica back = replica("old", primary.address()).open()) {
            append(journal, 10);
            untilEqual(back, journal);
            assertThat(back.status().term()).isEqualTo(primary.status().term());
          }
          assertThatThrownBy(() -> journal("old"))
              .isInstanceOf(ReplicationException.class)
              .hasMessageContaining("is a replica");
        }
      }
    } finally {
      old.close();
    }
    assertThat(dir.resolve("old.aside")).doesNotExist();
  }

  /** The repeated promotion returned at once, and both journals were written from then on. */
  @Test
  void aPromotionThatCouldNotTellTheFormerPrimaryTellsItWhenItIsRepeated() {
    try (Journal old = journal("old");
        Primary former = Primary.of(old).secret(Numbers.SECRET).listen(ANY)) {
      append(old, 10);
      JournalReplica.Builder settings = replica("new", former.address());
      try (JournalReplica replica = settings.open()) {
        untilEqual(replica, old);
        settings.primaries = failingPeers();
        assertThatThrownBy(replica::promote).isInstanceOf(MediumException.class);
        settings.primary(former.address()).secret(Numbers.SECRET);
        Journal journal = replica.promote();
        until(() -> former.status().fenced());
        assertThatThrownBy(() -> old.append(new byte[1])).isInstanceOf(FencedException.class);
        append(journal, 10);
        assertThat(replica.promote()).isSameAs(journal);
      }
    }
  }

  /** Also when the promotion did not end, or when there was none. */
  @Test
  void aReplicaIsClosedTwice() {
    try (Journal old = journal("old");
        Primary former = Primary.of(old).secret(Numbers.SECRET).listen(ANY)) {
      append(old, 10);
      JournalReplica replica =
          replica("new", former.address())
              .journal(
                  builder -> {
                    throw new IllegalStateException("says the test");
                  })
              .open();
      untilEqual(replica, old);
      assertThatThrownBy(replica::promote).hasMessage("says the test");
      replica.close();
      replica.close();
      JournalReplica other = replica("other", former.address()).open();
      other.close();
      other.close();
    }
  }

  /** Its journal may be closed already, or have a primary. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReplicaIsClosedAfterItsPromotion(boolean closed) {
    JournalReplica replica;
    try (Journal old = journal("old");
        Primary former = Primary.of(old).secret(Numbers.SECRET).listen(ANY)) {
      append(old, 10);
      replica = replica("new", former.address()).open();
      untilEqual(replica, old);
    }
    Journal journal = replica.promote();
    Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY);
    append(journal, 1);
    if (closed) {
      primary.close();
      journal.close();
    }
    replica.close();
    replica.close();
    primary.close();
    journal.close();
    try (Journal again = journal("new")) {
      assertThat(again.nextSequence()).isEqualTo(11);
    }
  }

  @Test
  void whatAFormerPrimaryHasAloneIsKeptBesideIt() {
    try (Journal old = journal("old");
        Primary former = Primary.of(old).secret(Numbers.SECRET).listen(ANY);
        JournalReplica replica = replica("new", former.address()).open()) {
      append(old, 10);
      untilEqual(replica, old);
    }
    try (Journal old = journal("old")) {
      old.append("never copied".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(JournalReplica.of(dir.resolve("new")).promote()).isPositive();
    try (Journal journal = journal("new");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY)) {
      append(journal, 3);
      assertThatThrownBy(() -> replica("old", primary.address()).open())
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("other records");
      try (JournalReplica back = replica("old", primary.address()).anew().open()) {
        untilEqual(back, journal);
      }
      try (Journal aside = journal("old.aside")) {
        assertThat(aside.read(10)).isEqualTo("never copied".getBytes(StandardCharsets.UTF_8));
      }
      try (Journal aside = journal("old.aside")) {
        assertThatThrownBy(
                () -> Primary.of(aside).secret(Numbers.SECRET).peers(primary.address()).listen(ANY))
            .isInstanceOf(FencedException.class);
      }
    }
  }

  /** It began a segment, and so did the new primary. */
  @Test
  void aFormerPrimaryThatWasOpenedAloneHasAnotherSegment() throws IOException {
    try (Journal old = journal("old");
        Primary former = Primary.of(old).secret(Numbers.SECRET).listen(ANY);
        JournalReplica replica = replica("new", former.address()).open()) {
      append(old, 10);
      untilEqual(replica, old);
    }
    for (String made : List.of("0000000000000002", "0000000000000003")) {
      Files.deleteIfExists(dir.resolve("old").resolve(made)); // ahead of its use
    }
    journal("old").close();
    assertThat(JournalReplica.of(dir.resolve("new")).promote()).isPositive();
    try (Journal journal = Journal.builder(dir.resolve("new")).segmentSize(1 << 20).open();
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY)) {
      append(journal, 100);
      assertThatThrownBy(() -> replica("old", primary.address()).open())
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("another segment")
          .hasMessageContaining("anew");
      try (JournalReplica back = replica("old", primary.address()).anew().open()) {
        untilEqual(back, journal);
      }
    }
    try (Journal aside = Journal.builder(dir.resolve("old.aside")).readOnly().open()) {
      assertThat(aside.nextSequence()).isEqualTo(10);
    }
  }

  /** The file of its last segment ends where the backup did. */
  @Test
  void aReplicaThatWasRestoredFromABackupIsMadeAnewIfItsSegmentIsTooShort() {
    try (Journal journal = journal("primary");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY)) {
      append(journal, 10);
      JournalBackups backups = JournalBackups.in(dir.resolve("backups"));
      backups.restore(backups.take(journal), dir.resolve("replica"));
      append(journal, 100);
      try (JournalReplica replica = replica("replica", primary.address()).anew().open()) {
        untilEqual(replica, journal);
      }
    }
  }

  @Test
  void aBadNetworkChangesNothing() {
    try (Journal journal = journal("primary");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY);
        Proxy proxy = new Proxy(primary.address(), 7)) {
      try (JournalReplica replica = replica("replica", proxy.address()).open()) {
        proxy.cutAfter(60_000);
        append(journal, 150);
        proxy.cutAfter(0);
        proxy.flipAfter(60_000);
        append(journal, 150);
        journal.truncateAfter(280);
        append(journal, 20);
        proxy.flipAfter(0);
        untilEqual(replica, journal);
      }
    }
  }

  @Test
  void wrongPeersAreRefusedByName() {
    try (Journal journal = journal("primary");
        Journal other = journal("other");
        Heap heap = Heap.open(dir.resolve("heap"));
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY);
        Primary others = Primary.of(other).secret(Numbers.SECRET).listen(ANY);
        Primary heaps = Primary.of(heap).secret(Numbers.SECRET).listen(ANY)) {
      append(journal, 1);
      append(other, 1);
      try (JournalReplica replica = replica("replica", primary.address()).open()) {
        untilEqual(replica, journal);
      }
      assertThatThrownBy(() -> replica("replica", others.address()).open())
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("another journal");
      assertThatThrownBy(() -> replica("new", heaps.address()).open())
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("this is the heap");
      assertThatThrownBy(
              () ->
                  Replica.of(dir.resolve("new"))
                      .primary(primary.address())
                      .secret(Numbers.SECRET)
                      .open())
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("this is the journal");
      assertThatThrownBy(() -> replica("heap", primary.address()).open())
          .isInstanceOf(EverheapException.class)
          .hasMessageContaining("heap");
      assertThatThrownBy(() -> replica("primary", others.address()).open())
          .isInstanceOf(LockedException.class)
          .hasMessageContaining("(EH-JOURNAL-LOCKED)");
      assertThatThrownBy(() -> primary.mirror(dir.resolve("mirror")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("JournalReplica");
      try (Journal reading = Journal.builder(dir.resolve("primary")).readOnly().open()) {
        assertThatThrownBy(() -> Primary.of(reading))
            .isInstanceOf(ReadOnlyException.class)
            .hasMessageContaining("(EH-JOURNAL-READ-ONLY)");
      }
    }
    assertThatThrownBy(() -> JournalReplica.of(dir.resolve("primary")).promote())
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("no replica");
    assertThatThrownBy(() -> JournalReplica.of(dir.resolve("new")).open())
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> replica("new", new InetSocketAddress("localhost", 1)).open())
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("Is a primary there?");
  }

  @Test
  void aReplicaOpensWithoutAPrimaryAndFollowsWhenThereIsOne() {
    InetSocketAddress address;
    try (Journal journal = journal("primary");
        Primary primary = Primary.of(journal).secret(Numbers.SECRET).listen(ANY)) {
      address = primary.address();
      append(journal, 10);
      try (JournalReplica replica = replica("replica", address).open()) {
        untilEqual(replica, journal);
      }
    }
    try (JournalReplica replica = replica("replica", address).open()) {
      assertThat(records(replica.journal())).hasSize(10);
      try (Journal journal = journal("primary");
          Primary _ = Primary.of(journal).secret(Numbers.SECRET).listen(address)) {
        append(journal, 10);
        untilEqual(replica, journal);
      }
    }
  }
}
