package io.everheap.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerTest {
  @TempDir Path logs;

  /** Echoes numbers; prints much; fails on demand. */
  public static final class Echo implements Subject {
    @Override
    public void open(Map<String, String> parameters) {
      if (parameters.containsKey("broken")) {
        throw new IllegalStateException("it is broken");
      }
    }

    @Override
    public Map<String, Double> measure(String[] request) {
      System.out.println("ok this=666"); // no answer
      return Map.of("value", Double.valueOf(request[1]));
    }

    @Override
    public void close() {}
  }

  @Test
  void aWorkerAnswersEachRequestInOrder() throws IOException {
    try (WorkerProcess worker = WorkerProcess.start(logs, Echo.class, Map.of()).ready()) {
      assertThat(worker.ask("echo", 1.5)).isEqualTo(Map.of("value", 1.5));
      assertThat(worker.ask("echo", 2)).isEqualTo(Map.of("value", 2.0));
    }
  }

  @Test
  void aRequestThatFailsIsToldAndTheWorkerGoesOn() throws IOException {
    try (WorkerProcess worker = WorkerProcess.start(logs, Echo.class, Map.of()).ready()) {
      assertThatThrownBy(() -> worker.ask("echo", "one"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("NumberFormatException");
      assertThat(worker.ask("echo", 2)).isEqualTo(Map.of("value", 2.0));
    }
  }

  @Test
  void aSubjectThatCannotOpenIsNeverReady() throws IOException {
    WorkerProcess worker = WorkerProcess.start(logs, Echo.class, Map.of("broken", "yes"));

    assertThatThrownBy(worker::ready)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("it is broken");
  }

  @Test
  void aWorkerThatWasKilledDoesNotAnswer() throws IOException {
    WorkerProcess worker = WorkerProcess.start(logs, Echo.class, Map.of()).ready();
    worker.kill();

    assertThatThrownBy(() -> worker.ask("echo", 1)).isInstanceOf(IOException.class);
  }

  @Test
  void aWorkerThatMayNotTakeLongerIsEnded() throws IOException {
    WorkerProcess worker = WorkerProcess.start(logs, Echo.class, Map.of()).ready().within(0);

    assertThatThrownBy(() -> worker.ask("echo", 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was not done");
  }

  @Test
  void keysAreAllDifferent() {
    assertThat(java.util.stream.LongStream.range(0, 100_000).map(Scramble::key).distinct())
        .hasSize(100_000);
  }
}
