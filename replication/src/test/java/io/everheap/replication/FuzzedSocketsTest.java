package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several strangers at once at the port of a primary, who send anything in pieces, or stay. */
@Campaign
class FuzzedSocketsTest {
  private static final int AT_ONCE = 4;

  @TempDir Path dir;

  private record With(InetSocketAddress primary) implements Kind.PeerSettings {
    @Override
    public <B extends PeerBuilder<B>> B apply(B builder) {
      return builder.primary(primary).secret(Numbers.SECRET);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aReplicaFollowsMeanwhile(Kind kind) throws Exception {
    List<Socket> staying = new ArrayList<>();
    try (Log log = new Log();
        Kind.Source source = kind.open(dir.resolve("primary"));
        Primary primary = source.primary().secret(Numbers.SECRET).listen(ReleasedReplicas.ANY)) {
      source.commit(0);
      primary.copies(1);
      int[] number = {1};
      With settings = new With(primary.address());
      try (Kind.Copy replica = kind.replica(dir.resolve("copy"), settings)) {
        long term = source.term();
        Fuzz.of("sockets", WireInput.FORM, WireInput.MUTATION)
            .corpus(kind == Kind.HEAP ? "primary-heap" : "primary-journal")
            .inputs(40)
            .run(
                input -> {
                  send(primary, input, staying);
                  source.commit(number[0]++); // which the replica must acknowledge
                  assertThat(source.term()).isEqualTo(term);
                  assertThat(primary.status().fenced()).isFalse();
                  assertThat(primary.status().replicas()).hasSizeLessThanOrEqualTo(1);
                  assertThat(log.stacks).isEmpty();
                });
        assertThat(replica.size()).isEqualTo(number[0]);
      }
    } finally {
      for (Socket socket : staying) {
        socket.close();
      }
    }
  }

  private static void send(Primary primary, WireInput input, List<Socket> staying)
      throws IOException {
    byte[] wire = input.wire(input.frames());
    for (int i = 0; i < AT_ONCE; i++) {
      Socket socket = new Socket(primary.address().getAddress(), primary.address().getPort());
      try {
        int piece = Math.max(1, wire.length / (i + 1));
        for (int at = 0; at < wire.length; at += piece) {
          socket.getOutputStream().write(wire, at, Math.min(piece, wire.length - at));
        }
      } catch (IOException e) {
        // the primary has ended the connection
      }
      if (i == 0) {
        staying.add(socket); // until the primary ends it
      } else {
        socket.close();
      }
    }
  }
}
