package io.everheap.cache.event;

import io.everheap.memory.ClassesAhead;
import jdk.jfr.FlightRecorder;

/** Whether events can be recorded; asked before an event class is used. Thread-safe. */
public final class Recording {
  private static volatile boolean loaded; // all event classes

  private Recording() {}

  /**
   * Returns whether events can be recorded: the flight recorder was started in this JVM, and all
   * event classes are loaded. They are loaded by the first call after the start. If the class
   * loader was closed before, they cannot be, and no event is recorded.
   */
  public static boolean isOn() {
    return FlightRecorder.isInitialized() && (loaded || load());
  }

  private static boolean load() {
    try {
      ClassesAhead.load(CacheSyncEvent.class, CacheEvictionEvent.class, CacheRecoveryEvent.class);
      loaded = true;
      return true;
    } catch (LinkageError e) {
      return false;
    }
  }
}
