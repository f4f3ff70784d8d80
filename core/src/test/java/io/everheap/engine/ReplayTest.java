package io.everheap.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.log.EntryLayout;
import io.everheap.engine.log.Log;
import io.everheap.engine.log.PartLayout;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records with right checksums, made by hand, that store where they must not. */
class ReplayTest {
  private static final long VALUE = 0x1122_3344_5566_7788L;

  @TempDir Path temp;

  private static Engine open(Path heap) {
    Medium medium = FileMedium.open(heap, false, true);
    try {
      return Engine.open(medium, EngineTest.small(true));
    } catch (RuntimeException e) {
      medium.close();
      throw e;
    }
  }

  /** What a killed process leaves whose last record holds these words. */
  private Path killedBehind(long... entries) {
    Path running = temp.resolve("running");
    try (Engine engine = open(running)) {
      Log log = engine.log();
      int length = PartLayout.HEADER_SIZE + 8 * entries.length;
      log.reserve(length);
      int at = log.openPart(length) + PartLayout.HEADER_SIZE;
      for (int i = 0; i < entries.length; i++) {
        log.buffer().putLong(at + 8 * i, entries[i]);
      }
      log.awaitDurable(log.closePart(length, false));
      return HeapCopy.killed(running, temp.resolve("killed"));
    }
  }

  private Path killedBehindFill(long address, long stride, long times) {
    return killedBehind(EntryLayout.fill(address), stride | times << 32, VALUE);
  }

  @ParameterizedTest
  @CsvSource({
    "524288, 8, 32768",
    "524288, 262136, 2",
    "524288, 131072, 2",
    "786424, 8, 1",
    "524288, 4294967288, 1"
  })
  void aFillWithinAChunkIsApplied(long address, long stride, long times) {
    try (Engine engine = open(killedBehindFill(address, stride, times))) {
      assertThat(engine.memory().getLong(address)).isEqualTo(VALUE);
      assertThat(engine.memory().getLong(address + stride * (times - 1))).isEqualTo(VALUE);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "524288, 8, 32769",
    "524296, 8, 32768",
    "524288, 262144, 2",
    "786424, 8, 2",
    "524288, 8, 4294967295",
    "524288, 4294967288, 2"
  })
  void aFillBeyondItsChunkIsRefused(long address, long stride, long times) throws Exception {
    assertRefused(killedBehindFill(address, stride, times), "fills " + times + " words");
  }

  @ParameterizedTest
  @CsvSource({"0, 8, 1", "4096, 8, 4", "8184, 8, 2", "17592186044408, 8, 1", "1073741824, 8, 1"})
  void aFillOfASuperblockOrBeyondTheHomeImageIsRefused(long address, long stride, long times)
      throws Exception {
    assertRefused(killedBehindFill(address, stride, times), "changes address " + address);
  }

  @ParameterizedTest
  @CsvSource({"0", "4096", "8184", "17592186044408", "1073741824"})
  void aRunOfASuperblockOrBeyondTheHomeImageIsRefused(long address) throws Exception {
    assertRefused(killedBehind(EntryLayout.run(address, 1), 77), "changes address " + address);
  }

  @Test
  void aRunThatEndsBeyondTheHomeImageIsRefused() throws Exception {
    long size = 1L << 22; // an extent, to which the file of a running heap reaches
    long address = size - 8;
    assertRefused(killedBehind(EntryLayout.run(address, 2), 77, 78), "changes address " + address);
  }

  private static void assertRefused(Path heap, String what) throws Exception {
    byte[] before = Files.readAllBytes(heap.resolve("heap"));
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> open(heap))
        .returns("EH-CORRUPT", EverheapException::code)
        .withMessageContaining(what)
        .withMessageContaining(heap.toString());
    byte[] after = Files.readAllBytes(heap.resolve("heap"));
    int from = (int) HomeLayout.CATALOG_ADDRESS;
    assertThat(after.length).isEqualTo(before.length);
    assertThat(Arrays.equals(after, from, after.length, before, from, before.length))
        .as("the home image behind the superblocks is what it was")
        .isTrue();
  }
}
