package io.everheap.benchmarks.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.benchmarks.harness.Curve;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CacheSubjectTest {
  @TempDir private Path directory;

  private Map<String, String> parameters(Class<? extends CacheBinding> binding) {
    return Map.of(
        "binding", binding.getName(),
        "directory", directory.toString(),
        "entries", "500",
        "inHeap", "500",
        "valueBytes", "1000",
        "latency", "1000");
  }

  @ParameterizedTest
  @ValueSource(classes = {BlockCacheBinding.class, DurableCacheBinding.class})
  void aFullCacheHasOnlyHits(Class<? extends CacheBinding> binding) throws Exception {
    try (CacheSubject subject = new CacheSubject()) {
      subject.open(parameters(binding));
      subject.measure(new String[] {"fill"});

      for (String distribution : new String[] {"uniform", "zipf"}) {
        assertThat(subject.measure(new String[] {"run", distribution, "1000", "2", "50"}))
            .containsEntry("hits", 100.0)
            .containsKeys("rate", "p50", "p95", "p99");
      }
      assertThat(subject.measure(new String[] {"hits", "read", "2", "50"})).containsKey("nanos");
      assertThat(subject.measure(new String[] {"hits", "copy", "1", "50"})).containsKey("nanos");
    }
  }

  @Test
  void aReopenedCacheHasWhatTheLastOneHad() throws Exception {
    try (CacheSubject subject = new CacheSubject()) {
      subject.open(parameters(BlockCacheBinding.class));
      subject.measure(new String[] {"fill"});
    }
    try (CacheSubject subject = new CacheSubject()) {
      subject.open(parameters(BlockCacheBinding.class));
      Map<String, Double> found = subject.measure(new String[] {"recover", "2", "500"});

      assertThat(found).containsKeys("open", "ready", "age", "longest", "machine");
      assertThat(Arrays.stream(Curve.read(found)).sum()).isPositive();
      assertThat(Arrays.stream(Curve.read(found, "hits")).sum()).isPositive();
    }
  }
}
