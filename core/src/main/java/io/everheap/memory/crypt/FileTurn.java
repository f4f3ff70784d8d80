package io.everheap.memory.crypt;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** What all files that are open under one name share. */
final class FileTurn {
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private long changes;

  /** Keeps readers from seeing a sector that is being written. */
  ReadWriteLock lock() {
    return lock;
  }

  /** Counts a change and returns its number; the caller holds the lock for writing. */
  long change() {
    return ++changes;
  }
}
