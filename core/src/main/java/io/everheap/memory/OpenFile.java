package io.everheap.memory;

import io.everheap.error.MediumException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A file that is open for changes: its identity and its minimum size. Writes reach the same file
 * even after it was deleted or another file got its name, and would be lost with the process;
 * {@link #check} detects that. Thread-safe, except {@link #use} and {@link #release}.
 */
final class OpenFile {
  private final @Nullable Object key;
  private volatile Path path;
  private volatile long size;
  private int uses; // guarded by OpenFiles

  /** Identifies the file to which a path leads now. */
  OpenFile(Path path) throws IOException {
    this.path = path;
    BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
    this.key = now.fileKey();
    this.size = now.size();
  }

  Path path() {
    return path;
  }

  void renamed(Path to) {
    path = to;
  }

  void use() {
    uses++;
  }

  /** Ends a use; returns whether it was the last one. */
  boolean release() {
    return --uses == 0;
  }

  /** Raises the minimum size. */
  void grown(long bytes) {
    size = Math.max(size, bytes);
  }

  /** Lowers the minimum size; called before the file is truncated on purpose. */
  void cut(long bytes) {
    size = Math.min(size, bytes);
  }

  /**
   * Checks that the path still leads to the file, and that the file was not truncated.
   *
   * @throws MediumException if not; the message names the file and says what to do
   */
  void check() {
    Path name = path;
    long before = size; // the file may be mapped farther or truncated during the check
    BasicFileAttributes now;
    try {
      now = Files.readAttributes(name, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      throw new MediumException(name + " was deleted or renamed while it was open." + remedy(), e);
    } catch (AccessDeniedException e) {
      return; // cannot be checked
    } catch (IOException e) {
      throw new MediumException(
          "cannot find " + name + " any more, which is open: " + Failures.reason(e), e);
    }
    if (key != null && !key.equals(now.fileKey())) {
      throw new MediumException(
          name + " was replaced by another file while it was open." + remedy(), null);
    }
    requireSize(now.size(), before);
  }

  /** Whether a file that ends there has its minimum size. */
  boolean reaches(long end) {
    return end >= size;
  }

  /** Checks that the file was not truncated. */
  void requireSize(SteadyChannel open) throws IOException {
    long before = size;
    requireSize(open.size(), before);
  }

  private void requireSize(long now, long before) {
    long least = Math.min(before, size);
    if (now < least) {
      throw new MediumException(
          path
              + " was cut to "
              + now
              + " bytes while it was open; it had "
              + least
              + " at least. What was cut off is lost: restore a backup, or save what is left with"
              + " salvage.",
          null);
    }
  }

  /** Advice for a file that was deleted, whose contents exist as long as the process. */
  static String remedy() {
    Path process = Path.of("/proc", Long.toString(ProcessHandle.current().pid()));
    return " What was committed lately may be only in the file that was open. If that was renamed or"
        + " moved, put it back and open it again. If it was deleted, "
        + (Files.exists(process)
            ? "copy it before it is closed and this process ends, from "
                + process
                + "/fd or map_files, where it is marked (deleted); or "
            : "")
        + "restore a backup.";
  }
}
