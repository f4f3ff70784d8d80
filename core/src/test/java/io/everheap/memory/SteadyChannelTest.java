package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stacks of threads end within the JDK's file channel, wherever that is. */
class SteadyChannelTest {
  private static final int THREADS = 300;
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

  @Test
  void isClosedOnceAndForAllIfNoErrorStruck() throws Exception {
    SteadyChannel channel = open();
    channel.close();
    channel.close();
    assertThatIOException().isThrownBy(channel::size);
  }

  private void strikeUseAndClose(Use use, CountDownLatch end) throws Exception {
    SteadyChannel channel = open();
    use.of(channel); // initializes the classes
    strike(use, channel, end);

    channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), LENGTH);
    ByteBuffer read = ByteBuffer.allocate(2 * LENGTH);
    assertThat(channel.read(read, 0)).isEqualTo(LENGTH + 3);
    assertThat(read.get(LENGTH + 2)).isEqualTo((byte) 3);

    Thread closing = Thread.ofPlatform().daemon().start(() -> keep(channel::close));
    assertThat(closing.join(Duration.ofMinutes(1))).as("the close ended").isTrue();
    assertThat(failure.get()).isNull();
  }

  private SteadyChannel open() throws IOException {
    Path path = Files.write(temporary.resolve("file"), new byte[LENGTH]);
    return SteadyChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /** Lets threads use the channel near the ends of their stacks; they live until {@code end}. */
  private void strike(Use use, SteadyChannel channel, CountDownLatch end) throws Exception {
    for (int i = 0; i < THREADS; i++) {
      CountDownLatch used = new CountDownLatch(1);
      Runnable body =
          () -> {
            keep(() -> recurse(use, channel));
            used.countDown();
            keep(end::await);
          };
      Thread thread = new Thread(null, body, "small", 150_000 + i % 97 * 1_100L);
      thread.setDaemon(true);
      thread.start();
      used.await();
      if (end.getCount() == 0) {
        thread.join();
      }
    }
    assertThat(failure.get()).isNull();
  }

  /** Recurses until the stack ends, and uses the channel at each level of the way back. */
  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private static int recurse(Use use, SteadyChannel channel) throws IOException {
    int left;
    try {
      left = recurse(use, channel);
    } catch (StackOverflowError e) {
      left = LEVELS;
    }
    if (left > 0) {
      try {
        use.of(channel);
      } catch (StackOverflowError e) {
        // as a program does that goes on
      } catch (IOException e) {
        assertThat(e).hasCauseInstanceOf(IllegalMonitorStateException.class);
      }
    }
    return left - 1;
  }

  private interface Action {
    void run() throws Exception;
  }

  private void keep(Action action) {
    try {
      action.run();
    } catch (Throwable t) {
      failure.compareAndSet(null, t);
    }
  }
}
