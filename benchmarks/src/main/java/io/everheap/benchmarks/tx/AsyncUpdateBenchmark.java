package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.engine.Engine;
import io.everheap.engine.counters.CountersReader;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Transactions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One word of a block on a file, updated in a transaction that does not wait for the disk.
 *
 * <p>A loop without pauses writes more log than most disks take, and then runs at the disk's speed.
 * So a burst, which the ring can hold, and a loop without pauses are two cases.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 1, time = 1)
@Fork(5)
public class AsyncUpdateBenchmark {
  private static final int WORDS = 1024;
  private static final int BURST = 1 << 16;

  /** A directory on a disk. */
  @Param("")
  public String directory;

  /** The target size of the log. */
  @Param("128")
  public int logMib;

  /**
   * What becomes of the counters that other processes can read: {@code written} once a second as
   * always, {@code read} as well, ten times a second, or {@code none}.
   */
  @Param("written")
  public String counters;

  private Path home;
  private @Nullable Thread reader;
  private Engine engine;
  private HeapMemory memory;
  private Transactions tx;
  private long block;
  private long count;

  /** Makes a heap with a block. */
  @Setup
  public void open() throws IOException {
    home = Directories.create(Path.of(directory));
    if (counters.equals("none")) { // a directory in the place of the file
      Files.createDirectories(home.resolve("counters").resolve("none"));
    }
    engine = Engines.asyncFile(home, logMib);
    if (counters.equals("read")) {
      reader = Thread.ofPlatform().daemon().start(this::read);
    }
    memory = engine.memory();
    tx = engine.transactions();
    block = Engines.allocate(engine, 8L * WORDS);
  }

  private void read() {
    while (!Thread.interrupted()) {
      CountersReader.read(home);
      LockSupport.parkNanos(100_000_000);
    }
  }

  /** Closes and deletes the heap. */
  @TearDown
  public void close() throws IOException, InterruptedException {
    if (reader != null) {
      reader.interrupt();
      reader.join();
    }
    engine.close();
    Directories.delete(home);
  }

  /** Waits for the disk between the invocations, unmeasured. */
  @State(Scope.Thread)
  public static class Pause {
    /** Syncs what the invocation before wrote. */
    @Setup(Level.Invocation)
    public void sync(AsyncUpdateBenchmark benchmark) {
      benchmark.engine.sync();
    }
  }

  /** Updates as many words as one burst has. */
  @Benchmark
  @OperationsPerInvocation(BURST)
  public void burst(Pause pause) {
    for (int i = 0; i < BURST; i++) {
      update();
    }
  }

  /** Updates the next word. */
  @Benchmark
  public void update() {
    long n = count++;
    tx.begin();
    boolean ok = false;
    try {
      memory.putLong(Engines.STRIPE, block + 8 * (n & (WORDS - 1)), n);
      ok = true;
    } finally {
      tx.end(ok);
    }
  }
}
