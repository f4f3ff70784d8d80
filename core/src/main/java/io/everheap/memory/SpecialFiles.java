package io.everheap.memory;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Refuses named pipes: opening one waits until another process opens it too. */
public final class SpecialFiles {
  /** The type of a file in its Unix mode, and that of a named pipe: inode(7). */
  private static final int TYPE = 0170000;

  private static final int PIPE = 0010000;

  private SpecialFiles() {}

  /**
   * Returns a path that may be opened. A pipe without a name, such as that of a shell's {@code
   * <(command)}, has a process at its other end.
   *
   * @throws FileSystemException if it is a named pipe; a missing file is allowed
   */
  public static Path refuse(Path path) throws IOException {
    try {
      if (Files.readAttributes(path, BasicFileAttributes.class).isOther()
          && path.getFileSystem().supportedFileAttributeViews().contains("unix")
          && ((int) Files.getAttribute(path, "unix:mode") & TYPE) == PIPE
          && hasName(path)) {
        throw new FileSystemException(path.toString(), null, "it is a named pipe, not a file");
      }
    } catch (NoSuchFileException e) {
      // whoever opens it reports that, or makes it
    }
    return path;
  }

  private static boolean hasName(Path pipe) throws IOException {
    try {
      Path _ = pipe.toRealPath();
      return true;
    } catch (NoSuchFileException e) { // /dev/fd/63 leads to pipe:[4711]
      return false;
    }
  }
}
