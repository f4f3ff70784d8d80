package io.everheap.benchmarks.store;

import io.everheap.benchmarks.result.Level;

/** How a store is run: what a completed write survives, and where the data is. */
public enum Mode {
  /** In the Java heap; nothing survives. */
  VOLATILE(Level.V, "java-heap"),
  /** In memory outside of the Java heap; nothing survives. */
  OFF_HEAP(Level.V, "off-heap"),
  /** In files that hold all of the data only after a close. */
  RELAXED(Level.V, "file"),
  /** In files; a write that returned survives the end of the process. */
  PROCESS(Level.P, "file"),
  /** In files; a write that returned survives the loss of power. */
  POWER(Level.S, "file"),
  /** As {@link #POWER}, on emulated persistent memory. */
  EMULATED(Level.S, "emulated-dax");

  private final Level level;
  private final String medium;

  Mode(Level level, String medium) {
    this.level = level;
    this.medium = medium;
  }

  /** What a write survives. */
  public Level level() {
    return level;
  }

  /** Where the data is. */
  public String medium() {
    return medium;
  }

  /** Whether the data is in files on a disk, which a process can close and another one open. */
  public boolean onDisk() {
    return medium.equals("file");
  }
}
