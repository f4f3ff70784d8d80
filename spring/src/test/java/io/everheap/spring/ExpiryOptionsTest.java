package io.everheap.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cache.TimedEntries;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

/** What the times to live and to idle mean, alone, together and as defaults. */
class ExpiryOptionsTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration WEEK = Duration.ofDays(7);

  @TempDir Path directory;

  private static EverheapCacheOptions options(@Nullable Duration live, @Nullable Duration idle) {
    var options = new EverheapCacheOptions();
    options.setCapacity(DataSize.ofMegabytes(2));
    options.setTimeToLive(live);
    options.setTimeToIdle(idle);
    return options;
  }

  /** When entries expire: one that was put, and one that was read though its end was near. */
  private record Ends(Instant ofPut, Instant ofRead, Instant near, Instant begun, Instant ended) {
    void requirePut(Duration time) {
      assertThat(ofPut).isBetween(begun.plus(time), ended.plus(time));
    }

    void requireRead(Duration time) {
      assertThat(ofRead).isBetween(begun.plus(time), ended.plus(time));
    }
  }

  private Ends endsWith(EverheapCacheOptions defaults, EverheapCacheOptions its) {
    try (var manager =
        EverheapCacheManager.builder(directory).defaults(defaults).cache("c", its).build()) {
      var cache = (EverheapCache) manager.getCache("c");
      TimedEntries<Object, Object> timed = cache.getNativeCache().timed();
      Instant begun = timed.now();
      cache.put("put", 1);
      cache.put("read", 2);
      Instant near = begun.plus(Duration.ofHours(1));
      assertThat(timed.expireAt("read", near)).isTrue();
      assertThat(cache.get("read", Integer.class)).isEqualTo(2);
      return new Ends(
          timed.peek("put").expiresAt(), timed.peek("read").expiresAt(), near, begun, timed.now());
    }
  }

  private Ends ends(@Nullable Duration live, @Nullable Duration idle) {
    return endsWith(options(null, null), options(live, idle));
  }

  @Test
  void withoutTimesNothingExpires() {
    Ends ends = ends(null, null);
    assertThat(ends.ofPut).isEqualTo(Instant.MAX);
    assertThat(ends.ofRead).as("a read changes nothing").isEqualTo(ends.near);
  }

  @Test
  void theTimeToLiveCountsFromTheWrite() {
    Ends ends = ends(DAY, null);
    ends.requirePut(DAY);
    assertThat(ends.ofRead).as("a read changes nothing").isEqualTo(ends.near);
  }

  @Test
  void theTimeToIdleCountsFromTheRead() {
    Ends ends = ends(null, DAY);
    ends.requirePut(DAY);
    ends.requireRead(DAY);
  }

  @Test
  void ofBothTheSoonerCounts() {
    Ends ends = ends(WEEK, DAY);
    ends.requirePut(DAY);
    ends.requireRead(DAY);
  }

  @Test
  void readsPutNothingOffBehindTheTimeToLive() {
    Ends ends = ends(DAY, WEEK);
    ends.requirePut(DAY);
    ends.requireRead(DAY);
  }

  @Test
  void aCacheTakesFromTheDefaultsWhatItDoesNotSet() {
    Ends ends = endsWith(options(WEEK, DAY), options(null, null));
    ends.requirePut(DAY);
    ends.requireRead(DAY);
  }

  @Test
  void aCacheMaySetOneOfBoth() {
    Ends ends = endsWith(options(null, WEEK), options(DAY, null));
    ends.requirePut(DAY);
    ends.requireRead(DAY);
  }

  @Test
  void aCacheSetsOtherTimesThanTheDefaults() {
    Ends ends = endsWith(options(DAY, null), options(WEEK, null));
    ends.requirePut(WEEK);
    assertThat(ends.ofRead).isEqualTo(ends.near);
  }
}
