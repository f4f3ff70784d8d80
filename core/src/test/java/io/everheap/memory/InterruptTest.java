package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A user's thread may be interrupted at any time: its I/O completes and its flag stays. */
class InterruptTest {
  private static final int BLOCKS = 1000;

  @TempDir Path temp;

  private final Arena arena = Arena.ofShared();

  @AfterEach
  void free() {
    Thread.interrupted();
    arena.close();
  }

  @Test
  void everyOperationWorksInAnInterruptedThreadWhichStaysInterrupted() {
    Thread.currentThread().interrupt();

    try (var medium = FileMedium.open(temp.resolve("heap"), false, true)) {
      interrupted(medium.probeDurableWrite());
      try (MediumFile file = medium.create("log/1")) {
        file.write(block(7), 0);
        interrupted(file);
        file.sync();
        interrupted(file);
        file.truncate(3 * 4096);
        interrupted(file);
        file.writeDurably(block(8), 4096);
        interrupted(file);
        assertThat(file.size()).isEqualTo(3 * 4096);
        ByteBuffer read = ByteBuffer.allocate(8192);
        assertThat(file.read(read, 0)).isEqualTo(8192);
        assertThat(read.get(0)).isEqualTo((byte) 7);
        assertThat(read.get(4096)).isEqualTo((byte) 8);
        interrupted(file);
        try (Region shared = file.map(Mapping.SHARED, 0, 4096);
            Region copy = file.map(Mapping.PRIVATE, 4096, 4096)) {
          assertThat(shared.getByte(0)).isEqualTo((byte) 7);
          assertThat(copy.getByte(0)).isEqualTo((byte) 8);
          shared.force(0, 4096);
        }
        interrupted(file);
      }
      medium.rename("log/1", "log/2");
      medium.syncDirectory("log");
      assertThat(medium.list("log")).containsExactly("2");
      medium.delete("log/2");
      interrupted(medium);
    }
    interrupted(temp);
    assertThat(DaxMedium.supported(temp)).isIn(true, false);
    interrupted(temp);
  }

  @ParameterizedTest
  @EnumSource(DurableWrite.class)
  void durableWritesSurviveAHailOfInterrupts(DurableWrite how) throws Exception {
    ByteBuffer block = block(0);
    write(
        how,
        file -> {
          for (int i = 0; i < BLOCKS; i++) {
            block.clear().putInt(0, i).putInt(4092, ~i);
            file.writeDurably(block, i * 4096L);
          }
        });
  }

  @Test
  void plainWritesAndSyncsSurviveAHailOfInterrupts() throws Exception {
    ByteBuffer block = block(0);
    write(
        DurableWrite.FDATASYNC,
        file -> {
          for (int i = 0; i < BLOCKS; i++) {
            block.clear().putInt(0, i).putInt(4092, ~i);
            file.write(block, i * 4096L);
            if (i % 10 == 0) {
              file.sync();
            }
          }
        });
  }

  @Test
  void mappingAndLockingSurviveAHailOfInterrupts() throws Exception {
    Path heap = temp.resolve("heap");
    underInterrupts(
        () -> {
          for (int i = 0; i < 100; i++) {
            try (var medium = FileMedium.open(heap, false, true);
                MediumFile file = i == 0 ? medium.create("heap") : medium.open("heap");
                Region region = file.map(Mapping.SHARED, 0, 4096)) {
              assertThat(region.getInt(0)).isEqualTo(i);
              region.putInt(0, i + 1);
            }
          }
        });
  }

  private void write(DurableWrite how, Consumer<MediumFile> body) throws Exception {
    try (var medium = FileMedium.open(temp, false, false)) {
      medium.create("log").close();
      try (MediumFile file = medium.openLog("log", how)) {
        underInterrupts(() -> body.accept(file));

        assertThat(file.size()).isEqualTo(BLOCKS * 4096L);
        ByteBuffer read = ByteBuffer.allocate(4096);
        for (int i = 0; i < BLOCKS; i++) {
          assertThat(file.read(read.clear(), i * 4096L)).isEqualTo(4096);
          assertThat(read.getInt(0)).isEqualTo(i);
          assertThat(read.getInt(4092)).isEqualTo(~i);
        }
        file.writeDurably(block(9), 0);
        assertThat(file.read(read.clear(), 0)).isEqualTo(4096);
        assertThat(read.get(0)).isEqualTo((byte) 9);
      }
    }
  }

  /** Runs the body in a thread that another one interrupts all the time. */
  private static void underInterrupts(Runnable body) throws InterruptedException {
    var flagged = new AtomicBoolean();
    var failure = new Throwable[1];
    Thread worker =
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  try {
                    body.run();
                  } catch (Throwable e) {
                    failure[0] = e;
                  }
                  Thread.currentThread().interrupt(); // in case the body outran the interrupter
                  flagged.set(Thread.currentThread().isInterrupted());
                });
    Thread interrupter =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  while (worker.getState() != Thread.State.TERMINATED) {
                    worker.interrupt();
                  }
                });
    worker.start();
    Limit.join(worker);
    Limit.join(interrupter);
    assertThat(failure[0]).isNull();
    assertThat(flagged).isTrue();
  }

  private static void interrupted(Object after) {
    assertThat(Thread.currentThread().isInterrupted()).as("after %s", after).isTrue();
  }

  private ByteBuffer block(int value) {
    var segment = arena.allocate(4096, 4096);
    segment.fill((byte) value);
    return segment.asByteBuffer();
  }
}
