package io.everheap.benchmarks.objects;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The least that reads a field outside of the Java heap without a danger for the JVM: a load from a
 * segment that another thread may close, with the checks that the JDK makes for that, at an offset
 * that an object keeps. It does not notice that an object was freed.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 1, time = 1)
@Fork(5)
public class SegmentReadBenchmark {
  private static final int BYTES = 48;

  private Arena arena;
  private Place[] places;
  private int next;

  /** Where a long is. */
  private static final class Place {
    private final MemorySegment memory;
    private final int offset;

    Place(MemorySegment memory, int offset) {
      this.memory = memory;
      this.offset = offset;
    }

    long amount() {
      return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + 8L);
    }
  }

  /** Makes the memory. */
  @Setup
  public void open() {
    arena = Arena.ofShared();
    MemorySegment memory = arena.allocate((long) BYTES * Items.COUNT, 64);
    places = new Place[Items.COUNT];
    for (int i = 0; i < places.length; i++) {
      places[i] = new Place(memory, i * BYTES);
    }
  }

  /** Gives it back. */
  @TearDown
  public void close() {
    arena.close();
  }

  /** One of them. */
  @Benchmark
  public long longField() {
    return places[next++ & (Items.COUNT - 1)].amount();
  }

  /** All of them, one after the other. */
  @Benchmark
  @OperationsPerInvocation(Items.COUNT)
  public long longFields() {
    long sum = 0;
    for (Place place : places) {
      sum += place.amount();
    }
    return sum;
  }
}
