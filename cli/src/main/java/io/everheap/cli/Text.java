package io.everheap.cli;

import java.util.Locale;

/** Formats numbers for the terminal. */
final class Text {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Text() {}

  /** A count with thousands separated. */
  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** A size in the largest unit that leaves at least 1 of it. */
  static String bytes(long bytes) {
    if (Math.abs(bytes) < 1024) {
      return bytes + " B";
    }
    double value = bytes;
    int unit = -1;
    while (Math.abs(value) >= 1023.95 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
  }

  /** A time in seconds, or in milliseconds below one second. */
  static String nanos(long nanos) {
    return nanos >= 1_000_000_000
        ? String.format(Locale.ROOT, "%.1f s", nanos / 1e9)
        : String.format(Locale.ROOT, "%d ms", nanos / 1_000_000);
  }
}
