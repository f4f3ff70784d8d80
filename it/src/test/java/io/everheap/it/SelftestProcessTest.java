package io.everheap.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Processes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The self-test as a user starts it, with a second process that is killed. */
@Processes
class SelftestProcessTest {
  @TempDir private Path directory;

  @Test
  void thisMachinePassesAndNothingIsLeft() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("io.everheap.cli.Main");
    command.addAll(List.of("selftest", "--dir", directory.toString(), "--seconds", "8"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output)
        .contains("PASSED")
        .containsPattern("lock +passed")
        .containsPattern("truncation +passed")
        .containsPattern("read-only opening +passed")
        .containsPattern("kill -9 +passed +[1-9]")
        .containsPattern("power loss +note +not tried");
    assertThat(directory).isEmptyDirectory();
  }
}
