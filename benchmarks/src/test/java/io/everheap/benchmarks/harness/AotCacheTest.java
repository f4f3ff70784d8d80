package io.everheap.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AotCacheTest {
  @TempDir private Path directory;

  @Test
  void aJvmStartsWithWhatAnotherOneLeft() throws IOException {
    AotCache cache = new AotCache(directory);
    assertThat(ask(cache.training(Launch.PLAIN))).isEqualTo(2);
    assertThat(directory.resolve("classes.aot")).isNotEmptyFile();
    assertThat(ask(cache.using(Launch.PLAIN))).isEqualTo(2); // it would end if it could not
  }

  private double ask(Launch launch) throws IOException {
    try (WorkerProcess worker =
        WorkerProcess.start(directory, launch, WorkerTest.Echo.class, Map.of()).ready()) {
      return worker.ask("echo", 2).getOrDefault("value", 0.0);
    }
  }
}
