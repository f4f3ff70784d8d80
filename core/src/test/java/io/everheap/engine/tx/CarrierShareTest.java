package io.everheap.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CarrierShareTest {
  private final WriterLock lock = new WriterLock(1_000_000_000);
  private final AtomicInteger asked = new AtomicInteger();
  private final CarrierShare share =
      new CarrierShare(
          lock,
          () -> {
            asked.incrementAndGet();
            return true;
          });

  @Test
  void aVirtualThreadThatReadsWithoutAPauseAsksWhetherOthersWait() throws Exception {
    Limit.join(
        Thread.ofVirtual().start(() -> Limit.spinUntil("it asks", () -> readAndAsked() > 0)));
  }

  @Test
  void anInterruptIsKept() throws Exception {
    boolean[] kept = new boolean[1];
    Limit.join(
        Thread.ofVirtual()
            .start(
                () -> {
                  Thread.currentThread().interrupt();
                  Limit.spinUntil("it asks", () -> readAndAsked() > 0);
                  kept[0] = Thread.currentThread().isInterrupted();
                }));
    assertThat(kept[0]).isTrue();
  }

  @Test
  void theThreadThatHoldsTheLockDoesNotPause() throws Exception {
    Limit.join(
        Thread.ofVirtual()
            .start(
                () -> {
                  lock.owner = Thread.currentThread();
                  long end = System.nanoTime() + 20_000_000;
                  while (System.nanoTime() < end) {
                    share.beforeRead();
                  }
                }));
    assertThat(asked).hasValue(0);
  }

  @Test
  void aPlatformThreadDoesNotPause() {
    long end = System.nanoTime() + 20_000_000;
    while (System.nanoTime() < end) {
      share.beforeRead();
    }
    assertThat(asked).hasValue(0);
  }

  private int readAndAsked() {
    share.beforeRead();
    return asked.get();
  }
}
