package io.everheap.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Counts what several threads do in a span of time. */
public final class Threads {
  private Threads() {}

  /**
   * The work done.
   *
   * @param operations of all threads
   * @param seconds from the common start until the last thread was done
   */
  public record Done(long operations, double seconds) {}

  /**
   * Runs threads that repeat their work until the time is over.
   *
   * @param factory makes the threads
   * @param count how many
   * @param millis how long
   * @param works makes the work of the n-th thread, which returns how many operations it did
   * @return what was done
   * @throws InterruptedException if this thread is interrupted
   */
  public static Done run(
      ThreadFactory factory, int count, long millis, IntFunction<LongSupplier> works)
      throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(count);
    CountDownLatch go = new CountDownLatch(1);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    long[] operations = new long[count];
    long[] deadline = new long[1];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int index = i;
      LongSupplier work = works.apply(i);
      Thread thread =
          factory.newThread(
              () -> {
                ready.countDown();
                try {
                  go.await();
                  operations[index] = repeat(work, deadline[0]);
                } catch (Throwable e) {
                  failure.compareAndSet(null, e);
                }
              });
      thread.start();
      threads.add(thread);
    }
    ready.await();
    long start = System.nanoTime();
    deadline[0] = start + millis * 1_000_000;
    go.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    long end = System.nanoTime();
    Throwable e = failure.get();
    if (e != null) {
      throw new IllegalStateException("a thread failed: " + e, e);
    }
    long sum = 0;
    for (long n : operations) {
      sum += n;
    }
    return new Done(sum, (end - start) / 1e9);
  }

  private static long repeat(LongSupplier work, long deadline) {
    long done = 0;
    do {
      done += work.getAsLong();
    } while (System.nanoTime() - deadline < 0);
    return done;
  }
}
