package io.everheap.benchmarks.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.error.MediumException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmulatedDaxMediumTest {
  @TempDir Path directory;
  @TempDir Path logs;

  private WorkerProcess child() throws IOException {
    return WorkerProcess.start(
            logs, DaxSubject.class, Map.of("directory", directory.resolve("heap").toString()))
        .ready();
  }

  @Test
  void withoutTheOptionOfTheJvmItIsRefusedWithThatOption() {
    assertThatThrownBy(() -> EmulatedDaxMedium.open(directory))
        .isInstanceOf(MediumException.class)
        .hasMessageContaining("(EH-UNSUPPORTED)")
        .hasMessageContaining("--add-exports java.base/jdk.internal.misc=ALL-UNNAMED");
  }

  @Test
  void aCommitSurvivesTheEndOfItsProcess() throws IOException {
    WorkerProcess victim = child();
    try {
      victim.ask("commit", 42);
    } finally {
      victim.kill();
    }
    try (WorkerProcess heir = child()) {
      assertThat(heir.ask("load")).containsEntry("value", 42.0);
    }
  }

  @Test
  void whatOneMappingStoresAnotherLoads() throws IOException {
    try (WorkerProcess worker = child()) {
      assertThat(worker.ask("force")).containsEntry("value", 7.0);
    }
  }

  @Test
  void aForceOutsideOfTheRegionIsRefused() throws IOException {
    try (WorkerProcess worker = child()) {
      assertThat(worker.ask("force-outside")).containsEntry("refused", 1.0);
    }
  }
}
