package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.memory.FileMedium;
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
 * The least that makes anything survive the end of the process on a file: a copy of a record into a
 * shared mapping.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 1, time = 1)
@Fork(5)
public class CopyFloorBenchmark {
  private static final long RING = 16L << 20;

  /** A directory on a disk. */
  @Param("")
  public String directory;

  private final byte[] record = new byte[128];
  private Path home;
  private FileMedium medium;
  private Region ring;
  private long position;

  /** Maps the ring and touches all of it. */
  @Setup
  public void open() throws IOException {
    home = Directories.create(Path.of(directory));
    medium = FileMedium.open(home, false, true);
    try (MediumFile file = medium.create("copy")) {
      ring = file.map(Mapping.SHARED, 0, RING);
    }
    ring.fill(0, RING, (byte) 1);
  }

  /** Unmaps and deletes the ring. */
  @TearDown
  public void close() throws IOException {
    ring.close();
    medium.close();
    Directories.delete(home);
  }

  /** Copies a record of 64 bytes. */
  @Benchmark
  public void copy64() {
    copy(64);
  }

  /** Copies a record of 128 bytes. */
  @Benchmark
  public void copy128() {
    copy(128);
  }

  private void copy(int bytes) {
    long at = position;
    ring.copyFrom(at, record, 0, bytes);
    position = (at + bytes) & (RING - 1);
  }
}
