package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.ReplicaPosition;
import io.everheap.error.ReplicationException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of the first messages, which a library of an earlier build sends, too. */
class HelloTest {
  private static final Hello HELLO =
      new Hello(
          Hello.Purpose.FOLLOW,
          new UUID(0x0102030405060708L, 0x090A0B0C0D0E0F10L),
          new ReplicaPosition(0x2122232425262728L, 0x292A2B2C2D2E2F30L, 0x31323334),
          0x4142434445464748L,
          true,
          new Hello.Who(0x5152535455565758L, 0x6162636465666768L, "ä"));

  private static final String BYTES =
      "01"
          + "0102030405060708090a0b0c0d0e0f10"
          + "2122232425262728"
          + "292a2b2c2d2e2f30"
          + "31323334"
          + "4142434445464748"
          + "01"
          + "5152535455565758"
          + "6162636465666768"
          + "c3a4";

  private static Hello decode(byte[] bytes) {
    return Hello.decode(ByteBuffer.wrap(bytes), "the peer");
  }

  @Test
  void aHelloHasTheseBytes() {
    assertThat(HexFormat.of().formatHex(HELLO.encode())).isEqualTo(BYTES);
    assertThat(decode(HexFormat.of().parseHex(BYTES))).isEqualTo(HELLO);
  }

  @ParameterizedTest
  @CsvSource({"JOIN, 0", "FOLLOW, 1", "STATUS, 2", "JOURNAL, 3"})
  void everyPurposeArrives(Hello.Purpose purpose, byte code) {
    Hello sent =
        new Hello(purpose, new UUID(1, 2), ReplicaPosition.NONE, 0, false, Hello.Who.nobody(""));
    assertThat(sent.encode()[0]).isEqualTo(code);
    assertThat(decode(sent.encode())).isEqualTo(sent);
  }

  @Test
  void whatIsTooShortIntroducesNobody() {
    byte[] bytes = HELLO.encode();
    int fixed = bytes.length - 2;
    assertThat(decode(Arrays.copyOf(bytes, fixed)).who().name()).isEmpty();
    for (int length : new int[] {0, 1, 8, fixed - 1}) {
      assertThatThrownBy(() -> decode(Arrays.copyOf(bytes, length)))
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("the peer does not introduce itself");
    }
  }

  /** Names and reasons of others reach logs and terminals. */
  @Test
  void textsOfOthersHaveNoControlCharacters() {
    String hostile = "a\u001b[2J\r\nb\u202ec\u0085\u2028";
    Hello sent =
        new Hello(
            Hello.Purpose.JOIN,
            new UUID(0, 0),
            ReplicaPosition.NONE,
            0,
            false,
            Hello.Who.nobody(hostile));
    assertThat(decode(sent.encode()).who().name()).isEqualTo("a?[2J??b?c??");
    byte[] refusal = new Refusal(Refusal.Reason.LATER, hostile).encode();
    assertThat(Refusal.decode(ByteBuffer.wrap(refusal)).text()).isEqualTo("a?[2J??b?c??");
    ReplicationStatus status =
        new ReplicationStatus(
            "heap",
            hostile,
            new UUID(1, 2),
            0,
            false,
            0,
            0,
            false,
            List.of(new ReplicationStatus.Copy(hostile, hostile, Instant.EPOCH, 0, 0)));
    ReplicationStatus read = ReplicationStatus.decode(ByteBuffer.wrap(status.encode()), "the peer");
    assertThat(read.location() + read.replicas()).doesNotContainPattern("\\p{Cntrl}|\\p{Cf}");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4})
  void anUnknownPurposeIsNamed(int purpose) {
    byte[] bytes = HELLO.encode();
    bytes[0] = (byte) purpose;
    assertThatThrownBy(() -> decode(bytes))
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("something unknown: " + purpose);
  }

  @ParameterizedTest
  @ValueSource(ints = {199, 200, 201, 1_000})
  void aNameIsCutAt200Bytes(int length) {
    Hello sent =
        new Hello(
            Hello.Purpose.JOIN,
            new UUID(0, 0),
            ReplicaPosition.NONE,
            0,
            false,
            Hello.Who.nobody("x".repeat(length)));
    assertThat(decode(sent.encode()).who().name()).isEqualTo("x".repeat(Math.min(200, length)));
  }

  @Test
  void startsHaveTheseBytes() {
    Start start =
        new Start(
            new UUID(1, 2),
            3,
            new ReplicaPosition(4, 5, 6),
            7,
            new ReplicaPosition.Ancestor(new ReplicaPosition(8, 9, 10), 11));
    ByteBuffer expected = ByteBuffer.allocate(80);
    expected.putLong(1).putLong(2).putLong(3).putLong(4).putLong(5).putInt(6);
    expected.putLong(7).putLong(8).putLong(9).putInt(10).putLong(11);
    assertThat(start.encode()).isEqualTo(expected.array());
    assertThat(Start.decode(expected.flip(), "the peer")).isEqualTo(start);
    for (int length : new int[] {0, 79, 81}) {
      assertThatThrownBy(() -> Start.decode(ByteBuffer.allocate(length), "the peer"))
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("the peer does not say what log");
    }
  }

  @Test
  void startsOfJournalsHaveTheseBytes() {
    JournalStart start = new JournalStart(new UUID(1, 2), 3, 4, 5);
    ByteBuffer expected = ByteBuffer.allocate(36);
    expected.putLong(1).putLong(2).putLong(3).putLong(4).putInt(5);
    assertThat(start.encode()).isEqualTo(expected.array());
    assertThat(JournalStart.decode(expected.flip(), "the peer")).isEqualTo(start);
    for (int length : new int[] {0, 35, 37}) {
      assertThatThrownBy(() -> JournalStart.decode(ByteBuffer.allocate(length), "the peer"))
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("the peer does not say what records");
    }
  }

  /** Only these two are lasting: the others may be served by another primary, or later. */
  @ParameterizedTest
  @CsvSource({
    "ANEW, 0, true",
    "FENCED, 1, false",
    "LATER, 2, false",
    "NEVER, 3, true",
    "BUSY, 4, false"
  })
  void aRefusalArrivesWithItsReason(Refusal.Reason reason, byte code, boolean lasting) {
    byte[] bytes = new Refusal(reason, "whü").encode();
    assertThat(bytes[0]).isEqualTo(code);
    assertThat(Refusal.decode(ByteBuffer.wrap(bytes))).isEqualTo(new Refusal(reason, "whü"));
    assertThat(new Refusal(reason, "").exception("the peer").isLasting()).isEqualTo(lasting);
  }

  @Test
  void aRefusalWithoutAKnownReasonIsForEver() {
    assertThat(Refusal.decode(ByteBuffer.allocate(0)))
        .isEqualTo(new Refusal(Refusal.Reason.NEVER, ""));
    byte[] later = "?later".getBytes(StandardCharsets.UTF_8);
    later[0] = 5;
    assertThat(Refusal.decode(ByteBuffer.wrap(later)))
        .isEqualTo(new Refusal(Refusal.Reason.NEVER, "later"));
  }
}
