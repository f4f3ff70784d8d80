package io.everheap.it.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.it.crash.Ack.Kind;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a power cut may take, and what it may not. */
class PoweredHeapTest {
  private static final long SECOND = 1_000_000_000L;

  private final PoweredHeap sync = heap(0);
  private final PoweredHeap async = heap(200_000);
  private final PoweredHeap never = heap(Order.NEVER.toNanos() / 1_000);

  private static PoweredHeap heap(long intervalMicros) {
    var order =
        new Order(Order.Kind.HEAP, 0, "file", intervalMicros, false, 2, 42, 0, Path.of("heap"));
    return new PoweredHeap("a heap", order);
  }

  private static void told(PoweredHeap heap, Kind kind, long commit, long nanos) {
    heap.acknowledged().add(new Ack(kind, 0, commit, nanos));
  }

  private static void recovered(PoweredHeap heap, long commit) {
    heap.expect();
    told(heap, Kind.RECOVERED, commit, 0);
    heap.compare();
  }

  @Test
  void whatWasCalledDurableMustBeThere() {
    told(sync, Kind.RETURNED, 1, 0);
    told(sync, Kind.DURABLE, 1, 0);
    told(sync, Kind.RETURNED, 2, 0);

    assertThatThrownBy(() -> recovered(sync, 0))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("must have 1 to " + (4 + PoweredHeap.UNDELIVERED));
  }

  @Test
  void whatOnlyReturnedMayBeLostAndIsCounted() {
    told(sync, Kind.DURABLE, 1, 0);
    told(sync, Kind.RETURNED, 2, 0);
    recovered(sync, 1);

    assertThat(sync.lost()).isEqualTo(1);
  }

  @Test
  void whatNobodyCommittedMustNotBeThere() {
    told(sync, Kind.RETURNED, 1, 0);

    long most = 3 + PoweredHeap.UNDELIVERED;
    assertThatCode(() -> recovered(sync, most)).doesNotThrowAnyException();
    assertThatThrownBy(() -> recovered(sync, most + 2 + PoweredHeap.UNDELIVERED + 1))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void whatReturnedLongAgoMustBeThereThoughNobodyCalledItDurable() {
    for (int half = 0; half <= 4; half++) {
      told(async, Kind.RETURNED, half + 1, half * SECOND / 2);
    }

    assertThatThrownBy(() -> recovered(async, 0)).isInstanceOf(AssertionError.class);
  }

  @Test
  void aStallOfTheMachineExcusesOlderLosses() {
    told(async, Kind.RETURNED, 1, 0);
    told(async, Kind.RETURNED, 2, 12 * SECOND);
    recovered(async, 0);

    assertThat(async.lost()).isEqualTo(2);
  }

  @Test
  void aSlowDiskExcusesOlderLosses() {
    told(async, Kind.RETURNED, 1, 0);
    told(async, Kind.DURABLE, 0, SECOND);
    told(async, Kind.RETURNED, 2, 2 * SECOND);
    recovered(async, 0);

    assertThat(async.lost()).isEqualTo(2);
  }

  @Test
  void aHeapThatIsNeverSyncedMayLoseAll() {
    told(never, Kind.RETURNED, 1, 0);
    told(never, Kind.RETURNED, 2, 9 * SECOND);
    recovered(never, 0);

    assertThat(never.lost()).isEqualTo(2);
  }
}
