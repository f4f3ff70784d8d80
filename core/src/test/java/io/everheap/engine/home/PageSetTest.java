package io.everheap.engine.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PageSetTest {
  private static final int SHIFT = 20; // 256 pages in an extent
  private final PageSet pages = new PageSet(SHIFT, 8);

  @Test
  void holdsThePagesThatAreTouched() {
    Random random = new Random(1);
    TreeSet<Long> model = new TreeSet<>();
    for (int i = 0; i < 2000; i++) {
      long address = random.nextLong(8L << SHIFT);
      long bytes = 1 + random.nextLong(Math.min(20_000, (8L << SHIFT) - address));
      pages.add(address, bytes);
      for (long p = address >> 12; p <= (address + bytes - 1) >> 12; p++) {
        model.add(p);
      }
      if (i % 500 == 0) {
        int extent = random.nextInt(8);
        pages.clear(extent);
        model.removeIf(p -> p >> 8 == extent);
      }
    }
    assertThat(pages.toArray()).containsExactly(model.stream().mapToLong(x -> x).toArray());
    assertThat(pages.count()).isEqualTo(model.size());
    assertThat(pages.contains(model.first() << 12)).isTrue();
  }

  @Test
  void aPageIsAddedAgainAfterItWasCleared() {
    pages.add(4096, 8);
    pages.clear();
    assertThat(pages.count()).isZero();
    pages.add(4096, 8);
    assertThat(pages.toArray()).containsExactly(1);
    pages.clear(0);
    pages.add(4096, 8);
    assertThat(pages.count()).isEqualTo(1);
  }

  @Test
  void clearingFromAnAddressKeepsThePagesBelow() {
    pages.add(0, 5L << SHIFT);
    pages.clearFrom(3L << SHIFT);
    assertThat(pages.count()).isEqualTo(3 * 256);
    assertThat(pages.contains(3L << SHIFT)).isFalse();
  }
}
