package io.everheap.replication;

import static io.everheap.replication.Numbers.contents;
import static io.everheap.replication.Numbers.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.everheap.Heap;
import io.everheap.engine.Engine;
import io.everheap.engine.ReplicaPosition;
import io.everheap.engine.log.LogFeed;
import io.everheap.engine.log.PartLayout;
import io.everheap.error.ReplicationException;
import io.everheap.error.TooLargeException;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.SimulatedMedium;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a replica of a heap says, takes and acknowledges. The test plays the primary. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeapFollowingTest {
  private static final ReplicaPosition.Ancestor NONE =
      new ReplicaPosition.Ancestor(ReplicaPosition.NONE, 0);

  private static final int LARGE = 60 << 10;
  private static final int LARGE_VALUES =
      Math.toIntExact(HeapCopies.MAX_TRANSACTION * 9 / 10 / LARGE);

  private final SimulatedMedium formerPrimary = SimulatedMedium.file(1);
  private final Heap primary = HeapCopies.open(formerPrimary, HeapSettings.Role.ORDINARY);
  private final Engine engine = OpenHeap.engine(primary);
  private final SimulatedMedium medium = begin();
  private final Heap replica = HeapCopies.open(medium, HeapSettings.Role.REPLICA);
  private final ReplicaPosition at = OpenHeap.engine(replica).applier().position();

  private SimulatedMedium begin() {
    map(primary).put(0, "before");
    return HeapCopies.copy(primary, 10);
  }

  @AfterEach
  void close() {
    replica.close();
    primary.close();
  }

  private HeapFollowing following(ScriptedPrimary scripted) {
    return new HeapFollowing(
        OpenHeap.engine(replica), scripted.connector(), List.of(ScriptedPrimary.ADDRESS), "name");
  }

  private byte[] start(ReplicaPosition position, long term, ReplicaPosition.Ancestor ancestor) {
    long epoch;
    try (LogFeed feed = feed()) {
      epoch = feed.epoch();
    }
    return new Start(engine.uuid(), epoch, position, term, ancestor).encode();
  }

  private ScriptedPrimary started() {
    return new ScriptedPrimary().send(Message.START, start(at, 0, NONE));
  }

  private LogFeed feed() {
    return LogFeed.open(engine.medium(), engine.log(), at.lsn(), at.chain());
  }

  /** The parts of transactions, one array each time something was committed. */
  private List<byte[]> commit(int transactions) {
    List<byte[]> parts = new ArrayList<>();
    try (LogFeed feed = feed()) {
      while (feed.next().length > 0) {
        // what was committed before
      }
      for (int i = 0; i < transactions; i++) {
        map(primary).put(i, "value " + i);
        parts.add(feed.next());
      }
    }
    assertThat(parts).allMatch(part -> part.length > 0);
    return parts;
  }

  /** Sends the log of a transaction of nearly the largest size. */
  private ScriptedPrimary largeTransaction() {
    ScriptedPrimary scripted = started();
    try (LogFeed feed = feed()) {
      primary.transact(
          () -> {
            for (int i = 0; i < LARGE_VALUES; i++) {
              map(primary).put(i, "x".repeat(LARGE));
            }
          });
      for (byte[] part = feed.next(); part.length > 0; part = feed.next()) {
        scripted.send(Message.PARTS, part);
      }
    }
    return scripted;
  }

  private static ReplicaPosition other(ReplicaPosition at, long line, long lsn, int chain) {
    return new ReplicaPosition(at.line() + line, at.lsn() + lsn, at.chain() ^ chain);
  }

  private Throwable run(HeapFollowing following) {
    Following.Established<Start> made = Objects.requireNonNull(following.connectToAny());
    following.begin();
    return catchThrowable(() -> following.follow(made.connection(), made.start()));
  }

  @Test
  void aReplicaSaysWhereItIs() {
    ScriptedPrimary scripted = started();
    HeapFollowing following = following(scripted);
    assertThat(following.status().lsn()).isEqualTo(at.lsn());
    assertThat(following.connectToAny()).isNotNull();
    Hello hello = Hello.decode(scripted.receive(Message.HELLO).buffer(), "the replica");
    assertThat(hello)
        .isEqualTo(new Hello(Hello.Purpose.FOLLOW, engine.uuid(), at, 0, false, hello.who()));
    assertThat(hello.who().name()).isEqualTo("name");
    assertThat(hello.who().id()).isNotZero();
    assertThat(at.line()).isEqualTo(engine.superblock().createdMillis());
    assertThat(scripted.silence()).isEqualTo(5_000);
  }

  @ParameterizedTest
  @CsvSource({"0, 8, 0", "0, -8, 0", "0, 0, 1", "1, 0, 0"})
  void aLogThatDoesNotFollowItsStateIsNotTaken(long line, long lsn, int chain) {
    ScriptedPrimary scripted =
        new ScriptedPrimary().send(Message.START, start(other(at, line, lsn, chain), 0, NONE));
    HeapFollowing following = following(scripted);
    assertThatThrownBy(following::connectToAny)
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("does not follow");
    assertThat(scripted.isClosed()).isTrue();
    assertThat(OpenHeap.engine(replica).applier().position()).isEqualTo(at);
  }

  /** A replica that stored such a place would not know that it is one. */
  @ParameterizedTest
  @CsvSource({"0, 64", "7, -64"})
  void aStartAtAPlaceThatNoLogHasIsNotFollowed(long line, long lsn) {
    ReplicaPosition place = new ReplicaPosition(line, lsn, 0);
    ScriptedPrimary scripted =
        new ScriptedPrimary()
            .send(Message.START, start(place, 0, new ReplicaPosition.Ancestor(at, 64)));
    assertThatThrownBy(() -> run(following(scripted)))
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("a place that no log has");
    assertThat(OpenHeap.engine(replica).applier().position()).isEqualTo(at);
  }

  @Test
  void aPrimaryOfAnotherHeapIsNotFollowed() {
    ScriptedPrimary scripted =
        new ScriptedPrimary()
            .send(Message.START, new Start(new UUID(5, 6), 1, at, 0, NONE).encode());
    HeapFollowing following = following(scripted);
    assertThat(following.connectToAny()).isNull();
    assertThat(following.status().problem()).contains("is a primary of term");
  }

  @Test
  void whatIsAcknowledgedIsWhatIsDurableAndReadable() {
    List<byte[]> parts = commit(5);
    ScriptedPrimary scripted = started();
    parts.forEach(part -> scripted.send(Message.PARTS, part));
    HeapFollowing following = following(scripted);
    assertThat(run(following)).isInstanceOf(EOFException.class);
    scripted.receive(Message.HELLO);
    List<Long> acknowledged = scripted.acknowledgements();
    long end = engine.log().durable();
    assertThat(acknowledged).isSorted().startsWith(at.lsn()).endsWith(end);
    assertThat(following.status().lsn()).isEqualTo(end);
    assertThat(contents(replica)).isEqualTo(contents(primary)).hasSize(5);
    try (Heap left = HeapCopies.open(medium.powerLoss(Chooser.none()), HeapSettings.Role.REPLICA)) {
      assertThat(OpenHeap.engine(left).applier().position().lsn()).isEqualTo(end);
      assertThat(contents(left)).isEqualTo(contents(primary));
    }
  }

  /** Power that is lost when an acknowledgement is on its way leaves what it says. */
  @Test
  void nothingIsAcknowledgedBeforeItIsDurable() {
    List<byte[]> parts = commit(2);
    List<Long> left = new ArrayList<>();
    ScriptedPrimary scripted = started().beforeMessages(() -> left.add(lsnAfterPowerLoss()));
    for (byte[] part : parts) {
      scripted.send(Message.PARTS, part).heartbeat(engine.log().durable());
    }
    assertThat(run(following(scripted))).isInstanceOf(EOFException.class);
    scripted.receive(Message.HELLO);
    List<Long> acknowledged = scripted.acknowledgements();
    List<Long> then = left.subList(1, left.size()); // after the first message
    assertThat(then).hasSameSizeAs(acknowledged);
    for (int i = 0; i < then.size(); i++) {
      assertThat(acknowledged.get(i)).isLessThanOrEqualTo(then.get(i));
    }
    assertThat(acknowledged).endsWith(engine.log().durable());
  }

  private long lsnAfterPowerLoss() {
    try (Heap left = HeapCopies.open(medium.powerLoss(Chooser.none()), HeapSettings.Role.REPLICA)) {
      return OpenHeap.engine(left).applier().position().lsn();
    }
  }

  /** It is at the end of its own log, to which the new primary's ancestor is compared. */
  @Test
  void aFormerPrimaryIsAtTheEndOfItsOwnLog() throws IOException {
    map(primary).put(1, "the last");
    SimulatedMedium killed = formerPrimary.processKill();
    try (Heap former = HeapCopies.open(killed, HeapSettings.Role.REPLICA)) {
      ScriptedPrimary scripted = new ScriptedPrimary().send(Message.HEARTBEAT, new byte[8]);
      HeapFollowing following =
          new HeapFollowing(
              OpenHeap.engine(former),
              scripted.connector(),
              List.of(ScriptedPrimary.ADDRESS),
              "former");
      assertThatThrownBy(following::connectToAny).isInstanceOf(ReplicationException.class);
      Hello hello = Hello.decode(scripted.receive(Message.HELLO).buffer(), "the replica");
      assertThat(hello.position()).isEqualTo(HeapCopies.checkpoint(former));
      assertThat(hello.position().line()).isEqualTo(engine.superblock().createdMillis());
      assertThat(hello.position().lsn()).isGreaterThanOrEqualTo(engine.log().durable());
      assertThat(following.status().lsn()).isEqualTo(hello.position().lsn());
      assertThat(contents(former)).isEqualTo(contents(primary));
    }
  }

  @Test
  void aTransactionOfTheLargestSizeIsFollowed() {
    assertThat(run(following(largeTransaction()))).isInstanceOf(EOFException.class);
    assertThat(contents(replica)).isEqualTo(contents(primary)).hasSize(LARGE_VALUES);
  }

  /** So nothing is lost when a transaction of more than twice its limit is refused early. */
  @Test
  void aReplicaDoesNotApplyATransactionAboveItsLimit() {
    replica.close();
    try (Heap small =
        HeapCopies.open(
            medium.powerLoss(Chooser.none()),
            HeapSettings.Role.REPLICA,
            HeapCopies.MAX_TRANSACTION / 2)) {
      HeapFollowing following =
          new HeapFollowing(
              OpenHeap.engine(small),
              largeTransaction().connector(),
              List.of(ScriptedPrimary.ADDRESS),
              "name");
      assertThat(run(following))
          .isInstanceOf(TooLargeException.class)
          .hasMessageContaining("(EH-TX-TOO-LARGE)");
      assertThat(OpenHeap.engine(small).applier().position()).isEqualTo(at);
    }
  }

  /** The parts of a transaction are in memory until it is complete. */
  @Test
  void aTransactionThatDoesNotEndIsRefused() {
    byte[] parts = new byte[1 << 20];
    ByteBuffer b = ByteBuffer.wrap(parts).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < parts.length; at += PartLayout.MAX_PART) {
      b.putInt(at + PartLayout.LENGTH, PartLayout.MAX_PART | PartLayout.MORE);
    }
    List<WireInput.Frame> frames = new ArrayList<>();
    frames.add(new WireInput.Frame(Message.START.code(), start(at, 0, NONE)));
    long most = 2 * OpenHeap.engine(replica).options().maxTransaction();
    for (long sent = 0; sent <= most; sent += parts.length) {
      frames.add(new WireInput.Frame(Message.PARTS.code(), parts));
    }
    ScriptedPrimary scripted = new ScriptedPrimary();
    for (WireInput.Frame frame : ForgedParts.ofHeap(frames)) {
      scripted.send(Objects.requireNonNull(Message.of(frame.type())), frame.body());
    }
    assertThat(run(following(scripted)))
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("a transaction of more than " + most + " bytes");
    assertThat(OpenHeap.engine(replica).applier().position()).isEqualTo(at);
  }

  /** What came before is applied, and acknowledged at the next connection. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLogWithAGapOrADamagedPartIsNotApplied(boolean damaged) {
    List<byte[]> parts = commit(3);
    if (damaged) {
      parts.get(1)[parts.get(1).length - 9] ^= 1;
    } else {
      parts.remove(1);
    }
    ScriptedPrimary scripted = started();
    parts.forEach(part -> scripted.send(Message.PARTS, part));
    scripted.heartbeat(engine.log().durable());
    assertThat(run(following(scripted)))
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("sent a log that does not continue that of this replica at LSN ")
        .hasMessageNotContaining("restore");
    scripted.receive(Message.HELLO);
    assertThat(scripted.acknowledgements()).allMatch(lsn -> lsn <= at.lsn() + parts.get(0).length);
    assertThat(contents(replica)).containsEntry(0, "value 0").hasSize(1);
    assertThat(OpenHeap.engine(replica).applier().position().lsn())
        .isEqualTo(at.lsn() + parts.get(0).length);
  }

  @ParameterizedTest
  @CsvSource({"-8, 0", "0, 0", "8, 8", "4096, 4096"})
  void theLagIsWhatIsDurableThereAndNotReceivedHere(long more, long lag) {
    List<byte[]> parts = commit(2);
    long end = engine.log().durable();
    ScriptedPrimary scripted = started();
    parts.forEach(part -> scripted.send(Message.PARTS, part));
    scripted.heartbeat(end + more);
    HeapFollowing following = following(scripted);
    assertThat(following.status().silent()).isEqualTo(-1);
    assertThat(run(following)).isInstanceOf(EOFException.class);
    assertThat(following.status().lag()).isEqualTo(lag);
    assertThat(following.status().problem()).isNull();
    scripted.receive(Message.HELLO);
    assertThat(scripted.acknowledgements()).endsWith(end, end);
  }

  /** It is before what was received, or after it, or on another line. */
  @ParameterizedTest
  @CsvSource({"0, 8", "0, -8", "1, 0"})
  void aStartThatLeavesOutAPartOfTheLogEndsTheConnection(long line, long lsn) {
    List<byte[]> parts = commit(1);
    ReplicaPosition end = new ReplicaPosition(at.line(), at.lsn() + parts.get(0).length, 0);
    ScriptedPrimary scripted = started().send(Message.PARTS, parts.get(0));
    scripted.send(Message.START, start(other(end, line, lsn, 0), 0, NONE));
    assertThat(run(following(scripted)))
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("leaves out a part of the log");
  }

  /** It only says that the log goes on, perhaps within a transaction. */
  @Test
  void aStartOfTheSameEpochChangesNothing() {
    List<byte[]> parts = commit(2);
    ReplicaPosition end = new ReplicaPosition(at.line(), at.lsn() + parts.get(0).length, 0);
    ScriptedPrimary scripted =
        started()
            .send(Message.PARTS, parts.get(0))
            .send(Message.START, start(end, 0, NONE))
            .send(Message.PARTS, parts.get(1));
    assertThat(run(following(scripted))).isInstanceOf(EOFException.class);
    assertThat(contents(replica)).isEqualTo(contents(primary));
  }

  @Test
  void otherMessagesEndTheConnection() {
    ScriptedPrimary scripted = started().send(Message.BASE, new byte[8]);
    assertThat(run(following(scripted)))
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("sent BASE");
  }

  /** The primary was promoted where this replica is: its line and its term are taken. */
  @Test
  void aReplicaGoesOnWithThePrimaryThatWasPromotedInItsState() throws IOException {
    ReplicaPosition there = new ReplicaPosition(at.line() + 5, 4_096, 9);
    var ancestor = new ReplicaPosition.Ancestor(at, 4_096);
    ScriptedPrimary scripted = new ScriptedPrimary().send(Message.START, start(there, 7, ancestor));
    HeapFollowing following = following(scripted);
    assertThat(run(following)).isInstanceOf(EOFException.class);
    scripted.receive(Message.HELLO);
    assertThat(scripted.acknowledgements()).containsExactly(4_096L);
    assertThat(OpenHeap.engine(replica).applier().position()).isEqualTo(there);
    assertThat(ReplicaPosition.ancestor(OpenHeap.engine(replica).memory())).isEqualTo(ancestor);
    assertThat(following.status().term()).isEqualTo(7);
    for (long term : new long[] {6, 7, 8}) {
      ScriptedPrimary next =
          new ScriptedPrimary().send(Message.START, start(there, term, ancestor));
      HeapFollowing again = following(next);
      assertThat(again.status().term()).isEqualTo(7);
      assertThat(again.connectToAny() != null).as("term %s", term).isEqualTo(term >= 7);
      Hello hello = Hello.decode(next.receive(Message.HELLO).buffer(), "the replica");
      assertThat(hello.term()).isEqualTo(7);
      assertThat(hello.position()).isEqualTo(there);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 8, 0", "0, -8, 0", "0, 0, 1", "1, 0, 0"})
  void aPrimaryThatWasPromotedInAnotherStateIsNotFollowed(long line, long lsn, int chain) {
    ReplicaPosition there = new ReplicaPosition(at.line() + 5, 4_096, 9);
    var ancestor = new ReplicaPosition.Ancestor(other(at, line, lsn, chain), 4_096);
    ScriptedPrimary scripted = new ScriptedPrimary().send(Message.START, start(there, 7, ancestor));
    assertThatThrownBy(() -> following(scripted).connectToAny())
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("does not follow");
    assertThat(ReplicaPosition.term(OpenHeap.engine(replica).memory())).isZero();
  }
}
