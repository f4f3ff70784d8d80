package io.everheap.benchmarks.cassandra.node;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Statements of this thread, one after the other, each of them timed. */
final class Timing {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final double NANOS = 1e9;
  private static final double MICROS = 1e3;
  private static final double LATE = 0.99;

  private Timing() {}

  /** A statement. */
  interface Statement {
    void run(int number) throws Exception;
  }

  /** Times statements; instructions are counted where the system allows that. */
  static Map<String, Double> each(int count, Statement statement) throws Exception {
    long[] nanos = new long[count];
    Map<String, Double> result = new HashMap<>();
    try (Instructions instructions = Instructions.count()) {
      long bytes = THREADS.getCurrentThreadAllocatedBytes();
      long processor = THREADS.getCurrentThreadCpuTime();
      long start = System.nanoTime();
      long last = start;
      for (int i = 0; i < count; i++) {
        statement.run(i);
        long now = System.nanoTime();
        nanos[i] = now - last;
        last = now;
      }
      processor = THREADS.getCurrentThreadCpuTime() - processor;
      bytes = THREADS.getCurrentThreadAllocatedBytes() - bytes;
      instructions
          .counted()
          .ifPresent(counted -> result.put("instructions_per_op", counted / (double) count));
      result.put("ns_per_op", processor / (double) count);
      result.put("bytes_per_op", bytes / (double) count);
      result.put("ops_per_s", count * NANOS / (last - start));
    }
    Arrays.sort(nanos);
    result.put("p99_us", nanos[(int) (count * LATE)] / MICROS);
    return result;
  }
}
