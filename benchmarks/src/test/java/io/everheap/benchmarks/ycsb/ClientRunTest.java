package io.everheap.benchmarks.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.benchmarks.store.Binding.Opening;
import io.everheap.benchmarks.store.Mode;
import io.everheap.benchmarks.store.SkipListBinding;
import io.everheap.benchmarks.store.Store;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** YCSB's client over a map of the JDK. */
class ClientRunTest {
  private static final RecordShape SHAPE = new RecordShape(200, 3, 10);

  private final Store store =
      new SkipListBinding().open(new Opening(Path.of(""), Mode.VOLATILE, false, 200, 33));

  @Test
  void loadingInsertsEachRecordOnce() throws Exception {
    ClientRun load = ClientRun.load(store, SHAPE, 3);

    assertThat(load.inserted()).isEqualTo(200);
    int[] found = {0};
    store.scan("", 1000, record -> found[0]++);
    assertThat(found[0]).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource(WorkloadMix.class)
  void everyWorkloadRunsOnLoadedRecords(WorkloadMix mix) throws Exception {
    ClientRun.load(store, SHAPE, 1);

    ClientRun run = ClientRun.transactions(store, SHAPE, mix.properties(SHAPE, 200, ""), 2, 50);

    assertThat(run.throughput()).isPositive();
    assertThat(run.percentiles()).containsKey(mix.scans() ? "scan_p99_us" : "read_p99_us");
  }

  @Test
  void percentilesAreOfAllThreadsTheFirstOneIncluded() throws Exception {
    ClientRun.load(store, SHAPE, 1);

    ClientRun run =
        ClientRun.transactions(store, SHAPE, WorkloadMix.C.properties(SHAPE, 200, ""), 1, 50);

    assertThat(run.percentiles().get("read_p50_us")).isPositive();
  }

  @Test
  void whatAStoreThrowsFailsTheRun() {
    Store broken =
        new Store() {
          @Override
          public byte[] get(String key) {
            throw new IllegalStateException("it is broken");
          }

          @Override
          public void put(String key, byte[] value) {}

          @Override
          public void close() {}
        };

    assertThatThrownBy(
            () ->
                ClientRun.transactions(
                    broken, SHAPE, WorkloadMix.C.properties(SHAPE, 200, "uniform"), 1, 20))
        .hasMessageContaining("it is broken");
  }

  @Test
  void aMissingRecordFailsTheRun() {
    assertThatThrownBy(
            () ->
                ClientRun.transactions(
                    store, SHAPE, WorkloadMix.C.properties(SHAPE, 200, ""), 1, 20))
        .hasMessageContaining("not found");
  }

  @Test
  void aShapeHasAShortName() {
    assertThat(new RecordShape(200_000, 10, 100)).hasToString("200k-10x100");
    assertThat(new RecordShape(10_000_000, 1, 1_000_000)).hasToString("10m-1x1000000");
    assertThat(SHAPE).hasToString("200-3x10");
  }
}
