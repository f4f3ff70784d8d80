package io.everheap.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.result.Target;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RunCommandTest {
  @TempDir private Path out;

  @Test
  void allPeersAreMeasuredUnlessSomeAreNamed() {
    assertThat(peersOf()).containsExactlyInAnyOrder("one", "two");
    assertThat(peersOf("--peers")).containsExactlyInAnyOrder("one", "two");
    assertThat(peersOf("--peers", "two")).containsExactly("two");
    assertThat(peersOf("--peers=none")).containsExactly("none");
  }

  private Set<String> peersOf(String... options) {
    Asked asked = new Asked();
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("--quick", "--out", out.toString(), "--dir", "target"));
    new CommandLine(new RunCommand(asked))
        .setOut(new PrintWriter(Writer.nullWriter()))
        .execute(arguments.toArray(String[]::new));
    return asked.peers;
  }

  /** An experiment that only remembers which peers it was asked to measure. */
  private static final class Asked implements Experiment, Part {
    private Set<String> peers = Set.of("nobody asked");

    @Override
    public String name() {
      return "asked";
    }

    @Override
    public String description() {
      return "Remember the peers.";
    }

    @Override
    public List<Target> targets() {
      return List.of();
    }

    @Override
    public Set<String> peers() {
      return Set.of("one", "two");
    }

    @Override
    public List<Part> parts() {
      return List.of(this);
    }

    @Override
    public int steps(Run run) {
      return 1;
    }

    @Override
    public void measure(Run run) {
      peers = run.settings().peers();
    }
  }
}
