package io.everheap.benchmarks.cache;

import com.sun.management.OperatingSystemMXBean;
import io.everheap.benchmarks.harness.Subject;
import io.everheap.cache.BlockCache;
import io.everheap.cache.BlockCacheBuilder;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A block cache with segments of a given size. The request {@code puts N} puts twice as many values
 * as fit, and then N times as many, each under a new key. The answer is the processor time of the
 * process for each put of the second part.
 */
public final class SegmentsSubject implements Subject {
  static final String NANOS = "nanos";

  private static final int WARM_UP = 2;

  private @Nullable BlockCache cache;
  private int valueBytes;
  private long capacity;

  /** Makes a subject whose cache is not open. */
  public SegmentsSubject() {}

  @Override
  public void open(Map<String, String> parameters) throws IOException {
    valueBytes = number(parameters, "valueBytes");
    capacity = number(parameters, "capacity");
    int segment = number(parameters, "segment");
    Path directory = Path.of(Objects.requireNonNull(parameters.get("directory")));
    Files.createDirectories(directory);
    BlockCacheBuilder builder = BlockCache.builder(directory, capacity);
    if (segment > 0) {
      builder.segmentSize(segment);
    }
    cache = builder.open();
  }

  private static int number(Map<String, String> parameters, String name) {
    return Integer.parseInt(Objects.requireNonNull(parameters.get(name), name));
  }

  @Override
  public Map<String, Double> measure(String[] request) {
    BlockCache filled = Objects.requireNonNull(cache, "not open");
    long each = capacity / (valueBytes + Long.BYTES);
    long next = put(filled, 0, WARM_UP * each);
    long number = Long.parseLong(request[1]) * each;
    long start = processorNanos();
    put(filled, next, number);
    return Map.of(NANOS, (double) (processorNanos() - start) / number);
  }

  private long put(BlockCache filled, long first, long number) {
    byte[] value = new byte[valueBytes];
    byte[] key = new byte[Long.BYTES];
    ByteBuffer text = ByteBuffer.wrap(key);
    for (long i = first; i < first + number; i++) {
      text.putLong(0, i);
      value[0] = (byte) i;
      filled.put(key, value);
    }
    return first + number;
  }

  private static long processorNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  @Override
  public void close() {
    BlockCache open = cache;
    if (open != null) {
      open.close();
    }
  }
}
