package io.everheap.cache.loader;

import io.everheap.cache.DurableCache;
import io.everheap.codec.Codecs;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;

/** A program that is run in a class loader of a test, step by step. */
public final class CacheProgram implements Function<String, Object> {
  private DurableCache<String, String> cache;
  private Path directory;

  /** For the test. */
  public CacheProgram() {}

  @Override
  public Object apply(String step) {
    switch (step) {
      case "close" -> cache.close();
      case "fail" -> {
        return fail();
      }
      default -> {
        directory = Path.of(step);
        cache =
            DurableCache.builder(directory, 2 << 20, Codecs.STRING, Codecs.STRING)
                .expireAfterWrite(Duration.ofHours(1))
                .open();
        cache.put("a", "b");
        cache.put("c", "d");
        cache.invalidate("c");
        return cache.getIfPresent("a");
      }
    }
    return null;
  }

  private String fail() {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        try (var cut = new RandomAccessFile(file.toFile(), "rw")) {
          cut.setLength(0);
        }
      }
      cache.put("e", "f".repeat(10_000));
      return "nothing";
    } catch (IOException | RuntimeException | Error e) {
      return e.getClass().getName();
    }
  }
}
