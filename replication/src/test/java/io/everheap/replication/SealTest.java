package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages with a secret, on the way between a primary and a replica. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SealTest {
  @TempDir Path dir;

  private Secret secret;

  /** A connection whose greetings are done, and the bytes that the replica sends on it. */
  private record Pair(Connection primary, Connection replica, MemorySocket.Ends ends) {
    /** The messages that the replica sends, byte by byte, which the primary does not get. */
    List<byte[]> messages(int count) throws IOException {
      List<byte[]> messages = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        replica.send(Message.ACKNOWLEDGED, ("number " + i).getBytes(StandardCharsets.UTF_8));
        messages.add(ends.primary().getInputStream().readNBytes(4 + 1 + 8 + Seal.TAG));
      }
      return messages;
    }

    /** The primary gets these bytes. */
    void arrive(byte[]... messages) throws IOException {
      for (byte[] message : messages) {
        ends.replica().getOutputStream().write(message);
      }
    }

    String received() throws IOException {
      return new String(primary.receive(Message.ACKNOWLEDGED).body(), StandardCharsets.UTF_8);
    }
  }

  @BeforeEach
  void make() {
    secret = Secret.of(dir.resolve("secret"), true);
  }

  private Pair pair() throws Exception {
    MemorySocket.Ends ends = MemorySocket.connect("primary", "replica");
    Connection primary = new Connection(ends.primary(), 0, true);
    Connection replica = new Connection(ends.replica(), 0, true);
    Thread answers =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    Greeting.answer(primary, secret);
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                });
    Greeting.call(replica, secret);
    answers.join();
    return new Pair(primary, replica, ends);
  }

  @Test
  void messagesArriveInBothDirectionsAndAreNotReadable() throws Exception {
    Pair pair = pair();
    List<byte[]> sent = pair.messages(2);
    assertThat(new String(sent.getFirst(), StandardCharsets.ISO_8859_1)).doesNotContain("number");
    pair.arrive(sent.get(0), sent.get(1));
    assertThat(pair.received()).isEqualTo("number 0");
    assertThat(pair.received()).isEqualTo("number 1");
    for (int length : new int[] {0, 1, 15, 16, 17, 100_000}) {
      pair.primary().send(Message.PARTS, new byte[length]);
      assertThat(pair.replica().receive(Message.PARTS).body()).isEqualTo(new byte[length]);
    }
  }

  @Test
  void aMessageThatWasChangedIsRefused() throws Exception {
    for (int i = 4; i < 4 + 1 + 8 + Seal.TAG; i++) {
      Pair pair = pair();
      byte[] message = pair.messages(1).getFirst();
      message[i] ^= 1;
      pair.arrive(message);
      assertThatThrownBy(pair::received)
          .as("byte %s", i)
          .isInstanceOf(ProtocolException.class)
          .hasMessageContaining("changed on its way");
    }
  }

  /** The length is not encrypted. */
  @ParameterizedTest
  @ValueSource(ints = {0, 7, 9})
  void aMessageOfAnotherLengthIsRefused(int length) throws Exception {
    Pair pair = pair();
    byte[] message = pair.messages(1).getFirst();
    ByteBuffer.wrap(message).putInt(length);
    pair.arrive(message, new byte[8]);
    assertThatThrownBy(pair::received).isInstanceOf(ProtocolException.class);
  }

  @Test
  void aMessageThatIsLeftOutRepeatedOrMovedIsNoticed() throws Exception {
    Pair without = pair();
    without.arrive(without.messages(2).get(1));
    assertThatThrownBy(without::received).isInstanceOf(ProtocolException.class);
    Pair twice = pair();
    byte[] message = twice.messages(1).getFirst();
    twice.arrive(message, message);
    assertThat(twice.received()).isEqualTo("number 0");
    assertThatThrownBy(twice::received).isInstanceOf(ProtocolException.class);
    Pair back = pair();
    byte[] own = back.messages(1).getFirst();
    back.ends().primary().getOutputStream().write(own);
    assertThatThrownBy(back.replica()::receive).isInstanceOf(ProtocolException.class);
    Pair one = pair();
    Pair other = pair();
    other.arrive(one.messages(1).getFirst());
    assertThatThrownBy(other::received).isInstanceOf(ProtocolException.class);
  }

  @Test
  void aMessageThatIsNotSealedIsRefused() throws Exception {
    Pair pair = pair();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Frames.write(bytes, Message.ACKNOWLEDGED, new byte[8]);
    pair.arrive(bytes.toByteArray(), new byte[32]);
    assertThatThrownBy(pair::received).isInstanceOf(ProtocolException.class);
  }

  /** A primary that was recorded, or made up, does not know what the replica has just asked. */
  @Test
  void aPrimaryProvesThatItKnowsTheSecret() throws Exception {
    for (int flipped = 10; flipped < Greeting.LENGTH + 32; flipped += 5) {
      MemorySocket.Ends real = MemorySocket.connect("primary", "replica");
      Connection replica = new Connection(real.replica(), 0, true);
      MemorySocket.Ends asked = MemorySocket.connect("primary", "other");
      Frames.write(
          asked.replica().getOutputStream(),
          Message.GREETING,
          Frames.greeting(Greeting.VERSION, true));
      Greeting.answer(new Connection(asked.primary(), 0, true), secret);
      byte[] answer = new Connection(asked.replica(), 0, true).receive().body();
      if (flipped > 10) {
        answer[flipped] ^= 1;
      }
      Frames.write(real.primary().getOutputStream(), Message.GREETING, answer);
      assertThatThrownBy(() -> Greeting.call(replica, secret))
          .isInstanceOf(ProtocolException.class)
          .hasMessageContaining("another secret");
    }
  }

  /** Known bytes, so that another build of the library understands them. */
  @Test
  void sealedMessagesHaveTheseBytes() throws Exception {
    var one = new javax.crypto.spec.SecretKeySpec(new byte[32], "AES");
    var two = new javax.crypto.spec.SecretKeySpec(HexFormat.of().parseHex("01".repeat(32)), "AES");
    Seal seal = new Seal(one, two);
    byte[] first = seal.seal(8, new byte[8]);
    byte[] second = seal.seal(8, new byte[8]);
    assertThat(first).hasSize(1 + 8 + 16).isNotEqualTo(second);
    javax.crypto.Cipher cipher = javax.crypto.Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        javax.crypto.Cipher.DECRYPT_MODE,
        one,
        new javax.crypto.spec.GCMParameterSpec(
            128, HexFormat.of().parseHex("000000000000000000000001")));
    assertThat(cipher.doFinal(second)).isEqualTo(new byte[] {8, 0, 0, 0, 0, 0, 0, 0, 0});
  }
}
