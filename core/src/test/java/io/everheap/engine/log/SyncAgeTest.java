package io.everheap.engine.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.log.SyncAge;
import org.junit.jupiter.api.Test;

class SyncAgeTest {
  private static final long MILLI = 1_000_000;

  private long now = 1000;
  private final SyncAge age = new SyncAge(100 * MILLI, 0, () -> now);

  @Test
  void nothing_undurable_is_never_too_old() {
    for (int i = 0; i < 1000; i++) {
      now += 1000 * MILLI;
      assertThat(age.overdue(64, 64)).isFalse();
    }
  }

  @Test
  void a_record_that_waits_longer_than_the_interval_for_a_sync_that_does_not_come_is_too_old() {
    assertThat(age.overdue(0, 0)).isFalse();
    now += 101 * MILLI;
    int records = 0;
    while (!age.overdue(64, 0)) {
      records++;
    }
    assertThat(records).isLessThan(64);
  }

  @Test
  void a_record_may_be_as_old_as_the_interval_and_one_sync_while_a_sync_is_in_flight() {
    age.begin(0);
    now += 50 * MILLI;
    age.end(50 * MILLI);
    assertThat(age.overdue(0, 0)).isFalse();
    assertThat(age.overdue(0, 0)).isFalse();
    now += 100 * MILLI;
    age.begin(64);
    assertThat(age.overdue(64, 0)).isFalse();
    now += 50 * MILLI;
    assertThat(age.overdue(128, 0)).isFalse();
    now += MILLI;
    assertThat(age.overdue(128, 0)).isTrue();
  }

  @Test
  void in_a_burst_of_records_the_clock_is_looked_at_for_some() {
    int[] looks = {0};
    SyncAge counted =
        new SyncAge(
            100 * MILLI,
            0,
            () -> {
              looks[0]++;
              return now += 100;
            });
    assertThat(counted.overdue(0, 0)).isFalse();
    looks[0] = 0;
    for (int i = 0; i < 6400; i++) {
      assertThat(counted.overdue(64, 0)).isFalse();
    }
    assertThat(looks[0]).isBetween(100, 110);
  }

  @Test
  void an_idle_time_before_a_record_does_not_count() {
    assertThat(age.overdue(0, 0)).isFalse();
    now += 1_000_000 * MILLI;
    assertThat(age.overdue(0, 0)).isFalse();
    for (int i = 0; i < 200; i++) {
      assertThat(age.overdue(64, 0)).isFalse();
    }
  }
}
