package io.everheap.cache.event;

import jdk.jfr.FlightRecorder;

/** Whether anybody may record events; asked before an event class is loaded. */
public final class Recording {
  private Recording() {}

  /** Whether the flight recorder was started in this JVM. */
  public static boolean isOn() {
    return FlightRecorder.isInitialized();
  }
}
