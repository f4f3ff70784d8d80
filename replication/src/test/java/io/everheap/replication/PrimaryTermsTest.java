package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.ReplicaPosition;
import io.everheap.error.FencedException;
import io.everheap.journal.Journal;
import io.everheap.journal.replica.JournalFeed;
import io.everheap.journal.replica.JournalOrigin;
import io.everheap.journal.replica.JournalPosition;
import io.everheap.journal.replica.JournalReplication;
import io.everheap.journal.replica.JournalTarget;
import io.everheap.memory.MediumSetting;
import io.everheap.support.Limit;
import io.everheap.testkit.machine.SimulatedMedium;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two primaries of one journal that ask each other, over sockets: the higher term counts. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PrimaryTermsTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final Journal former = open(SimulatedMedium.file(1));
  private final SimulatedMedium promotedMedium = promote();
  private final Journal promoted = open(promotedMedium);

  private static Journal open(SimulatedMedium medium) {
    return MediumSetting.medium(Journal.builder(Path.of("journal")).segmentSize(64 << 10), medium)
        .open();
  }

  /** A replica that has all records of the former primary, and was promoted. */
  private SimulatedMedium promote() {
    former.append(new byte[10]);
    JournalOrigin origin = JournalReplication.origin(former, "former");
    SimulatedMedium medium = SimulatedMedium.file(2);
    try (JournalTarget target =
            JournalReplication.target(Journal.builder(Path.of("journal")), medium, null);
        JournalFeed feed = origin.feed(target.settle())) {
      target.follow(0, origin.uuid(), 0, 64 << 10);
      for (byte[] part = feed.next(); part.length > 0; part = feed.next()) {
        target.accept(part);
      }
      target.promote();
      return medium.processKill();
    }
  }

  @AfterEach
  void close() {
    promoted.close();
    former.close();
  }

  @Test
  void aPromotedPrimaryFencesTheFormerOneThatItAsks() {
    try (Primary old = Primary.of(former).secret(Numbers.SECRET).listen(ANY);
        Primary now =
            Primary.of(promoted).secret(Numbers.SECRET).peers(old.address()).listen(ANY)) {
      assertThat(now.status().term()).isPositive();
      assertThat(now.status().fenced()).isFalse();
      Limit.until("it is fenced", () -> old.status().fenced());
      assertThatThrownBy(() -> former.append(new byte[1])).isInstanceOf(FencedException.class);
      assertThat(promoted.append(new byte[1])).isOne();
    }
  }

  @Test
  void aFormerPrimaryThatAsksThePromotedOneIsFencedBeforeItServes() {
    try (Primary now = Primary.of(promoted).secret(Numbers.SECRET).listen(ANY)) {
      assertThatThrownBy(
              () -> Primary.of(former).secret(Numbers.SECRET).peers(now.address()).listen(ANY))
          .isInstanceOfSatisfying(
              FencedException.class, e -> assertThat(e.term()).isEqualTo(now.status().term()));
      assertThat(JournalSource.of(former).copies().get()).isNull();
      assertThatThrownBy(() -> former.append(new byte[1])).isInstanceOf(FencedException.class);
      assertThat(now.status().fenced()).isFalse();
      assertThat(promoted.append(new byte[1])).isOne();
    }
  }

  /** A copy of the promoted one has the same term. */
  @Test
  void equalTermsFenceNobody() {
    try (Journal twin = open(promotedMedium.processKill());
        Primary first = Primary.of(promoted).secret(Numbers.SECRET).listen(ANY);
        Primary second =
            Primary.of(twin).secret(Numbers.SECRET).peers(first.address()).listen(ANY)) {
      assertThat(second.status().term()).isEqualTo(first.status().term()).isPositive();
      assertThat(first.status().fenced() || second.status().fenced()).isFalse();
    }
  }

  @Test
  void thePrimaryOfAnotherJournalFencesNobody() {
    try (Journal other = open(SimulatedMedium.file(5));
        Primary now = Primary.of(promoted).secret(Numbers.SECRET).listen(ANY);
        Primary others =
            Primary.of(other).secret(Numbers.SECRET).peers(now.address()).listen(ANY)) {
      assertThat(now.status().fenced() || others.status().fenced()).isFalse();
      assertThat(other.append(new byte[1])).isZero();
    }
  }

  @Test
  void aReplicaOfThePromotedPrimaryIsToldItsTerm() {
    JournalSource source = JournalSource.of(promoted);
    try (Primary now = Primary.of(promoted).open()) {
      Copies copies = (Copies) Objects.requireNonNull(source.copies().get());
      Hello hello =
          new Hello(
              Hello.Purpose.JOURNAL,
              source.uuid(),
              ReplicaPosition.NONE,
              now.status().term(),
              false,
              new Hello.Who(1, 0, "replica"));
      ScriptedReplica replica =
          new ScriptedReplica(c -> source.session(now, copies, c))
              .send(
                  Message.HELLO,
                  hello.encode(),
                  Message.POSITION,
                  JournalPosition.NONE.put(ByteBuffer.allocate(JournalPosition.LENGTH)).array());
      JournalStart start = JournalStart.decode(replica.receive(Message.START).buffer(), "it");
      assertThat(start.term()).isEqualTo(now.status().term()).isPositive();
      assertThat(now.status().fenced()).as("by an equal term").isFalse();
      replica.close();
    }
  }

  @Test
  void theStatusOverANetworkIsThatOfThePrimary() {
    InetSocketAddress address;
    try (Primary now = Primary.of(promoted).secret(Numbers.SECRET).listen(ANY)) {
      now.copies(2);
      address = now.address();
      assertThat(Status.of(address).secret(Numbers.SECRET).ask()).isEqualTo(now.status());
      assertThat(now.status().copies()).isEqualTo(2);
    }
    assertThatThrownBy(() -> Status.of(address).secret(Numbers.SECRET).ask())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("no answer");
  }
}
