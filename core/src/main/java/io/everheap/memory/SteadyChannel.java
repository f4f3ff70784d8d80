package io.everheap.memory;

import io.everheap.files.FileChecks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file channel that an interrupt does not close. All I/O runs in the calling thread. Thread-safe.
 *
 * <p>A {@link java.nio.channels.FileChannel} is interruptible: it is closed if a thread that uses
 * it is interrupted, and the exception that reports this hides the result of the write or sync. The
 * kernel reports the error of a sync only once, so repeating the sync on a new channel could report
 * success for bytes that are lost. An {@link AsynchronousFileChannel} is not interruptible; with an
 * executor that runs tasks in the submitting thread it does plain positional I/O in that thread.
 *
 * <p>The JDK's channel counts the threads in it, and its close waits until they have left. A
 * StackOverflowError or an OutOfMemoryError within the counting leaves a thread in it for ever. So
 * the threads are counted here, too, and a close leaves the JDK's channel open if an error struck
 * in it: the channel is not used after that, but its file is open until the process ends.
 */
final class SteadyChannel implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final AsynchronousFileChannel channel;
  private final AtomicInteger inside = new AtomicInteger();
  private volatile boolean errorStruck; // stores, which no second error prevents
  private volatile boolean closed;

  SteadyChannel(AsynchronousFileChannel channel) {
    this.channel = channel;
  }

  static SteadyChannel open(Path path, OpenOption... options) throws IOException {
    return new SteadyChannel(
        AsynchronousFileChannel.open(
            FileChecks.refusePipe(path), Set.of(options), CallerRuns.INSTANCE));
  }

  long size() throws IOException {
    return call(channel::size);
  }

  /** Truncates the file; does nothing if it is shorter. */
  void truncate(long size) throws IOException {
    call(() -> channel.truncate(size));
  }

  /** Reads until the buffer is full or the file ends, and returns the number of bytes. */
  int read(ByteBuffer target, long position) throws IOException {
    int total = 0;
    while (target.hasRemaining()) {
      long from = position + total;
      int read = await(call(() -> channel.read(target, from)));
      if (read < 0) {
        break;
      }
      total += read;
    }
    return total;
  }

  /** Writes the whole buffer. */
  void write(ByteBuffer source, long position) throws IOException {
    int start = source.position();
    while (source.hasRemaining()) {
      long to = position + (source.position() - start);
      await(call(() -> channel.write(source, to)));
    }
  }

  /** Writes the whole buffer, every attempt beginning at a multiple of the block size. */
  void writeBlocks(ByteBuffer source, long position) throws IOException {
    int start = source.position();
    boolean progress = true;
    while (source.hasRemaining()) {
      int before = source.position();
      long to = position + (before - start);
      await(call(() -> channel.write(source, to)));
      // After a partial write of a block, a direct write must begin with that block again.
      int aligned = source.position() - (source.position() - start) % MediumFile.BLOCK;
      if (source.hasRemaining()) {
        source.position(aligned);
      }
      if (aligned == before && !progress) {
        throw new IOException("the operating system wrote less than a block, twice");
      }
      progress = aligned != before;
    }
  }

  /** Makes the file's data, and the metadata needed to find it, durable. */
  void sync() throws IOException {
    force(false);
  }

  /** Makes data and all metadata durable; for a directory, its entries. */
  void syncAll() throws IOException {
    force(true);
  }

  private void force(boolean metadata) throws IOException {
    call(
        () -> {
          channel.force(metadata);
          return channel;
        });
  }

  /** Waits for uses that have begun; later ones fail. */
  @Override
  public void close() throws IOException {
    closed = true;
    boolean _ = Closing.await(() -> inside.get() == 0 || errorStruck, Long.MAX_VALUE);
    if (errorStruck) { // then the count may be wrong, too
      boolean _ = Closing.await(() -> inside.get() == 0, PATIENCE_NANOS);
    } else {
      channel.close();
    }
  }

  /** Every use of the channel passes here. */
  private <T> T call(Threads.Call<T> use) throws IOException {
    try {
      inside.incrementAndGet();
      try {
        if (closed) {
          throw new ClosedChannelException();
        }
        return use.run();
      } catch (IllegalMonitorStateException e) { // of an unlock in a finally, instead of the error
        errorStruck = true;
        throw new IOException("an error of the virtual machine interrupted the JDK's channel", e);
      } catch (Error e) {
        errorStruck = true; // before this thread leaves, so that a close sees it
        throw e;
      } finally {
        inside.decrementAndGet();
      }
    } catch (Error e) { // perhaps of the count
      errorStruck = true;
      throw e;
    }
  }

  private static int await(Future<Integer> done) throws IOException {
    // The task has run, so this returns at once; the loop only honours the contract of get().
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return done.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IOException(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Runs each task in the thread that submits it; never shut down. */
  private static final class CallerRuns extends AbstractExecutorService {
    static final CallerRuns INSTANCE = new CallerRuns();

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void shutdown() {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<Runnable> shutdownNow() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return false;
    }
  }
}
