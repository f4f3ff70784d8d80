package io.everheap.cassandra;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.support.tier.Nodes;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node of a test that fails says why, instead of keeping its test waiting. */
@Nodes
class NodeTest {
  @TempDir Path directory;

  @Test
  void aNodeThatCannotStartTellsWhy() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Files.writeString(directory.resolve("port"), String.valueOf(taken.getLocalPort()));
      try (Node node = Node.launch(directory, "10ms", "")) {
        assertThatThrownBy(node::answer)
            .hasMessageContaining("the node ended")
            .hasMessageContaining("is in use by another process");
      }
    }
  }

  @Test
  void aNodeThatDoesNotAnswerTellsWhatItDoes() throws Exception {
    try (Node node = Node.start(directory, "10ms")) {
      assertThatThrownBy(() -> node.answer(Duration.ZERO)) // it was not asked
          .hasMessageContaining("the node ended")
          .hasMessageContaining("Full thread dump");
    }
  }
}
