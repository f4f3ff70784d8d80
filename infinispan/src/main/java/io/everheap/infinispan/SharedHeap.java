package io.everheap.infinispan;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.infinispan.configuration.EverheapStoreConfiguration;
import io.everheap.infinispan.configuration.StoreDurability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.infinispan.commons.CacheConfigurationException;

/**
 * A heap that the stores of several caches of this process use: the first one opens it, the last
 * one closes it.
 *
 * <p>Thread-safe: guarded by {@link #OPEN}.
 */
final class SharedHeap {
  private static final Map<Path, SharedHeap> OPEN = new HashMap<>();

  private final Path directory;
  private final Settings settings;
  private final Heap heap;
  private final Set<String> caches = new HashSet<>();

  /** What all caches of a heap must agree on. */
  private record Settings(
      StoreDurability durability, long syncInterval, long maxSize, long logSize) {
    static Settings of(EverheapStoreConfiguration from) {
      return new Settings(from.durability(), from.syncInterval(), from.maxSize(), from.logSize());
    }

    Heap open(Path directory) {
      HeapBuilder builder =
          Heap.builder(directory)
              .durability(
                  durability == StoreDurability.SYNC
                      ? Durability.SYNC
                      : Durability.async(Duration.ofMillis(syncInterval)))
              .maxSize(maxSize);
      return (logSize == 0 ? builder : builder.logSize(logSize)).open();
    }
  }

  private SharedHeap(Path directory, Settings settings) {
    this.directory = directory;
    this.settings = settings;
    this.heap = settings.open(directory);
  }

  /**
   * Opens the heap of a directory for a cache, unless another cache of this process did.
   *
   * @throws CacheConfigurationException if the cache is open already, or other caches have opened
   *     the heap with other settings
   */
  static SharedHeap open(Path path, EverheapStoreConfiguration configuration, String cache) {
    Settings wanted = Settings.of(configuration);
    synchronized (OPEN) {
      Path directory = real(path);
      SharedHeap shared = OPEN.get(directory);
      if (shared == null) {
        shared = new SharedHeap(directory, wanted);
        OPEN.put(directory, shared);
      } else if (shared.caches.contains(cache)) {
        throw new CacheConfigurationException(
            String.format(
                Locale.ROOT,
                "the cache '%s' in the heap %s is open in this process already: give each cache manager a persistent location of its own",
                cache,
                directory));
      } else if (!shared.settings.equals(wanted)) {
        throw new CacheConfigurationException(
            String.format(
                Locale.ROOT,
                "the cache '%s' is to open the heap %s with %s, but the caches %s have opened it with %s: give them the same settings, or the cache another path",
                cache,
                directory,
                wanted,
                shared.caches,
                shared.settings));
      }
      shared.caches.add(cache);
      return shared;
    }
  }

  /** The path without symbolic links; the heap makes directories that are missing. */
  private static Path real(Path path) {
    Path absolute = path.toAbsolutePath(); // not normalized: `link/..` is not here
    Path existing = absolute;
    while (!Files.exists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    try {
      return existing.toRealPath().resolve(existing.relativize(absolute)).normalize();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot find the directory " + path, e);
    }
  }

  Heap heap() {
    return heap;
  }

  Path directory() {
    return directory;
  }

  /** Closes the heap if no other cache uses it. */
  void close(String cache) {
    synchronized (OPEN) {
      if (caches.remove(cache) && caches.isEmpty()) {
        OPEN.remove(directory);
        heap.close();
      }
    }
  }
}
