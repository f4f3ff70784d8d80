package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.ReplicaPosition;
import io.everheap.error.FencedException;
import io.everheap.error.ReplicationException;
import io.everheap.journal.Journal;
import io.everheap.journal.replica.JournalPosition;
import io.everheap.journal.replica.JournalReplication;
import io.everheap.journal.replica.JournalTarget;
import io.everheap.memory.MediumSetting;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the primary of a journal answers to replicas that lag, lie, are others, or know a term. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JournalSessionTest {
  private static final UUID NONE = new UUID(0, 0);

  private final Journal journal =
      MediumSetting.medium(
              Journal.builder(Path.of("primary")).segmentSize(64 << 10), SimulatedMedium.file(1))
          .open();
  private final JournalSource origin = JournalSource.of(journal);
  private final Primary primary = Primary.of(journal).open();
  private final Copies copies = (Copies) Objects.requireNonNull(origin.copies().get());

  @AfterEach
  void close() {
    primary.close();
    journal.close();
  }

  private ScriptedReplica connect() {
    return new ScriptedReplica(c -> origin.session(primary, copies, c));
  }

  private static byte[] encode(JournalPosition at) {
    return at.put(ByteBuffer.allocate(JournalPosition.LENGTH)).array();
  }

  private static Hello hello(UUID of, long term, String name) {
    return new Hello(
        Hello.Purpose.JOURNAL,
        of,
        ReplicaPosition.NONE,
        term,
        false,
        new Hello.Who(name.hashCode(), 0, name));
  }

  private ScriptedReplica ask(Hello hello, JournalPosition at) {
    return connect().send(Message.HELLO, hello.encode(), Message.POSITION, encode(at));
  }

  private ScriptedReplica join(String name) {
    return ask(hello(journal.info().uuid(), 0, name), JournalPosition.NONE).joined(copies);
  }

  private JournalTarget target() {
    return JournalReplication.target(
        Journal.builder(Path.of("replica")), SimulatedMedium.file(2), null);
  }

  /** Stores what a primary sends until all of it is there. */
  private void store(ScriptedReplica replica, JournalTarget target) {
    while (target.durable() < origin.durable()) {
      target.accept(replica.receive(Message.PARTS).body());
    }
  }

  @Test
  void anAppendReturnsWhenTheSecondOfThreeReplicasHasIt() throws Exception {
    primary.copies(2);
    ScriptedReplica lagging = join("lagging");
    ScriptedReplica first = join("first");
    ScriptedReplica second = join("second");
    for (int i = 0; i < 5; i++) {
      long before = origin.durable();
      CompletableFuture<Long> append = journal.appendAsync(new byte[100]);
      journal.force();
      long end = origin.durable();
      assertThat(end).isGreaterThan(before);
      lagging.acknowledge(before);
      first.acknowledge(end);
      second.acknowledge(end - 1);
      assertThat(append).isNotDone();
      second.acknowledge(end);
      assertThat(Limit.get(append)).isEqualTo(i);
    }
    second.close();
    CompletableFuture<Long> append = journal.appendAsync(new byte[100]);
    journal.force();
    first.acknowledge(origin.durable());
    assertThat(append).isNotDone();
    lagging.acknowledge(origin.durable());
    assertThat(Limit.get(append)).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aThreadThatAppendsWaitsForTheReplicas(boolean virtual) throws Exception {
    primary.copies(2);
    ScriptedReplica first = join("first");
    ScriptedReplica second = join("second");
    long before = origin.durable();
    Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
    Thread writer = builder.start(() -> journal.append(new byte[10]));
    Limit.until("it is durable here", () -> origin.durable() > before);
    first.acknowledge(origin.durable());
    second.acknowledge(before);
    assertThat(writer.isAlive()).isTrue();
    second.acknowledge(origin.durable());
    Limit.join(writer);
  }

  /** It can be lost with this machine, and so with the replicas. */
  @Test
  void anAppendThatDoesNotWaitForThisDiskDoesNotWaitForReplicas() throws Exception {
    try (Journal late =
            MediumSetting.medium(
                    Journal.builder(Path.of("late")).async(Duration.ofHours(1)),
                    SimulatedMedium.file(3))
                .open();
        Primary primaryOfLate = Primary.of(late).open()) {
      primaryOfLate.copies(1);
      assertThat(late.append(new byte[10])).isZero();
      late.force();
      CompletableFuture<Long> append = late.appendAsync(new byte[10]);
      late.force();
      assertThat(append).as("its future says that it is durable").isNotDone();
      JournalSource source = JournalSource.of(late);
      Copies wanted = (Copies) Objects.requireNonNull(source.copies().get());
      try (ScriptedReplica replica =
          new ScriptedReplica(c -> source.session(primaryOfLate, wanted, c))) {
        replica.send(
            Message.HELLO,
            hello(late.info().uuid(), 0, "replica").encode(),
            Message.POSITION,
            encode(JournalPosition.NONE));
        replica.joined(wanted).acknowledge(source.durable());
        assertThat(Limit.get(append)).isOne();
      }
    }
  }

  /** A position counts units of 8 bytes, and the lag bytes. */
  @Test
  void theStatusSaysWhatEachReplicaHas() {
    journal.append(new byte[1_000]);
    primary.copies(2);
    long end = origin.durable();
    ScriptedReplica silent = join("silent");
    ScriptedReplica behind = join("behind").acknowledge(end - 32);
    ScriptedReplica current = join("current").acknowledge(end);
    ReplicationStatus status = primary.status();
    assertThat(status.kind()).isEqualTo("journal");
    assertThat(status.id()).isEqualTo(journal.info().uuid());
    assertThat(status.location()).isEqualTo(journal.info().location());
    assertThat(status.term()).isZero();
    assertThat(status.fenced()).isFalse();
    assertThat(status.durable()).isEqualTo(end);
    assertThat(status.copies()).isEqualTo(2);
    assertThat(status.degraded()).isFalse();
    assertThat(status.replicas()).hasSize(3);
    ReplicationStatus.Copy one = named(status, "silent");
    assertThat(one.acknowledged()).isNegative();
    assertThat(one.lag()).isEqualTo(origin.lag(0)).isGreaterThan(1_000);
    assertThat(one.address()).contains("replica");
    assertThat(named(status, "behind").acknowledged()).isEqualTo(end - 32);
    assertThat(named(status, "behind").lag()).isEqualTo(256);
    assertThat(named(status, "current").acknowledged()).isEqualTo(end);
    assertThat(named(status, "current").lag()).isZero();
    behind.acknowledge(end);
    assertThat(named(primary.status(), "behind").lag()).isZero();
    current.close();
    silent.close();
    assertThat(primary.status().replicas())
        .singleElement()
        .extracting(ReplicationStatus.Copy::name)
        .isEqualTo("behind");
    assertThat(ReplicationStatus.decode(ByteBuffer.wrap(primary.status().encode()), "it"))
        .isEqualTo(primary.status());
  }

  private static ReplicationStatus.Copy named(ReplicationStatus status, String name) {
    return status.replicas().stream()
        .filter(copy -> copy.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theStatusSaysThatCommitsDoNotWait() {
    primary.copies(1, Duration.ZERO);
    journal.append(new byte[1]);
    assertThat(primary.status().degraded()).isTrue();
    join("replica").acknowledge(origin.durable());
    assertThat(primary.status().degraded()).isFalse();
    primary.copies(0);
    assertThat(primary.status().copies()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReplicaGetsAllRecordsWhetherItKnowsTheJournalOrNot(boolean known) {
    for (int i = 0; i < 40; i++) {
      journal.append(new byte[5_000]);
    }
    UUID uuid = journal.info().uuid();
    ScriptedReplica replica = ask(hello(known ? uuid : NONE, 0, "replica"), JournalPosition.NONE);
    JournalStart start = JournalStart.decode(replica.receive(Message.START).buffer(), "it");
    assertThat(start).isEqualTo(new JournalStart(uuid, 0, 0, 64 << 10));
    try (JournalTarget target = target()) {
      target.settle();
      target.follow(start.term(), start.journal(), start.oldest(), start.segmentSize());
      store(replica, target);
      JournalPosition at = target.settle();
      assertThat(at.sequence()).isEqualTo(40);
      journal.append(new byte[10]);
      ScriptedReplica again = ask(hello(uuid, 0, "replica"), at);
      again.receive(Message.START);
      store(again, target);
      assertThat(target.settle().sequence()).isEqualTo(41);
    }
  }

  /** As if it had other records before: every part of the position is compared. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6})
  void aReplicaAtAnotherPositionIsRefusedAndMustBeMadeAnew(int part) {
    journal.append(new byte[100]);
    journal.append(new byte[100]);
    try (JournalTarget target = target()) {
      target.settle();
      target.follow(0, journal.info().uuid(), 0, 64 << 10);
      store(join("replica"), target);
      JournalPosition at = target.settle();
      JournalPosition other =
          new JournalPosition(
              at.epoch() + (part == 0 ? 1 : 0),
              at.ordinal() + (part == 1 ? 1 : 0),
              at.header() ^ (part == 2 ? 1 : 0),
              at.size() - (part == 3 ? 4096 : 0),
              at.offset() + (part == 4 ? 8 : 0),
              at.sequence() + (part == 5 ? 1 : 0),
              at.chain() ^ (part == 6 ? 1 : 0),
              at.link());
      ScriptedReplica replica = ask(hello(journal.info().uuid(), 0, "other"), other);
      Refusal refusal = replica.refusal();
      assertThat(refusal.reason()).isEqualTo(Refusal.Reason.ANEW);
      assertThat(refusal.text()).contains("made anew");
      assertThat(copies.sessions()).hasSize(1);
    }
  }

  @Test
  void aReplicaOfAnotherJournalIsRefusedForEverAndDoesNotFence() {
    Refusal refusal = ask(hello(new UUID(7, 8), 99, "other"), JournalPosition.NONE).refusal();
    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.NEVER);
    assertThat(refusal.text()).contains("another journal").contains(new UUID(7, 8).toString());
    assertThat(primary.status().fenced()).isFalse();
    assertThat(copies.sessions()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Hello.Purpose.class,
      names = {"JOIN", "FOLLOW"})
  void aReplicaOfAHeapIsRefusedForEver(Hello.Purpose purpose) {
    UUID uuid = journal.info().uuid();
    Hello hello = ScriptedReplica.hello(purpose, uuid, ReplicaPosition.NONE, "heap", 1);
    Refusal refusal = connect().send(Message.HELLO, hello.encode()).refusal();
    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.NEVER);
    assertThat(refusal.text()).contains("another heap").contains("this is the journal");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, JournalPosition.LENGTH - 1, JournalPosition.LENGTH + 1})
  void aReplicaThatDoesNotSayWhereItIsIsRefusedForEver(int length) {
    ScriptedReplica replica =
        connect()
            .send(
                Message.HELLO,
                hello(journal.info().uuid(), 0, "replica").encode(),
                Message.POSITION,
                new byte[length]);
    Refusal refusal = replica.refusal();
    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.NEVER);
    assertThat(refusal.text()).contains("does not say where it is");
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, true", "4294967296, true"})
  void aReplicaThatKnowsAHigherTermFencesThePrimary(long term, boolean fenced) {
    primary.copies(1);
    ScriptedReplica other = join("other");
    CompletableFuture<Long> append = journal.appendAsync(new byte[1]);
    ScriptedReplica replica =
        ask(hello(journal.info().uuid(), term, "replica"), JournalPosition.NONE);
    if (!fenced) {
      replica.joined(copies).acknowledge(origin.durable());
      journal.force();
      replica.acknowledge(origin.durable());
      assertThat(append.join()).isZero();
      assertThat(primary.status().fenced()).isFalse();
      assertThat(other.isClosed()).isFalse();
      return;
    }
    Refusal refusal = replica.refusal();
    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.FENCED);
    assertThat(refusal.text()).contains("term " + term);
    other.untilEnded();
    assertThat(copies.sessions()).isEmpty();
    assertThat(primary.status().fenced()).isTrue();
    assertThatThrownBy(() -> Limit.get(append)).hasCauseInstanceOf(FencedException.class);
    assertThatThrownBy(() -> journal.append(new byte[1]))
        .isInstanceOf(FencedException.class)
        .hasMessageContaining("with term " + term);
    Refusal later = ask(hello(journal.info().uuid(), 0, "later"), JournalPosition.NONE).refusal();
    assertThat(later.reason()).isEqualTo(Refusal.Reason.FENCED);
    assertThatThrownBy(() -> Primary.of(journal).open()).isInstanceOf(FencedException.class);
  }

  /** As one does that was promoted in this process. */
  @Test
  void aFenceThatNoReplicaReportedEndsConnectionsAndWaitsAtTheNextTick() {
    ScriptedReplica replica = join("replica");
    primary.copies(1, Duration.ofMinutes(10));
    CompletableFuture<Long> append = journal.appendAsync(new byte[1]);
    origin.fence(5, "the test");
    primary.copies(2, Duration.ofMinutes(10)); // ticks at once
    replica.untilEnded();
    assertThatThrownBy(() -> Limit.get(append)).hasCauseInstanceOf(FencedException.class);
    assertThat(copies.sessions()).isEmpty();
  }

  @Test
  void whoeverAsksForTheStatusGetsItAndMayFence() {
    join("replica").acknowledge(origin.durable());
    UUID uuid = journal.info().uuid();
    assertThat(ask(NONE, 99)).isEqualTo(primary.status());
    assertThat(ask(uuid, 0).fenced()).isFalse();
    assertThat(ask(new UUID(5, 6), 99).fenced()).isFalse();
    assertThat(primary.status().replicas()).hasSize(1);
    ReplicationStatus fenced = ask(uuid, 1);
    assertThat(fenced.fenced()).isTrue();
    assertThat(fenced.term()).isZero();
    assertThat(ask(NONE, 0).fenced()).as("also one that is fenced answers").isTrue();
  }

  private ReplicationStatus ask(UUID of, long term) {
    Hello hello =
        new Hello(
            Hello.Purpose.STATUS,
            of,
            ReplicaPosition.NONE,
            term,
            false,
            Hello.Who.nobody("status"));
    ScriptedReplica asking = connect().send(Message.HELLO, hello.encode());
    ReplicationStatus answer =
        ReplicationStatus.decode(asking.receive(Message.STATUS).buffer(), "the primary");
    asking.untilEnded();
    return answer;
  }

  @Test
  void aReplicaThatIsSilentForTooLongCountsNoLonger() {
    ScriptedReplica replica = join("replica").acknowledge(origin.durable());
    replica.socket().passSilence();
    replica.untilEnded();
    assertThat(copies.sessions()).isEmpty();
    assertThat(replica.isClosed()).isTrue();
  }

  @Test
  void aReplicaThatReadsNothingForAShortTimeIsKept() {
    ScriptedReplica replica = join("replica");
    replica.socket().jam(true);
    journal.append(new byte[60_000]);
    replica.socket().untilJammed();
    replica.session().endIfStuck();
    assertThat(replica.isClosed()).isFalse();
    replica.socket().jam(false);
    replica.session().endIfStuck();
    replica.acknowledge(origin.durable());
    assertThat(copies.sessions()).containsExactly(replica.session());
  }

  /** The replica's status shows the lag by it. */
  @Test
  void aHeartbeatSaysWhatIsDurableAndWhatTheReplicaLacks() {
    ScriptedReplica replica = join("replica");
    journal.append(new byte[1_000]);
    long end = origin.durable();
    replica.receive(Message.PARTS);
    replica.receive(Message.PARTS);
    replica.acknowledge(end - 8);
    ByteBuffer beat = replica.receive(Message.HEARTBEAT).buffer();
    assertThat(beat.remaining()).isEqualTo(16);
    for (int i = 0; i < 5 && beat.getLong(8) != 64; i++) { // sent before the acknowledgement
      beat = replica.receive(Message.HEARTBEAT).buffer();
    }
    assertThat(beat.getLong()).isEqualTo(end);
    assertThat(beat.getLong()).isEqualTo(64);
  }

  @Test
  void aPrimaryThatClosesEndsConnectionsAndWaits() {
    primary.copies(1);
    CompletableFuture<Long> append = journal.appendAsync(new byte[1]);
    primary.close();
    assertThatThrownBy(() -> Limit.get(append))
        .hasCauseInstanceOf(ReplicationException.class)
        .hasMessageContaining("ended");
    assertThat(origin.copies().get()).isNull();
    assertThat(journal.append(new byte[1])).isOne();
    try (Primary next = Primary.of(journal).open()) {
      assertThat(next.status().replicas()).isEmpty();
      assertThatThrownBy(() -> Primary.of(journal).open())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("has a primary already");
      assertThat(origin.copies().get()).isNotNull();
    }
  }

  @Test
  void numbersThatCannotBeWantedAreRefused() {
    primary.copies(2);
    assertThatThrownBy(() -> primary.copies(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> primary.copies(1, Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(primary.status().copies()).isEqualTo(2);
    assertThatThrownBy(primary::address).isInstanceOf(IllegalStateException.class);
  }
}
