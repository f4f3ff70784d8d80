package io.everheap.cache.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.DiskFullException;
import io.everheap.error.MediumException;
import org.junit.jupiter.api.Test;

/** Whether a cache may change. */
class TurnTest {
  @Test
  void whatIsRefusedSinceTheCacheIsClosedIsNoFailure() {
    var turn = new Turn("here", e -> new MediumException("a fault", e));
    turn.close();
    turn.fail(new IllegalStateException("the cache is closed")); // as a recovery does
    assertThat(turn.hasFailed()).as("so that the close is complete").isFalse();
  }

  @Test
  void aFaultOfMappedMemoryIsExplainedAlsoByWhatIsRefusedAfterIt() {
    var fault = new InternalError("a fault occurred in an unsafe memory access operation");
    var turn = new Turn("here", e -> new DiskFullException("no space", e));
    assertThatThrownBy(
            () ->
                turn.run(
                    () -> {
                      throw fault;
                    }))
        .isInstanceOf(DiskFullException.class)
        .hasCause(fault);
    assertThat(turn.hasFailed()).isTrue();
    assertThatThrownBy(turn::requireUsable)
        .isInstanceOf(DiskFullException.class)
        .hasMessageContaining("the cache at here stopped after a failure (no space");
  }

  @Test
  void aFaultOfACopyOfTheCallerStopsNothing() {
    var turn = new Turn("here", e -> new DiskFullException("no space", e));
    var fault = new InternalError("a fault occurred in an unsafe memory access operation");
    assertThatThrownBy(() -> turn.thrown(fault)).isInstanceOf(DiskFullException.class);
    assertThat(turn.hasFailed()).isFalse();
    assertThatThrownBy(() -> turn.thrown(new InternalError("another")))
        .isExactlyInstanceOf(InternalError.class);
  }
}
