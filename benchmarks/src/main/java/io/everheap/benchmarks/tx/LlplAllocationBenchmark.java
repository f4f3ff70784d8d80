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

/** The operations of {@link DaxAllocationBenchmark} with LLPL. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 1, time = 1)
@Fork(5)
public class LlplAllocationBenchmark {
  private static final int SLOTS = 4096;
  private static final int BYTES = 128;

  /** A heap whose slots are all empty, or all full, before each invocation. */
  @State(Scope.Thread)
  public abstract static class Slots {
    /** A directory in memory. */
    @Param("/dev/shm")
    public String directory;

    private final byte[] payload = new byte[BYTES];
    private final TransactionalMemoryBlock[] blocks = new TransactionalMemoryBlock[SLOTS];
    private LlplHeap home;
    private TransactionalHeap heap;
    private TransactionalMemoryBlock root;

    /** Makes a heap with a root block. */
    @Setup
    public void open() throws IOException {
      home = new LlplHeap(Path.of(directory));
      heap = home.heap();
      root = heap.allocateMemoryBlock(8L * SLOTS);
      for (int i = 0; i < BYTES; i++) {
        payload[i] = (byte) i;
      }
    }

    /** Deletes the heap. */
    @TearDown
    public void close() throws IOException {
      home.close();
    }

    void fill(int slot) {
      Transaction.create(
          heap,
          () -> {
            TransactionalMemoryBlock block =
                heap.allocateMemoryBlock(BYTES, range -> range.copyFromArray(payload, 0, 0, BYTES));
            root.setLong(8L * slot, block.handle());
            blocks[slot] = block;
          });
    }

    void empty(int slot) {
      Transaction.create(
          heap,
          () -> {
            root.setLong(8L * slot, 0);
            blocks[slot].freeMemory();
          });
    }

    void fillAll() {
      for (int i = 0; i < SLOTS; i++) {
        fill(i);
      }
    }

    void emptyAll() {
      for (int i = 0; i < SLOTS; i++) {
        empty(i);
      }
    }
  }

  /** Empty slots. */
  @State(Scope.Thread)
  public static class Empty extends Slots {
    /** Empties the slots that the invocation filled. */
    @TearDown(Level.Invocation)
    public void undo() {
      emptyAll();
    }
  }

  /** Full slots. */
  @State(Scope.Thread)
  public static class Full extends Slots {
    /** Fills the slots for the invocation. */
    @Setup(Level.Invocation)
    public void prepare() {
      fillAll();
    }
  }

  /** Fills all slots, each in a transaction. */
  @Benchmark
  @OperationsPerInvocation(SLOTS)
  public void allocate(Empty slots) {
    slots.fillAll();
  }

  /** Empties all slots, each in a transaction. */
  @Benchmark
  @OperationsPerInvocation(SLOTS)
  public void free(Full slots) {
    slots.emptyAll();
  }
}
