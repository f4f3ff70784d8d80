package io.everheap.spring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes a plain and an encrypted cache in a directory, for {@link CreatedFilesTest}. */
public final class CreatedFilesProgram {
  private CreatedFilesProgram() {}

  /**
   * Runs.
   *
   * @param arguments the directory
   */
  public static void main(String[] arguments) throws IOException {
    Path in = Path.of(arguments[0]);
    try (EverheapCacheManager manager = ReleasedSpringCaches.manager(in, new byte[32])) {
      ReleasedSpringCaches.cache(manager, ReleasedSpringCaches.PLAIN).put("a", "b");
      ReleasedSpringCaches.cache(manager, ReleasedSpringCaches.ENCRYPTED).put("a", "b");
    }
    Files.delete(in.resolve("key")); // the program's, not the library's
  }
}
