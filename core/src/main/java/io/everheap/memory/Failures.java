package io.everheap.memory;

import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Converts errors of the operating system into the exceptions of Everheap. Stateless. */
final class Failures {
  private static final String FULL_DISK = "No space left on device";

  /** The same in the user's language; null until it was asked for. */
  private static volatile @Nullable String fullDisk;

  private Failures() {}

  /** An operation on a whole file or directory failed. */
  static EverheapException of(String operation, Path path, IOException cause) {
    return of("cannot " + operation + " " + path, saysDiskFull(cause), cause);
  }

  /** An operation on a range of a file failed. */
  static EverheapException of(
      String operation, Path path, long position, long length, IOException cause) {
    return of(message(operation, path, position, length), saysDiskFull(cause), cause);
  }

  /** A write to a range of a file failed. */
  static EverheapException ofWrite(
      String operation, Path path, long position, long length, IOException cause) {
    // Java does not expose the error number, and its text may be in the user's language.
    boolean diskFull = saysDiskFull(cause) || hasNoRoom(path, length);
    return of(message(operation, path, position, length), diskFull, cause);
  }

  private static String message(String operation, Path path, long position, long length) {
    return "cannot " + operation + " " + length + " bytes at offset " + position + " of " + path;
  }

  private static EverheapException of(String message, boolean diskFull, IOException cause) {
    if (diskFull) {
      return new DiskFullException(
          message + ": no space is left or the quota is used up; free space and try again", cause);
    }
    return new MediumException(message + ": " + reason(cause), cause);
  }

  /** The error of the operating system, as text for people. */
  static String reason(IOException cause) {
    return switch (cause) {
      case AccessDeniedException e -> "permission denied";
      case NoSuchFileException e -> "it does not exist";
      case FileAlreadyExistsException e -> "it exists already";
      default -> String.valueOf(cause.getMessage());
    };
  }

  private static boolean saysDiskFull(IOException cause) {
    for (Throwable t = cause; t != null; t = t.getCause()) {
      String text = t.getMessage();
      if (text != null
          && (text.contains(FULL_DISK)
              || text.contains(fullDisk())
              || text.contains("Disk quota exceeded")
              || text.contains("not enough space on the disk"))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the error of a full disk in the user's language, since Java passes on no number. It
   * comes from a device on which no write finds space.
   */
  private static String fullDisk() {
    String text = fullDisk;
    if (text == null) {
      try (var full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)) {
        full.write(ByteBuffer.allocate(1));
      } catch (NoSuchFileException | AccessDeniedException e) {
        return FULL_DISK; // no such device here
      } catch (IOException e) {
        text = e.getMessage();
        fullDisk = text;
      }
    }
    return text == null ? FULL_DISK : text;
  }

  /** Whether a file system has less room than that for this process. */
  static boolean hasNoRoom(Path path, long length) {
    try {
      return Files.getFileStore(path).getUsableSpace() < length;
    } catch (IOException e) {
      return false;
    }
  }
}
