package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.memory.Mapping;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
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
 * The least that makes anything durable on persistent memory: a store to the next line of a log,
 * the write-back of that line, and a fence.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 1, time = 1)
@Fork(5)
public class DaxFloorBenchmark {
  private static final long AREA = 64L << 20;
  private static final int LINE = 64;

  /** A directory in memory. */
  @Param("/dev/shm")
  public String directory;

  private Path home;
  private EmulatedDaxMedium medium;
  private Region area;
  private long position;

  /** Maps the area and touches all of it. */
  @Setup
  public void open() throws IOException {
    home = Directories.create(Path.of(directory));
    medium = EmulatedDaxMedium.open(home);
    try (MediumFile file = medium.create("area")) {
      area = file.map(Mapping.SHARED, 0, AREA);
    }
    area.fill(0, AREA, (byte) 1);
  }

  /** Unmaps and deletes the area. */
  @TearDown
  public void close() throws IOException {
    area.close();
    medium.close();
    Directories.delete(home);
  }

  /** Appends one line. */
  @Benchmark
  public void append() {
    long at = position;
    area.putLong(at, at);
    area.force(at, LINE);
    position = (at + LINE) & (AREA - 1);
  }
}
