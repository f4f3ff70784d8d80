package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.everheap.SmallStacks;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Errors of the virtual machine strike within the JDK's file channel. */
@Campaign
class SteadyChannelTest {
  private static final int THREADS = 200;
  private static final int LEVELS = 60;
  private static final int LENGTH = 4096;

  @TempDir Path temporary;

  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  enum Use {
    READ {
      @Override
      void of(SteadyChannel channel) throws IOException {
        channel.read(ByteBuffer.allocateDirect(LENGTH), 0);
      }
    },
    WRITE {
      @Override
      void of(SteadyChannel channel) throws IOException {
        channel.write(ByteBuffer.allocateDirect(LENGTH), 0);
      }
    },
    SYNC {
      @Override
      void of(SteadyChannel channel) throws IOException {
        channel.sync();
      }
    };

    abstract void of(SteadyChannel channel) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void isClosedWhileThreadsLiveThatErrorsStruckInIt(Use use) throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    try {
      strikeUseAndClose(use, end);
    } finally {
      end.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void isClosedAfterThreadsEndedThatErrorsStruckInIt(Use use) throws Exception {
    strikeUseAndClose(use, new CountDownLatch(0));
  }

  private void strikeUseAndClose(Use use, CountDownLatch end) throws Exception {
    SteadyChannel channel = open();
    new SmallStacks(
            LEVELS,
            e -> e.getCause() instanceof IllegalMonitorStateException,
            () -> use.of(channel))
        .strike(THREADS, end);

    channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), LENGTH);
    ByteBuffer read = ByteBuffer.allocate(2 * LENGTH);
    assertThat(channel.read(read, 0)).isEqualTo(LENGTH + 3);
    assertThat(read.get(LENGTH + 2)).isEqualTo((byte) 3);

    assertEnds(closing(channel));
    assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(channel::size);
  }

  private SteadyChannel open() throws IOException {
    Path path = Files.write(temporary.resolve("file"), new byte[LENGTH]);
    return SteadyChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Test
  void isClosedOnceAndForAllIfNoErrorStruck() throws Exception {
    Stub jdk = new Stub();
    SteadyChannel channel = new SteadyChannel(jdk);
    channel.close();
    channel.close();
    assertThat(jdk.open).isFalse();
    assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(channel::sync);
  }

  @Test
  void leavesTheFileOpenAfterAnError() throws Exception {
    Stub jdk = new Stub();
    jdk.error = new StackOverflowError("made up");
    SteadyChannel channel = new SteadyChannel(jdk);
    assertThatExceptionOfType(StackOverflowError.class).isThrownBy(channel::sync);

    jdk.error = null;
    channel.sync();
    channel.close();
    assertThat(jdk.open).isTrue(); // the JDK's close might wait for ever
    assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(channel::sync);
  }

  @Test
  void reportsAnErrorThatTheJdkReplaced() {
    Stub jdk = new Stub();
    jdk.error = new IllegalMonitorStateException("made up");
    SteadyChannel channel = new SteadyChannel(jdk);
    assertThatIOException().isThrownBy(channel::sync).withCause(jdk.error);
  }

  @Test
  void waitsForUsesThoughAnErrorStruckInAnother() throws Exception {
    Stub jdk = new Stub();
    SteadyChannel channel = new SteadyChannel(jdk);
    jdk.error = new StackOverflowError("made up");
    assertThatExceptionOfType(StackOverflowError.class).isThrownBy(channel::sync);
    jdk.error = null;
    jdk.end = new CountDownLatch(1);

    Thread using = Thread.ofPlatform().daemon().start(() -> keep(channel::sync));
    Limit.await(jdk.begun);
    Thread closing = closing(channel);
    Limit.until(
        "the close waits",
        () -> {
          assertThat(closing.isAlive()).isTrue();
          return closing.getState() == Thread.State.TIMED_WAITING;
        });
    jdk.end.countDown();
    assertEnds(using);
    assertEnds(closing);
  }

  private Thread closing(SteadyChannel channel) {
    return Thread.ofPlatform().daemon().start(() -> keep(channel::close));
  }

  private void assertEnds(Thread thread) throws InterruptedException {
    Limit.join(thread);
    assertThat(failure.get()).isNull();
  }

  private void keep(SmallStacks.Use action) {
    try {
      action.run();
    } catch (Throwable t) {
      failure.compareAndSet(null, t);
    }
  }

  /** A channel that can only be synced and closed. */
  private static final class Stub extends AsynchronousFileChannel {
    volatile @Nullable Throwable error;
    volatile @Nullable CountDownLatch end;
    final CountDownLatch begun = new CountDownLatch(1);
    boolean open = true;

    @Override
    public void force(boolean metadata) {
      Throwable now = error;
      if (now instanceof Error e) {
        throw e;
      } else if (now instanceof RuntimeException e) {
        throw e;
      }
      CountDownLatch latch = end;
      if (latch != null) {
        begun.countDown();
        try {
          Limit.await(latch);
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public void close() {
      open = false;
    }

    @Override
    public long size() {
      throw new UnsupportedOperationException();
    }

    @Override
    public AsynchronousFileChannel truncate(long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <A> void lock(
        long position,
        long size,
        boolean shared,
        A attachment,
        CompletionHandler<FileLock, ? super A> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<FileLock> lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <A> void read(
        ByteBuffer target,
        long position,
        A attachment,
        CompletionHandler<Integer, ? super A> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Integer> read(ByteBuffer target, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <A> void write(
        ByteBuffer source,
        long position,
        A attachment,
        CompletionHandler<Integer, ? super A> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Integer> write(ByteBuffer source, long position) {
      throw new UnsupportedOperationException();
    }
  }
}
