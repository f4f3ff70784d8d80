package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.collection.DurableMap;
import io.everheap.error.DiskFullException;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.MediumSetting;
import io.everheap.support.Limit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transaction that the log has no room for on a full disk waits for a checkpoint. */
class FullDiskCheckpointTest {
  @TempDir Path temp;

  private static long segments(Path heap) {
    try (Stream<Path> files = Files.list(heap.resolve("log"))) {
      return files.filter(f -> f.getFileName().toString().length() == 16).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void change(Heap heap, DurableMap<Integer, String> map, int pages, String text) {
    heap.transact(
        () -> {
          for (int i = 0; i < pages; i++) {
            map.put(i, text.repeat(4000));
          }
        });
  }

  @Test
  void aLargeTransactionWaitsForTheCheckpointThatMakesRoom() throws Exception {
    try (SmallDisk disk = new SmallDisk(temp.resolve("disk"), 32 << 10)) {
      FaultyMedium medium = new FaultyMedium(disk.heap(), FaultyMedium.Fault.LOST);
      HeapBuilder builder = Heap.builder(disk.heap());
      MediumSetting.medium(builder, medium);
      try (Heap heap = HeapSettings.options(builder, TestHeaps.automatic()).open()) {
        DurableMap<Integer, String> map = heap.map("m", Integer.class, String.class);
        change(heap, map, 15, "a");
        change(heap, map, 15, "b");
        heap.checkpoint();
        int n = 0;
        while (heap.stats().logUsed() < 130 << 10) { // a third segment
          map.put(0, String.valueOf((char) ('c' + n++ % 20)).repeat(4000));
        }
        Limit.until("two segments are made ahead", () -> segments(disk.heap()) >= 5);
        disk.fill(40);
        CountDownLatch goOn = new CountDownLatch(1);
        medium.afterNext("write pages", () -> Threads.await(goOn));
        assertThatExceptionOfType(DiskFullException.class)
            .isThrownBy(() -> change(heap, map, 15, "y"));
        Threads.Running<?> again =
            Threads.start(
                "again",
                () -> {
                  change(heap, map, 15, "z");
                  return null;
                });
        Limit.until(
            "the second change waits for the checkpoint",
            () ->
                !again.thread().isAlive()
                    || again.thread().getState() == Thread.State.TIMED_WAITING);
        goOn.countDown();
        again.result();
        assertThat(map).containsEntry(14, "z".repeat(4000));
      }
    }
  }
}
