package io.everheap.replication;

import static io.everheap.replication.Numbers.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.engine.Engine;
import io.everheap.engine.ReplicaPosition;
import io.everheap.error.FencedException;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.support.Limit;
import io.everheap.testkit.SimulatedMedium;
import java.nio.ByteBuffer;
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
  private Heap heap = HeapCopies.open(SimulatedMedium.file(1), HeapSettings.Role.ORDINARY);
  private Engine engine = OpenHeap.engine(heap);
  private Primary primary = Primary.of(heap).open();

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
    return ScriptedReplica.hello(Hello.Purpose.FOLLOW, engine.uuid(), at, name, 1);
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
    Hello hello = new Hello(Hello.Purpose.FOLLOW, new UUID(7, 8), at, 99, 1, false, "other");
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
    Hello hello = new Hello(Hello.Purpose.FOLLOW, engine.uuid(), at, term, 1, false, "replica");
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
    SimulatedMedium medium = HeapCopies.copy(heap, 10);
    close();
    ReplicaPosition end;
    SimulatedMedium killed;
    try (Heap replica = HeapCopies.open(medium, HeapSettings.Role.REPLICA)) {
      end = OpenHeap.engine(replica).applier().position();
      killed = medium.processKill();
    }
    heap = HeapCopies.open(killed, HeapSettings.Role.PROMOTED);
    engine = OpenHeap.engine(heap);
    primary = Primary.of(heap).open();
    map(heap).put(5, "after the promotion");
    assertThat(primary.status().term()).isPositive();
    ScriptedReplica replica = connect(hello(end, "replica"));
    Start start = Start.decode(replica.receive(Message.START).buffer(), "the primary");
    assertThat(start.position().line()).isEqualTo(engine.superblock().createdMillis());
    assertThat(start.ancestor().end()).isEqualTo(end);
    assertThat(start.position().lsn()).isEqualTo(start.ancestor().beginning());
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
