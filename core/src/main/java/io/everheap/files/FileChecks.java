package io.everheap.files;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Checks of files before they are opened. Stateless. */
public final class FileChecks {
  /** The type of a file in its Unix mode, and that of a named pipe: inode(7). */
  private static final int TYPE = 0170000;

  private static final int PIPE = 0010000;

  private static final int ROOT = 0;

  private static final Set<PosixFilePermission> OPEN =
      EnumSet.of(
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private FileChecks() {}

  /**
   * Returns a path that may be opened: opening a named pipe waits until another process opens it.
   *
   * @throws FileSystemException if it is a {@linkplain #isNamedPipe named pipe}; a missing file is
   *     allowed
   */
  public static Path refusePipe(Path path) throws IOException {
    if (isNamedPipe(path)) {
      throw new FileSystemException(path.toString(), null, "it is a named pipe, not a file");
    }
    return path;
  }

  /**
   * Whether a file is a pipe with a name. A pipe without one, such as that of a shell's {@code
   * <(command)}, has a process at its other end.
   */
  public static boolean isNamedPipe(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).isOther()
          && hasView(path, "unix")
          && ((int) Files.getAttribute(path, "unix:mode") & TYPE) == PIPE
          && path.toRealPath() != null; // /dev/fd/63 leads to pipe:[4711], which does not exist
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Whether users other than the owner can use a file. A group may read a file of root: that is how
   * container platforms mount secrets, and the user of the process cannot change the mode.
   */
  public static boolean isOpenToOthers(Path file) throws IOException {
    if (!hasView(file, "posix")) {
      return false;
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    if (permissions.stream().anyMatch(OPEN::contains)) {
      return true;
    }
    return permissions.contains(PosixFilePermission.GROUP_READ)
        && !(hasView(file, "unix") && Files.getAttribute(file, "unix:uid").equals(ROOT));
  }

  private static boolean hasView(Path path, String view) {
    return path.getFileSystem().supportedFileAttributeViews().contains(view);
  }
}
