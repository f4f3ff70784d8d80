package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.engine.Engine;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Transactions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One word of a block on emulated persistent memory, written in a transaction, or read. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 1, time = 1)
@Fork(5)
public class DaxUpdateBenchmark {
  private static final int WORDS = 1024;

  /** A directory in memory. */
  @Param("/dev/shm")
  public String directory;

  /** The target size of the log. */
  @Param("128")
  public int logMib;

  private Path home;
  private Engine engine;
  private HeapMemory memory;
  private Transactions tx;
  private long block;
  private long count;

  /** Makes a heap with a block. */
  @Setup
  public void open() throws IOException {
    home = Directories.create(Path.of(directory));
    engine = Engines.emulatedDax(home, logMib);
    memory = engine.memory();
    tx = engine.transactions();
    block = Engines.allocate(engine, 8L * WORDS);
  }

  /** Closes and deletes the heap. */
  @TearDown
  public void close() throws IOException {
    engine.close();
    Directories.delete(home);
  }

  /** Updates the next word; durable on return. */
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

  /**
   * Reads the next word outside a transaction.
   *
   * @return the word
   */
  @Benchmark
  public long read() {
    return memory.getLong(block + 8 * (count++ & (WORDS - 1)));
  }
}
