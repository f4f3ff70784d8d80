package io.everheap.cache.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.memory.Region;
import org.junit.jupiter.api.Test;

/** Memory for what was decrypted: it is used again, but not kept without a limit. */
class PrivateMemoryTest {
  private static final int MIB = 1 << 20;

  private static boolean isFreed(Region region) {
    return !region.segment().scope().isAlive();
  }

  @Test
  void whatWasGivenBackIsLentAgain() {
    try (var memory = new PrivateMemory()) {
      Region first = memory.borrow(1000);
      Region second = memory.borrow(1000);
      assertThat(second).isNotSameAs(first);
      assertThat(first.size()).isEqualTo(1024);
      memory.giveBack(first);
      assertThat(memory.borrow(1025)).isNotSameAs(first);
      assertThat(memory.borrow(513)).isSameAs(first);
      assertThat(memory.borrow(513)).isNotSameAs(first);
    }
  }

  @Test
  void atMost32MebibytesAreKept() {
    try (var memory = new PrivateMemory()) {
      Region small = memory.borrow(16 * MIB);
      Region other = memory.borrow(16 * MIB);
      Region more = memory.borrow(1);
      Region large = memory.borrow(16 * MIB + 1);
      memory.giveBack(large);
      memory.giveBack(small);
      assertThat(isFreed(large) || isFreed(small)).isTrue();
      memory.giveBack(other);
      memory.giveBack(more);
      assertThat(isFreed(more)).isTrue();
    }
  }

  @Test
  void aCloseFreesWhatIsLentAndWhatIsKept() {
    var memory = new PrivateMemory();
    Region lent = memory.borrow(100);
    Region kept = memory.borrow(100);
    memory.giveBack(kept);
    memory.close();
    assertThat(isFreed(lent) && isFreed(kept)).isTrue();
    memory.giveBack(lent); // a handle is closed after its cache
    assertThatThrownBy(() -> memory.borrow(100)).isInstanceOf(IllegalStateException.class);
    memory.close();
  }
}
