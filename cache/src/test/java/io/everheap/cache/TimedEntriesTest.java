package io.everheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.Codecs;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries with times that the program decides. */
class TimedEntriesTest {
  private static final Instant START = Instant.ofEpochMilli(1_000_000);

  @TempDir Path directory;
  private final AtomicLong now = new AtomicLong(START.toEpochMilli());

  private DurableCache<String, String> open() {
    return DurableCache.builder(directory, Caches.SMALL, String.class, String.class)
        .expireAfterAccess(Duration.ofMillis(100))
        .blocks(b -> b.segmentSize(Caches.SEGMENT).onFile().background(false).clock(now::get))
        .open();
  }

  @Test
  void entriesExpireAtTheirTimesAlsoAcrossARestart() {
    try (DurableCache<String, String> cache = open()) {
      TimedEntries<String, String> timed = cache.timed();
      timed.put("soon", "s", START.plusMillis(10));
      timed.put("late", "l", START.plusMillis(20));
      timed.put("never", "n", Instant.MAX);
      timed.put("ever since", "e", Instant.MIN);
      assertThat(timed.peek("soon")).isEqualTo(new TimedEntries.Entry<>("s", START.plusMillis(10)));
      assertThat(timed.peek("never")).isEqualTo(new TimedEntries.Entry<>("n", Instant.MAX));
      assertThat(timed.peek("ever since")).isNull();
      assertThat(timed.now()).isEqualTo(START);
    }
    now.addAndGet(10);
    try (DurableCache<String, String> cache = open()) {
      cache.blocks().awaitIndexed();
      assertThat(cache.timed().peek("soon")).isNull();
      assertThat(cache.timed().contains("late")).isTrue();
      now.addAndGet(1_000_000);
      assertThat(cache.timed().contains("late")).isFalse();
      assertThat(cache.timed().contains("never")).isTrue();
    }
  }

  /** Refuses what it wrote, from some time on. */
  private static final class Refusing implements Codec<String> {
    private boolean refuses;

    @Override
    public String name() {
      return "test.Refusing";
    }

    @Override
    public void write(String value, CodecOutput out) {
      out.writeUtf(value);
    }

    @Override
    public String read(CodecInput in) {
      String value = in.readUtf();
      if (refuses) {
        throw new IllegalStateException("refused");
      }
      return value;
    }
  }

  @Test
  void aValueThatDoesNotDecodeIsNotContained() {
    Refusing codec = new Refusing();
    try (DurableCache<String, String> cache =
        DurableCache.builder(directory, Caches.SMALL, Codecs.STRING, codec)
            .blocks(b -> b.segmentSize(Caches.SEGMENT).onFile().background(false).clock(now::get))
            .open()) {
      cache.put("a", "1");
      assertThat(cache.timed().contains("a")).isTrue();
      codec.refuses = true;
      assertThat(cache.timed().peek("a")).isNull();
      assertThat(cache.timed().contains("a")).isFalse();
      codec.refuses = false;
      assertThat(cache.timed().contains("a")).isTrue();
    }
  }

  @Test
  void anEntryMayExpireAtAnotherTime() {
    try (DurableCache<String, String> cache = open()) {
      TimedEntries<String, String> timed = cache.timed();
      timed.put("a", "1", Instant.MAX);
      assertThat(timed.expireAt("a", START.plusMillis(5))).isTrue();
      assertThat(timed.expireAt("b", START.plusMillis(5))).isFalse();
    }
    now.addAndGet(5);
    try (DurableCache<String, String> cache = open()) {
      cache.blocks().awaitIndexed();
      assertThat(cache.timed().expireAt("a", Instant.MAX)).isFalse();
      assertThat(cache.getIfPresent("a")).isNull();
    }
  }

  @Test
  void lookingIsNoUse() {
    try (DurableCache<String, String> cache = open()) {
      cache.put("a", "1");
      now.addAndGet(60);
      assertThat(cache.timed().peek("a").expiresAt()).isEqualTo(START.plusMillis(100));
      assertThat(cache.timed().contains("a")).isTrue();
      assertThat(cache.stats().lookups()).isZero();
      now.addAndGet(40);
      assertThat(cache.timed().contains("a")).isFalse();
    }
  }
}
