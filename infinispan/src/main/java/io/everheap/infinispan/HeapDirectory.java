package io.everheap.infinispan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The directory of a heap that belongs to one cache. Stateless. */
final class HeapDirectory {
  private static final Logger LOGGER = System.getLogger(HeapDirectory.class.getName());
  private static final String LOG = "log";

  /** The files of a heap, except for regions, which no cache has; docs/format.md lists them. */
  private static final Pattern FILES =
      Pattern.compile(
          "heap|heap\\.(crc|new|root|round)|(ring|changed|counters)(\\.new)?|lock|owner|restoring"
              + "|probe-.*\\.tmp");

  private static final Pattern SEGMENTS = Pattern.compile("[0-9a-f]{16}|new");

  private HeapDirectory() {}

  /**
   * Deletes the files of a closed heap, and the directory unless it has others. Those may be the
   * only copy of something, such as a heap of another cache in a directory below.
   */
  static void delete(Path directory) {
    try {
      delete(directory.resolve(LOG), SEGMENTS);
      delete(directory, FILES);
      if (Files.exists(directory)) {
        LOGGER.log(
            Level.WARNING,
            "{0} is kept: it has files that are not those of the destroyed cache",
            directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path directory, Pattern names) throws IOException {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(
            directory, file -> names.matcher(file.getFileName().toString()).matches())) {
      for (Path file : files) {
        Files.delete(file);
      }
    } catch (NoSuchFileException e) {
      return; // another process deleted it
    }
    try {
      boolean _ = Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      // it has other files
    }
  }
}
