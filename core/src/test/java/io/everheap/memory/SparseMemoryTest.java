package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class SparseMemoryTest {
  private static final long SIZE = 8 << 20;
  private static final long WHERE = 5 << 20;

  @Test
  void aStoreIsSeenInItsOwnMemoryOnly() {
    try (SparseMemory memory = new SparseMemory();
        Region first = memory.create(SIZE);
        Region second = memory.create(2 * SIZE)) {
      memory.prepare(WHERE);
      first.putLong(WHERE, 42);
      try (Region third = memory.create(SIZE)) {
        assertThat(third.getLong(WHERE)).isZero();
      }
      assertThat(first.getLong(WHERE)).isEqualTo(42);
      assertThat(second.getLong(WHERE)).isZero();
      assertThat(second.getLong(SIZE + WHERE)).isZero();
    }
  }

  @Test
  void memoryOutlivesTheClosing() {
    SparseMemory memory = new SparseMemory();
    try (Region region = memory.create(SIZE)) {
      memory.close();
      memory.prepare(WHERE);
      region.putLong(WHERE, 42);
      assertThat(region.getLong(WHERE)).isEqualTo(42);
      assertThatIllegalStateException().isThrownBy(() -> memory.create(SIZE));
    }
  }

  @Test
  void anInterruptedThreadUsesIt() {
    try (SparseMemory memory = new SparseMemory()) {
      Thread.currentThread().interrupt();
      try (Region region = memory.create(SIZE)) {
        memory.prepare(WHERE);
        assertThat(region.getLong(WHERE)).isZero();
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
    }
  }

  @Test
  void littleMemoryNeedsNoFile() {
    try (SparseMemory memory = new SparseMemory();
        Region region = memory.create(4096)) {
      memory.prepare(0);
      assertThat(region.getLong(4088)).isZero();
    }
  }
}
