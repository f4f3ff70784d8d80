package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.SmallStacks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@link Closing} does about memory that is in use, or seems to be. */
class ClosingTest {
  @Test
  void knowsOfAnErrorThatCameAfterAnException() {
    Closing closing =
        new Closing()
            .then(
                () -> {
                  throw new IllegalStateException("first");
                })
            .then(
                () -> {
                  throw new OutOfMemoryError("second");
                });
    assertThat(closing.hasError()).isTrue();
    assertThatThrownBy(closing::end)
        .isInstanceOf(OutOfMemoryError.class)
        .hasSuppressedException(new IllegalStateException("first"));
  }

  @Test
  void takesTheSameErrorTwice() {
    Error error = new OutOfMemoryError("shared");
    Runnable step =
        () -> {
          throw error;
        };
    assertThatThrownBy(new Closing().then(step).then(step)::end).isSameAs(error);
    Closing.after(error, step);
    assertThat(error).hasNoSuppressedExceptions();
  }

  @Test
  void unmapsMemoryThatIsNotInUse() {
    Region region = Region.allocate(4096);
    Closing.unmap(region);
    Closing.unmap(region);
    assertThatIllegalStateException().isThrownBy(() -> region.getLong(0));
  }

  @Test
  void leavesMemoryMappedWhoseUseDoesNotEnd() throws Exception {
    Region region = Region.allocate(1 << 20); // more than a pipe takes
    Pipe pipe = Pipe.open();
    ByteBuffer bytes = region.view();
    FutureTask<Integer> writing = new FutureTask<>(() -> pipe.sink().write(bytes));
    Thread.ofPlatform().daemon().start(writing);
    assertThat(pipe.source().read(ByteBuffer.allocate(1))).isEqualTo(1); // so it has begun

    Closing.unmap(region);

    assertThat(region.getLong(0)).isZero();
    ByteBuffer rest = ByteBuffer.allocate(1 << 20);
    while (rest.position() < (1 << 20) - 1) {
      pipe.source().read(rest);
    }
    assertThat(writing.get()).isEqualTo(1 << 20);
    pipe.source().close();
    pipe.sink().close();
    Closing.unmap(region);
    assertThatIllegalStateException().isThrownBy(() -> region.getLong(0));
  }

  @Test
  void closesMemoryAgainAfterTheStackEndedInAClose() throws Exception {
    // In a JVM of its own: what it compiled before decides at which call a stack ends.
    try (ChildJvm child = new ChildJvm(List.of(), Overflow.class)) {
      assertThat(child.line()).isEqualTo("closed");
    }
  }

  /**
   * Closes memory at the ends of stacks. The JDK closes an arena by two stores; the call of the
   * first is compiled here, and takes less of the stack than that of the second.
   */
  public static final class Overflow {
    private static final int THREADS = 300;
    private static final VarHandle COUNT;

    static {
      try {
        COUNT = MethodHandles.lookup().findVarHandle(Overflow.class, "count", int.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private final Deque<Region> allocated = new ArrayDeque<>();

    @SuppressWarnings("UnusedVariable") // the handle uses it
    private volatile int count;

    private @Nullable Thread owner;
    private Region memory = Region.allocate(4096);

    private void run() throws Exception {
      for (int i = 0; i < 300_000; i++) {
        int _ = (int) COUNT.compareAndExchange(this, i, i + 1);
      }
      for (int i = 0; i <= THREADS; i++) {
        allocated.add(Region.allocate(4096));
      }
      new SmallStacks(Integer.MAX_VALUE, error -> false, this::closeMemoryOfThisThread)
          .strike(THREADS, new CountDownLatch(0));
      System.out.println("closed");
    }

    @SuppressWarnings("ReferenceEquality") // a thread is equal to nothing but itself
    private void closeMemoryOfThisThread() {
      Thread self = Thread.currentThread();
      if (owner != self) {
        memory = allocated.removeFirst();
        owner = self;
      }
      memory.close();
    }

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
      new Overflow().run();
    }
  }
}
