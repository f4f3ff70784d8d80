package io.everheap.memory;

import java.nio.file.Path;

/** Chooses the medium for a directory: DAX if the file system supports it, else ordinary files. */
public final class Media {
  private Media() {}

  /**
   * Opens the medium of a heap and takes its lock.
   *
   * <p>For reading only, a DAX directory is opened like any other: nothing is made durable.
   *
   * @param directory of the heap
   * @param readOnly whether to refuse every change
   * @param create whether to create a missing directory
   */
  public static Medium open(Path directory, boolean readOnly, boolean create) {
    if (!readOnly && DaxMedium.supported(directory)) {
      return DaxMedium.open(directory, false, create);
    }
    return FileMedium.open(directory, readOnly, create);
  }
}
