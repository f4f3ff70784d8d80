package io.everheap.memory;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Refuses named pipes, sockets and devices: opening one may wait for ever. */
final class SpecialFiles {
  private SpecialFiles() {}

  /**
   * Returns a path that may be opened.
   *
   * @throws FileSystemException if it is neither a file nor a directory; a missing one is allowed
   */
  static Path refuse(Path path) throws IOException {
    try {
      if (Files.readAttributes(path, BasicFileAttributes.class).isOther()) {
        throw new FileSystemException(
            path.toString(), null, "it is a named pipe, a socket or a device, not a file");
      }
    } catch (NoSuchFileException e) {
      // whoever opens it reports that, or makes it
    }
    return path;
  }
}
