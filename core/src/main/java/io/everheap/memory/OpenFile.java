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
 * A file that is open to be changed: which one it is, and how long it is at least. What is written
 * to it reaches the same file even after its name is gone or leads to another one, and would be
 * lost with the process; {@link #check} finds that out.
 */
final class OpenFile {
  private final @Nullable Object key;
  private volatile Path path;
  private volatile long size;
  private int uses; // guarded by OpenFiles

  /** The file that a name leads to now. */
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

  /** Whether that was the last use. */
  boolean release() {
    return --uses == 0;
  }

  /** Nothing shorter than this is the same file. */
  void grown(long bytes) {
    size = Math.max(size, bytes);
  }

  /** Called before the file is cut on purpose. */
  void cut(long bytes) {
    size = Math.min(size, bytes);
  }

  /**
   * Checks that the name still leads to the file, and that it was not cut.
   *
   * @throws MediumException if not; it names the file and says what to do
   */
  void check() {
    Path name = path;
    long before = size; // the file may grow while it is looked at
    BasicFileAttributes now;
    try {
      now = Files.readAttributes(name, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      throw new MediumException(name + " was deleted or renamed while it was open." + remedy(), e);
    } catch (AccessDeniedException e) {
      return; // it cannot be told
    } catch (IOException e) {
      throw new MediumException(
          "cannot find " + name + " any more, which is open: " + Failures.reason(e), e);
    }
    if (key != null && !key.equals(now.fileKey())) {
      throw new MediumException(
          name + " was replaced by another file while it was open." + remedy(), null);
    }
    if (now.size() < Math.min(before, size)) {
      throw new MediumException(
          name
              + " was cut to "
              + now.size()
              + " bytes while it was open; it had "
              + size
              + " at least. What was cut off is lost: restore a backup, or save what is left with"
              + " salvage.",
          null);
    }
  }

  /** An open file without a name lives as long as the process. */
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
