package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class PageLayoutTest {
  @Property
  void startsAreThePagesWithEnoughSetBitsBehindThem(
      @ForAll long random, @ForAll long more, @ForAll @IntRange(min = 1, max = 32) int pages) {
    long bits = random | more;
    long starts = PageLayout.starts(bits, pages);
    for (int page = 0; page < 64; page++) {
      boolean expected = page + pages <= 64;
      for (int i = page; i < page + pages && expected; i++) {
        expected = (bits & (1L << i)) != 0;
      }
      assertThat((starts & (1L << page)) != 0).isEqualTo(expected);
    }
  }

  @Property
  void theLongestRunIsTheLargestNumberOfPagesThatHasAStart(@ForAll long random, @ForAll long more) {
    long bits = (random | more) & -2;
    int longest = PageLayout.longest(bits);
    assertThat(longest == 0 || PageLayout.starts(bits, longest) != 0).isTrue();
    assertThat(PageLayout.starts(bits, longest + 1)).isZero();
  }

  @Property
  void aRunEndsWhereTheNextOneStartsOrAPageIsFree(
      @ForAll @IntRange(min = 1, max = 31) int page,
      @ForAll @IntRange(min = 1, max = 32) int pages,
      @ForAll boolean neighbour) {
    long used = PageLayout.run(page, pages);
    long first = 1L << page;
    if (neighbour && page + pages < 64) {
      used |= 1L << (page + pages);
      first |= 1L << (page + pages);
    }
    assertThat(PageLayout.length(used, first, page)).isEqualTo(pages);
  }
}
