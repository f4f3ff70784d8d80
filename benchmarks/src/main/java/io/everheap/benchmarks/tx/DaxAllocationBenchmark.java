package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Transactions;
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

/**
 * Blocks of 128 bytes on emulated persistent memory: allocated, filled and linked from a slot of a
 * root block in one transaction; unlinked and freed in one transaction.
 *
 * <p>An invocation does either for all slots, which takes around a millisecond; what undoes it runs
 * between invocations, unmeasured.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 1, time = 1)
@Fork(5)
public class DaxAllocationBenchmark {
  private static final int SLOTS = 4096;
  private static final int BYTES = 128;

  /** A heap whose slots are all empty, or all full, before each invocation. */
  @State(Scope.Thread)
  public abstract static class Slots {
    /** A directory in memory. */
    @Param("/dev/shm")
    public String directory;

    /** The target size of the log. */
    @Param("128")
    public int logMib;

    private final byte[] payload = new byte[BYTES];
    private Path home;
    private Engine engine;
    private HeapMemory memory;
    private Transactions tx;
    private Allocator allocator;
    private long root;

    /** Makes a heap with a root block. */
    @Setup
    public void open() throws IOException {
      home = Directories.create(Path.of(directory));
      engine = Engines.emulatedDax(home, logMib);
      memory = engine.memory();
      tx = engine.transactions();
      allocator = engine.allocator();
      root = Engines.allocate(engine, 8L * SLOTS);
      for (int i = 0; i < BYTES; i++) {
        payload[i] = (byte) i;
      }
    }

    /** Closes and deletes the heap. */
    @TearDown
    public void close() throws IOException {
      engine.close();
      Directories.delete(home);
    }

    void fill(int slot) {
      tx.begin();
      boolean ok = false;
      try {
        long block = allocator.allocateRaw(Engines.TYPE, BYTES);
        memory.initBytes(Reference.payload(block), payload, 0, BYTES);
        memory.putLong(Engines.STRIPE, root + 8L * slot, block);
        ok = true;
      } finally {
        tx.end(ok);
      }
    }

    void empty(int slot) {
      tx.begin();
      boolean ok = false;
      try {
        long block = memory.getLong(root + 8L * slot);
        memory.putLong(Engines.STRIPE, root + 8L * slot, Reference.NULL);
        allocator.free(Engines.STRIPE, block);
        ok = true;
      } finally {
        tx.end(ok);
      }
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
