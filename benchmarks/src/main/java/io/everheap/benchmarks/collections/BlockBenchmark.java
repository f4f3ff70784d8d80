package io.everheap.benchmarks.collections;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.block.Block;
import io.everheap.block.Blocks;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.collection.DurableLongArray;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.structure.Structures;
import io.everheap.structure.block.RawMemory;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.Shapes;
import io.everheap.structure.common.StructureContext;
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

/**
 * Longs of a raw block and of an array on emulated persistent memory, set in a transaction each, or
 * read; and those of a {@code long[]}. {@link io.everheap.benchmarks.tx.LlplUpdateBenchmark} does
 * the same with a block of LLPL.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 1, time = 1)
@Fork(5)
public class BlockBenchmark {
  private static final int WORDS = 1024;

  /** A directory in memory. */
  @Param("/dev/shm")
  public String directory;

  private final long[] plain = new long[WORDS];
  private Path home;
  private Engine engine;
  private Block block;
  private Block compact;
  private DurableLongArray array;
  private int next;

  /** Makes a heap with a block and an array. */
  @Setup
  public void open() throws IOException {
    home = Directories.create(Path.of(directory));
    engine = Engine.open(EmulatedDaxMedium.open(home), EngineOptions.defaults());
    Blocks blocks = RawMemory.blocks(engine.context());
    block = blocks.allocate(8L * WORDS);
    compact = blocks.compactAt(block.handle());
    array = array();
    for (int i = 0; i < WORDS; i++) {
      block.setLong(8L * i, i);
      array.set(i, i);
      plain[i] = i;
    }
  }

  private DurableLongArray array() {
    Definition<DurableLongArray> definition =
        Shapes.define(Structures.KINDS, DurableLongArray.ofLength(WORDS), new CodecRegistry());
    StructureContext heap = Structures.of(engine.context());
    boolean ok = false;
    engine.transactions().begin();
    try {
      long reference = definition.create(heap, new long[] {0});
      ok = true;
      return definition.attach(heap, reference);
    } finally {
      engine.transactions().end(ok);
    }
  }

  /** Closes and deletes the heap. */
  @TearDown
  public void close() throws IOException {
    engine.close();
    Directories.delete(home);
  }

  private int index() {
    return next++ & (WORDS - 1);
  }

  /** Sets a long of a block; durable on return. */
  @Benchmark
  public void blockSet() {
    int i = index();
    block.setLong(8L * i, i);
  }

  /** Reads a long of a block. */
  @Benchmark
  public long blockGet() {
    return block.getLong(8L * index());
  }

  /** Reads a long of a block without a check that it exists. */
  @Benchmark
  public long compactGet() {
    return compact.getLong(8L * index());
  }

  /** Sets an element of an array; durable on return. */
  @Benchmark
  public void arraySet() {
    int i = index();
    array.set(i, i);
  }

  /** Reads an element of an array. */
  @Benchmark
  public long arrayGet() {
    return array.get(index());
  }

  /** Reads an element of an array of the JDK. */
  @Benchmark
  public long plainGet() {
    return plain[index()];
  }

  /** Sets an element of an array of the JDK, which no power loss survives. */
  @Benchmark
  public void plainSet() {
    int i = index();
    plain[i] = i;
  }
}
