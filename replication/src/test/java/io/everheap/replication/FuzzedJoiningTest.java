package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.error.EverheapException;
import io.everheap.error.ReplicationException;
import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Any messages instead of a base copy or a status: they are refused, and leave nothing. */
@Campaign
class FuzzedJoiningTest {
  @TempDir Path dir;

  @Test
  void aCopyIsRestoredOrRefused() {
    Fuzz.of("joining", WireInput.FORM, WireInput.MUTATION)
        .inputs(60)
        .allow(EverheapException.class::isInstance)
        .run(this::join);
  }

  private void join(WireInput input) throws IOException {
    Path bystander = Files.createDirectories(dir.resolve("copy.aside")).resolve("file");
    Files.writeString(bystander, "kept");
    Path copy = dir.resolve("copy");
    MemorySocket.Ends ends = MemorySocket.connect("primary", "replica");
    ends.primary().getOutputStream().write(input.wire(input.frames()));
    ends.primary().finish();
    AtomicInteger connections = new AtomicInteger();
    Connector connector =
        _ -> {
          if (connections.getAndIncrement() > 0) {
            throw new IOException("there is no primary");
          }
          Connection made = new Connection(ends.replica(), 0, false);
          Greeting.call(made, null);
          return made;
        };
    try {
      new Joining(copy, connector, "fuzzed", null).join(List.of(ScriptedPrimary.ADDRESS));
    } finally {
      assertThat(dir.resolve("copy.joining")).doesNotExist();
      assertThat(bystander).hasContent("kept");
      open(copy);
    }
  }

  /** What is left can be promoted, or is refused by name. */
  private static void open(Path copy) throws IOException {
    if (Files.exists(copy)) {
      try {
        Replica.of(copy).promote();
      } catch (EverheapException e) {
        assertThat(e.code()).startsWith("EH-");
      }
      try (Stream<Path> files = Files.walk(copy)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @Test
  void aStatusIsReadOrRefused() {
    Fuzz.of("status", WireInput.FORM, WireInput.MUTATION)
        .inputs(2_000)
        .allow(ReplicationException.class::isInstance)
        .run(
            input -> {
              for (WireInput.Frame frame : input.frames()) {
                ReplicationStatus status =
                    ReplicationStatus.decode(ByteBuffer.wrap(frame.body()), "the fuzzer");
                assertThat(status.location()).doesNotContain("\n", "\u001b");
              }
            });
  }
}
