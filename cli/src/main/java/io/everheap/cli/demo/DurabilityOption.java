package io.everheap.cli.demo;

import io.everheap.Durability;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code sync}, {@code async} or {@code async:10ms}, as given on the command line.
 *
 * @param interval of {@code async}; empty: {@code sync}
 */
record DurabilityOption(Optional<Duration> interval) {
  static final Duration DEFAULT_INTERVAL = Duration.ofMillis(10);

  private static final Pattern ASYNC = Pattern.compile("async(?::(\\d{1,9})(us|ms|s))?");

  /**
   * Reads the option.
   *
   * @throws IllegalArgumentException if the text is none of these, or if the library refuses the
   *     interval
   */
  static DurabilityOption parse(String text) {
    if (text.equals("sync")) {
      return new DurabilityOption(Optional.empty());
    }
    Matcher async = ASYNC.matcher(text);
    if (!async.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a durability: use sync, async or async:10ms (us, ms, s)");
    }
    if (async.group(1) == null) {
      return new DurabilityOption(Optional.of(DEFAULT_INTERVAL));
    }
    long amount = Long.parseLong(async.group(1));
    Duration interval =
        switch (async.group(2)) {
          case "us" -> Duration.ofNanos(amount * 1_000);
          case "ms" -> Duration.ofMillis(amount);
          default -> Duration.ofSeconds(amount);
        };
    var option = new DurabilityOption(Optional.of(interval));
    return option.checked();
  }

  Durability durability() {
    return interval.map(Durability::async).orElse(Durability.SYNC);
  }

  /** Checks the interval with the library's rules. */
  private DurabilityOption checked() {
    Objects.requireNonNull(durability());
    return this;
  }

  /** The text that {@link #parse} reads back. */
  @Override
  public String toString() {
    return interval.map(DurabilityOption::describe).orElse("sync");
  }

  private static String describe(Duration interval) {
    long micros = interval.toNanos() / 1_000;
    return micros % 1_000 == 0 ? "async:" + micros / 1_000 + "ms" : "async:" + micros + "us";
  }
}
