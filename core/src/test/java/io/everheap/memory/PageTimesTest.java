package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PageTimesTest {
  private static final long PAGE = 4096;
  private static final long A_LOOK = 1_000;
  private static final long A_READ = 100_000;

  @Test
  void aTimeEndsWhenAQuarterOfTheMemoryWasFilled() {
    var times = new PageTimes(40 * PAGE, Long.MAX_VALUE);
    int first = times.now();
    for (int i = 0; i < 9; i++) {
      times.use(1, i % 2 == 0 ? A_LOOK : A_READ);
    }
    assertThat(times.now()).isEqualTo(first);

    times.use();
    assertThat(times.now()).isEqualTo(first + 1);
  }

  @Test
  void whileMuchMustBeReadNothingIsRememberedForLong() {
    var times = new PageTimes(1L << 40, -1);
    int first = times.now();
    times.use(1, A_READ);
    assertThat(times.now()).isEqualTo(first + 2);
  }

  @Test
  void whileLittleMustBeReadATimeIsAsLongAsItsPages() {
    var times = new PageTimes(1L << 40, -1);
    int first = times.now();
    for (int i = 1; i <= 10_000; i++) {
      times.use(1, i % 100 == 0 ? A_READ : A_LOOK);
    }
    assertThat(times.now()).isEqualTo(first);
  }

  @Test
  void theLeastMemoryIsOnePage() {
    var times = new PageTimes(1);
    int first = times.now();
    times.use();

    assertThat(times.now()).isEqualTo(first + 1);
  }

  @Test
  void pagesThatAreReadTogetherAllCount() {
    var times = new PageTimes(40 * PAGE, Long.MAX_VALUE);
    int first = times.now();
    times.use(9, A_READ);
    assertThat(times.now()).isEqualTo(first);

    times.use();
    assertThat(times.now()).isEqualTo(first + 1);
  }

  @Test
  void timesGetLongerAsLongAsLittleMustBeRead() {
    var times = new PageTimes(40 * PAGE, Long.MAX_VALUE);
    assertThat(usesOfATime(times, A_LOOK)).isEqualTo(10);
    assertThat(usesOfATime(times, A_LOOK)).isEqualTo(20);
    assertThat(usesOfATime(times, A_READ)).isEqualTo(40);
    assertThat(usesOfATime(times, A_READ)).isEqualTo(10);
    assertThat(usesOfATime(times, A_LOOK)).isEqualTo(10);
    assertThat(usesOfATime(times, A_LOOK)).isEqualTo(20);
    assertThat(usesOfATime(times, A_LOOK)).isEqualTo(40);
    assertThat(usesOfATime(times, A_LOOK)).isEqualTo(80);
    assertThat(usesOfATime(times, A_LOOK)).isEqualTo(80); // as many as the least file has
  }

  private static int usesOfATime(PageTimes times, long nanos) {
    int now = times.now();
    int uses = 0;
    while (times.now() == now) {
      times.use(1, nanos);
      uses++;
    }
    return uses;
  }
}
