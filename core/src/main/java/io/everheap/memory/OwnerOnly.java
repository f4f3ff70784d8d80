package io.everheap.memory;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Creates files and directories that only their owner can access, on file systems with POSIX
 * permissions. Stateless.
 */
public final class OwnerOnly {
  private OwnerOnly() {}

  /** Creates an empty file; fails if it exists. */
  public static void createFile(Path file) throws IOException {
    Files.createFile(file, permissions(file, "rw-------"));
  }

  /** Creates a directory and those above it; does nothing if it exists. */
  public static void createDirectories(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return; // also when the directory is reached through a symbolic link
    }
    createParent(directory);
    try {
      Files.createDirectory(directory, permissions(directory, "rwx------"));
      syncParent(directory);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
  }

  /** Makes the name of a new file or directory durable, if directories can be opened. */
  public static void syncParent(Path path) throws IOException {
    Path parent = path.toAbsolutePath().getParent();
    if (parent != null && posix(path)) {
      try (SteadyChannel channel = SteadyChannel.open(parent, StandardOpenOption.READ)) {
        channel.syncAll();
      }
    }
  }

  /** Creates the directory that a path lies in, and those above it. */
  static void createParent(Path path) throws IOException {
    Path parent = path.getParent();
    if (parent != null) {
      createDirectories(parent);
    }
  }

  /** Returns whether the file system of a path has the permissions and descriptors of POSIX. */
  static boolean posix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static FileAttribute<?>[] permissions(Path path, String mode) {
    return posix(path)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
        }
        : new FileAttribute<?>[0];
  }
}
