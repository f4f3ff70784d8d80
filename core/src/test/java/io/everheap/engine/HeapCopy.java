package io.everheap.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What a crash leaves of an open heap, as a copy. Reading a file sees every store to its shared
 * mappings, so a copy of all files is what {@code kill -9} leaves at that moment. The heap must be
 * quiet: no transaction, and no threads of its own.
 */
public final class HeapCopy {
  private HeapCopy() {}

  /** What a killed process leaves. */
  public static Path killed(Path heap, Path copy) {
    try (Stream<Path> files = Files.walk(heap)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path target = copy.resolve(heap.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
      return copy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a power loss leaves at best: the ring is gone, all else was written. */
  public static Path powerless(Path heap, Path copy) {
    killed(heap, copy);
    try {
      Files.deleteIfExists(copy.resolve("ring"));
      return copy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
