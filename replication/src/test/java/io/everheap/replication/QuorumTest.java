package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.ReplicaPosition;
import io.everheap.error.ReplicationException;
import io.everheap.support.Limit;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** For which replicas a commit waits, while some lag, stall, leave or connect again. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QuorumTest {
  private static final long DURABLE = 1_000;

  private final Quorum quorum = new Quorum(1, DURABLE);
  private final Copies copies = quorum.copies();

  @AfterEach
  void leave() {
    quorum.close();
  }

  /** Of more replicas than are wanted, those count that have the most. */
  @ParameterizedTest
  @CsvSource({
    "1, 100, '100, 99, 1'",
    "1, 100, '1, 99, 100'",
    "2, 99, '100, 99, 1'",
    "2, 99, '1, 100, 99, 50'",
    "2, 100, '100, 100, 100'",
    "3, 1, '100, 99, 1'",
    "3, 50, '99, 50, 100, 50, 2'",
    "4, 2, '5, 4, 3, 2, 1'",
    "5, 1, '5, 4, 3, 2, 1'"
  })
  void commitsUpToTheLeastOfTheBestReplicasReturn(int wanted, long reached, String acknowledged) {
    copies.want(wanted, null);
    quorum.commit(reached - 1);
    quorum.commit(reached);
    quorum.commit(reached + 1);
    long[] lsns = Arrays.stream(acknowledged.split(", ")).mapToLong(Long::parseLong).toArray();
    quorum.joinAt(lsns);
    assertThat(quorum.returned()).containsExactlyInAnyOrder(reached - 1, reached);
  }

  /** Whichever of them it is that was missing. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aCommitReturnsWithTheAcknowledgementThatCompletesTheQuorum(int last) {
    copies.want(3, null);
    List<ScriptedReplica> replicas = quorum.joinAt(10, 20, 30, 40);
    quorum.commit(500);
    List<ScriptedReplica> others = new ArrayList<>(replicas);
    ScriptedReplica completing = others.remove(last);
    others.removeLast(); // stalls
    others.forEach(replica -> replica.acknowledge(500));
    completing.acknowledge(499);
    assertThat(quorum.returned()).isEmpty();
    completing.acknowledge(500);
    assertThat(quorum.returned()).containsExactly(500L);
  }

  @Test
  void acknowledgementsOfOneReplicaDoNotAddUp() {
    copies.want(2, null);
    ScriptedReplica only = quorum.join("only", 1);
    quorum.commit(10);
    only.acknowledge(10).acknowledge(20).acknowledge(DURABLE);
    assertThat(quorum.returned()).isEmpty();
    quorum.join("other", 2);
    assertThat(quorum.returned()).isEmpty();
  }

  @Test
  void aReplicaThatHasAcknowledgedNothingDoesNotCount() {
    copies.want(2, null);
    quorum.commit(1);
    ScriptedReplica first = quorum.join("first", 1).acknowledge(1);
    ScriptedReplica silent = quorum.join("silent", 2);
    assertThat(quorum.returned()).isEmpty();
    assertThat(silent.session().describe().acknowledged()).isNegative();
    assertThat(first.session().describe().acknowledged()).isOne();
    silent.acknowledge(0);
    assertThat(silent.session().describe().acknowledged()).isZero();
    assertThat(quorum.returned()).isEmpty();
    silent.acknowledge(1);
    assertThat(quorum.returned()).containsExactly(1L);
  }

  @Test
  void anOlderAcknowledgementTakesNothingBack() {
    ScriptedReplica replica = quorum.join("replica", 1).acknowledge(100).acknowledge(40);
    assertThat(replica.session().describe().acknowledged()).isEqualTo(100);
    copies.want(2, null); // counts again
    quorum.join("other", 2).acknowledge(100);
    quorum.commit(100);
    assertThat(quorum.returned()).containsExactly(100L);
  }

  @ParameterizedTest
  @ValueSource(longs = {DURABLE + 1, Long.MAX_VALUE, -1, Long.MIN_VALUE})
  void anAcknowledgementOfWhatWasNeverSentEndsTheConnectionAndCountsForNothing(long lsn) {
    quorum.commit(1);
    ScriptedReplica replica = quorum.join("replica", 1);
    replica.acknowledgeInVain(ByteBuffer.allocate(8).putLong(lsn).array());
    assertThat(replica.isClosed()).isTrue();
    assertThat(copies.sessions()).isEmpty();
    assertThat(quorum.returned()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 9, 16})
  void anAcknowledgementOfAnotherLengthEndsTheConnectionAndCountsForNothing(int length) {
    quorum.commit(1);
    ScriptedReplica replica = quorum.join("replica", 1);
    byte[] body = new byte[length];
    Arrays.fill(body, Math.min(6, length), length, (byte) 1);
    replica.acknowledgeInVain(body);
    assertThat(copies.sessions()).isEmpty();
    assertThat(quorum.returned()).isEmpty();
  }

  @Test
  void anAcknowledgementOfAllThatIsDurableCounts() {
    quorum.commit(DURABLE);
    ScriptedReplica replica = quorum.join("replica", 1).acknowledge(DURABLE);
    assertThat(quorum.returned()).containsExactly(DURABLE);
    assertThat(replica.isClosed()).isFalse();
  }

  @Test
  void aMessageThatIsNoAcknowledgementEndsTheConnection() {
    quorum.commit(1);
    ScriptedReplica replica = quorum.join("replica", 1);
    replica.send(Message.HEARTBEAT, ByteBuffer.allocate(8).putLong(DURABLE).array());
    replica.untilEnded();
    assertThat(copies.sessions()).isEmpty();
    assertThat(quorum.returned()).isEmpty();
  }

  @Test
  void aReplicaThatConnectsAgainCountsOnceAndItsOldConnectionEnds() {
    copies.want(2, null);
    ScriptedReplica old = quorum.join("replica", 1).acknowledge(100);
    ScriptedReplica again = quorum.join("replica", 1);
    old.untilEnded();
    quorum.commit(50);
    again.acknowledge(100);
    assertThat(quorum.returned()).isEmpty();
    assertThat(copies.sessions()).containsExactly(again.session());
    assertThat(old.isClosed()).isTrue();
    assertThat(again.isClosed()).isFalse();
  }

  /** Its disk was lost, or restored from a backup. */
  @Test
  void aReplicaThatConnectsAgainWithLessCountsWithLess() {
    ScriptedReplica old = quorum.join("replica", 1).acknowledge(100);
    quorum.commit(200);
    ScriptedReplica again = quorum.join("replica", 1);
    old.untilEnded();
    again.acknowledge(60);
    assertThat(again.session().describe().acknowledged()).isEqualTo(60);
    again.acknowledge(199);
    assertThat(quorum.returned()).isEmpty();
    again.acknowledge(200);
    assertThat(quorum.returned()).containsExactly(200L);
  }

  @Test
  void aReplicaThatConnectsAgainCountsForNothingBeforeItAcknowledges() {
    copies.want(2, null);
    ScriptedReplica other = quorum.join("other", 2).acknowledge(100);
    ScriptedReplica old = quorum.join("replica", 1).acknowledge(80);
    ScriptedReplica again = quorum.join("replica", 1);
    old.untilEnded();
    quorum.commit(90);
    other.acknowledge(200);
    assertThat(quorum.returned()).isEmpty();
    again.acknowledge(90);
    assertThat(quorum.returned()).containsExactly(90L);
  }

  /** The primary notices late that the old connection has ended. */
  @Test
  void theEndOfAnOldConnectionDoesNotRemoveTheNewOne() {
    ScriptedReplica old = quorum.join("replica", 1);
    ScriptedReplica again = quorum.join("replica", 1).acknowledge(10);
    old.close();
    assertThat(copies.sessions()).containsExactly(again.session());
    quorum.commit(20);
    again.acknowledge(20);
    assertThat(quorum.returned()).containsExactly(20L);
  }

  @Test
  void aReplicaThatLeftAndConnectsAgainCountsOnce() {
    copies.want(2, null);
    quorum.join("replica", 1).acknowledge(100).close();
    assertThat(copies.sessions()).isEmpty();
    quorum.commit(50);
    ScriptedReplica again = quorum.join("replica", 1).acknowledge(100);
    assertThat(quorum.returned()).isEmpty();
    assertThat(copies.sessions()).containsExactly(again.session());
  }

  /** Three connections of one replica, and one of another. */
  @Test
  void aReplicaThatConnectsAgainAndAgainCountsOnce() {
    copies.want(3, null);
    quorum.commit(5);
    for (int i = 0; i < 3; i++) {
      quorum.join("replica", 1).acknowledge(5 + i);
    }
    quorum.join("other", 2).acknowledge(7);
    assertThat(copies.sessions()).hasSize(2);
    assertThat(quorum.returned()).isEmpty();
    quorum.join("third", 3).acknowledge(5);
    assertThat(quorum.returned()).containsExactly(5L);
  }

  @Test
  void replicasOfOneNameWithDifferentIdentitiesAreTwo() {
    copies.want(2, null);
    ScriptedReplica first = quorum.join("replica", 1).acknowledge(10);
    ScriptedReplica second = quorum.join("replica", 2).acknowledge(10);
    quorum.commit(10);
    assertThat(quorum.returned()).containsExactly(10L);
    assertThat(first.isClosed() || second.isClosed()).isFalse();
  }

  @Test
  void aReplicaWithAnotherNameIsTheSame() {
    copies.want(2, null);
    ScriptedReplica first = quorum.join("replica", 1).acknowledge(10);
    ScriptedReplica second = quorum.join("renamed", 1).acknowledge(10);
    quorum.commit(10);
    assertThat(quorum.returned()).isEmpty();
    first.untilEnded();
    assertThat(second.isClosed()).isFalse();
  }

  /** Both would be closed for the other one again and again. */
  @Test
  void aCopyOfAReplicaThatFollowsIsRefusedAndTheReplicaStays() {
    ScriptedReplica first = quorum.join("replica", 1).acknowledge(10);
    Hello copy =
        new Hello(
            Hello.Purpose.FOLLOW,
            new UUID(3, 4),
            ReplicaPosition.NONE,
            0,
            false,
            new Hello.Who(1, 7, "copy"));
    Refusal refusal = quorum.connect().send(Message.HELLO, copy.encode()).refusal();
    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.LATER);
    assertThat(refusal.text()).contains("same identity").contains("replica at ");
    assertThat(first.isClosed()).isFalse();
    assertThat(copies.sessions()).containsExactly(first.session());
    first.close();
    quorum.connect().join(copies, copy).acknowledge(10);
    assertThat(copies.sessions()).hasSize(1);
  }

  @Test
  void aReplicaThatLeavesCountsNoLonger() {
    copies.want(2, null);
    List<ScriptedReplica> replicas = quorum.joinAt(10, 10, 10);
    replicas.get(0).close();
    replicas.get(1).acknowledge(20).close();
    quorum.commit(20);
    replicas.get(2).acknowledge(20);
    assertThat(quorum.returned()).isEmpty();
    quorum.joinAt(20);
    assertThat(quorum.returned()).containsExactly(20L);
  }

  @Test
  void aReplicaThatLeavesTakesNothingBackThatWasCopied() {
    quorum.joinAt(100).getFirst().close();
    quorum.commit(100);
    assertThat(quorum.returned()).containsExactly(100L);
    copies.await(100);
    quorum.commit(101);
    assertThat(quorum.returned()).containsExactly(100L);
  }

  /** One leaves and another one joins at each commit: the quorum is lost and regained. */
  @Test
  void aQuorumThatIsLostAndRegainedCountsThoseThatAreConnected() {
    copies.want(2, null);
    ScriptedReplica before = quorum.join("0", 0).acknowledge(1);
    for (int i = 1; i <= 5; i++) {
      long lsn = 10L * i;
      ScriptedReplica next = quorum.join("" + i, i).acknowledge(lsn);
      quorum.commit(lsn);
      assertThat(quorum.returned()).hasSize(i - 1);
      before.acknowledge(lsn);
      assertThat(quorum.returned()).hasSize(i).contains(lsn);
      before.close();
      before = next;
    }
  }

  @Test
  void commitsReturnInTheOrderOfTheLogWhateverTheOrderInWhichTheyBeganToWait() {
    List<Long> order = new ArrayList<>();
    for (long lsn : new long[] {30, 10, 50, 20, 40}) {
      copies.whenCopied(lsn, why -> order.add(lsn));
    }
    ScriptedReplica replica = quorum.join("replica", 1).acknowledge(39);
    assertThat(order).containsExactly(10L, 20L, 30L);
    replica.acknowledge(50);
    assertThat(order).containsExactly(10L, 20L, 30L, 40L, 50L);
  }

  @Test
  void moreCommitsThanEndAtOnceAllReturn() {
    for (long lsn = 1; lsn <= 900; lsn++) {
      quorum.commit(lsn);
      copies.whenCopied(lsn, why -> {});
      copies.whenCopied(lsn, why -> {});
    }
    quorum.join("replica", 1).acknowledge(899);
    assertThat(quorum.returned()).hasSize(899).doesNotContain(900L);
  }

  @Test
  void aSmallerNumberEndsWaitsAtOnceAndALargerOneHoldsLaterCommits() {
    copies.want(3, null);
    assertThat(copies.number()).isEqualTo(3);
    quorum.joinAt(10, 20, 30);
    quorum.commit(20);
    quorum.commit(30);
    copies.want(2, null);
    assertThat(quorum.returned()).containsExactly(20L);
    copies.want(1, null);
    assertThat(quorum.returned()).containsExactlyInAnyOrder(20L, 30L);
    copies.want(2, null);
    quorum.commit(31);
    quorum.joinAt(31);
    assertThat(quorum.returned()).hasSize(2);
    quorum.joinAt(31);
    assertThat(quorum.returned()).hasSize(3);
  }

  @Test
  void withoutCopiesNoCommitWaitsAndWithOnesAgainTheNextDoes() {
    assertThat(copies.wanted()).isTrue();
    quorum.commit(10);
    copies.want(0, null);
    assertThat(copies.wanted()).isFalse();
    assertThat(quorum.returned()).containsExactly(10L);
    copies.await(DURABLE);
    quorum.commit(11);
    copies.want(1, null);
    quorum.commit(12);
    assertThat(quorum.returned()).containsExactlyInAnyOrder(10L, 11L);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aThreadThatWaitsIsWokenByTheAcknowledgementThatCompletesTheQuorum(boolean virtual)
      throws InterruptedException {
    copies.want(2, null);
    List<ScriptedReplica> replicas = quorum.joinAt(10, 10, 10);
    CountDownLatch woken = new CountDownLatch(1);
    Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
    Thread writer =
        builder.start(
            () -> {
              copies.await(20);
              woken.countDown();
            });
    replicas.get(2).acknowledge(20);
    replicas.get(0).acknowledge(19);
    Limit.until(
        "it waits",
        () -> writer.getState() == (virtual ? Thread.State.WAITING : Thread.State.TIMED_WAITING));
    assertThat(woken.getCount()).isOne();
    replicas.get(0).acknowledge(20);
    Limit.await(woken);
    Limit.join(writer);
  }

  @Test
  void anInterruptDoesNotEndAWaitAndIsKept() throws InterruptedException {
    List<Boolean> kept = new ArrayList<>();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  copies.await(20);
                  kept.add(Thread.currentThread().isInterrupted());
                });
    Limit.until("it waits", () -> writer.getState() == Thread.State.TIMED_WAITING);
    writer.interrupt();
    Limit.until("it waits on", () -> writer.getState() == Thread.State.TIMED_WAITING);
    assertThat(kept).isEmpty();
    quorum.joinAt(20);
    Limit.join(writer);
    assertThat(kept).containsExactly(true);
  }

  @Test
  void anEndFailsCommitsThatWaitAndLaterOnesButNoneThatWasCopied() {
    quorum.joinAt(10);
    quorum.commit(11);
    copies.end(new ReplicationException("first"));
    copies.end(new ReplicationException("second"));
    assertThat(quorum.failed()).singleElement().asString().contains("11 ").contains("first");
    quorum.commit(10);
    assertThat(quorum.returned()).containsExactly(10L);
    assertThatThrownBy(() -> copies.await(12))
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("first");
  }

  @Test
  void patienceIsLostWhenACommitWaitsAndTheQuorumIsIncomplete() {
    copies.want(2, Duration.ZERO);
    ScriptedReplica replica = quorum.join("replica", 1).acknowledge(DURABLE);
    copies.tick();
    assertThat(copies.isDegraded()).isFalse();
    quorum.commit(10);
    assertThat(quorum.returned()).isEmpty();
    copies.tick();
    assertThat(copies.isDegraded()).isTrue();
    assertThat(quorum.returned()).containsExactly(10L);
    replica.acknowledge(DURABLE);
    assertThat(copies.isDegraded()).as("one of two has all of the log").isTrue();
    quorum.joinAt(DURABLE);
    assertThat(copies.isDegraded()).isFalse();
    quorum.commit(DURABLE);
    assertThat(quorum.returned()).containsExactlyInAnyOrder(10L, DURABLE);
  }

  @Test
  void aLongPatienceIsNotLostByATick() {
    copies.want(1, Duration.ofDays(1));
    quorum.commit(10);
    for (int i = 0; i < 3; i++) {
      copies.tick();
    }
    assertThat(copies.isDegraded()).isFalse();
    assertThat(quorum.returned()).isEmpty();
  }

  /** With no patience, what is not yet copied would be late: one byte less is not enough. */
  @Test
  void commitsWaitAgainWhenEnoughReplicasHaveAllOfTheLog() {
    copies.want(2, Duration.ZERO);
    List<ScriptedReplica> replicas = quorum.joinAt(1, 2, 3);
    quorum.commit(10);
    copies.tick();
    quorum.origin.durable = DURABLE + 100;
    replicas.get(0).acknowledge(DURABLE + 100);
    replicas.get(1).acknowledge(DURABLE);
    assertThat(copies.isDegraded()).as("all that was there when the patience was lost").isTrue();
    replicas.get(1).acknowledge(DURABLE + 99);
    assertThat(copies.isDegraded()).isTrue();
    quorum.commit(DURABLE + 100);
    assertThat(quorum.returned()).contains(DURABLE + 100);
    replicas.get(1).acknowledge(DURABLE + 100);
    assertThat(copies.isDegraded()).isFalse();
    quorum.origin.durable = DURABLE + 101;
    quorum.commit(DURABLE + 101);
    assertThat(quorum.returned()).doesNotContain(DURABLE + 101);
  }

  /** It never has all of the log, since the log grows as fast. */
  @Test
  void commitsWaitAgainWhenTheReplicasGetWhatIsCommittedWithinThePatience() {
    Duration patience = Duration.ofMillis(40);
    copies.want(1, patience);
    ScriptedReplica replica = quorum.join("replica", 1);
    quorum.commit(10);
    long begun = System.nanoTime();
    Limit.until("the patience is lost", () -> copies.tick() > 0 && copies.isDegraded());
    assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(patience.toNanos() / 2);
    Limit.until(
        "a part of the log arrives in time",
        () -> {
          long end = quorum.origin.durable;
          quorum.origin.durable = end + 10;
          replica.acknowledge(end);
          return !copies.isDegraded();
        });
  }

  @Test
  void aNewNumberEndsTheStateInWhichCommitsDoNotWait() {
    copies.want(1, Duration.ZERO);
    quorum.commit(10);
    copies.tick();
    assertThat(copies.isDegraded()).isTrue();
    copies.want(1, null);
    assertThat(copies.isDegraded()).isFalse();
    quorum.commit(11);
    copies.tick();
    assertThat(quorum.returned()).containsExactly(10L);
  }

  @ParameterizedTest
  @CsvSource({"0, 5", "19, 5", "40, 10", "400, 100", "4000, 1000", "40000, 1000"})
  void theNextTickComesAfterAQuarterOfThePatience(long patienceMillis, long tickMillis) {
    copies.want(1, Duration.ofMillis(patienceMillis));
    assertThat(copies.tick()).isEqualTo(Duration.ofMillis(tickMillis).toNanos());
    copies.want(1, null);
    assertThat(copies.tick()).isEqualTo(Duration.ofSeconds(1).toNanos());
  }

  @Test
  void aClosedHeapEndsWaitsAtTheNextTick() {
    quorum.joinAt(10);
    quorum.commit(11);
    copies.tick();
    assertThat(quorum.failed()).isEmpty();
    quorum.origin.open = false;
    copies.tick();
    assertThat(quorum.failed()).singleElement().asString().contains("here was closed");
    assertThat(quorum.returned()).isEmpty();
  }

  /** While the primary sent an archive, before it counted. */
  @Test
  void anAcknowledgementThatCameBeforeTheReplicaCountsIsNotForgotten() throws Exception {
    quorum.commit(10);
    CountDownLatch acknowledged = new CountDownLatch(1);
    quorum.origin.beforeFollow = () -> await(acknowledged);
    ScriptedReplica replica =
        quorum.connect().send(Message.HELLO, Quorum.hello("replica", 1).encode());
    replica.receive(Message.START);
    replica.acknowledge(10);
    assertThat(quorum.returned()).isEmpty();
    assertThat(copies.sessions()).isEmpty();
    acknowledged.countDown();
    Limit.until("the commit returns", () -> quorum.returned().contains(10L));
  }

  private static void await(CountDownLatch latch) {
    try {
      Limit.await(latch);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aReplicaThatIsAddedAfterAFenceIsRefused() {
    quorum.origin.beforeFollow = quorum::fence;
    ScriptedReplica replica =
        quorum.connect().send(Message.HELLO, Quorum.hello("replica", 1).encode());
    replica.receive(Message.START);
    assertThat(replica.refusal().reason()).isEqualTo(Refusal.Reason.FENCED);
    assertThat(copies.sessions()).isEmpty();
  }
}
