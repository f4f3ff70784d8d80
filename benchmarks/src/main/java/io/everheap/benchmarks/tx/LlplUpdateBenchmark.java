package io.everheap.benchmarks.tx;

import com.intel.pmem.llpl.Transaction;
import com.intel.pmem.llpl.TransactionalHeap;
import com.intel.pmem.llpl.TransactionalMemoryBlock;
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

/** The operations of {@link DaxUpdateBenchmark} with LLPL. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 1, time = 1)
@Fork(5)
public class LlplUpdateBenchmark {
  private static final int WORDS = 1024;

  /** A directory in memory. */
  @Param("/dev/shm")
  public String directory;

  private LlplHeap home;
  private TransactionalHeap heap;
  private TransactionalMemoryBlock block;
  private long count;

  /** Makes a heap with a block. */
  @Setup
  public void open() throws IOException {
    home = new LlplHeap(Path.of(directory));
    heap = home.heap();
    block = heap.allocateMemoryBlock(8L * WORDS);
  }

  /** Deletes the heap. */
  @TearDown
  public void close() throws IOException {
    home.close();
  }

  /** Updates the next word; durable on return. */
  @Benchmark
  public void update() {
    long n = count++;
    Transaction.create(heap, () -> block.setLong(8 * (n & (WORDS - 1)), n));
  }

  /**
   * Reads the next word outside a transaction.
   *
   * @return the word
   */
  @Benchmark
  public long read() {
    return block.getLong(8 * (count++ & (WORDS - 1)));
  }
}
