package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.everheap.engine.ReplicaPosition;
import io.everheap.error.ReplicationException;
import io.everheap.journal.Journal;
import io.everheap.journal.replica.JournalFeed;
import io.everheap.journal.replica.JournalOrigin;
import io.everheap.journal.replica.JournalParts;
import io.everheap.journal.replica.JournalPosition;
import io.everheap.journal.replica.JournalReplication;
import io.everheap.journal.replica.JournalTarget;
import io.everheap.memory.MediumSetting;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.SimulatedMedium;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a replica of a journal says, takes and acknowledges. The test plays the primary. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JournalFollowingTest {
  private static final UUID NONE = new UUID(0, 0);

  private final Journal journal =
      MediumSetting.medium(
              Journal.builder(Path.of("primary")).segmentSize(64 << 10), SimulatedMedium.file(1))
          .open();
  private final JournalOrigin origin = JournalReplication.origin(journal, "primary");
  private final SimulatedMedium medium = SimulatedMedium.file(2);
  private final JournalTarget target = target(medium);

  @AfterEach
  void close() {
    target.close();
    journal.close();
  }

  private static JournalTarget target(SimulatedMedium medium) {
    return JournalReplication.target(Journal.builder(Path.of("replica")), medium, null);
  }

  private JournalFollowing following(Connector connector, InetSocketAddress... primaries) {
    return new JournalFollowing(target, connector, List.of(primaries), "name");
  }

  private JournalFollowing following(ScriptedPrimary primary) {
    return following(primary.connector(), ScriptedPrimary.ADDRESS);
  }

  private byte[] start(long term) {
    return new JournalStart(journal.info().uuid(), term, 0, 64 << 10).encode();
  }

  private List<byte[]> parts(JournalPosition from) {
    List<byte[]> all = new ArrayList<>();
    try (JournalFeed feed = origin.feed(from)) {
      for (byte[] part = feed.next(); part.length > 0; part = feed.next()) {
        all.add(part);
      }
    }
    return all;
  }

  /** Follows until the primary ends the connection; returns what the replica acknowledged. */
  private static List<Long> follow(JournalFollowing following, ScriptedPrimary primary)
      throws IOException {
    Following.Established<JournalStart> made =
        Objects.requireNonNull(following.connectToAny(), "connected");
    assertThatThrownBy(() -> following.follow(made.connection(), made.start()))
        .isInstanceOf(EOFException.class);
    primary.receive(Message.HELLO);
    primary.receive(Message.POSITION);
    return primary.acknowledgements();
  }

  private void copy(long term) throws IOException {
    ScriptedPrimary primary = new ScriptedPrimary().send(Message.START, start(term));
    parts(JournalPosition.NONE).forEach(part -> primary.send(Message.PARTS, part));
    follow(following(primary), primary);
    assertThat(target.durable()).isEqualTo(origin.durable());
  }

  @Test
  void aReplicaWithoutAJournalSaysThatItHasNothing() {
    ScriptedPrimary primary = new ScriptedPrimary().send(Message.START, start(3));
    JournalFollowing following = following(primary);
    assertThat(following.status().lsn()).isZero();
    Following.Established<JournalStart> made = Objects.requireNonNull(following.connectToAny());
    assertThat(made.start()).isEqualTo(new JournalStart(journal.info().uuid(), 3, 0, 64 << 10));
    Hello hello = Hello.decode(primary.receive(Message.HELLO).buffer(), "the replica");
    assertThat(hello)
        .isEqualTo(
            new Hello(
                Hello.Purpose.JOURNAL,
                NONE,
                ReplicaPosition.NONE,
                0,
                false,
                new Hello.Who(target.id(), hello.who().opening(), "name")));
    assertThat(JournalPosition.get(primary.receive(Message.POSITION).buffer()))
        .isEqualTo(JournalPosition.NONE);
    assertThat(target.uuid()).isEqualTo(journal.info().uuid());
    assertThat(target.term()).isEqualTo(3);
    assertThat(following.status().term()).isEqualTo(3);
    assertThat(primary.silence()).isEqualTo(5_000);
  }

  @Test
  void aReplicaSaysWhereItIsAndWhatTermItKnows() throws IOException {
    journal.append(new byte[100]);
    copy(7);
    JournalPosition at = target.settle();
    ScriptedPrimary primary = new ScriptedPrimary().send(Message.START, start(7));
    JournalFollowing following = following(primary);
    assertThat(following.status().lsn()).isEqualTo(origin.durable());
    assertThat(following.status().term()).isEqualTo(7);
    following.connectToAny();
    Hello hello = Hello.decode(primary.receive(Message.HELLO).buffer(), "the replica");
    assertThat(hello.heap()).isEqualTo(journal.info().uuid());
    assertThat(hello.term()).isEqualTo(7);
    assertThat(hello.who().id()).isEqualTo(target.id());
    assertThat(JournalPosition.get(primary.receive(Message.POSITION).buffer())).isEqualTo(at);
    assertThat(at.sequence()).isOne();
  }

  @Test
  void aReplicaIsTheSameOneAfterItWasOpenedAgain() throws IOException {
    journal.append(new byte[100]);
    copy(1);
    long id = target.id();
    try (JournalTarget again = target(medium.powerLoss(Chooser.none()))) {
      assertThat(again.id()).isEqualTo(id).isNotZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"6, 6, false", "7, 7, true", "8, 8, true", "4294967303, 4294967303, true"})
  void aPrimaryOfALowerTermIsNotFollowed(long term, long learned, boolean followed)
      throws IOException {
    journal.append(new byte[100]);
    copy(7);
    ScriptedPrimary primary = new ScriptedPrimary().send(Message.START, start(term));
    JournalFollowing following = following(primary);
    Following.Established<JournalStart> made = following.connectToAny();
    assertThat(made != null).isEqualTo(followed);
    assertThat(target.term()).isEqualTo(followed ? learned : 7);
    assertThat(following.status().term()).isEqualTo(followed ? learned : 7);
    assertThat(primary.isClosed()).isEqualTo(!followed);
    if (!followed) {
      assertThat(following.status().problem()).contains("term 6").contains("knows 7");
      assertThat(following.status().failure()).isNull();
    }
  }

  @Test
  void aPrimaryOfAnotherJournalIsNotFollowed() throws IOException {
    journal.append(new byte[100]);
    copy(7);
    ScriptedPrimary primary =
        new ScriptedPrimary()
            .send(Message.START, new JournalStart(new UUID(5, 6), 9, 0, 64 << 10).encode());
    assertThatThrownBy(() -> following(primary).connectToAny())
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("another journal");
    assertThat(target.term()).isEqualTo(7);
    assertThat(target.uuid()).isEqualTo(journal.info().uuid());
  }

  /** The state of the journal must stay readable, and be written again afterwards. */
  @ParameterizedTest
  @CsvSource({"1, -4294967296", "1, -1", "1, -9223372036854775808"})
  void aReleaseWithNumbersThatNoJournalHasIsNotStored(long first, long ordinal) throws IOException {
    journal.append(new byte[100]);
    journal.append(new byte[100]);
    copy(1);
    byte[] part =
        ByteBuffer.allocate(17).put(JournalParts.RELEASED).putLong(first).putLong(ordinal).array();
    ScriptedPrimary primary =
        new ScriptedPrimary().send(Message.START, start(1)).send(Message.PARTS, part);
    JournalFollowing following = following(primary);
    Following.Established<JournalStart> made = Objects.requireNonNull(following.connectToAny());
    assertThatThrownBy(() -> following.follow(made.connection(), made.start()))
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("numbers that no journal has");
    journal.append(new byte[100]);
    ScriptedPrimary again = new ScriptedPrimary().send(Message.START, start(1));
    parts(target.settle()).forEach(each -> again.send(Message.PARTS, each));
    follow(following(again), again);
    assertThat(target.durable()).isEqualTo(origin.durable());
  }

  @Test
  void whatIsAcknowledgedIsAllThatIsDurable() throws IOException {
    for (int i = 0; i < 30; i++) {
      journal.append(new byte[5_000]);
    }
    ScriptedPrimary primary = new ScriptedPrimary().send(Message.START, start(0));
    List<byte[]> parts = parts(JournalPosition.NONE);
    parts.forEach(part -> primary.send(Message.PARTS, part));
    List<Long> acknowledged = follow(following(primary), primary);
    assertThat(acknowledged).isSorted().endsWith(origin.durable()).hasSizeGreaterThan(1);
    assertThat(origin.lag(acknowledged.getFirst())).isGreaterThan(30 * 5_000);
    try (JournalTarget left = target(medium.powerLoss(Chooser.none()))) {
      assertThat(left.settle().sequence()).isEqualTo(30);
      assertThat(left.durable()).isEqualTo(acknowledged.getLast());
    }
  }

  /** Power that is lost when an acknowledgement is on its way leaves what it says. */
  @Test
  void nothingIsAcknowledgedBeforeItIsDurable() throws IOException {
    for (int i = 0; i < 10; i++) {
      journal.append(new byte[5_000]);
    }
    List<Long> left = new ArrayList<>();
    ScriptedPrimary primary =
        new ScriptedPrimary()
            .send(Message.START, start(0))
            .beforeMessages(() -> left.add(durableAfterPowerLoss()));
    for (byte[] part : parts(JournalPosition.NONE)) {
      primary.send(Message.PARTS, part).heartbeat(origin.durable(), 1);
    }
    List<Long> acknowledged = follow(following(primary), primary);
    List<Long> then = left.subList(2, left.size()); // after the first two messages
    assertThat(then).hasSameSizeAs(acknowledged);
    for (int i = 0; i < then.size(); i++) {
      assertThat(acknowledged.get(i)).isLessThanOrEqualTo(then.get(i));
    }
    assertThat(acknowledged).endsWith(origin.durable());
  }

  private long durableAfterPowerLoss() {
    try (JournalTarget left = target(medium.powerLoss(Chooser.none()))) {
      left.settle();
      return left.durable();
    }
  }

  /** Nothing is acknowledged for the half of a piece, nor after one that is wrong. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsIncompleteOrDamagedIsNotAcknowledged(boolean damaged) throws IOException {
    journal.append(new byte[100]);
    copy(0);
    long before = origin.durable();
    JournalPosition at = target.settle();
    journal.append(new byte[100]);
    byte[] part = parts(at).getFirst();
    if (damaged) {
      part[part.length - 20] ^= 1;
    }
    ScriptedPrimary primary =
        new ScriptedPrimary()
            .send(Message.START, start(0))
            .send(Message.PARTS, damaged ? part : Arrays.copyOf(part, part.length - 8))
            .heartbeat(origin.durable(), 1);
    JournalFollowing following = following(primary);
    Following.Established<JournalStart> made = Objects.requireNonNull(following.connectToAny());
    assertThat(catchThrowable(() -> following.follow(made.connection(), made.start())))
        .isInstanceOf(damaged ? ReplicationException.class : EOFException.class);
    primary.receive(Message.HELLO);
    primary.receive(Message.POSITION);
    assertThat(primary.acknowledgements()).containsOnly(before);
    assertThat(target.settle()).isEqualTo(at);
  }

  @ParameterizedTest
  @CsvSource({"-1, 77, 0", "0, 77, 0", "1, 77, 77"})
  void theLagIsThatOfTheHeartbeatUnlessAllIsThere(long more, long said, long lag)
      throws IOException {
    journal.append(new byte[100]);
    copy(0);
    ScriptedPrimary primary =
        new ScriptedPrimary()
            .send(Message.START, start(0))
            .heartbeat(origin.durable() + more, said);
    JournalFollowing following = following(primary);
    assertThat(following.status().silent()).isEqualTo(-1);
    List<Long> acknowledged = follow(following, primary);
    assertThat(acknowledged).containsExactly(origin.durable(), origin.durable());
    assertThat(following.status().lag()).isEqualTo(lag);
    assertThat(following.status().lsn()).isEqualTo(origin.durable());
    assertThat(following.status().silent()).isNotNegative();
    assertThat(following.status().problem()).isNull();
  }

  @ParameterizedTest
  @EnumSource(
      value = Message.class,
      names = {"HELLO", "BASE", "BASE_END", "START", "ACKNOWLEDGED", "STATUS", "POSITION"})
  void otherMessagesEndTheConnection(Message type) {
    ScriptedPrimary primary =
        new ScriptedPrimary().send(Message.START, start(0)).send(type, new byte[36]);
    JournalFollowing following = following(primary);
    Following.Established<JournalStart> made = Objects.requireNonNull(following.connectToAny());
    assertThatThrownBy(() -> following.follow(made.connection(), made.start()))
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("sent " + type);
  }

  @Test
  void aRefusalWhileItFollowsHasItsReason() {
    ScriptedPrimary primary =
        new ScriptedPrimary()
            .send(Message.START, start(0))
            .send(Message.REFUSED, new Refusal(Refusal.Reason.ANEW, "too slow").encode());
    JournalFollowing following = following(primary);
    Following.Established<JournalStart> made = Objects.requireNonNull(following.connectToAny());
    assertThatThrownBy(() -> following.follow(made.connection(), made.start()))
        .isInstanceOfSatisfying(
            Refusal.RefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(Refusal.Reason.ANEW))
        .hasMessageContaining("primary")
        .hasMessageContaining("too slow");
  }

  private static InetSocketAddress address(int port) {
    return InetSocketAddress.createUnresolved("primary", port);
  }

  private static byte[] refusal(Refusal.Reason reason) {
    return new Refusal(reason, "says the test").encode();
  }

  /** At the opening: the first that serves is followed, and a lasting refusal is thrown. */
  @ParameterizedTest
  @EnumSource(Refusal.Reason.class)
  void theNextPrimaryIsAskedUnlessTheRefusalIsLasting(Refusal.Reason reason) throws IOException {
    List<InetSocketAddress> asked = new ArrayList<>();
    ScriptedPrimary refusing = new ScriptedPrimary().send(Message.REFUSED, refusal(reason));
    ScriptedPrimary serving = new ScriptedPrimary().send(Message.START, start(0)).heartbeat(0, 0);
    Connector connector =
        to -> {
          asked.add(to);
          return switch (to.getPort()) {
            case 1 -> throw new IOException("nobody is there");
            case 2 -> refusing.connect();
            default -> serving.connect();
          };
        };
    JournalFollowing following = following(connector, address(1), address(2), address(3));
    boolean lasting = reason == Refusal.Reason.ANEW || reason == Refusal.Reason.NEVER;
    if (lasting) {
      assertThatThrownBy(following::connectToAny)
          .isInstanceOf(Refusal.RefusedException.class)
          .hasMessageContaining("says the test");
    } else {
      Following.Established<JournalStart> made = Objects.requireNonNull(following.connectToAny());
      assertThat(following.status().problem()).contains("says the test");
      assertThatThrownBy(() -> following.follow(made.connection(), made.start()))
          .isInstanceOf(EOFException.class);
      assertThat(following.status().problem()).as("after a heartbeat").isNull();
    }
    assertThat(asked).hasSize(lasting ? 2 : 3).startsWith(address(1), address(2));
    assertThat(refusing.isClosed()).isTrue();
  }

  /** Its thread asks one primary after the other, from the first on, until one serves it. */
  @Test
  void aReplicaGoesFromPrimaryToPrimaryUntilOneServes() throws IOException {
    journal.append(new byte[100]);
    long end = origin.durable();
    List<Integer> asked = Collections.synchronizedList(new ArrayList<>());
    ScriptedPrimary serving = new ScriptedPrimary().send(Message.START, start(0));
    parts(JournalPosition.NONE).forEach(part -> serving.send(Message.PARTS, part));
    Connector connector =
        to -> {
          asked.add(to.getPort());
          int attempt = asked.size();
          if (attempt == 5) {
            return serving.connect();
          }
          if (attempt % 2 == 0) {
            return new ScriptedPrimary()
                .send(Message.REFUSED, refusal(Refusal.Reason.FENCED))
                .connect();
          }
          throw new IOException("attempt " + attempt);
        };
    JournalFollowing following = following(connector, address(1), address(2), address(3));
    following.start(null);
    Limit.until("it has all", () -> following.status().lsn() == end);
    Limit.until("it asks again", () -> asked.size() > 5);
    following.end();
    assertThat(asked).startsWith(1, 2, 3, 1, 2, 3);
    assertThat(following.status().failure()).isNull();
    assertThat(following.status().primary()).isNull();
  }

  @Test
  void aReplicaThatMustBeMadeAnewAsksNobodyElse() {
    List<Integer> asked = Collections.synchronizedList(new ArrayList<>());
    Connector connector =
        to -> {
          asked.add(to.getPort());
          return new ScriptedPrimary()
              .send(Message.REFUSED, refusal(Refusal.Reason.ANEW))
              .connect();
        };
    JournalFollowing following = following(connector, address(1), address(2));
    following.start(null);
    Limit.until("it fails", () -> following.status().failure() != null);
    following.end();
    assertThat(asked).containsExactly(1);
    assertThat(following.status().failure()).contains("says the test");
  }

  /** Also not that it must be made anew, if anyone can have said that. */
  @ParameterizedTest
  @EnumSource(Refusal.Reason.class)
  void noOtherRefusalEndsAReplicaThatRuns(Refusal.Reason reason) throws IOException {
    boolean known = reason != Refusal.Reason.ANEW;
    ScriptedPrimary serving = new ScriptedPrimary().send(Message.START, start(0)).heartbeat(0, 0);
    AtomicInteger asked = new AtomicInteger();
    Connector connector =
        to -> {
          if (asked.incrementAndGet() == 3) {
            return serving.connect();
          }
          return new ScriptedPrimary().send(Message.REFUSED, refusal(reason)).connect(known);
        };
    JournalFollowing following = following(connector, address(1));
    following.start(null);
    Limit.until("it asks after it was served", () -> asked.get() > 3);
    assertThat(following.status().silent()).isNotNegative();
    Limit.until(
        "it says why",
        () -> String.valueOf(following.status().problem()).contains("says the test"));
    assertThat(following.status().failure()).isNull();
    following.end();
  }

  @Test
  void aReplicaThatFollowsSaysWhomAndEndsAtOnce() {
    MemorySocket.Ends ends = MemorySocket.connect("primary", "replica");
    JournalFollowing following =
        following(to -> new Connection(ends.replica(), 0, true), address(1));
    following.start(null);
    try (Connection primary = new Connection(ends.primary(), 0, true)) {
      primary.receive(Message.HELLO);
      primary.receive(Message.POSITION);
      primary.send(Message.START, start(0));
      primary.receive(Message.ACKNOWLEDGED);
      assertThat(following.status().primary()).contains("primary");
      primary.send(
          Message.HEARTBEAT, ByteBuffer.allocate(16).putLong(Long.MAX_VALUE).putLong(9).array());
      primary.receive(Message.ACKNOWLEDGED);
      ends.primary().untilProcessed();
      assertThat(following.status().lag()).isEqualTo(9);
      following.end();
      assertThat(ends.replica().isClosed()).isTrue();
      assertThat(following.status().primary()).isNull();
      assertThat(following.status().failure()).isNull();
    } catch (IOException e) {
      throw new AssertionError(e);
    } finally {
      following.end();
    }
  }
}
