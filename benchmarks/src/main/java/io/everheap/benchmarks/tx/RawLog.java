package io.everheap.benchmarks.tx;

import io.everheap.memory.DurableWrite;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The least that makes anything durable on a file: durable writes of 4 KiB, one after the other, to
 * a file whose blocks are allocated, in one of the ways that an operating system has.
 */
final class RawLog implements AutoCloseable {
  private static final int BLOCK = 4096;
  private static final long SIZE = 64L << 20;
  private static final int CHUNK = 1 << 20;

  private final FileChannel channel;
  private final boolean sync;
  private final ByteBuffer block;
  private long position;

  RawLog(Path file, DurableWrite how) throws IOException {
    if (!Files.exists(file)) {
      allocate(file);
    }
    this.sync = how == DurableWrite.FDATASYNC;
    this.channel = FileChannel.open(file, options(how).toArray(OpenOption[]::new));
    this.block = Arena.ofAuto().allocate(BLOCK, BLOCK).asByteBuffer();
  }

  /** Writes one block; it is durable on return. */
  void append() throws IOException {
    block.clear().putLong(0, position);
    channel.write(block, position);
    if (sync) {
      channel.force(false);
    }
    position = (position + BLOCK) % SIZE;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static void allocate(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer zeros = ByteBuffer.allocateDirect(CHUNK);
      for (long at = 0; at < SIZE; at += CHUNK) {
        channel.write(zeros.clear(), at);
      }
      channel.force(true);
    }
  }

  private static List<OpenOption> options(DurableWrite how) throws IOException {
    List<OpenOption> options = new ArrayList<>();
    options.add(StandardOpenOption.WRITE);
    if (how != DurableWrite.FDATASYNC) {
      options.add(StandardOpenOption.DSYNC);
    }
    if (how == DurableWrite.DIRECT_DSYNC) {
      options.add(direct());
    }
    return options;
  }

  /** By name, as the compiler warns about its package. */
  private static OpenOption direct() throws IOException {
    try {
      Class<?> type = Class.forName("com.sun.nio.file.ExtendedOpenOption");
      return (OpenOption) type.getField("DIRECT").get(null);
    } catch (ReflectiveOperationException e) {
      throw new IOException("this JDK has no direct writes", e);
    }
  }
}
