package io.everheap.benchmarks;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Settings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The facts of a machine and a run that are needed to read its results. */
final class Environment {
  private static final int SYNCS = 31;
  private static final int BLOCK = 4096;

  private Environment() {}

  static Map<String, Object> of(
      String experiment, String command, Settings settings, Path disk, Path memory)
      throws IOException {
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("of", experiment);
    found.put("command", command);
    found.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    found.put("quick", settings.quick());
    found.put("rounds", settings.rounds());
    found.put("cpu", cpu());
    found.put("cores", Runtime.getRuntime().availableProcessors());
    found.put("memory_gib", memoryGib());
    found.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    found.put(
        "jdk", System.getProperty("java.vm.vendor") + " " + System.getProperty("java.vm.version"));
    found.put("medium_file", Directories.fileSystem(disk));
    found.put("device_sync_us", syncMicros(disk));
    found.put(
        "medium_emulated_dax",
        Directories.fileSystem(memory)
            + ", cache lines written back by force: the instruction path, not a device's latency");
    found.put("load_average_before", load());
    return found;
  }

  /** The load average of the last minute; negative where there is none. */
  static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static String cpu() throws IOException {
    Path file = Path.of("/proc/cpuinfo");
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        if (line.toLowerCase(Locale.ROOT).startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).strip();
        }
      }
    }
    return System.getProperty("os.arch");
  }

  private static long memoryGib() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return system instanceof com.sun.management.OperatingSystemMXBean known
        ? Math.round(known.getTotalMemorySize() / (double) (1 << 30))
        : 0;
  }

  /** The median time of a 4 KiB overwrite with fdatasync. */
  private static double syncMicros(Path directory) throws IOException {
    Path file = directory.resolve("sync");
    double[] micros = new double[SYNCS];
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
      channel.write(block, 0);
      channel.force(true);
      for (int i = 0; i < SYNCS; i++) {
        long start = System.nanoTime();
        channel.write(block.clear(), 0);
        channel.force(false);
        micros[i] = (System.nanoTime() - start) / 1e3;
      }
    }
    Files.delete(file);
    Arrays.sort(micros);
    return Math.round(micros[SYNCS / 2] * 10) / 10.0;
  }
}
