package io.everheap.benchmarks.encryption;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/**
 * Loads from random places, each of which depends on the one before: of a file that is mapped, as
 * the home image of a heap in plaintext is, or of private pages, in which decrypted ones are. The
 * difference is the processor's translation of addresses, and a bound of what a lookup can cost.
 */
final class RandomLoads {
  private static final int PAGE = 4096;
  private static final int LOADS = 2_000_000;

  private RandomLoads() {}

  /** Nanoseconds of a load; {@code size} bytes are a multiple of 1 MiB. */
  static double nanos(Path directory, long size, boolean isPrivate) throws IOException {
    Files.createDirectories(directory);
    Path file = Files.createTempFile(directory, "loads", ".bytes");
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
      for (long at = 0; at < size; at += bytes.capacity()) {
        int _ = channel.write(bytes.clear(), at);
      }
      channel.force(false);
      MapMode mode = isPrivate ? MapMode.PRIVATE : MapMode.READ_WRITE;
      MemorySegment memory = channel.map(mode, 0, size, arena);
      for (long page = 0; page < size; page += PAGE) {
        if (isPrivate) {
          memory.set(ValueLayout.JAVA_LONG, page, 0);
        } else {
          var _ = memory.get(ValueLayout.JAVA_LONG, page);
        }
      }
      double nanos = 0;
      for (int pass = 0; pass < 2; pass++) { // the first one warms up
        nanos = load(memory);
      }
      return nanos;
    } finally {
      Files.delete(file);
    }
  }

  private static double load(MemorySegment memory) {
    SplittableRandom random = new SplittableRandom(7);
    long words = memory.byteSize() / Long.BYTES;
    long start = System.nanoTime();
    long found = 0;
    for (int i = 0; i < LOADS; i++) {
      found = memory.getAtIndex(ValueLayout.JAVA_LONG, random.nextLong(words) ^ found);
    }
    double nanos = (System.nanoTime() - start) / (double) LOADS;
    if (found != 0) {
      throw new IllegalStateException("a page is not zeros");
    }
    return nanos;
  }
}
