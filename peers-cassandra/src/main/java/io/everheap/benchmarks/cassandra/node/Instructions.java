package io.everheap.benchmarks.cassandra.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts the instructions of this thread outside of the kernel, by the program {@code perf}, while
 * it is open. Virtual machines often have no such counter: then nothing is counted.
 */
final class Instructions implements AutoCloseable {
  private static final int END_SECONDS = 10;

  private final @Nullable Process perf;

  private Instructions(@Nullable Process perf) {
    this.perf = perf;
  }

  /** Begins to count. */
  static Instructions count() throws InterruptedException {
    try {
      String thread = Path.of("/proc/thread-self").toRealPath().getFileName().toString();
      Process perf =
          new ProcessBuilder("perf", "stat", "-x,", "-e", "instructions:u", "-t", thread)
              .redirectErrorStream(true)
              .start();
      // It counts from when it is attached; a child that ended at once cannot.
      boolean ended = perf.waitFor(100, TimeUnit.MILLISECONDS);
      return new Instructions(ended ? null : perf);
    } catch (IOException e) {
      return new Instructions(null);
    }
  }

  /** Ends the count. */
  OptionalLong counted() throws IOException, InterruptedException {
    if (perf == null) {
      return OptionalLong.empty();
    }
    new ProcessBuilder("kill", "-INT", String.valueOf(perf.pid())).start().waitFor();
    String output = new String(perf.getInputStream().readAllBytes(), UTF_8);
    return perf.waitFor(END_SECONDS, TimeUnit.SECONDS) ? parse(output) : OptionalLong.empty();
  }

  /** What {@code perf stat -x,} printed: the count first, or why there is none. */
  static OptionalLong parse(String output) {
    return output
        .lines()
        .filter(line -> line.contains("instructions:u"))
        .map(line -> line.substring(0, line.indexOf(',')))
        .filter(count -> count.matches("\\d+"))
        .mapToLong(Long::parseLong)
        .findFirst();
  }

  @Override
  public void close() {
    if (perf != null) {
      perf.destroy();
    }
  }
}
