package io.everheap.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BenchmarkListTest {
  @Test
  void theBuildGeneratesWhatJmhNeedsToFindTheBenchmarks() throws Exception {
    try (var list = BenchMain.class.getResourceAsStream("/META-INF/BenchmarkList")) {
      assertThat(list).isNotNull();
      assertThat(new String(list.readAllBytes(), StandardCharsets.UTF_8))
          .contains(Crc32cBenchmark.class.getName());
    }
  }
}
