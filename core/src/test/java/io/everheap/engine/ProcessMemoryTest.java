package io.everheap.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.Heap;
import io.everheap.SmallStacks;
import io.everheap.error.FullException;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process with 512 MiB of memory, of which heaps share 128 MiB. */
class ProcessMemoryTest {
  private static final long MIB = 1 << 20;
  private static final long SHARED = EngineOptions.SHARED_MEMORY;

  @TempDir Path temp;

  private final Properties properties = new Properties();
  private final ProcessMemory process = loader();

  private ProcessMemory loader() {
    return new ProcessMemory(() -> properties, () -> 512 * MIB);
  }

  private MemoryShare heap(long size) {
    return process.join("h", SHARED, size);
  }

  @Test
  void oneHeapMayUseAllOfTheShare() {
    assertThat(process.limit(heap(MIB))).isEqualTo(128 * MIB);
  }

  @Test
  void whatOthersUseIsMissing() {
    MemoryShare a = heap(500 * MIB);
    MemoryShare b = heap(500 * MIB);
    a.use(100 * MIB);
    assertThat(process.limit(b)).isEqualTo(28 * MIB);
    assertThat(process.limit(a)).isEqualTo(128 * MIB);
  }

  @Test
  void memoryThatIsNotInUseIsNotReserved() {
    for (int i = 0; i < 15; i++) {
      MemoryShare _ = heap(500 * MIB);
    }
    assertThat(process.limit(heap(500 * MIB))).isEqualTo(128 * MIB);
  }

  @Test
  void eachHeapIsAssuredEightMebibytesOrItsSize() {
    heap(500 * MIB).use(128 * MIB);
    assertThat(process.limit(heap(500 * MIB))).isEqualTo(8 * MIB);
    assertThat(process.limit(heap(3 * MIB))).isEqualTo(3 * MIB);
  }

  @Test
  void assurancesAreCutWhereTheShareDoesNotHaveThem() {
    List<MemoryShare> heaps = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      heaps.add(heap(500 * MIB));
    }
    heaps.getFirst().use(128 * MIB);
    assertThat(process.limit(heaps.getLast())).isEqualTo(2 * MIB);
  }

  @Test
  void aHeapThatFindsNothingLeftIsRefusedWithTheNumbers() {
    for (int i = 0; i < 128; i++) {
      MemoryShare _ = heap(MIB);
    }
    assertThatExceptionOfType(FullException.class)
        .isThrownBy(() -> process.join("the/129th", SHARED, MIB))
        .withMessageContaining("(EH-MEMORY)")
        .withMessageContaining("the/129th")
        .withMessageContaining("128 MiB")
        .withMessageContaining("512 MiB")
        .withMessageContaining("128 other open heaps")
        .returns("EH-MEMORY", FullException::code);
  }

  @Test
  void aFixedPartMayExceedTheShareAndOthersDivideTheRest() {
    MemoryShare fixed = process.join("f", 100 * MIB, 100 * MIB);
    MemoryShare other = heap(500 * MIB);
    assertThat(process.limit(fixed)).isEqualTo(100 * MIB);
    assertThat(process.limit(other)).isEqualTo(28 * MIB);
    MemoryShare _ = process.join("g", 200 * MIB, 200 * MIB);
    assertThat(process.limit(other)).isEqualTo(MIB);
    assertThatExceptionOfType(FullException.class)
        .isThrownBy(() -> heap(MIB))
        .withMessageContaining("(EH-MEMORY)");
  }

  @Test
  void aFixedPartTakesNoMoreThanItsHeapHas() {
    MemoryShare _ = process.join("f", Long.MAX_VALUE, 20 * MIB);
    assertThat(process.limit(heap(MIB))).isEqualTo(108 * MIB);
  }

  @Test
  void aClosedHeapGivesItsPartBack() {
    MemoryShare a = heap(500 * MIB);
    MemoryShare b = heap(500 * MIB);
    a.use(100 * MIB);
    a.close();
    a.close();
    assertThat(process.limit(b)).isEqualTo(128 * MIB);
    b.close();
    assertThat(properties).isEmpty();
  }

  @Test
  void aClaimCountsAtOnce() {
    MemoryShare a = heap(500 * MIB);
    MemoryShare b = heap(500 * MIB);
    assertThat(process.claim(a, 100 * MIB)).isTrue();
    assertThat(process.claim(b, 100 * MIB)).isFalse();
    assertThat(process.claim(b, 28 * MIB)).isTrue();
  }

  @Test
  void heapsOfOtherClassLoadersShareTheSameMemory() {
    MemoryShare here = heap(500 * MIB);
    here.use(100 * MIB);
    ProcessMemory other = loader();
    MemoryShare first = other.join("o", SHARED, 500 * MIB);
    assertThat(other.limit(first)).isEqualTo(128 * MIB); // published when the first one was opened
    MemoryShare second = heap(500 * MIB);
    ProcessMemory third = loader();
    assertThat(third.limit(third.join("t", SHARED, 500 * MIB))).isEqualTo(28 * MIB);
    here.close();
    second.close();
    ProcessMemory last = loader();
    assertThat(last.limit(last.join("u", SHARED, MIB))).isEqualTo(128 * MIB);
  }

  @Test
  void onlyTextIsKeptInTheSystemProperties() {
    try (Heap heap = Heap.open(temp.resolve("h"))) {
      assertThat(heap.isOpen()).isTrue();
      assertThat(System.getProperties().stringPropertyNames())
          .anyMatch(name -> name.startsWith("io.everheap.memory."));
      assertThat(System.getProperties().values()).allMatch(String.class::isInstance);
    }
  }

  /** The errors strike at each depth of the stack that is left. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theEndOfTheStackLeavesTheLockFree(boolean joins) throws Exception {
    MemoryShare share = heap(MIB);
    SmallStacks.Use use = joins ? () -> process.leave(heap(MIB)) : () -> process.claim(share, MIB);
    new SmallStacks(1_000, failure -> false, use).strike(3, new CountDownLatch(0));
    CompletableFuture<MemoryShare> joined = new CompletableFuture<>();
    Thread.ofPlatform().daemon().start(() -> joined.complete(heap(MIB)));
    assertThat(Limit.get(joined)).isNotNull();
  }
}
