package io.everheap.structure.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.structure.map.Linearizability.Operation;
import io.everheap.structure.map.Linearizability.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker accepts what can be explained and refuses what cannot. */
class LinearizabilityTest {
  private static Operation put(long value, Long old, long begin, long end) {
    return new Operation("put", v -> new Outcome(value, v), old, begin, end);
  }

  private static Operation get(Long result, long begin, long end) {
    return new Operation("get", v -> new Outcome(v, v), result, begin, end);
  }

  @Test
  void overlappingOperationsMayTakeEitherOrder() {
    assertThat(Linearizability.isLinearizable(List.of(put(1, null, 1, 4), get(null, 2, 3))))
        .isTrue();
    assertThat(Linearizability.isLinearizable(List.of(put(1, null, 1, 4), get(1L, 2, 3)))).isTrue();
  }

  @Test
  void aValueCannotBeMissedAfterItsPutReturned() {
    assertThat(Linearizability.isLinearizable(List.of(put(1, null, 1, 2), get(null, 3, 4))))
        .isFalse();
  }

  @Test
  void aValueCannotVanishAgainBetweenTwoReads() {
    assertThat(
            Linearizability.isLinearizable(
                List.of(put(1, null, 1, 10), get(1L, 2, 3), get(null, 4, 5))))
        .isFalse();
  }

  @Test
  void twoPutsCannotReplaceTheSameValue() {
    assertThat(
            Linearizability.isLinearizable(
                List.of(put(1, null, 1, 10), put(2, null, 2, 11), get(2L, 12, 13))))
        .isFalse();
  }
}
