package io.everheap.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.error.LockTimeoutException;
import io.everheap.support.Limit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HousekeeperTest {
  private static LockTimeoutException timeout() {
    return new LockTimeoutException("another", 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTaskThatDidNotGetItsTurnIsTriedAgain(boolean automatic) {
    Housekeeper housekeeper = new Housekeeper(automatic);
    AtomicInteger tries = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    housekeeper.submit(
        () -> {
          if (tries.incrementAndGet() <= 3) {
            throw timeout();
          }
          done.incrementAndGet();
        });
    housekeeper.submit(done::incrementAndGet);
    housekeeper.drain();
    assertThat(tries).hasValue(4);
    assertThat(done).hasValue(2);
    housekeeper.stop();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTaskThatFailsOtherwiseIsDroppedAndTheNextOneRuns(boolean automatic) {
    Housekeeper housekeeper = new Housekeeper(automatic);
    AtomicInteger tries = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    housekeeper.submit(
        () -> {
          tries.incrementAndGet();
          throw new IllegalStateException("broken");
        });
    housekeeper.submit(done::incrementAndGet);
    housekeeper.drain();
    assertThat(tries).hasValue(1);
    assertThat(done).hasValue(1);
    housekeeper.stop();
  }

  @Test
  void stoppingDoesNotWaitForATaskThatNeverGetsItsTurn() throws Exception {
    Housekeeper housekeeper = new Housekeeper(true);
    CountDownLatch tried = new CountDownLatch(2);
    housekeeper.submit(
        () -> {
          tried.countDown();
          throw timeout();
        });
    Limit.await(tried);
    housekeeper.stop();
    assertThat(housekeeper.stopping()).isTrue();
  }
}
