package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.engine.ReplicaPosition;
import io.everheap.error.FencedException;
import io.everheap.support.Limit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How peers are told of a term until they answer, and whom a higher one fences. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AnnouncementTest {
  private final ScriptedOrigin origin = new ScriptedOrigin();
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final List<Integer> asked = Collections.synchronizedList(new ArrayList<>());
  private final List<ScriptedPrimary> peers = new CopyOnWriteArrayList<>();

  private static InetSocketAddress address(int port) {
    return InetSocketAddress.createUnresolved("peer", port);
  }

  private Connection answer(UUID id, long term) throws IOException {
    ReplicationStatus status =
        new ReplicationStatus("heap", "there", id, term, false, 1, 2, true, List.of());
    ScriptedPrimary peer = new ScriptedPrimary().send(Message.STATUS, status.encode());
    peers.add(peer);
    return peer.connect();
  }

  private Announcement announce(Connector connector, InetSocketAddress... to) {
    Announcement announcement =
        new Announcement(
            peer -> {
              asked.add(peer.getPort());
              return connector.connect(peer);
            },
            List.of(to),
            origin,
            (term, from) -> heard.add(term + " " + from));
    announcement.start();
    return announcement;
  }

  @ParameterizedTest
  @CsvSource({"6, false", "7, false", "8, true", "4294967296, true"})
  void aPeerThatAnswersIsAskedOnceAndFencesWithAHigherTerm(long term, boolean fences) {
    origin.term = 7;
    try (Announcement _ = announce(to -> answer(origin.uuid(), term), address(1), address(2))) {
      Limit.until("both are asked", () -> asked.size() == 2);
      Limit.until("both are read", () -> heard.size() == (fences ? 2 : 0));
    }
    assertThat(asked).containsExactly(1, 2);
    if (fences) {
      assertThat(heard).allMatch(text -> text.startsWith(term + " peer"));
    }
    for (ScriptedPrimary peer : peers) {
      assertThat(Hello.decode(peer.receive(Message.HELLO).buffer(), "it"))
          .isEqualTo(
              new Hello(
                  Hello.Purpose.STATUS,
                  origin.uuid(),
                  ReplicaPosition.NONE,
                  7,
                  false,
                  Hello.Who.nobody("status")));
    }
  }

  /** The first one is asked again, the other one is not. */
  @Test
  void aPeerThatIsNotThereIsAskedUntilItAnswers() {
    origin.term = 7;
    Connector connector =
        to -> {
          int times = Collections.frequency(asked, 1);
          if (to.getPort() == 1 && times < 3) {
            throw new IOException("nobody is there");
          }
          return answer(origin.uuid(), to.getPort() == 1 ? 9 : 7);
        };
    try (Announcement _ = announce(connector, address(1), address(2))) {
      Limit.until("it hears of the term", () -> !heard.isEmpty());
    }
    assertThat(asked).containsExactly(1, 2, 1, 1);
    assertThat(heard).singleElement().asString().startsWith("9 peer");
  }

  /** Whatever its term. */
  @Test
  void aPeerThatHasAnotherHeapFencesNothingAndIsAskedAgain() {
    Connector connector = to -> answer(new UUID(asked.size() == 2 ? 1 : 9, 2), 99);
    try (Announcement _ = announce(connector, address(1))) {
      Limit.until("it hears of the term", () -> !heard.isEmpty());
    }
    assertThat(asked).containsExactly(1, 1);
  }

  @Test
  void whoeverIsPromotedWithALowerTermIsFenced() {
    origin.term = 1;
    try (Announcement _ =
        Announcement.start(to -> answer(origin.uuid(), 2), List.of(address(1)), origin)) {
      Limit.until("it is fenced", () -> origin.fenced() != null);
    }
    FencedException why = origin.fenced();
    assertThat(why.term()).isEqualTo(2);
    assertThat(why).hasMessageContaining("with term 2").hasMessageContaining("peer");
  }

  @Test
  void whatAPeerSaysIsItsStatus() {
    ReplicationStatus.Copy copy =
        new ReplicationStatus.Copy("a=b", "there", Instant.ofEpochMilli(17), -1, 3);
    ReplicationStatus status =
        new ReplicationStatus(
            "journal",
            "x y",
            origin.uuid(),
            5,
            true,
            6,
            7,
            true,
            List.of(
                copy,
                new ReplicationStatus.Copy("second", "here", Instant.ofEpochMilli(18), 4, 0)));
    Connector connector =
        to -> new ScriptedPrimary().send(Message.STATUS, status.encode()).connect();
    assertThat(Status.tell(connector, address(1), origin.uuid(), 0)).isEqualTo(status);
    assertThat(Status.tell(connector, address(1), new UUID(0, 0), 0)).isNull();
    assertThat(
            Status.tell(
                to -> new ScriptedPrimary().send(Message.BASE, new byte[1]).connect(),
                address(1),
                origin.uuid(),
                0))
        .isNull();
  }
}
