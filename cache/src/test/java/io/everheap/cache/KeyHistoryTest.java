package io.everheap.cache;

import static io.everheap.cache.KeyHistory.one;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cache.KeyHistory.Operation;
import io.everheap.cache.KeyHistory.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The checker accepts what can be explained and refuses what cannot. */
class KeyHistoryTest {
  private static Operation put(long value, @Nullable Long old, long begin, long end) {
    return new Operation("put", v -> one(value, v), old, null, false, begin, end);
  }

  private static Operation get(@Nullable Long result, long begin, long end) {
    return new Operation("get", v -> one(v, v), result, null, false, begin, end);
  }

  private static Operation load(long value, long begin, long end) {
    return new Operation(
        "load",
        v -> List.of(new Outcome(value, value), new Outcome(null, value)),
        value,
        value,
        false,
        begin,
        end);
  }

  private static Operation join(long result, long begin, long end) {
    return new Operation("join", v -> List.of(), result, null, true, begin, end);
  }

  private static boolean isLinearizable(Operation... operations) {
    var history = new KeyHistory();
    List.of(operations).forEach(history::add);
    return history.isLinearizable();
  }

  @Test
  void overlappingOperationsMayTakeEitherOrder() {
    assertThat(isLinearizable(put(1, null, 1, 4), get(null, 2, 3))).isTrue();
    assertThat(isLinearizable(put(1, null, 1, 4), get(1L, 2, 3))).isTrue();
  }

  @Test
  void aValueCannotBeMissedAfterItsPutReturned() {
    assertThat(isLinearizable(put(1, null, 1, 2), get(null, 3, 4))).isFalse();
  }

  @Test
  void twoPutsCannotReplaceTheSameValue() {
    assertThat(isLinearizable(put(1, null, 1, 10), put(2, null, 2, 11), get(2L, 12, 13))).isFalse();
  }

  @Test
  void aLoadMayBePutOrNot() {
    assertThat(isLinearizable(load(7, 1, 2), get(7L, 3, 4))).isTrue();
    assertThat(isLinearizable(load(7, 1, 2), get(null, 3, 4))).isTrue();
    assertThat(isLinearizable(load(7, 1, 2), get(null, 3, 4), get(7L, 5, 6))).isFalse();
  }

  @Test
  void aLoadIsJoinedWhileItIsUnderWayOnly() {
    assertThat(isLinearizable(load(7, 1, 4), join(7, 2, 5), get(null, 6, 7))).isTrue();
    assertThat(isLinearizable(load(7, 1, 2), join(7, 3, 4))).isFalse();
  }
}
