package io.everheap.benchmarks.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Bytes that were written to the device of a directory, by all processes. The system's count for
 * one process is of no use: it takes a whole large folio of the page cache for each page that is
 * written to it, which is many times what reaches the device.
 */
public final class DiskWrites {
  private static final Path STATISTICS = Path.of("/proc/diskstats");
  private static final int SECTORS_WRITTEN = 9;
  private static final int SECTOR = 512;

  private final Path directory;

  /**
   * Of a directory's device.
   *
   * @param directory exists
   */
  public DiskWrites(Path directory) {
    this.directory = directory;
  }

  /**
   * Writes what the system has in memory for the file system, and asks for the count.
   *
   * @return bytes since the system started; empty if it does not count this device
   * @throws IOException if it cannot be asked
   */
  public OptionalLong now() throws IOException {
    if (!Files.exists(STATISTICS)) {
      return OptionalLong.empty();
    }
    Process sync = new ProcessBuilder("sync", "-f", directory.toString()).inheritIO().start();
    if (sync.onExit().join().exitValue() != 0) {
      throw new IOException("sync failed");
    }
    long device = (long) Files.getAttribute(directory, "unix:dev");
    long major = ((device >>> 8) & 0xFFF) | ((device >>> 32) & ~0xFFFL);
    long minor = (device & 0xFF) | ((device >>> 12) & ~0xFFL & 0xFFFF_FFFFL);
    for (String line : Files.readAllLines(STATISTICS)) {
      String[] fields = line.trim().split("\\s+", -1);
      if (Long.parseLong(fields[0]) == major && Long.parseLong(fields[1]) == minor) {
        return OptionalLong.of(Long.parseLong(fields[SECTORS_WRITTEN]) * SECTOR);
      }
    }
    return OptionalLong.empty();
  }
}
