package io.everheap.cache;

import static io.everheap.cache.Caches.key;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.support.Seeds;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries at their limits of age and of idleness, alone and together, and a millisecond beside. */
class ExpiryLimitsTest {
  private static final long START = 1_000_000;
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);

  @TempDir Path directory;
  private final AtomicLong now = new AtomicLong(START);
  private final List<String> left = new ArrayList<>();

  private DurableCacheBuilder<String, Integer> builder() {
    return DurableCache.builder(directory, Caches.SMALL, String.class, Integer.class)
        .blocks(b -> b.segmentSize(Caches.SEGMENT).onFile().background(false).clock(now::get))
        .executor(Runnable::run)
        .removalListener((k, value, cause) -> left.add(k + " " + value + " " + cause));
  }

  private static DurableCache<String, Integer> open(DurableCacheBuilder<String, Integer> builder) {
    DurableCache<String, Integer> cache = builder.open();
    cache.blocks().awaitIndexed();
    return cache;
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  private static Instant at(long millis) {
    return Instant.ofEpochMilli(millis);
  }

  private Instant in(long millis) {
    return at(now.get() + millis);
  }

  private static Instant expiry(DurableCache<String, Integer> cache, String name) {
    TimedEntries.Entry<Integer> entry = cache.timed().peek(name);
    return entry == null ? Instant.MIN : entry.expiresAt();
  }

  // ---- A clock that is wrong -----------------------------------------------------------------

  /** The rule of docs/cache.md: the moment is stored when the entry is put. */
  @Test
  void anEntryOfAFutureClockIsValidUntilTheMomentThatItWasGiven() {
    long right = now.get();
    long ahead = Duration.ofDays(9 * 365).toMillis();
    now.addAndGet(ahead);
    try (var cache = open(builder().expireAfterWrite(Duration.ofHours(1)))) {
      cache.put("a", 1);
    }
    now.set(right);
    try (var cache = open(builder().expireAfterWrite(Duration.ofHours(1)))) {
      assertThat(cache.getIfPresent("a")).isEqualTo(1);
      assertThat(expiry(cache, "a")).isEqualTo(in(ahead + Duration.ofHours(1).toMillis()));
      cache.put("a", 2);
      assertThat(expiry(cache, "a")).isEqualTo(in(Duration.ofHours(1).toMillis()));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, START, Long.MAX_VALUE})
  void noDurationFailsUnderAnyClock(long clock) {
    now.set(clock);
    Duration forever = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    try (var cache = open(builder().expireAfterWrite(forever).expireAfterAccess(forever))) {
      cache.put("a", 1);
      cache.put("b", 2, forever);
      cache.timed().put("c", 3, Instant.MAX);
      assertThat(cache.getIfPresent("a")).isEqualTo(1);
      assertThat(cache.getIfPresent("b")).isEqualTo(2);
      assertThat(cache.getIfPresent("c")).isEqualTo(3);
      cache.timed().put("d", 4, Instant.MIN);
      assertThat(cache.getIfPresent("d")).isNull();
    }
  }

  // ---- One limit -----------------------------------------------------------------------------

  @Test
  void anEntryIsFoundUntilTheMillisecondBeforeItsAgeIsReached() {
    try (var cache = open(builder().expireAfterWrite(ms(100)))) {
      cache.put("a", 1);
      cache.put("b", 2);
      assertThat(expiry(cache, "a")).isEqualTo(in(100));
      now.addAndGet(99);
      assertThat(cache.getIfPresent("a")).isEqualTo(1);
      assertThat(expiry(cache, "a")).as("a read changes nothing").isEqualTo(at(START + 100));
      cache.cleanUp();
      assertThat(left).isEmpty();
      now.addAndGet(1);
      assertThat(cache.getIfPresent("a")).isNull();
      assertThat(left).containsExactly("a 1 EXPIRED");
      assertThat(cache.estimatedSize()).isEqualTo(1);
      cache.cleanUp();
      assertThat(left).containsExactly("a 1 EXPIRED", "b 2 EXPIRED");
      assertThat(cache.estimatedSize()).isZero();
      assertThat(cache.stats().expirations()).isEqualTo(2);
      assertThat(cache.stats().evictions()).isZero();
    }
  }

  @Test
  void aReadInTheLastMillisecondPutsTheEndOfAnIdleEntryOff() {
    try (var cache = open(builder().expireAfterAccess(ms(100)))) {
      cache.put("a", 1);
      now.addAndGet(99);
      assertThat(cache.getIfPresent("a")).isEqualTo(1);
      assertThat(expiry(cache, "a")).isEqualTo(in(100));
      now.addAndGet(99);
      assertThat(cache.asMap().get("a")).isEqualTo(1);
      now.addAndGet(100);
      assertThat(cache.getIfPresent("a")).isNull();
    }
  }

  /** A later time is stored if it is later by a 1024th of the time to idle. */
  @ParameterizedTest
  @ValueSource(longs = {100, 1023, 1024, 2047, 2048, 4096, 5000, 10_240})
  void aReadStoresALaterTimeAThousandTimesInTheTimeAtMost(long idle) {
    long step = Math.max(1, idle / 1024);
    try (var cache = open(builder().expireAfterAccess(ms(idle)))) {
      cache.put("a", 1);
      if (step > 1) {
        now.addAndGet(step - 1);
        assertThat(cache.getIfPresent("a")).isEqualTo(1);
        assertThat(expiry(cache, "a")).isEqualTo(at(START + idle));
        now.addAndGet(1);
      } else {
        assertThat(cache.getIfPresent("a")).isEqualTo(1);
        now.addAndGet(1);
      }
      assertThat(cache.getIfPresent("a")).isEqualTo(1);
      assertThat(expiry(cache, "a")).isEqualTo(at(START + step + idle));
    }
  }

  @Test
  void aTimeBelowAMillisecondIsOne() {
    try (var cache = open(builder().expireAfterWrite(Duration.ofNanos(1)))) {
      cache.put("a", 1);
      assertThat(cache.getIfPresent("a")).isEqualTo(1);
      now.addAndGet(1);
      assertThat(cache.getIfPresent("a")).isNull();
    }
    try (var cache = open(builder().expireAfterAccess(Duration.ofNanos(999_999)))) {
      cache.put("a", 1);
      assertThat(expiry(cache, "a")).isEqualTo(in(1));
    }
  }

  @Test
  void aTimeThatIsTooLongIsNever() {
    Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
    try (var cache = open(builder().expireAfterWrite(endless).expireAfterAccess(endless))) {
      cache.put("a", 1);
      cache.put("b", 2, endless);
      cache.put("c", 3, ms(Long.MAX_VALUE - START - 1));
      assertThat(cache.getIfPresent("a")).isEqualTo(1);
      assertThat(cache.getIfPresent("b")).isEqualTo(2);
      assertThat(expiry(cache, "a")).isEqualTo(Instant.MAX);
      assertThat(expiry(cache, "b")).isEqualTo(Instant.MAX);
      assertThat(expiry(cache, "c")).isEqualTo(Instant.MAX);
      now.set(1L << 47);
      cache.cleanUp();
      assertThat(cache.asMap()).containsOnlyKeys("a", "b", "c");
    }
  }

  /** 48 bits hold a time; the last one stands for never. */
  @Test
  void theLastTimeThatIsStoredIsInTheYear10889() {
    long last = (1L << 48) - 2;
    try (var cache = open(builder())) {
      cache.timed().put("a", 1, at(last));
      cache.timed().put("b", 2, at(last + 1));
      assertThat(expiry(cache, "a")).isEqualTo(at(last));
      assertThat(expiry(cache, "b")).isEqualTo(Instant.MAX);
      now.set(last - 1);
      assertThat(cache.timed().contains("a")).isTrue();
      now.set(last);
      assertThat(cache.timed().contains("a")).isFalse();
      assertThat(cache.timed().contains("b")).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void aTimeOfNothingOrLessIsOverAtOnce(long seconds) {
    try (var cache = open(builder())) {
      cache.put("a", 1, Duration.ofSeconds(seconds));
      assertThat(cache.getIfPresent("a")).isNull();
      assertThat(left).containsExactly("a 1 EXPIRED");
      cache.put("b", 2, Duration.ofSeconds(seconds));
      now.addAndGet(-1); // the clock decides, until somebody saw that the entry expired
      assertThat(cache.getIfPresent("a")).isNull();
      assertThat(cache.getIfPresent("b")).isEqualTo(2);
    }
  }

  @Test
  void fractionsOfAMillisecondDoNotCount() {
    try (var cache = open(builder())) {
      cache.timed().put("a", 1, in(1).minusNanos(1));
      cache.timed().put("b", 2, in(1).plusNanos(1));
      assertThat(cache.timed().contains("a")).isFalse();
      assertThat(expiry(cache, "b")).isEqualTo(in(1));
      assertThat(cache.timed().now()).isEqualTo(at(START));
    }
  }

  // ---- Both limits ---------------------------------------------------------------------------

  @Test
  void readsPutTheEndOffUntilTheAgeIsReached() {
    try (var cache = open(builder().expireAfterWrite(ms(100)).expireAfterAccess(ms(60)))) {
      cache.put("a", 1);
      assertThat(expiry(cache, "a")).isEqualTo(at(START + 60));
      now.set(START + 39);
      assertThat(cache.getIfPresent("a")).isEqualTo(1);
      assertThat(expiry(cache, "a")).isEqualTo(at(START + 99));
      now.set(START + 40);
      assertThat(cache.getIfPresent("a")).isEqualTo(1);
      assertThat(expiry(cache, "a")).isEqualTo(at(START + 100));
      now.set(START + 41);
      assertThat(cache.getIfPresent("a")).isEqualTo(1);
      assertThat(expiry(cache, "a")).isEqualTo(at(START + 100));
      now.set(START + 99);
      assertThat(cache.getIfPresent("a")).isEqualTo(1);
      now.set(START + 100);
      assertThat(cache.getIfPresent("a")).isNull();
    }
  }

  @Test
  void theAgeCountsFromTheLastWriteAlsoAcrossARestart() {
    var options = builder().expireAfterWrite(ms(100)).expireAfterAccess(ms(60));
    try (var cache = open(options)) {
      cache.put("a", 1);
      now.set(START + 30);
      cache.put("a", 2);
      now.set(START + 80);
      assertThat(cache.getIfPresent("a")).isEqualTo(2);
    }
    try (var cache = open(options)) {
      assertThat(expiry(cache, "a")).isEqualTo(at(START + 130));
      now.set(START + 129);
      assertThat(cache.getIfPresent("a")).isEqualTo(2);
      assertThat(expiry(cache, "a")).isEqualTo(at(START + 130));
      now.set(START + 130);
      assertThat(cache.getIfPresent("a")).isNull();
    }
  }

  @Test
  void anEntryWithATimeOfItsOwnIsPutOffByReadsAsFarAsItsAgeAllows() {
    try (var cache = open(builder().expireAfterWrite(ms(100)).expireAfterAccess(ms(60)))) {
      cache.put("short", 1, ms(10));
      cache.put("long", 2, ms(500));
      cache.timed().put("never", 3, Instant.MAX);
      now.addAndGet(9);
      assertThat(cache.getAllPresent(List.of("short", "long", "never"))).hasSize(3);
      assertThat(expiry(cache, "short")).isEqualTo(at(START + 69));
      assertThat(expiry(cache, "long")).as("a read does not shorten").isEqualTo(at(START + 500));
      assertThat(expiry(cache, "never")).isEqualTo(Instant.MAX);
    }
  }

  // ---- Any operations ------------------------------------------------------------------------

  /** Options of a cache, and what they mean. */
  enum Options {
    AGE(100, 0),
    IDLE(0, 100),
    AGE_BELOW_IDLE(60, 100),
    AGE_LIKE_IDLE(100, 100),
    AGE_ABOVE_IDLE(100, 40),
    COARSE(10_000, 4096),
    OWN(0, 0),
    NEVER(0, 0);

    final long age;
    final long idle;

    Options(long age, long idle) {
      this.age = age;
      this.idle = idle;
    }

    DurableCache<String, Integer> open(DurableCacheBuilder<String, Integer> builder) {
      if (age > 0) {
        builder.expireAfterWrite(ms(age));
      }
      if (idle > 0) {
        builder.expireAfterAccess(ms(idle));
      }
      return ExpiryLimitsTest.open(this == OWN ? builder.expireAfter(new OwnTimes()) : builder);
    }

    long created(int value, long now) {
      if (this == OWN) {
        return value % 5 == 0 ? Long.MAX_VALUE : now + value % 50;
      }
      long end = age > 0 ? now + age : Long.MAX_VALUE;
      return idle > 0 ? Math.min(end, now + idle) : end;
    }

    long updated(int value, long now) {
      return this == OWN ? now + 70 : created(value, now);
    }

    long read(Entry entry, long now) {
      if (this == OWN) {
        return entry.value % 3 == 0 ? now + 20 : entry.end;
      }
      if (idle == 0) {
        return entry.end;
      }
      long end = Math.min(now + idle, age > 0 ? entry.written + age : Long.MAX_VALUE);
      return end - entry.end >= Math.max(1, idle / 1024) ? end : entry.end;
    }
  }

  private static final class OwnTimes implements CacheExpiry<String, Integer> {
    @Override
    public Duration afterCreate(String name, Integer value) {
      return value % 5 == 0 ? null : ms(value % 50);
    }

    @Override
    public Duration afterUpdate(String name, Integer value) {
      return ms(70);
    }

    @Override
    public Optional<Duration> afterRead(String name, Integer value) {
      return value % 3 == 0 ? Optional.of(ms(20)) : Optional.empty();
    }
  }

  /** An entry of the model. */
  record Entry(int value, long written, long end) {}

  /** What a cache must hold; entries that expired are there until somebody looks for them. */
  private final class Model {
    final Options options;
    final Map<String, Entry> entries = new TreeMap<>();

    Model(Options options) {
      this.options = options;
    }

    Entry find(String name) {
      Entry entry = entries.get(name);
      if (entry != null && entry.end <= now.get()) {
        entries.remove(name);
        return null;
      }
      return entry;
    }

    Integer value(String name) {
      Entry entry = find(name);
      return entry == null ? null : entry.value;
    }

    Integer read(String name) {
      Entry entry = find(name);
      if (entry == null) {
        return null;
      }
      entries.put(name, new Entry(entry.value, entry.written, options.read(entry, now.get())));
      return entry.value;
    }

    void put(String name, int value) {
      long time = now.get();
      boolean isNew = find(name) == null;
      long end = isNew ? options.created(value, time) : options.updated(value, time);
      put(name, value, end);
    }

    void put(String name, int value, long end) {
      entries.put(name, new Entry(value, now.get(), end));
    }

    Map<String, Integer> values() {
      Set.copyOf(entries.keySet()).forEach(this::find);
      Map<String, Integer> values = new HashMap<>();
      entries.forEach((name, entry) -> values.put(name, entry.value));
      return values;
    }
  }

  @ParameterizedTest
  @EnumSource(Options.class)
  void entriesAreThereUntilTheirTimeWhateverIsDone(Options options) {
    anyOperations(options, builder(), 300);
  }

  @ParameterizedTest
  @EnumSource(names = {"AGE_ABOVE_IDLE", "OWN"})
  void soAreThoseOfAnEncryptedCache(Options options) {
    anyOperations(options, builder().encrypt(KEY), 150);
  }

  private void anyOperations(
      Options options, DurableCacheBuilder<String, Integer> builder, int steps) {
    Random random = new Random(Seeds.seed() + options.name().hashCode());
    Model model = new Model(options);
    DurableCache<String, Integer> cache = options.open(builder);
    try {
      for (int step = 0; step < steps; step++) {
        advance(model, random);
        if (random.nextInt(steps / 4) == 0) {
          cache.close();
          cache = options.open(builder);
        }
        String name = "k" + random.nextInt(5);
        change(cache, model, name, step, random);
        if (random.nextInt(3) == 0) {
          Entry expected = model.find(name);
          Instant end =
              expected == null
                  ? Instant.MIN
                  : expected.end == Long.MAX_VALUE ? Instant.MAX : at(expected.end);
          assertThat(expiry(cache, name)).as("step %s, %s", step, name).isEqualTo(end);
        }
      }
      assertThat(new HashMap<>(cache.asMap())).isEqualTo(model.values());
    } finally {
      cache.close();
    }
  }

  /** Often to the end of some entry, and a millisecond beside it. */
  private void advance(Model model, Random random) {
    List<Entry> all = List.copyOf(model.entries.values());
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> {
        if (!all.isEmpty()) {
          Entry entry = all.get(random.nextInt(all.size()));
          long wanted = entry.end - 1 + random.nextInt(3);
          if (entry.end < Long.MAX_VALUE && wanted > now.get()) {
            now.set(wanted);
          }
        }
      }
      case 3 -> now.addAndGet(1);
      case 4 -> now.addAndGet(random.nextInt(30));
      case 5 -> now.addAndGet(random.nextInt(10) == 0 ? -random.nextInt(50) : 0);
      default -> {}
    }
  }

  private void change(
      DurableCache<String, Integer> cache, Model model, String name, int step, Random random) {
    switch (random.nextInt(17)) {
      case 0, 1, 2 -> {
        cache.put(name, step);
        model.put(name, step);
      }
      case 3, 4 -> assertThat(cache.getIfPresent(name)).isEqualTo(model.read(name));
      case 5 -> assertThat(cache.asMap().get(name)).isEqualTo(model.read(name));
      case 6 -> {
        Integer old = model.value(name);
        assertThat(cache.asMap().replace(name, step)).isEqualTo(old);
        if (old != null) {
          model.put(name, step);
        }
      }
      case 7 -> {
        Integer old = model.value(name);
        assertThat(cache.putIfAbsent(name, step)).isEqualTo(old);
        if (old == null) {
          model.put(name, step);
        }
      }
      case 8 -> {
        Integer old = model.value(name);
        Integer next = cache.asMap().computeIfPresent(name, (k, v) -> v + 1);
        assertThat(next).isEqualTo(old == null ? null : old + 1);
        if (old != null) {
          model.put(name, old + 1);
        }
      }
      case 9 -> {
        Integer old = model.read(name);
        assertThat(cache.get(name, missing -> step)).isEqualTo(old == null ? step : old);
        if (old == null) {
          model.put(name, step);
        }
      }
      case 10 -> {
        int time = random.nextInt(60);
        cache.put(name, step, ms(time));
        model.put(name, step, now.get() + time);
      }
      case 11 -> {
        long end = now.get() + random.nextInt(60) - 2;
        cache.timed().put(name, step, at(end));
        model.put(name, step, end);
      }
      case 12 -> {
        long end = now.get() + random.nextInt(60) - 2;
        Entry old = model.find(name);
        assertThat(cache.timed().expireAt(name, at(end))).isEqualTo(old != null);
        if (old != null) {
          model.entries.put(name, new Entry(old.value, old.written, end));
        }
      }
      case 13 -> {
        Integer old = model.value(name);
        assertThat(cache.asMap().remove(name)).isEqualTo(old);
        model.entries.remove(name);
      }
      case 14 -> {
        boolean there = model.find(name) != null;
        assertThat(cache.asMap().containsKey(name)).isEqualTo(there);
        assertThat(cache.timed().contains(name)).isEqualTo(there);
      }
      case 15 -> {
        cache.cleanUp();
        assertThat(cache.estimatedSize()).isEqualTo(model.values().size());
      }
      default -> assertThat(new HashMap<>(cache.asMap())).isEqualTo(model.values());
    }
  }

  // ---- Blocks --------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void blocksAreSweptFromTheirMillisecondOn(boolean encrypted) {
    BlockCacheBuilder builder = Caches.small(directory).clock(now::get);
    try (BlockCache cache = (encrypted ? builder.encrypt(KEY) : builder).open()) {
      cache.awaitIndexed();
      put(cache, "past", START - 1);
      put(cache, "now", START);
      put(cache, "soon", START + 1);
      cache.put(key("never"), new byte[10]);
      assertThat(cache.stats().entries()).isEqualTo(4);
      cache.expire();
      assertThat(cache.stats().entries()).isEqualTo(2);
      assertThat(cache.stats().expirations()).isEqualTo(2);
      assertThat(cache.contains(key("soon"))).isTrue();
      now.addAndGet(1);
      List<String> seen = new ArrayList<>();
      assertThat(cache.invalidateIf(its -> !seen.add(new String(its, UTF_8)), 100)).isZero();
      assertThat(seen).containsExactly("never");
      assertThat(cache.stats().expirations()).isEqualTo(3);
      assertThat(cache.stats().entries()).isEqualTo(1);
    }
  }

  /** Nothing is known to expire before an entry that does is put, or found again. */
  @Test
  void anEntryOfAnEarlierOpeningExpires() {
    try (BlockCache cache = Caches.small(directory).clock(now::get).open()) {
      put(cache, "a", START + 10);
      put(cache, "b", START + 10);
    }
    now.addAndGet(10);
    try (BlockCache cache = Caches.small(directory).clock(now::get).open()) {
      cache.awaitIndexed();
      assertThat(cache.contains(key("a"))).isFalse();
      cache.expire();
      assertThat(cache.stats().entries()).isZero();
    }
  }

  @Test
  void aHandleKeepsABlockThatExpires() {
    try (BlockCache cache = Caches.small(directory).clock(now::get).open()) {
      cache.awaitIndexed();
      put(cache, "a", START + 10);
      long free = cache.stats().freeBytes();
      try (BlockHandle handle = cache.get(key("a"))) {
        assertThat(handle.expiresAt()).contains(at(START + 10));
        now.addAndGet(9);
        cache.expire();
        assertThat(cache.stats().pinnedBytes()).isZero();
        now.addAndGet(1);
        cache.expire();
        assertThat(cache.contains(key("a"))).isFalse();
        assertThat(handle.toArray()).hasSize(10).containsOnly(7);
        assertThat(cache.stats().pinnedBytes()).isEqualTo(64);
        assertThat(cache.stats().entries()).isZero();
        assertThat(cache.stats().freeBytes()).isEqualTo(free);
        put(cache, "a", START + 20);
        assertThat(handle.toArray()).hasSize(10).containsOnly(7);
        cache.invalidate(key("a"));
      }
      assertThat(cache.stats().pinnedBytes()).isZero();
      assertThat(cache.stats().freeBytes()).isEqualTo(free + 64);
    }
  }

  private static void put(BlockCache cache, String name, long expiry) {
    try (BlockInsert insert = cache.allocate(key(name), 10)) {
      insert.segment().fill((byte) 7);
      insert.insert(at(expiry));
    }
  }
}
