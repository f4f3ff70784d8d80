package io.everheap.memory;

import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Converts errors of the operating system into the exceptions of Everheap. Stateless. */
final class Failures {
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
          && (text.contains("No space left on device")
              || text.contains(FullDevice.TEXT)
              || text.contains("Disk quota exceeded")
              || text.contains("not enough space on the disk"))) {
        return true;
      }
    }
    return false;
  }

  /**
   * The error of a full disk in the language of the user, which Java passes on without a number.
   */
  private static final class FullDevice {
    static final String TEXT = ask();

    private static String ask() {
      try (var full = new FileOutputStream("/dev/full")) { // each write to it finds no space
        full.write(0);
      } catch (IOException e) {
        if (!(e instanceof FileNotFoundException) && e.getMessage() != null) {
          return e.getMessage();
        }
      }
      return "No space left on device";
    }
  }

  private static boolean hasNoRoom(Path path, long length) {
    try {
      return Files.getFileStore(path).getUsableSpace() < length;
    } catch (IOException e) {
      return false;
    }
  }
}
