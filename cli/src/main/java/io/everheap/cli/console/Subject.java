package io.everheap.cli.console;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.cli.KeyOptions;
import io.everheap.cli.RefusedException;
import io.everheap.error.EncryptionException;
import io.everheap.error.EverheapException;
import io.everheap.error.HeapLockedException;
import io.everheap.error.HeapMissingException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The heap that the console shows. If another process has it open, only its counters are read; the
 * heap is opened, for reading, when that process has closed it. Thread-safe.
 */
final class Subject implements AutoCloseable {
  private final Path directory;
  private final KeyOptions keys;
  private @Nullable Heap heap;
  private @Nullable EverheapException failure;
  private boolean closed;

  private Subject(Path directory, KeyOptions keys) {
    this.directory = directory;
    this.keys = keys;
  }

  /**
   * Opens the heap, if possible.
   *
   * @throws HeapMissingException if there is none
   * @throws EncryptionException if it is encrypted, and its key is not given or another one
   */
  static Subject of(Path directory, KeyOptions keys) {
    var subject = new Subject(directory, keys);
    subject.refresh();
    EverheapException failure = subject.failure();
    if (failure instanceof HeapMissingException || failure instanceof EncryptionException) {
      throw failure;
    }
    return subject;
  }

  Path directory() {
    return directory;
  }

  /** Prepares to open the heap, with its key if one was given. */
  HeapBuilder builder() {
    return keys.apply(Heap.builder(directory));
  }

  /** Tries to open the heap if it is not open. */
  synchronized void refresh() {
    if (heap == null && !closed) {
      try {
        heap = builder().readOnly().open();
        failure = null;
      } catch (EverheapException e) {
        failure = e;
      }
    }
  }

  /** Why the heap is not open, or null. */
  synchronized @Nullable EverheapException failure() {
    return failure;
  }

  /** Whether another process has it open. */
  boolean isInUse() {
    return failure() instanceof HeapLockedException;
  }

  synchronized @Nullable Heap find() {
    return heap;
  }

  /**
   * The open heap.
   *
   * @throws RefusedException if it is not open
   */
  Heap heap() {
    Heap open = find();
    if (open == null) {
      throw new RefusedException(
          isInUse()
              ? "another process has the heap open; its entries can be read when it has closed it"
              : "the heap cannot be opened");
    }
    return open;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (heap != null) {
      heap.close();
      heap = null;
    }
  }
}
