package io.everheap.testkit.machine;

/** Thrown by every access of a simulated process after the moment at which it was killed. */
public final class Crash extends Error {
  Crash(CrashPoint point) {
    super("the simulated process was killed at " + point, null, false, false);
  }
}
