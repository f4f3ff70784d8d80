package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.everheap.codec.Codecs;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.MediumSetting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad arguments get the JDK's exceptions, before anything is made. */
class HeapBuilderTest {
  @TempDir Path temp;

  private void assertIllegal(String setting, UnaryOperator<HeapBuilder> bad) {
    Path directory = temp.resolve("h");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> bad.apply(Heap.builder(directory)).open())
        .withMessageContaining(setting);
    assertThat(directory).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, (2 << 20) - 1, (1L << 44) + 1, Long.MAX_VALUE})
  void aSizeOfTheHeapBeyondItsBounds(long bytes) {
    assertIllegal("maxSize", b -> b.maxSize(bytes));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, (16 << 20) - 1})
  void aLogThatIsTooSmall(long bytes) {
    assertIllegal("logSize", b -> b.logSize(bytes));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 4095})
  void aTransactionThatIsTooSmall(long bytes) {
    assertIllegal("maxTransaction", b -> b.maxTransaction(bytes));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, (1 << 20) - 1})
  void tooLittleMemory(long bytes) {
    assertIllegal("memory", b -> b.memoryBudget(bytes));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT-2562047788015215H"})
  void aLockTimeoutThatIsNotPositive(Duration timeout) {
    assertIllegal("lockTimeout", b -> b.lockTimeout(timeout));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT0.000099999S", "PT1H0.1S", "PT2562047788015215H"})
  void anIntervalBeyondItsBounds(Duration interval) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Durability.async(interval))
        .withMessageContaining("interval");
  }

  @ParameterizedTest
  @CsvSource({"PT2562047788015215H", "PT2562047H", "PT0.000000001S"})
  void aLockTimeoutMayBeAnythingElse(Duration timeout) {
    try (Heap heap =
        HeapSettings.options(Heap.builder(temp.resolve("h")), TestHeaps.manual())
            .lockTimeout(timeout)
            .open()) {
      TestHeaps.put(heap, 0, 1);
    }
    try (Heap heap = Heap.builder(temp.resolve("other")).lockTimeout(timeout).open()) {
      TestHeaps.put(heap, 0, 1);
    }
  }

  @Test
  void theLargestSettingsAreTaken() {
    Path directory = temp.resolve("h");
    try (Heap heap =
        Heap.builder(directory)
            .maxSize(1L << 44)
            .logSize(Long.MAX_VALUE)
            .maxTransaction(Long.MAX_VALUE)
            .memoryBudget(Long.MAX_VALUE)
            .open()) {
      TestHeaps.put(heap, 0, 10);
      heap.checkpoint();
    }
    TestHeaps.assertHolds(directory, 10);
  }

  @Test
  void theSmallestSettingsAreTaken() {
    Path directory = temp.resolve("h");
    try (Heap heap =
        Heap.builder(directory)
            .maxSize(2 << 20)
            .logSize(64 << 20)
            .maxTransaction(4096)
            .memoryBudget(1 << 20)
            .durability(Durability.async(Duration.ofNanos(100_000)))
            .open()) {
      assertThat(heap.stats().maxSize()).isEqualTo(2 << 20);
      TestHeaps.put(heap, 0, 1);
    }
  }

  @Test
  void aSettingThatIsTooSmallSaysHowManyBytesItNeeds() {
    assertIllegal("logSize is at least 16777216 bytes, not 5", b -> b.logSize(5));
    assertIllegal("maxSize is at least 2097152 bytes, not 1048576", b -> b.maxSize(1 << 20));
    assertIllegal("maxTransaction is at least 4096 bytes, not 1", b -> b.maxTransaction(1));
    assertIllegal("memoryBudget is at least 1048576 bytes, not 2", b -> b.memoryBudget(2));
  }

  @Test
  void nothingIsNull() {
    HeapBuilder b = Heap.builder(temp.resolve("h"));
    for (Runnable bad :
        new Runnable[] {
          () -> Heap.open(null),
          () -> Heap.builder(null),
          () -> b.durability(null),
          () -> b.lockTimeout(null),
          () -> b.register(null, Codecs.STRING),
          () -> b.register(String.class, null),
          () -> b.lookup(null),
          () -> MediumSetting.medium(b, null),
          () -> HeapSettings.options(b, null),
          () -> Durability.async(null),
        }) {
      assertThatNullPointerException().isThrownBy(bad::run);
    }
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void nothingOfAHeapIsNull() {
    try (Heap heap = Heap.inMemory()) {
      for (Runnable bad :
          new Runnable[] {
            () -> heap.map(null, String.class, String.class),
            () -> heap.map("m", null, String.class),
            () -> heap.map("m", String.class, null),
            () -> heap.map("m", (io.everheap.codec.Codec<String>) null, Codecs.STRING),
            () -> heap.map("m", Codecs.STRING, (io.everheap.codec.Codec<String>) null),
            () -> heap.contains(null),
            () -> heap.remove(null),
            () -> heap.transact((ThrowingRunnable<RuntimeException>) null),
            () -> heap.transact((ThrowingSupplier<String, RuntimeException>) null),
            () -> heap.transact(null, () -> {}),
            () -> heap.transactAsync(null),
            () -> heap.read(null),
          }) {
        assertThatNullPointerException().isThrownBy(bad::run);
      }
      assertThat(heap.names()).isEmpty();
      assertThat(heap.verify().ok()).isTrue();
      TestHeaps.put(heap, 0, 1);
    }
  }
}
