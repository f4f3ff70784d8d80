package io.everheap.cli.doctor;

import io.everheap.memory.DirectoryKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Whether this process can use a directory and what is in it, and who else can change it. */
final class PermissionCheck {
  private static final int STICKY = 01000;

  private PermissionCheck() {}

  /** Examines a directory and the files in it; empty where there are no POSIX permissions. */
  static Optional<Finding> of(Path directory) throws IOException {
    return of(directory, PermissionCheck::isUsable);
  }

  /**
   * The same.
   *
   * @param usable whether this process may read and write a file
   */
  static Optional<Finding> of(Path directory, Predicate<Path> usable) throws IOException {
    if (!directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return Optional.empty();
    }
    String user = System.getProperty("user.name");
    String detail = describe(directory) + "; this process runs as " + user;
    if (!usable.test(directory)) {
      return Optional.of(
          Finding.problem(
              "permissions",
              detail + ", and may not read or write it",
              "chown " + user + " " + directory + ", or run as its owner"));
    }
    List<Path> refused = refused(directory, usable);
    if (!refused.isEmpty()) {
      Path first = refused.getFirst();
      return Optional.of(
          Finding.problem(
              "permissions",
              detail
                  + ", and may not read or write "
                  + (refused.size() == 1 ? "" : refused.size() + " files, first ")
                  + first.getFileName()
                  + ": "
                  + describe(first),
              "chown them to " + user + ", or run as their owner"));
    }
    return Optional.of(
        canBeReplaced(directory)
            ? Finding.warning(
                "permissions",
                detail + "; other users can replace the files of a heap",
                "chmod o-w " + directory)
            : Finding.ok("permissions", detail));
  }

  /** The files of a heap, journal, store, cache or backups that this process may not use. */
  private static List<Path> refused(Path directory, Predicate<Path> usable) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.list(directory)) {
      all = files.sorted().toList();
    }
    if (all.stream().noneMatch(file -> DirectoryKind.isTold(name(file)))) {
      return List.of(); // an ordinary directory, such as /tmp
    }
    return all.stream()
        .filter(file -> !name(file).equals("lost+found") && !usable.test(file))
        .filter(Files::exists) // not one that was deleted after the listing
        .toList();
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /** Whether this process may read and write a file, or use a directory. */
  static boolean isUsable(Path file) {
    return Files.isReadable(file)
        && Files.isWritable(file)
        && (!Files.isDirectory(file) || Files.isExecutable(file));
  }

  /** Whether users other than the owner may delete and create files in it. */
  private static boolean canBeReplaced(Path directory) throws IOException {
    boolean isShared =
        Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_WRITE);
    return isShared && ((int) Files.getAttribute(directory, "unix:mode") & STICKY) == 0;
  }

  private static String describe(Path file) {
    try {
      PosixFileAttributes attributes =
          Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return PosixFilePermissions.toString(attributes.permissions())
          + ", owned by "
          + attributes.owner().getName()
          + ", group "
          + attributes.group().getName();
    } catch (IOException e) {
      return "it cannot be examined: " + e.getMessage();
    }
  }
}
