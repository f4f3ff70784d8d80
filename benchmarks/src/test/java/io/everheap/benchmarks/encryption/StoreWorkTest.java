package io.everheap.benchmarks.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.benchmarks.store.EncryptedEverheapBinding;
import io.everheap.benchmarks.store.Mode;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreWorkTest {
  @TempDir private Path directory;

  @Test
  void anEncryptedStoreIsLoadedWrittenAndRead() throws Exception {
    try (StoreWork work = new StoreWork()) {
      work.open(
          Map.of(
              "binding", EncryptedEverheapBinding.class.getName(),
              "directory", directory.toString(),
              "mode", Mode.POWER.name(),
              "records", "500"));
      work.measure(new String[] {"load"});

      assertThat(work.measure(new String[] {"commit", "20"}).get("ns")).isPositive();
      assertThat(work.measure(new String[] {"get", "1000"}).get("ns")).isPositive();
    }
    assertThat(directory.resolve("heap/keys")).exists();
  }
}
