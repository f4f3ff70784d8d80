package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Threads that use something at the ends of their stacks, and go on after the errors. */
public final class SmallStacks {
  /** What is used. */
  public interface Use {
    void run() throws Exception;
  }

  private final Use use;
  private final int levels;
  private final Predicate<Exception> allowed;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * Creates it.
   *
   * @param levels of the stack, from its end on, at each of which a thread uses it
   * @param allowed exceptions of the use, besides StackOverflowErrors
   */
  public SmallStacks(int levels, Predicate<Exception> allowed, Use use) {
    this.levels = levels;
    this.allowed = allowed;
    this.use = use;
  }

  /** Runs threads one after another; they live until the latch is open. */
  public void strike(int threads, CountDownLatch end) throws Exception {
    use.run(); // initializes classes, which a StackOverflowError would prevent for ever
    LockSupport.parkNanos(1);
    for (int i = 0; i < threads; i++) {
      CountDownLatch used = new CountDownLatch(1);
      Runnable body =
          () -> {
            try {
              recurse();
            } catch (Throwable t) {
              failure.compareAndSet(null, t);
            }
            used.countDown();
            try {
              end.await();
            } catch (InterruptedException e) {
              // it ends
            }
          };
      Thread thread = new Thread(null, body, "small", 150_000 + i % 97 * 1_100L);
      thread.setDaemon(true);
      thread.start();
      Limit.await(used);
      if (end.getCount() == 0) {
        Limit.join(thread);
      }
      assertThat(failure.get()).isNull();
    }
  }

  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private int recurse() throws Exception {
    int left;
    try {
      left = recurse();
    } catch (StackOverflowError e) {
      left = levels;
    }
    if (left > 0) {
      try {
        use.run();
      } catch (StackOverflowError e) {
        // caught, as programs do that mean well
      } catch (Exception e) {
        if (!allowed.test(e)) {
          throw e;
        }
      }
    }
    return left - 1;
  }
}
