package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.ReplicationException;
import io.everheap.support.Limit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When commits give up to wait for replicas, when they wait again, and what is logged of it. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PatienceTest {
  private static final long DURABLE = 1_000;
  private static final Duration SHORT = Duration.ofMillis(40);

  private final Quorum quorum = new Quorum(1, DURABLE);
  private final Copies copies = quorum.copies();

  @AfterEach
  void leave() {
    quorum.close();
  }

  /** Gives up to wait, and lets the patience pass twice. */
  private void degrade() {
    quorum.commit(10);
    Limit.until("the patience is lost", () -> copies.tick() > 0 && copies.isDegraded());
    letPatiencePass();
  }

  private static void letPatiencePass() {
    long begun = System.nanoTime();
    Limit.until("it passes", () -> System.nanoTime() - begun > 2 * SHORT.toNanos());
  }

  /** However long the machine has been running. */
  @Test
  void thePatienceOfACommitBeginsWhenItBeginsToWait() {
    copies.want(1, Duration.ofNanos(Math.max(System.nanoTime(), Duration.ofHours(1).toNanos())));
    quorum.commit(10);
    copies.tick();
    assertThat(copies.isDegraded()).isFalse();
    assertThat(quorum.returned()).isEmpty();
  }

  /** A replica that has what was durable then is late by more than the patience. */
  @Test
  void aReplicaThatIsLateDoesNotMakeCommitsWait() {
    try (Log log = new Log(Primary.class)) {
      copies.want(1, SHORT);
      degrade();
      quorum.origin.durable = 5_000;
      ScriptedReplica replica = quorum.join("replica", 1).acknowledge(10);
      quorum.origin.durable = 6_000;
      replica.acknowledge(5_000);
      assertThat(copies.isDegraded()).isTrue();
      quorum.commit(5_500);
      assertThat(quorum.returned()).contains(5_500L);
      assertThat(log.lines).singleElement().asString().contains("too few replicas");
    }
  }

  /** The patience counts from the last time that it was late, not from the first. */
  @Test
  void aReplicaThatWasLateMakesCommitsWaitWhenItHasCaughtUpOnALaterPart() {
    copies.want(1, SHORT);
    degrade();
    quorum.origin.durable = 2_000;
    ScriptedReplica replica = quorum.join("replica", 1).acknowledge(DURABLE);
    assertThat(copies.isDegraded()).isTrue();
    Limit.until(
        "a part of the log arrives in time",
        () -> {
          long end = quorum.origin.durable;
          quorum.origin.durable = end + 10;
          replica.acknowledge(end);
          return !copies.isDegraded();
        });
    quorum.commit(quorum.origin.durable);
    assertThat(quorum.returned()).doesNotContain(quorum.origin.durable);
  }

  // ---- Messages ------------------------------------------------------------------------------

  @Test
  void aWarningSaysThatCommitsDoNotWaitAndAnotherOneThatTheyDoAgain() {
    try (Log log = new Log(Primary.class)) {
      copies.want(1, Duration.ZERO);
      copies.tick();
      assertThat(log.lines).isEmpty();
      quorum.commit(10);
      copies.tick();
      copies.tick();
      assertThat(log.lines).singleElement().asString().contains("too few replicas");
      ScriptedReplica replica = quorum.join("replica", 1).acknowledge(DURABLE - 1);
      assertThat(log.lines).hasSize(1);
      replica.acknowledge(DURABLE);
      assertThat(log.lines).hasSize(2);
      assertThat(log.lines.getLast()).contains("have all of the log again");
      quorum.commit(DURABLE);
      assertThat(log.lines).hasSize(2);
    }
  }

  @Test
  void aWarningSaysThatTheActionOfACommitFailed() {
    try (Log log = new Log(Primary.class)) {
      copies.whenCopied(
          5,
          why -> {
            throw new IllegalStateException("of the test");
          });
      quorum.joinAt(5);
      assertThat(log.lines).singleElement().asString().contains("could not be completed");
    }
  }

  // ---- Threads -------------------------------------------------------------------------------

  /** A thread that made a session sends for it, and parks until something wakes it. */
  private static Thread parkedAfter(Runnable makesSession) {
    Thread sender =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  makesSession.run();
                  LockSupport.park();
                });
    Limit.until("it is parked", () -> sender.getState() == Thread.State.WAITING);
    return sender;
  }

  private Session unserved(List<Session> made) {
    try {
      MemorySocket.Ends ends = MemorySocket.connect("primary", "replica");
      made.add(quorum.session(new Connection(ends.primary(), 0, true)));
      return made.getFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aCommitThatBeginsToWaitWakesTheThreadsThatSend() throws InterruptedException {
    List<Session> made = new ArrayList<>();
    Thread sender = parkedAfter(() -> copies.add(unserved(made)));
    quorum.commit(10);
    Limit.join(sender);
    copies.remove(made.getFirst());
  }

  @Test
  void theEndOfASessionWakesItsThread() throws InterruptedException {
    List<Session> made = new ArrayList<>();
    Thread sender = parkedAfter(() -> unserved(made));
    made.getFirst().close();
    Limit.join(sender);
  }

  /** What an acknowledgement completes may run code of the program. */
  @Test
  void aSessionEndsWhenItsAcknowledgementsWereProcessed() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    copies.whenCopied(
        10,
        why -> {
          entered.countDown();
          await(leave);
        });
    ScriptedReplica replica = quorum.join("replica", 1);
    replica.send(Message.ACKNOWLEDGED, ByteBuffer.allocate(8).putLong(10).array());
    Limit.await(entered);
    replica.socket().close();
    Limit.until("it ends or waits", () -> !replica.isServed() || replica.waitsForThread());
    assertThat(replica.isServed()).isTrue();
    leave.countDown();
    replica.untilEnded();
  }

  private static void await(CountDownLatch latch) {
    try {
      Limit.await(latch);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  // ---- Misuse --------------------------------------------------------------------------------

  @Test
  void aFailureOfAWaitHasItsCause() {
    copies.end(new ReplicationException("the end"));
    assertThatThrownBy(() -> copies.await(12))
        .hasMessageContaining("the end")
        .hasCauseInstanceOf(ReplicationException.class);
  }
}
