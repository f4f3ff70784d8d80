package io.everheap.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Whether a cache may change. */
class TurnTest {
  @Test
  void whatIsRefusedSinceTheCacheIsClosedIsNoFailure() {
    var turn = new Turn("here");
    turn.close();
    turn.fail(new IllegalStateException("the cache is closed")); // as a recovery does
    assertThat(turn.hasFailed()).as("so that the close is complete").isFalse();
  }
}
