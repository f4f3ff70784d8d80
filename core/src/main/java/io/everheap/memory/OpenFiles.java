package io.everheap.memory;

import io.everheap.error.MediumException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of a directory that are open or mapped for changes. Thread-safe; the monitor guards the
 * map and the use counts. Code that renames or deletes a file on purpose holds the monitor, and
 * reports it here.
 */
final class OpenFiles {
  private final Path root;
  private final @Nullable Object rootKey;
  private final Map<Path, OpenFile> files = new HashMap<>();

  /** Creates an empty set for a directory that exists. */
  OpenFiles(Path root) {
    this.root = root;
    Object key = null;
    try {
      key = key();
    } catch (IOException e) {
      // The first operation on a file reports the failure.
    }
    this.rootKey = key;
  }

  private @Nullable Object key() throws IOException {
    return Files.readAttributes(root, BasicFileAttributes.class).fileKey();
  }

  /**
   * Checks that the path still leads to the same directory.
   *
   * @throws MediumException if not; the message says what to do
   */
  void requireRoot() {
    requireRoot(null);
  }

  /** Like {@link #requireRoot()}, after an operation failed, possibly for that reason. */
  void requireRoot(@Nullable IOException failure) {
    IOException cause = failure;
    try {
      if (rootKey == null || rootKey.equals(key())) {
        return;
      }
    } catch (AccessDeniedException e) {
      return; // cannot be checked
    } catch (IOException e) {
      cause = failure == null ? e : failure;
    }
    throw new MediumException(
        root
            + " was moved, deleted, replaced or unmounted while it was in use."
            + OpenFile.remedy(),
        cause);
  }

  /** Begins a use of a file; {@link #release} ends it. */
  synchronized OpenFile use(Path path) {
    OpenFile file = files.get(path);
    if (file == null) {
      try {
        file = new OpenFile(path);
      } catch (IOException e) {
        throw Failures.of("open", path, e);
      }
      files.put(path, file);
    } else {
      file.check();
    }
    file.use();
    return file;
  }

  /** Begins another use of a file that is in use. */
  synchronized void again(OpenFile file) {
    file.use();
  }

  /** Ends a use. */
  synchronized void release(OpenFile file) {
    if (file.release()) {
      files.remove(file.path(), file);
    }
  }

  /** Reports that a file was renamed, and replaced the file that had the new name. */
  synchronized void renamed(Path from, Path to) {
    OpenFile file = files.remove(from);
    files.remove(to);
    if (file != null) {
      file.renamed(to);
      files.put(to, file);
    }
  }

  /** Reports that a file was deleted. */
  synchronized void deleted(Path path) {
    files.remove(path);
  }

  /**
   * Checks the directory and each file.
   *
   * @throws MediumException if one was moved, replaced or truncated
   */
  synchronized void check() {
    requireRoot();
    for (OpenFile file : List.copyOf(files.values())) {
      file.check();
    }
  }
}
