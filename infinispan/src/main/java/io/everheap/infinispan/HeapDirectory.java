package io.everheap.infinispan;

import io.everheap.Heap;
import io.everheap.error.LockedException;
import io.everheap.error.MissingException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;

/** The directory of a heap that belongs to one cache. Stateless. */
final class HeapDirectory {
  private static final Logger LOGGER = System.getLogger(HeapDirectory.class.getName());

  private HeapDirectory() {}

  /**
   * Deletes the files of a closed heap, and the directory unless it has others. Those may be the
   * only copy of something, such as a heap of another cache in a directory below.
   */
  static void delete(Path directory) {
    try {
      Heap.delete(directory);
    } catch (MissingException e) {
      return; // another process deleted it
    } catch (LockedException e) {
      LOGGER.log(Level.WARNING, "the heap of a destroyed cache, which is empty, is kept", e);
      return;
    }
    if (Files.exists(directory)) {
      LOGGER.log(
          Level.WARNING,
          "{0} is kept: it has files that are not those of the destroyed cache",
          directory);
    }
  }
}
