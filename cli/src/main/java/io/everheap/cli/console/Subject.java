package io.everheap.cli.console;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.HeapCheck;
import io.everheap.cli.KeyOptions;
import io.everheap.cli.RefusedException;
import io.everheap.error.EncryptionException;
import io.everheap.error.EverheapException;
import io.everheap.error.LockedException;
import io.everheap.error.MissingException;
import io.everheap.report.VerifyProgress;
import io.everheap.report.VerifyReport;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The heap that the console shows. If another process has it open, only its counters are read; the
 * heap is opened, for reading, when that process has closed it. While nothing is asked for, it is
 * closed, so that a program that writes to it can start. Thread-safe.
 */
final class Subject implements AutoCloseable {
  /** After this time without a request the heap is closed. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(15);

  private static final long LOOK_AGAIN_MILLIS = 500;

  private final Path directory;
  private final KeyOptions keys;
  private final long idleNanos;
  private int uses;
  private long lastUse = System.nanoTime();
  private @Nullable Heap heap;
  private @Nullable EverheapException failure;
  private boolean closed;

  private Subject(Path directory, KeyOptions keys, long idleNanos) {
    this.directory = directory;
    this.keys = keys;
    this.idleNanos = idleNanos;
  }

  /**
   * Opens the heap, if possible.
   *
   * @throws MissingException if there is none
   * @throws EncryptionException if it is encrypted, and its key is not given or another one
   */
  static Subject of(Path directory, KeyOptions keys) {
    return of(directory, keys, IDLE_NANOS);
  }

  /** With another time after which the heap is closed. */
  static Subject of(Path directory, KeyOptions keys, long idleNanos) {
    var subject = new Subject(directory, keys, idleNanos);
    subject.refresh();
    EverheapException failure = subject.failure();
    if (failure instanceof MissingException || failure instanceof EncryptionException) {
      throw failure;
    }
    Thread.ofVirtual().name("everheap-console-idle").start(subject::closeWhenIdle);
    return subject;
  }

  private void closeWhenIdle() {
    try {
      while (!closeIfIdle()) {
        Thread.sleep(LOOK_AGAIN_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether nothing will be asked for again. */
  private synchronized boolean closeIfIdle() {
    Heap open = heap;
    if (open != null && uses == 0 && System.nanoTime() - lastUse > idleNanos) {
      heap = null;
      open.close();
    }
    return closed;
  }

  /** Keeps the heap open until {@link #end}; opens it if it was closed since nobody used it. */
  synchronized void begin() {
    uses++;
    if (failure == null) {
      refresh();
    }
  }

  /** Ends a use of the heap. */
  synchronized void end() {
    uses--;
    lastUse = System.nanoTime();
  }

  Path directory() {
    return directory;
  }

  /** Prepares to open the heap, with its key if one was given. */
  HeapBuilder builder() {
    return keys.apply(Heap.builder(directory));
  }

  /** Checks the heap, which is not open. */
  VerifyReport verify(VerifyProgress progress) {
    return HeapCheck.verify(directory, keys.provider(), progress);
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
    return failure() instanceof LockedException;
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
