package io.everheap.replication;

import static io.everheap.replication.Numbers.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.engine.Engine;
import io.everheap.engine.ReplicaPosition;
import io.everheap.engine.backup.BaseCopy;
import io.everheap.error.FencedException;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.MediumFile;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From where the primary of a heap lets a replica continue, and what it refuses. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeapSessionTest {
  private final SimulatedMedium medium = SimulatedMedium.file(1);
  private Heap heap = HeapCopies.open(medium, HeapSettings.Role.ORDINARY);
  private Engine engine = OpenHeap.engine(heap);
  private Primary primary = Primary.of(heap).open();
  private SimulatedMedium reopened = medium;

  @AfterEach
  void close() {
    primary.close();
    heap.close();
  }

  private Copies copies() {
    return (Copies) Objects.requireNonNull(engine.transactions().copies().get());
  }

  private ScriptedReplica connect(Hello hello) {
    HeapOrigin origin = new HeapOrigin(engine);
    return new ScriptedReplica(c -> origin.session(primary, copies(), c))
        .send(Message.HELLO, hello.encode());
  }

  private Hello hello(ReplicaPosition at, String name) {
    return ScriptedReplica.hello(Hello.Purpose.FOLLOW, engine.uuid(), at, name, name.hashCode());
  }

  private List<ReplicaPosition> commit(int transactions) {
    ReplicaPosition from = HeapCopies.checkpoint(heap);
    for (int i = 0; i < transactions; i++) {
      map(heap).put(i, "value " + i);
    }
    return HeapCopies.positions(heap, from);
  }

  private static ReplicaPosition other(ReplicaPosition at, long line, long lsn, int chain) {
    return new ReplicaPosition(at.line() + line, at.lsn() + lsn, at.chain() ^ chain);
  }

  @Test
  void aReplicaAtTheEndOfAnyTransactionContinuesThere() {
    List<ReplicaPosition> all = commit(6);
    assertThat(all).hasSizeGreaterThan(6);
    ReplicaPosition end = all.getLast();
    assertThat(end.lsn()).isEqualTo(engine.log().durable());
    for (ReplicaPosition at : all) {
      ScriptedReplica replica = connect(hello(at, "replica"));
      Start start = Start.decode(replica.receive(Message.START).buffer(), "the primary");
      assertThat(start.position()).isEqualTo(at);
      assertThat(start.heap()).isEqualTo(engine.uuid());
      assertThat(start.term()).isZero();
      assertThat(start.ancestor().end()).isEqualTo(ReplicaPosition.NONE);
      long got = 0;
      while (at.lsn() + got < end.lsn()) {
        got += replica.receive(Message.PARTS).body().length;
      }
      assertThat(at.lsn() + got).isEqualTo(end.lsn());
    }
  }

  /** Each opening of the primary has its own epoch, which begins where the one before ended. */
  @Test
  void aReplicaContinuesFromAnyTransactionOverRestartsOfThePrimary() {
    List<ReplicaPosition> all = commit(3);
    for (int restart = 0; restart < 2; restart++) {
      SimulatedMedium killed = reopened.processKill();
      close();
      reopened = killed;
      heap = HeapCopies.open(killed, HeapSettings.Role.ORDINARY);
      engine = OpenHeap.engine(heap);
      primary = Primary.of(heap).open();
      map(heap).put(100 + restart, "after restart " + restart);
    }
    long end = engine.log().durable();
    for (ReplicaPosition at : all) {
      ScriptedReplica replica = connect(hello(at, "replica"));
      long lsn = at.lsn();
      long epoch = 0;
      while (lsn < end) {
        Connection.Received received = replica.receive();
        if (received.type() == Message.START) {
          Start start = Start.decode(received.buffer(), "the primary");
          assertThat(start.position().line()).isEqualTo(at.line());
          assertThat(start.position().lsn()).as("from %s", at).isEqualTo(lsn);
          assertThat(start.epoch()).isGreaterThanOrEqualTo(epoch);
          epoch = start.epoch();
        } else {
          assertThat(received.type()).isEqualTo(Message.PARTS);
          lsn += received.body().length;
        }
      }
      assertThat(lsn).isEqualTo(end);
      assertThat(epoch).as("of the third opening").isGreaterThan(2);
      Refusal refusal = connect(hello(other(at, 0, 0, 1), "other")).refusal();
      assertThat(refusal.reason()).isEqualTo(Refusal.Reason.ANEW);
    }
  }

  /** Also one byte that differs is another log. */
  @ParameterizedTest
  @CsvSource({"0, 0, 1", "0, 8, 0", "0, -8, 0", "0, 64, 0", "1, 0, 0", "-1, 0, 0"})
  void aReplicaAtAnyOtherPlaceIsRefusedAndMustBeMadeAnew(long line, long lsn, int chain) {
    for (ReplicaPosition at : commit(3)) {
      ReplicaPosition other = other(at, line, lsn, chain);
      Refusal refusal = connect(hello(other, "replica")).refusal();
      assertThat(refusal.reason()).as("at %s", other).isEqualTo(Refusal.Reason.ANEW);
      assertThat(refusal.text()).contains(line == 0 ? "LSN " + other.lsn() : "another line");
    }
    assertThat(copies().sessions()).isEmpty();
  }

  @Test
  void aReplicaThatIsAheadOfThePrimaryIsRefused() {
    ReplicaPosition end = commit(1).getLast();
    for (long more : new long[] {1, 64, 1 << 20}) {
      Refusal refusal = connect(hello(other(end, 0, more, 0), "replica")).refusal();
      assertThat(refusal.reason()).isEqualTo(Refusal.Reason.ANEW);
    }
  }

  @Test
  void aHeapThatFollowedNothingIsRefused() {
    commit(1);
    Refusal refusal = connect(hello(ReplicaPosition.NONE, "replica")).refusal();
    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.ANEW);
    assertThat(refusal.text()).contains("is not one that this heap had");
  }

  @Test
  void aReplicaOfAnotherHeapIsRefusedForEverAndDoesNotFence() {
    ReplicaPosition at = commit(1).getLast();
    Hello hello =
        new Hello(
            Hello.Purpose.FOLLOW, new UUID(7, 8), at, 99, false, new Hello.Who(1, 0, "other"));
    Refusal refusal = connect(hello).refusal();
    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.NEVER);
    assertThat(refusal.text()).contains("another heap").contains("this is the heap");
    assertThat(primary.status().fenced()).isFalse();
  }

  @Test
  void aReplicaOfAJournalIsRefusedForEver() {
    Hello hello =
        ScriptedReplica.hello(
            Hello.Purpose.JOURNAL, engine.uuid(), ReplicaPosition.NONE, "journal", 1);
    Refusal refusal = connect(hello).refusal();
    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.NEVER);
    assertThat(refusal.text()).contains("another journal").contains("this is the heap");
  }

  @Test
  void aCommitReturnsWhenTheSecondOfThreeReplicasHasIt() throws Exception {
    ReplicaPosition at = commit(1).getLast();
    primary.copies(2);
    ScriptedReplica lagging = connect(hello(at, "lagging")).joined(copies());
    ScriptedReplica first = connect(hello(at, "first")).joined(copies());
    ScriptedReplica second = connect(hello(at, "second")).joined(copies());
    for (int i = 0; i < 5; i++) {
      long before = engine.log().durable();
      String value = "waits " + i;
      CompletableFuture<?> commit =
          heap.transactAsync(() -> map(heap).put(77, value)).toCompletableFuture();
      heap.sync();
      long end = engine.log().durable();
      assertThat(end).isGreaterThan(before);
      lagging.acknowledge(before);
      first.acknowledge(end);
      second.acknowledge(end - 1);
      assertThat(commit).isNotDone();
      second.acknowledge(end);
      Limit.get(commit);
    }
    List<ReplicationStatus.Copy> replicas = primary.status().replicas();
    assertThat(replicas).hasSize(3);
    for (ReplicationStatus.Copy replica : replicas) {
      assertThat(replica.acknowledged() + replica.lag()).isEqualTo(engine.log().durable());
      assertThat(replica.lag() > 0).isEqualTo(replica.name().equals("lagging"));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aThreadThatCommitsWaitsForTheSecondReplica(boolean virtual) throws Exception {
    ReplicaPosition at = commit(1).getLast();
    primary.copies(2);
    ScriptedReplica first = connect(hello(at, "first")).joined(copies());
    ScriptedReplica second = connect(hello(at, "second")).joined(copies());
    long before = engine.log().durable();
    Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
    Thread writer = builder.start(() -> map(heap).put(77, "waits"));
    Limit.until("it is durable here", () -> engine.log().durable() > before);
    long end = engine.log().durable();
    first.acknowledge(end);
    second.acknowledge(before);
    assertThat(writer.isAlive()).isTrue();
    second.acknowledge(end);
    Limit.join(writer);
  }

  /** It can be lost with this machine, and so with the replicas. */
  @Test
  void aCommitThatDoesNotWaitForThisDiskDoesNotWaitForReplicas() {
    commit(1);
    primary.copies(3);
    heap.transact(Durability.async(Duration.ofHours(1)), () -> map(heap).put(77, "does not wait"));
    assertThat(map(heap)).containsEntry(77, "does not wait");
    assertThat(primary.status().degraded()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReplicaWithoutAHeapGetsACopyInBlocksOfItsFiles(boolean encrypts) {
    commit(3);
    Hello hello =
        new Hello(
            Hello.Purpose.JOIN,
            new UUID(0, 0),
            ReplicaPosition.NONE,
            0,
            encrypts,
            Hello.Who.nobody("joins"));
    ScriptedReplica replica = connect(hello);
    SimulatedMedium held = SimulatedMedium.file(20);
    long length = 0;
    try (MediumFile file = held.create(BaseCopy.NAME)) {
      for (Connection.Received part = replica.receive();
          part.type() == Message.BASE;
          part = replica.receive()) {
        file.write(part.buffer(), length);
        length += part.body().length;
      }
    }
    assertThat(length % (encrypts ? MediumFile.BLOCK : 1)).isZero();
    SimulatedMedium restored = HeapCopies.restore(held, 21);
    try (Heap copy = HeapCopies.open(restored, HeapSettings.Role.REPLICA)) {
      assertThat(Numbers.contents(copy)).isEqualTo(Numbers.contents(heap)).hasSize(3);
      ReplicaPosition at = OpenHeap.engine(copy).applier().position();
      assertThat(connect(hello(at, "joins")).joined(copies()).isClosed()).isFalse();
    }
  }

  @Test
  void aReplicaThatConnectsAgainAtAnOlderPlaceCountsFromThere() throws Exception {
    List<ReplicaPosition> all = commit(2);
    primary.copies(2);
    ScriptedReplica other = connect(hello(all.getLast(), "other")).joined(copies());
    ScriptedReplica old = connect(hello(all.getLast(), "replica")).joined(copies());
    old.acknowledge(all.getLast().lsn());
    ScriptedReplica again = connect(hello(all.getFirst(), "replica")).joined(copies());
    old.untilEnded();
    again.acknowledge(all.getFirst().lsn());
    CompletableFuture<?> commit =
        heap.transactAsync(() -> map(heap).put(77, "waits")).toCompletableFuture();
    heap.sync();
    other.acknowledge(engine.log().durable());
    assertThat(commit).isNotDone();
    again.acknowledge(engine.log().durable());
    Limit.get(commit);
    assertThat(primary.status().replicas()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1})
  void aReplicaThatKnowsAHigherTermFencesThePrimary(long term) {
    ReplicaPosition at = commit(1).getLast();
    ScriptedReplica other = connect(hello(at, "other")).joined(copies());
    Hello hello =
        new Hello(
            Hello.Purpose.FOLLOW, engine.uuid(), at, term, false, new Hello.Who(1, 0, "replica"));
    ScriptedReplica replica = connect(hello);
    if (term == 0) {
      replica.joined(copies());
      assertThat(other.isClosed()).isFalse();
      map(heap).put(1, "goes on");
      return;
    }
    assertThat(replica.refusal().reason()).isEqualTo(Refusal.Reason.FENCED);
    other.untilEnded();
    assertThat(primary.status().fenced()).isTrue();
    assertThatThrownBy(() -> map(heap).put(1, "too late")).isInstanceOf(FencedException.class);
  }

  @Test
  void aHeartbeatSaysWhatIsDurable() {
    ReplicaPosition at = commit(1).getLast();
    ScriptedReplica replica = connect(hello(at, "replica")).joined(copies());
    ByteBuffer beat = replica.receive(Message.HEARTBEAT).buffer();
    assertThat(beat.remaining()).isEqualTo(8);
    assertThat(beat.getLong()).isEqualTo(engine.log().durable());
  }

  /** It continues the line of the former primary, at the place where that ended for it. */
  @Test
  void aPromotedReplicaServesExactlyThoseThatHadTheSameState() {
    commit(2);
    SimulatedMedium copy = HeapCopies.copy(heap, 10);
    commit(5);
    ReplicaPosition end;
    SimulatedMedium killed;
    try (Heap replica = HeapCopies.open(copy, HeapSettings.Role.REPLICA)) {
      HeapCopies.follow(heap, replica);
      end = OpenHeap.engine(replica).applier().position();
      assertThat(end.lsn()).isEqualTo(engine.log().durable());
      killed = copy.processKill();
    }
    close();
    heap = HeapCopies.open(killed, HeapSettings.Role.PROMOTED);
    engine = OpenHeap.engine(heap);
    primary = Primary.of(heap).open();
    map(heap).put(5, "after the promotion");
    assertThat(primary.status().term()).isPositive();
    ScriptedReplica replica = connect(hello(end, "replica"));
    Start start = Start.decode(replica.receive(Message.START).buffer(), "the primary");
    assertThat(start.position().line()).isEqualTo(engine.superblock().createdMillis());
    assertThat(start.ancestor().end()).isEqualTo(end);
    assertThat(start.position().lsn())
        .as("in its own log")
        .isEqualTo(start.ancestor().beginning())
        .isNotEqualTo(end.lsn());
    assertThat(start.term()).isEqualTo(primary.status().term());
    for (ReplicaPosition other :
        List.of(
            other(end, 0, 64, 0),
            other(end, 0, -64, 0),
            other(end, 0, 0, 1),
            other(end, -5, 0, 0),
            ReplicaPosition.NONE)) {
      Refusal refusal = connect(hello(other, "other")).refusal();
      assertThat(refusal.reason()).as("at %s", other).isEqualTo(Refusal.Reason.ANEW);
      assertThat(refusal.text().contains("instead of " + end.lsn()))
          .isEqualTo(other.line() == end.line());
    }
  }
}
