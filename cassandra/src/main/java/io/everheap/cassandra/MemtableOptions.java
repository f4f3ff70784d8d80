package io.everheap.cassandra;

import io.everheap.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.DurationSpec;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a memtable configuration in {@code cassandra.yaml}.
 *
 * @param directory of the store; by default {@code everheap} beside the first data directory
 * @param durability {@code sync}, or how long a write may wait for the disk, such as {@code 10ms}
 * @param shards number of shards of a new store, 1 to 256
 * @param purgePeriod time between two purges of tombstones
 */
record MemtableOptions(Path directory, Durability durability, int shards, Duration purgePeriod) {
  private static final String DIRECTORY = "directory";
  private static final String DURABILITY = "durability";
  private static final String SHARDS = "shards";
  private static final String PURGE_PERIOD = "purge_period";
  private static final String SYNC = "sync";
  private static final int MOST_SHARDS = 256;

  /** Whether tables with these options can be in one store with those of others. */
  boolean isSameStore(MemtableOptions other) {
    return durability.equals(other.durability) && shards == other.shards;
  }

  /** What to say of options that cannot share a store. */
  static String conflict(MemtableOptions some, MemtableOptions other) {
    return "Memtable configurations that share the directory "
        + some.directory
        + " need the same durability and shards, but one has "
        + some.durability
        + " and "
        + some.shards
        + ", another one "
        + other.durability
        + " and "
        + other.shards
        + ": give one of them another directory.";
  }

  /** Takes what it knows out of the map: Cassandra refuses what is left. */
  static MemtableOptions take(Map<String, String> parameters) {
    String directory = parameters.remove(DIRECTORY);
    return new MemtableOptions(
        directory == null ? besideData() : Path.of(directory).toAbsolutePath(),
        durability(parameters.remove(DURABILITY)),
        shards(parameters.remove(SHARDS)),
        period(parameters.remove(PURGE_PERIOD)));
  }

  private static Path besideData() {
    String[] data = DatabaseDescriptor.getAllDataFileLocations();
    return Path.of(data[0]).toAbsolutePath().resolveSibling("everheap");
  }

  private static Durability durability(@Nullable String text) {
    if (text == null || text.equals(SYNC)) {
      return Durability.SYNC;
    }
    Duration time = time(text);
    if (time == null) {
      throw new ConfigurationException(
          "durability of a memtable is \"" + SYNC + "\" or a time such as 10ms, not " + text);
    }
    return Durability.async(time);
  }

  private static Duration period(@Nullable String text) {
    Duration time = text == null ? Duration.ofMinutes(10) : time(text);
    if (time == null) {
      throw new ConfigurationException(
          "purge_period of a memtable is a time such as 10m, not " + text);
    }
    return time;
  }

  private static @Nullable Duration time(String text) {
    try {
      long millis = new DurationSpec.LongMillisecondsBound(text).toMilliseconds();
      return millis > 0 ? Duration.ofMillis(millis) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static int shards(@Nullable String text) {
    if (text == null) {
      return Math.min(MOST_SHARDS, 4 * Runtime.getRuntime().availableProcessors());
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= 1 && number <= MOST_SHARDS) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new ConfigurationException("shards of a memtable is a number from 1 to 256, not " + text);
  }
}
