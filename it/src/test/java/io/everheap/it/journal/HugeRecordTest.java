package io.everheap.it.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Processes;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A record that is larger than all of the heap: of the greatest size, 1 GiB, with {@code
 * -Deverheap.crash.effort=2}.
 */
@Processes
class HugeRecordTest {
  private static final int SIZE =
      Integer.getInteger("everheap.crash.effort", 1) > 1 ? 1 << 30 : 200 << 20;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"sync", "async"})
  void isAppendedReadCheckedAndSalvagedWithAHeapOf64MiB(String durability) throws Exception {
    Process child =
        Child.java(
                List.of("-Xmx64m", "-XX:MaxDirectMemorySize=64m"),
                HugeRecordWorker.class,
                directory.toString(),
                Integer.toString(SIZE),
                durability)
            .redirectErrorStream(true)
            .start();
    String said = new String(child.getInputStream().readAllBytes(), UTF_8);
    assertThat(child.waitFor()).as(said).isZero();
    assertThat(said).contains("as it should be");
  }
}
