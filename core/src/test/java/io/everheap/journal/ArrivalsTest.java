package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
  private final Arrivals arrivals = new Arrivals();

  /** A wait in a monitor is rounded up to a whole millisecond. */
  @Test
  void lessThanAMillisecondIsNotWaitedForInTheMonitor() throws Exception {
    int most = 0;
    for (int tries = 0; tries < 100 && most < 2; tries++) { // a thread may not run for that long
      AtomicInteger asked = new AtomicInteger();
      boolean there =
          arrivals.await(
              () -> {
                assertThat(arrivals.sleepers()).isZero();
                return asked.incrementAndGet() < 0;
              },
              900_000);
      assertThat(there).isFalse();
      most = Math.max(most, asked.get());
    }
    assertThat(most).isGreaterThan(1);
  }

  @Test
  void aReaderIsWokenBySignals() throws Exception {
    AtomicInteger seen = new AtomicInteger();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    if (arrivals.await(() -> seen.get() > 0, Long.MAX_VALUE)) {
                      seen.incrementAndGet();
                    }
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    Limit.until("the reader sleeps", () -> arrivals.sleepers() > 0);
    seen.incrementAndGet();
    arrivals.signal();
    Limit.join(reader);
    assertThat(seen.get()).isEqualTo(2);
    assertThat(arrivals.sleepers()).isZero();
  }
}
