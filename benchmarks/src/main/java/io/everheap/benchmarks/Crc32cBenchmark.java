package io.everheap.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
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
import org.openjdk.jmh.annotations.Warmup;

/** The cost of the checksum of one log record. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class Crc32cBenchmark {
  /** The record's size in bytes. */
  @Param({"64", "256", "4096"})
  public int bytes;

  private final CRC32C crc = new CRC32C();
  private byte[] record;

  /** Fills the record with bytes that are not all alike. */
  @Setup
  public void fill() {
    record = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      record[i] = (byte) (i * 31);
    }
  }

  /**
   * Checksums the record.
   *
   * @return its CRC32C
   */
  @Benchmark
  public long checksum() {
    crc.reset();
    crc.update(record, 0, bytes);
    return crc.getValue();
  }
}
