package io.everheap.benchmarks.bank;

import io.everheap.benchmarks.harness.Curve;
import io.everheap.benchmarks.store.Store;
import io.everheap.benchmarks.store.StoreSubject;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A bank over one store in a JVM of its own.
 *
 * <p>Requests: {@code load} makes the accounts and closes the store; {@code run THREADS MILLIS}
 * opens it and makes transfers, {@code start THREADS} makes transfers without end and {@code run-on
 * MILLIS} waits, so that the parent can kill the process; {@code recover THREADS MILLIS} opens it
 * and makes transfers, both timed from the start of this JVM; {@code sum} adds up all balances.
 */
public final class BankSubject extends StoreSubject {
  private static final int LOADERS = 2;

  private long accounts;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** Makes a subject that is not open. */
  public BankSubject() {}

  @Override
  public void open(Map<String, String> parameters) throws Exception {
    super.open(parameters);
    accounts = Long.parseLong(parameter("accounts"));
  }

  private Store opened(boolean bulk) throws IOException {
    return openStore(bulk, accounts, Account.BYTES);
  }

  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    return switch (request[0]) {
      case "load" -> {
        load(opened(true));
        close();
        yield Map.of();
      }
      case "run" -> {
        opened(false);
        yield run(Integer.parseInt(request[1]), Long.parseLong(request[2]), 0).values();
      }
      case "start" -> start(Integer.parseInt(request[1]));
      case "run-on" -> {
        TimeUnit.MILLISECONDS.sleep(Long.parseLong(request[1]));
        yield Map.of();
      }
      case "recover" -> recover(Integer.parseInt(request[1]), Long.parseLong(request[2]));
      case "sum" -> Map.of("sum", (double) teller().sum());
      default -> throw new IllegalArgumentException(request[0]);
    };
  }

  private Teller teller() {
    return new Teller(store(), accounts);
  }

  private void load(Store to) throws InterruptedException {
    List<Thread> loaders = new ArrayList<>();
    for (int i = 0; i < LOADERS; i++) {
      int first = i;
      loaders.add(
          start(
              () -> {
                for (long n = first; n < accounts; n += LOADERS) {
                  to.put(Account.key(n), Account.initial());
                }
              }));
    }
    for (Thread loader : loaders) {
      loader.join();
    }
    throwFailure();
  }

  private void throwFailure() {
    Throwable e = failure.get();
    if (e != null) {
      throw new IllegalStateException("the store failed: " + e, e);
    }
  }

  /** Makes transfers for a time from the start, which may be earlier than now. */
  private Curve run(int threads, long millis, long sinceStart) throws InterruptedException {
    Teller teller = teller();
    Curve curve = new Curve(millis / 1e3);
    long start = System.nanoTime() - sinceStart;
    long end = TimeUnit.MILLISECONDS.toNanos(millis);
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      SplittableRandom random = new SplittableRandom(i);
      running.add(
          start(
              () -> {
                long now;
                do {
                  teller.transfer(random);
                  now = System.nanoTime() - start;
                  curve.count(now);
                } while (now < end);
              }));
    }
    for (Thread thread : running) {
      thread.join();
    }
    throwFailure();
    return curve;
  }

  private Thread start(Runnable work) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                work.run();
              } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
              }
            });
  }

  /** Makes transfers until the parent kills this process. */
  private Map<String, Double> start(int threads) {
    Teller teller = teller();
    for (int i = 0; i < threads; i++) {
      SplittableRandom random = new SplittableRandom(-1 - i);
      start(
          () -> {
            while (failure.get() == null) {
              teller.transfer(random);
            }
          });
    }
    return Map.of();
  }

  private Map<String, Double> recover(int threads, long millis)
      throws IOException, InterruptedException {
    long jvm = ManagementFactory.getRuntimeMXBean().getStartTime();
    long age = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - jvm);
    long start = System.nanoTime();
    opened(false);
    teller().transfer(new SplittableRandom(millis));
    long first = System.nanoTime() - start;
    long working = TimeUnit.NANOSECONDS.toMillis(age + first);
    Map<String, Double> found = new HashMap<>(run(threads, working + millis, age + first).values());
    found.put("open", first / 1e9);
    found.put("first", (age + first) / 1e9);
    return found;
  }
}
