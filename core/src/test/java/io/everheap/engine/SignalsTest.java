package io.everheap.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SignalsTest {
  private static final long KEY = 4711;
  private static final long FAR = Long.MAX_VALUE / 2;

  private final Signals signals = new Signals(() -> false);

  @Test
  void aThreadThatRegistersWhileTheHeapIsClosedDoesNotWait() throws Exception {
    signals.end(); // its transaction began before and goes on
    try (Signals.Waiter waiter = signals.join(KEY)) {
      assertThat(waiter.awaitUntil(System.nanoTime() + FAR)).isTrue();
    }
  }

  @Test
  void aThreadThatFoundNothingAgainWhileTheHeapIsClosedDoesNotWait() throws Exception {
    try (Signals.Waiter waiter = signals.join(KEY)) {
      signals.end();
      waiter.again();
      assertThat(waiter.awaitUntil(System.nanoTime() + FAR)).isTrue();
    }
  }

  @Test
  void aWakeUpOfAllIsNoEnd() throws Exception {
    signals.wakeAll();
    try (Signals.Waiter waiter = signals.join(KEY)) {
      assertThat(waiter.awaitUntil(System.nanoTime())).isFalse();
    }
  }

  @Test
  void aKeyIsForgottenWithItsLastThread() {
    Signals.Waiter first = signals.join(KEY);
    Signals.Waiter second = signals.join(KEY);
    first.close();
    assertThat(signals.isAwaited(KEY)).isTrue();
    second.close();
    assertThat(signals.isAwaited(KEY)).isFalse();
  }
}
