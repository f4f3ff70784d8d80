package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.fuzz.Form;
import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.fuzz.Mutation;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/**
 * Somebody on the way changes sealed messages. An input has the bits that are inverted, byte by
 * byte; what it has beyond the messages is appended, and where it ends the connection ends.
 */
@Campaign
class FuzzedSealTest {
  private static final int MESSAGES = 8;
  private static final int LENGTH = 4 + 1 + 8 + Seal.TAG;

  private final Secret secret = Secret.of(Numbers.SECRET, true);

  @Test
  void nothingIsReceivedFromTheFirstChangeOn() {
    Fuzz.of("seal", Form.BYTES, Mutation.bytes())
        .from(new byte[MESSAGES * LENGTH])
        .from(new byte[3 * LENGTH + 7])
        .inputs(1_000)
        .run(this::check);
  }

  private void check(byte[] mask) throws Exception {
    MemorySocket.Ends ends = MemorySocket.connect("primary", "replica");
    Connection primary = new Connection(ends.primary(), 0, true);
    Connection replica = new Connection(ends.replica(), 0, true);
    FutureTask<Void> answer =
        new FutureTask<>(
            () -> {
              Greeting.answer(primary, secret);
              return null;
            });
    Thread.ofPlatform().daemon().start(answer);
    Greeting.call(replica, secret);
    answer.get();
    for (long i = 0; i < MESSAGES; i++) {
      replica.send(Message.ACKNOWLEDGED, ByteBuffer.allocate(8).putLong(i).array());
    }
    byte[] sent = ends.primary().getInputStream().readNBytes(MESSAGES * LENGTH);
    byte[] arrives = Arrays.copyOf(sent, mask.length);
    for (int i = 0; i < mask.length; i++) {
      arrives[i] ^= mask[i];
    }
    ends.replica().getOutputStream().write(arrives);
    ends.replica().finish();
    int changed = Arrays.mismatch(sent, arrives);
    long whole = (changed < 0 ? sent.length : changed) / LENGTH;
    for (long i = 0; i < whole; i++) {
      assertThat(primary.receive(Message.ACKNOWLEDGED).buffer().getLong()).isEqualTo(i);
    }
    try {
      primary.receive();
    } catch (IOException e) {
      return;
    }
    throw new AssertionError("a message that was changed is received");
  }
}
