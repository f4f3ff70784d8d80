package io.everheap.it;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.cache.BlockCache;
import io.everheap.encryption.KeyProvider;
import io.everheap.journal.Journal;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;

/**
 * A small program for {@link EnvironmentsTest}: it opens a heap, a journal and a cache below a
 * directory, adds to them, and checks what earlier runs added. The heap is encrypted if the system
 * property {@code everheap.key} names a file with a key.
 */
public final class EnvironmentProgram {
  private static final int EACH = 50;

  private EnvironmentProgram() {}

  /**
   * Runs.
   *
   * @param arguments the directory; {@code add}, {@code read} or {@code loaders}; and the number of
   *     earlier runs
   */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    int before = Integer.parseInt(arguments[2]) * EACH;
    switch (arguments[1]) {
      case "add" -> add(directory, before);
      case "read" -> read(directory, before);
      default -> inTwoLoaders(directory);
    }
    System.out.println("ok");
  }

  private static void add(Path directory, int before) {
    HeapBuilder builder = Heap.builder(directory.resolve("heap")).logSize(16 << 20);
    String key = System.getProperty("everheap.key");
    if (key != null) {
      builder.encrypt(KeyProvider.file(Path.of(key)));
    }
    try (Heap heap = builder.open();
        Journal journal =
            Journal.builder(directory.resolve("journal")).segmentSize(1 << 20).timestamps().open();
        BlockCache cache = BlockCache.builder(directory.resolve("cache"), 8 << 20).open()) {
      cache.awaitIndexed();
      Map<String, Integer> map = heap.map("gr\u00fc\u00dfe", String.class, Integer.class);
      require(map.size() == before, "the heap has " + map.size() + " entries");
      require(journal.nextSequence() == before, "the journal has " + journal.nextSequence());
      require(cache.stats().entries() == before, "the cache has " + cache.stats().entries());
      for (int i = before; i < before + EACH; i++) {
        map.put("k\u00f6ln " + i, i);
        journal.append(new byte[] {(byte) i});
        cache.put(new byte[] {(byte) i}, new byte[100]);
      }
      require(journal.firstSince(Instant.MIN).orElse(-1) == 0, "a record is not found by its time");
      require(journal.firstSince(Instant.MAX).isEmpty(), "a record of the future is found");
    }
  }

  private static void read(Path directory, int before) {
    try (Heap heap = Heap.builder(directory.resolve("heap")).readOnly().open()) {
      int size = heap.map("gr\u00fc\u00dfe", String.class, Integer.class).size();
      require(size == before, "the heap has " + size + " entries");
    }
  }

  /** As two web applications, or an application that devtools restarts. */
  private static void inTwoLoaders(Path directory) throws Exception {
    for (int run = 0; run < 2; run++) {
      String[] arguments = {directory.toString(), "add", Integer.toString(run)};
      try (var loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
        loader
            .loadClass(EnvironmentProgram.class.getName())
            .getMethod("main", String[].class)
            .invoke(null, (Object) arguments);
      }
    }
  }

  private static URL[] classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(EnvironmentProgram::url)
        .toArray(URL[]::new);
  }

  private static URL url(String entry) {
    try {
      return Path.of(entry).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(entry, e);
    }
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalStateException(message);
    }
  }
}
