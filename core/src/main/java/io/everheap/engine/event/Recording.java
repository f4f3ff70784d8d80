package io.everheap.engine.event;

import jdk.jfr.FlightRecorder;

/**
 * Whether anybody may record events. Asked before an event is made: loading an event class starts
 * much of the flight recorder, which would be a third of the time that a heap takes to open.
 */
public final class Recording {
  private Recording() {}

  /** Whether the flight recorder was started in this JVM. */
  public static boolean isOn() {
    return FlightRecorder.isInitialized();
  }
}
