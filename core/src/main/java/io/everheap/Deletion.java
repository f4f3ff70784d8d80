package io.everheap;

import io.everheap.engine.HeapFiles;
import io.everheap.error.MediumException;
import io.everheap.error.MissingException;
import io.everheap.memory.FileMedium;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds and deletes heaps that nobody has open. Stateless. */
final class Deletion {
  private Deletion() {}

  /** Whether a directory holds a heap. */
  static boolean exists(Path directory) {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (var medium = FileMedium.beside(directory)) {
      return HeapFiles.exists(medium);
    } catch (MissingException e) {
      return false; // it was deleted just now
    }
  }

  /** Deletes the files of a heap, then the directories that are empty. */
  static void run(Path directory) {
    try (var medium = FileMedium.beside(directory)) {
      HeapFiles.requireDeletable(medium); // before the lock makes a file
    }
    try (var medium = FileMedium.open(directory, false, false)) {
      HeapFiles.delete(medium);
    }
    try {
      deleteEmpty(directory.resolve("log"));
      deleteEmpty(directory);
    } catch (IOException e) {
      throw new MediumException("cannot delete the empty directory " + e.getMessage(), e);
    }
  }

  /** A link to a directory stays, and so does the directory. */
  private static void deleteEmpty(Path directory) throws IOException {
    try {
      if (!Files.isSymbolicLink(directory)) {
        Files.deleteIfExists(directory);
      }
    } catch (DirectoryNotEmptyException e) {
      // it has files of others
    }
  }
}
