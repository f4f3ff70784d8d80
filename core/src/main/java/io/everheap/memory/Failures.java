package io.everheap.memory;

import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Turns what the operating system said into the exceptions of Everheap. */
final class Failures {
  private Failures() {}

  /** An operation on a whole file or directory failed. */
  static EverheapException of(String operation, Path path, IOException cause) {
    return of("cannot " + operation + " " + path, path, 0, cause);
  }

  /** An operation on a range of a file failed. */
  static EverheapException of(
      String operation, Path path, long position, long length, IOException cause) {
    String message =
        "cannot " + operation + " " + length + " bytes at offset " + position + " of " + path;
    return of(message, path, length, cause);
  }

  private static EverheapException of(String message, Path path, long length, IOException cause) {
    if (isDiskFull(path, length, cause)) {
      return new DiskFullException(
          message + ": no space is left or the quota is used up; free space and try again", cause);
    }
    return new MediumException(message + ": " + reason(cause), cause);
  }

  private static String reason(IOException cause) {
    return switch (cause) {
      case AccessDeniedException e -> "permission denied";
      case NoSuchFileException e -> "it does not exist";
      case FileAlreadyExistsException e -> "it exists already";
      default -> String.valueOf(cause.getMessage());
    };
  }

  /** Java keeps the error number to itself, and its text may be in the user's language. */
  private static boolean isDiskFull(Path path, long length, IOException cause) {
    for (Throwable t = cause; t != null; t = t.getCause()) {
      if (saysDiskFull(t.getMessage())) {
        return true;
      }
    }
    if (length == 0) {
      return false;
    }
    try {
      return Files.getFileStore(path).getUsableSpace() < length;
    } catch (IOException | SecurityException e) {
      return false;
    }
  }

  private static boolean saysDiskFull(@Nullable String message) {
    return message != null
        && (message.contains("No space left on device")
            || message.contains("Disk quota exceeded")
            || message.contains("not enough space on the disk"));
  }
}
