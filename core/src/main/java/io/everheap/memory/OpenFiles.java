package io.everheap.memory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The files of a directory that are open, or mapped, to be changed. Thread-safe. Whoever renames or
 * deletes one on purpose does it under the monitor of this object, and says so.
 */
final class OpenFiles {
  private final Path root;
  private final Map<Path, OpenFile> files = new HashMap<>();

  OpenFiles(Path root) {
    this.root = root;
  }

  /** Begins a use of a file; {@link #release} ends it. */
  synchronized OpenFile use(Path path) {
    OpenFile file = files.get(path);
    if (file == null) {
      try {
        file = new OpenFile(root, path);
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

  /** A further use of a file that is in use. */
  synchronized void again(OpenFile file) {
    file.use();
  }

  /** Ends a use. */
  synchronized void release(OpenFile file) {
    if (file.release()) {
      files.remove(file.path(), file);
    }
  }

  /** A file has another name now, in place of the file that had it. */
  synchronized void renamed(Path from, Path to) {
    OpenFile file = files.remove(from);
    files.remove(to);
    if (file != null) {
      file.renamed(to);
      files.put(to, file);
    }
  }

  /** A file has no name any more. */
  synchronized void deleted(Path path) {
    files.remove(path);
  }

  /**
   * Checks each file.
   *
   * @throws io.everheap.error.MediumException if one is not what it was
   */
  synchronized void check() {
    for (OpenFile file : List.copyOf(files.values())) {
      file.check();
    }
  }
}
