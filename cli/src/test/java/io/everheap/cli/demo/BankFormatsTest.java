package io.everheap.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.everheap.Durability;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written down and read back: ids, frames, orders, options. */
class BankFormatsTest {
  @Test
  void aTransferIdHoldsRunThreadAndSequence() {
    long id = TransferId.of(TransferId.MAX_RUNS - 1, TransferId.MAX_THREADS - 1, (1L << 40) - 1);

    assertThat(id).isPositive();
    assertThat(TransferId.run(id)).isEqualTo(TransferId.MAX_RUNS - 1);
    assertThat(TransferId.thread(id)).isEqualTo(TransferId.MAX_THREADS - 1);
    assertThat(TransferId.sequence(id)).isEqualTo((1L << 40) - 1);
    assertThat(TransferId.of(0, 0, 0)).isZero();
    assertThat(TransferId.describe(TransferId.of(1, 2, 3)))
        .isEqualTo("transfer 3 of thread 2 in run 1");
  }

  @Test
  void aFrameIsReadAsItWasWritten() {
    var frame = new Frame(1, -2, Long.MAX_VALUE, Long.MIN_VALUE, 5);

    assertThat(frame.encode()).hasSize(Frame.BYTES);
    assertThat(Frame.decode(frame.encode())).isEqualTo(frame);
    assertThat(Frame.decode(Frame.ready().encode()).id()).isEqualTo(Frame.READY);
    assertThat(Frame.decode(Frame.loaded(7).encode())).isEqualTo(Frame.loaded(7));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sync", "async:10000us"})
  void anOrderIsReadAsItWasGiven(String durability) {
    var order =
        new BankWorker.Order(Path.of("a b"), 3, 4, DurabilityOption.parse(durability), 5, -6);

    assertThat(BankWorker.Order.of(order.toArguments())).isEqualTo(order);
  }

  @Test
  void durabilityIsSyncOrAsyncWithAnInterval() {
    assertThat(DurabilityOption.parse("sync").durability()).isEqualTo(Durability.SYNC);
    assertThat(DurabilityOption.parse("async").durability())
        .isEqualTo(Durability.async(Duration.ofMillis(10)));
    assertThat(DurabilityOption.parse("async:500us").durability())
        .isEqualTo(Durability.async(Duration.ofNanos(500_000)));
    assertThat(DurabilityOption.parse("async:3ms").durability())
        .isEqualTo(Durability.async(Duration.ofMillis(3)));
    assertThat(DurabilityOption.parse("async:2s").durability())
        .isEqualTo(Durability.async(Duration.ofSeconds(2)));
    assertThat(DurabilityOption.parse("async:3ms")).hasToString("async:3ms");
    assertThat(DurabilityOption.parse("async:500us")).hasToString("async:500us");
    assertThat(DurabilityOption.parse("async")).hasToString("async:10ms");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "SYNC", "none", "async:", "async:5", "async:0ms", "async:-1ms"})
  void anythingElseIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> DurabilityOption.parse(text));
  }
}
