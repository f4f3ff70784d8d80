package io.everheap.memory;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Creates the files and directories of all modules; nothing else does. On file systems with POSIX
 * permissions only their owner can access them, with modes 0600 and 0700, whatever the umask is.
 *
 * <p>If the directory in which something is created may be written by its group, and not by others,
 * the group shares what is in it: modes are 0660 and 0770. So programs whose users change within a
 * group, as those of containers do, can use each other's files. Stateless.
 */
public final class NewFiles {
  private static final String SHARED_FILE = "rw-rw----";
  private static final int GROUP = 0070;

  private NewFiles() {}

  /** Creates an empty file; fails if it exists. */
  public static void createFile(Path file) throws IOException {
    createPrivateFile(file);
    share(file, false);
  }

  private static void createPrivateFile(Path file) throws IOException {
    Files.createFile(file, permissions(file, "rw-------"));
  }

  /** Creates a file of a secret, which no group shares; durable on return. Fails if it exists. */
  public static void createSecret(Path file, String text) throws IOException {
    createPrivateFile(file);
    Files.writeString(file, text, StandardOpenOption.SYNC);
    syncParent(file);
  }

  /** Creates a file with a text in UTF-8; fails if it exists. */
  public static void createFile(Path file, String text) throws IOException {
    createFile(file);
    Files.writeString(file, text, StandardOpenOption.WRITE);
  }

  /** Creates a file, and writes text in UTF-8 to it; fails if it exists. */
  public static Writer createText(Path file) throws IOException {
    createFile(file);
    return new BufferedWriter(Files.newBufferedWriter(file, UTF_8, StandardOpenOption.WRITE));
  }

  /** Creates a directory and those above it; does nothing if it exists. */
  public static void createDirectories(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return; // also when the directory is reached through a symbolic link
    }
    createParent(directory);
    try {
      Files.createDirectory(directory, permissions(directory, "rwx------"));
      share(directory, true);
      syncParent(directory);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
  }

  /** Creates a file of a new name; it is for its owner alone. */
  static Path createTempFile(Path directory, String prefix, String suffix) throws IOException {
    return Files.createTempFile(directory, prefix, suffix, permissions(directory, "rw-------"));
  }

  /** Creates a file of a new name, for its owner alone, that is deleted when the program ends. */
  public static Path createTempText(String prefix, String suffix, String text) throws IOException {
    Path file = createTempFile(temporary(), prefix, suffix);
    file.toFile().deleteOnExit();
    Files.writeString(file, text, StandardOpenOption.WRITE);
    return file;
  }

  /** Creates a directory of a new name; it is for its owner alone. */
  public static Path createTempDirectory(Path parent, String prefix) throws IOException {
    return Files.createTempDirectory(parent, prefix, permissions(parent, "rwx------"));
  }

  /** The directory for temporary files. */
  public static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir"));
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

  /** Gives the group what the owner may do, if it shares the directory above. */
  private static void share(Path path, boolean directory) throws IOException {
    Path parent = path.toAbsolutePath().getParent();
    if (parent == null || !posix(path)) {
      return;
    }
    Set<PosixFilePermission> above = Files.getPosixFilePermissions(parent);
    if (!above.contains(PosixFilePermission.GROUP_WRITE)
        || above.contains(PosixFilePermission.OTHERS_WRITE)) {
      return;
    }
    try {
      if (directory) { // and keeps the bit that gives what is below to the same group
        Files.setAttribute(path, "unix:mode", (int) Files.getAttribute(path, "unix:mode") | GROUP);
      } else {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(SHARED_FILE));
      }
    } catch (FileSystemException e) {
      // The file system has no such modes; then its owner can still use the file.
    }
  }

  private static FileAttribute<?>[] permissions(Path path, String mode) {
    return posix(path)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
        }
        : new FileAttribute<?>[0];
  }
}
