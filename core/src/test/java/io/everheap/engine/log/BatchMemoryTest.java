package io.everheap.engine.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.support.FreshJvm;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory for batches of the log grows with them; where it cannot, batches stay small. */
@Campaign
class BatchMemoryTest {
  private static final int TRANSACTIONS = 40;

  @TempDir private Path temp;

  /** A batch of 2 MiB, the largest, does not fit into the smaller limit. */
  @ParameterizedTest
  @ValueSource(strings = {"2m", "64m"})
  void largeTransactionsNeedNoMemoryForTheirWholeSize(String limit) throws Exception {
    int code =
        FreshJvm.run(
            List.of("-Xmx256m", "-XX:MaxDirectMemorySize=" + limit),
            BatchMemoryTest.class,
            temp.resolve("heap").toString());
    assertThat(code).isZero();
    try (Heap heap = Heap.open(temp.resolve("heap"))) {
      assertThat(heap.verify().ok()).isTrue();
      Map<Integer, byte[]> values = heap.map("values", Integer.class, byte[].class);
      for (int i = 0; i < TRANSACTIONS; i++) {
        assertThat(values.get(i)).isEqualTo(value(i));
      }
    }
  }

  /**
   * Puts values of growing sizes, up to 3 MiB, and ends without closing the heap.
   *
   * @param arguments the directory of the heap
   */
  public static void main(String[] arguments) {
    Heap heap = Heap.open(Path.of(arguments[0]));
    Map<Integer, byte[]> values = heap.map("values", Integer.class, byte[].class);
    for (int i = 0; i < TRANSACTIONS; i++) {
      values.put(i, value(i));
    }
    Runtime.getRuntime().halt(0);
  }

  private static byte[] value(int i) {
    byte[] bytes = new byte[(i % 8 + 1) * (3 << 17)];
    new Random(i).nextBytes(bytes);
    return bytes;
  }
}
