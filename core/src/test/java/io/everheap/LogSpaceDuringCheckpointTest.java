package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableMap;
import io.everheap.engine.EngineOptions;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.MediumSetting;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writers that wait for a log segment do not wait for the checkpoint that would free one. */
class LogSpaceDuringCheckpointTest {
  private static final int SEGMENT = 1 << 18;
  private static final int SEGMENTS = 64;

  @TempDir Path temp;

  @Test
  void writersGoOnWhenASegmentIsMadeWhileACheckpointRuns() throws Exception {
    FaultyMedium medium = new FaultyMedium(temp.resolve("h"), FaultyMedium.Fault.LOST);
    EngineOptions options =
        new EngineOptions(
            1 << 28,
            24,
            (long) SEGMENTS * SEGMENT,
            SEGMENT,
            1 << 18,
            1 << 26,
            1 << 28,
            TestHeaps.HOUR,
            false,
            1_000_000,
            true);
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    HeapBuilder builder = Heap.builder(temp.resolve("h"));
    MediumSetting.medium(builder, medium);
    try (Heap heap = HeapSettings.options(builder, options).open()) {
      DurableMap<Integer, byte[]> map = heap.map("m", Integer.class, byte[].class);
      map.put(-1, new byte[1000]);
      medium.afterNext(
          "write pages",
          () -> {
            writing.countDown();
            Threads.await(goOn);
          });
      Threads.Running<?> checkpoint =
          Threads.start(
              "checkpoint",
              () -> {
                heap.checkpoint();
                return null;
              });
      Limit.await(writing);
      CountDownLatch ready = new CountDownLatch(1);
      Threads.Running<?> writer =
          Threads.start(
              "writer",
              () -> {
                Limit.await(ready);
                // A checkpoint would be due, but nothing has to wait for it.
                byte[] value = new byte[8 << 10];
                for (int i = 0; heap.stats().logUsed() < SEGMENTS / 2L * SEGMENT; i++) {
                  Arrays.fill(value, (byte) i); // a value that stays as it is takes no log
                  map.put(i % 100, value);
                }
                return null;
              });
      medium.afterNext(
          "sync log/new", // the thread that makes segments is slow until the writer waits
          () ->
              Limit.until(
                  "the writer waits, or makes the segment itself",
                  () ->
                      Thread.currentThread().equals(writer.thread())
                          || writer.thread().getState() != Thread.State.RUNNABLE));
      ready.countDown();
      writer.result();
      assertThat(goOn.getCount()).isOne();
      goOn.countDown();
      checkpoint.result();
      assertThat(map).hasSize(101);
    }
  }
}
