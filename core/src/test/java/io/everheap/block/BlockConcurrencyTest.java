package io.everheap.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.error.GoneException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Readers beside a writer see whole commits. */
class BlockConcurrencyTest {
  private static final int ROUNDS = 20_000;

  @Test
  void readersSeeWholeValuesAndWholeCopies() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      Block block = heap.blocks().allocate(300);
      whileWriting(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              block.fill(0, 300, (byte) i);
            }
          },
          () -> {
            long word = block.getLong(5); // in two words
            assertThat(word).isEqualTo((word & 0xff) * 0x0101_0101_0101_0101L);
            byte[] bytes = new byte[300];
            block.copyTo(0, bytes, 0, 300);
            assertThat(Arrays.equals(bytes, filled(bytes[0]))).isTrue();
            return null;
          });
    }
  }

  @Test
  void viewsSeeSeveralBlocksAtOneCommit() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      Block a = heap.blocks().allocate(8);
      Block b = heap.blocks().compactAt(heap.blocks().allocate(8).handle());
      whileWriting(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              int value = i;
              heap.transact(
                  () -> {
                    a.setLong(0, value);
                    b.setLong(0, -value);
                  });
            }
          },
          () -> {
            assertThat(heap.<Long, RuntimeException>read(() -> a.getLong(0) + b.getLong(0)))
                .isZero();
            return null;
          });
    }
  }

  /** Blocks of two sizes take turns in the same space, and each holds its own handle. */
  @Test
  void aReaderNeverSeesAnotherBlocksBytesThroughAHandle() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      Blocks blocks = heap.blocks();
      Block root = heap.block("root", 8);
      whileWriting(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              int size = 8 + i % 2 * 16;
              heap.transact(
                  () -> {
                    long old = root.getLong(0);
                    if (old != 0) {
                      blocks.free(old);
                    }
                    Block block = blocks.allocate(size);
                    block.setLong(size - 8, block.handle());
                    root.setLong(0, block.handle());
                  });
            }
          },
          () -> {
            long handle = root.getLong(0);
            if (handle != 0) {
              try {
                Block block = blocks.at(handle);
                assertThat(block.getLong(block.size() - 8)).isEqualTo(handle);
              } catch (GoneException e) {
                // freed meanwhile
              }
            }
            return null;
          });
    }
  }

  @Test
  void incrementsOfSeveralThreadsAllCount() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      Block block = heap.blocks().allocate(16);
      Callable<Void> task =
          () -> {
            for (int i = 0; i < 2_000; i++) {
              block.getAndAddLong(0, 1);
              int now = block.getInt(9);
              while (!block.compareAndSetInt(9, now, now + 1)) {
                now = block.getInt(9);
              }
            }
            return null;
          };
      run(List.of(task, task, task));

      assertThat(block.getLong(0)).isEqualTo(6_000);
      assertThat(block.getInt(9)).isEqualTo(6_000);
    }
  }

  private static byte[] filled(byte value) {
    byte[] bytes = new byte[300];
    Arrays.fill(bytes, value);
    return bytes;
  }

  private static void whileWriting(Runnable writer, Callable<Void> reader) throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    Callable<Void> reading =
        () -> {
          do {
            reader.call();
          } while (!done.get());
          return null;
        };
    Callable<Void> writing =
        () -> {
          try {
            writer.run();
          } finally {
            done.set(true);
          }
          return null;
        };
    run(List.of(writing, reading, reading));
  }

  private static void run(List<Callable<Void>> tasks) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
      List<Future<Void>> all = new ArrayList<>();
      for (Callable<Void> task : tasks) {
        all.add(threads.submit(task));
      }
      for (Future<Void> one : all) {
        one.get();
      }
    }
  }
}
