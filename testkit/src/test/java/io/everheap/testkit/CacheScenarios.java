package io.everheap.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.cache.BlockCache;
import io.everheap.cache.BlockCacheBuilder;
import io.everheap.cache.BlockHandle;
import io.everheap.cache.BlockInsert;
import io.everheap.cache.DurableCache;
import io.everheap.cache.SimulatedCaches;
import io.everheap.error.MediumException;
import io.everheap.memory.MediumFile;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** What the tests of the tests run against deliberate mistakes in the cache. */
public final class CacheScenarios {
  private static final int SEEDS = 4 * Integer.getInteger("everheap.crash.effort", 1);

  private static final long NOW = 1_000_000;
  private static final int SLOT = 64;
  private static final int WRITTEN = 40; // in a slot

  private CacheScenarios() {}

  public static void file() {
    explore(false, CacheProcess.Mode.INTERVAL);
  }

  public static void strict() {
    explore(false, CacheProcess.Mode.STRICT);
  }

  public static void dax() {
    explore(true, CacheProcess.Mode.INTERVAL);
  }

  private static void explore(boolean dax, CacheProcess.Mode mode) {
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(10, 100, 6), new Explorer.Effort(1, 2, 2));
    for (int seed = 1; seed <= SEEDS; seed++) {
      new Explorer(seed, efforts, new CrashReport())
          .explore(new CacheProcess(mode, dax, seed, 60), medium(dax, seed));
    }
  }

  private static SimulatedMedium medium(boolean dax, long seed) {
    return dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
  }

  private static BlockCacheBuilder builder(SimulatedMedium medium) {
    return SimulatedCaches.builder(medium, 3, () -> NOW);
  }

  private static BlockCacheBuilder builder(SimulatedMedium medium, long[] now) {
    return SimulatedCaches.builder(medium, 3, () -> now[0]);
  }

  private static byte[] key(int key) {
    return ("key " + key).getBytes(UTF_8);
  }

  /** What a killed process removed stays away, also if the next one is told so and loses power. */
  public static void whatRecoveryReadIsDurable() {
    SimulatedMedium medium = SimulatedMedium.dax(1);
    BlockCache cache = builder(medium).open();
    cache.awaitIndexed();
    cache.put(key(1), new byte[10]);
    long before = medium.points();
    cache.invalidate(key(1));
    // The same again, killed between the store that ends the entry and its force.
    SimulatedMedium other = SimulatedMedium.dax(1);
    BlockCache killed = builder(other).open();
    killed.awaitIndexed();
    killed.put(key(1), new byte[10]);
    other.dieAt(before + 1);
    assertThatThrownBy(() -> killed.invalidate(key(1))).isInstanceOf(Error.class);
    SimulatedMedium next = other.image().processKill();
    BlockCache again = builder(next).open();
    again.awaitIndexed();
    again.invalidate(key(1));
    try (BlockCache last = builder(next.powerLoss(Chooser.none())).open()) {
      last.awaitIndexed();
      assertThat(last.contains(key(1))).isFalse();
    }
  }

  /**
   * A put whose sync is done while the entry that it replaces is not known yet: a power loss that
   * keeps the end of the new entry must not bring the old one back.
   */
  public static void aPutDuringARecoveryReplacesWhatIsNotKnown() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (BlockCache cache = builder(medium).open()) {
      cache.awaitIndexed();
      cache.put(key(8), new byte[61_000]); // fills the first segment but for a little
      cache.put(key(9), new byte[61_000]);
      cache.put(key(1), new byte[1000]); // in the last segment
    }
    SimulatedMedium next = medium.image().processKill();
    BlockCache cache = builder(next).open();
    cache.put(key(1), new byte[50]);
    assertThat(cache.isIndexed()).isFalse();
    cache.sync();
    cache.put(key(1), new byte[60]);
    SimulatedMedium lost =
        next.powerLoss(unit -> unit.name().startsWith("cache at 8192,") ? 0 : unit.versions() - 1);
    try (BlockCache last = builder(lost).open()) {
      last.awaitIndexed();
      try (BlockHandle found = last.get(key(1))) {
        assertThat(found == null ? 50 : found.length()).isEqualTo(50);
      }
    }
  }

  /**
   * A put was killed between the stores that make its entry and end the one that it replaces, and
   * the recovery knows the newer one alone when that ends. The older one stays away if a power loss
   * keeps that end, and if the process is killed; also if others opened the cache in between.
   */
  public static void theEndOfAnEntryThatACrashLeftTwiceIsThatOfBoth() {
    for (boolean powerLost : new boolean[] {false, true}) {
      for (boolean inBetween : new boolean[] {false, true}) {
        long[] now = {1_000_000};
        SimulatedMedium whole = SimulatedMedium.file(1);
        BlockCache cache = openBehindFullSegments(whole, now);
        long before = whole.points();
        putThatExpires(cache, now);
        long after = whole.points();
        int found = 0;
        for (long point = before; point < after; point++) {
          SimulatedMedium medium = SimulatedMedium.file(1);
          BlockCache killed = openBehindFullSegments(medium, now);
          medium.dieAt(point);
          assertThatThrownBy(() -> putThatExpires(killed, now)).isInstanceOf(Error.class);
          SimulatedMedium next = medium.image().processKill();
          if (inBetween) {
            builder(next, now).open().sync();
            next = next.image().processKill();
          }
          found += endTheNewerOne(next, now) ? 1 : 0;
          now[0]--;
          SimulatedMedium lost =
              powerLost
                  ? next.powerLoss(
                      unit -> unit.name().startsWith("cache at 8192,") ? 0 : unit.versions() - 1)
                  : next.image().processKill();
          try (BlockCache last = builder(lost, now).open()) {
            last.awaitIndexed();
            try (BlockHandle left = last.get(key(1))) {
              assertThat(left == null || found == 0).as("at %s", point).isTrue();
            }
          }
        }
        assertThat(found).isPositive();
      }
    }
  }

  /** Two segments are full but for a little, and an entry is in the third one. */
  private static BlockCache openBehindFullSegments(SimulatedMedium medium, long[] now) {
    BlockCache cache = builder(medium, now).open();
    cache.awaitIndexed();
    cache.put(key(8), new byte[61_000]);
    cache.put(key(9), new byte[61_000]);
    cache.put(key(1), new byte[1000]);
    cache.sync();
    return cache;
  }

  /** Replaces that entry by one in the first segment. */
  private static void putThatExpires(BlockCache cache, long[] now) {
    try (BlockInsert insert = cache.allocate(key(1), 50)) {
      insert.insert(Instant.ofEpochMilli(now[0] + 1));
    }
  }

  /** Whether the entry of the first segment was known; it is not any more. */
  private static boolean endTheNewerOne(SimulatedMedium medium, long[] now) {
    BlockCache cache = builder(medium, now).open();
    SimulatedCaches.recoverSome(cache); // the first segment's table
    SimulatedCaches.recoverSome(cache); // and its entries
    boolean found = cache.contains(key(1));
    cache.sync();
    now[0]++;
    assertThat(cache.contains(key(1))).isFalse();
    assertThat(cache.isIndexed()).isFalse();
    return found;
  }

  /** What was removed before it was found stays away when the next process finds it. */
  public static void aRemovalOutlivesARecoveryThatDidNotEnd() {
    for (boolean dax : new boolean[] {false, true}) {
      SimulatedMedium medium = medium(dax, 1);
      try (BlockCache cache = builder(medium).open()) {
        cache.awaitIndexed();
        cache.put(key(1), new byte[10]);
      }
      SimulatedMedium next = medium.image().processKill();
      builder(next).open().invalidate(key(1));
      try (BlockCache last = builder(next.image().processKill()).open()) {
        last.awaitIndexed();
        assertThat(last.contains(key(1))).isFalse();
      }
    }
  }

  /**
   * What a killed process left in the default mode counts after a power loss of the next one, in
   * strict mode: it is made durable before that is so.
   */
  public static void whatAKilledProcessLeftIsDurableInStrictMode() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    BlockCache first = builder(medium).open();
    first.awaitIndexed();
    first.put(key(1), new byte[50]);
    first.sync();
    first.put(key(1), new byte[60]);
    SimulatedMedium next = medium.image().processKill();
    BlockCache strict = builder(next).strict().open();
    assertThat(strict.isIndexed()).isFalse();
    try (BlockCache last = builder(next.powerLoss(Chooser.none())).strict().open()) {
      last.awaitIndexed();
      try (BlockHandle found = last.get(key(1))) {
        assertThat(found == null ? 60 : found.length()).isEqualTo(60);
      }
    }
  }

  /**
   * What was found expired in strict mode, by a lookup or by the upkeep, is not there again after a
   * power loss, although the clock goes back.
   */
  public static void anExpiredEntryStaysAwayIfTheClockGoesBack() {
    for (boolean byLookup : new boolean[] {false, true}) {
      long[] now = {1_000_000};
      SimulatedMedium medium = SimulatedMedium.file(1);
      BlockCache cache = SimulatedCaches.builder(medium, 3, () -> now[0]).strict().open();
      cache.awaitIndexed();
      try (BlockInsert insert = cache.allocate(key(1), 10)) {
        insert.insert(Instant.ofEpochMilli(now[0] + 1));
      }
      cache.sync();
      now[0]++;
      if (byLookup) {
        assertThat(cache.get(key(1))).isNull();
      } else {
        cache.expire();
      }
      now[0]--;
      SimulatedMedium lost = medium.powerLoss(Chooser.none());
      try (BlockCache last = SimulatedCaches.builder(lost, 3, () -> now[0]).strict().open()) {
        last.awaitIndexed();
        assertThat(last.contains(key(1))).as("found by a lookup: %s", byLookup).isFalse();
      }
    }
  }

  /**
   * A segment whose header was damaged is used again: a power loss that keeps its new header and
   * nothing else does not bring back what its table held.
   */
  public static void aDamagedSegmentStaysEmpty() {
    long header = 8192 + 4096;
    int last = 63; // the slot of the table's first chunk that is not on the header's page
    for (boolean strict : new boolean[] {false, true}) {
      for (boolean dax : new boolean[] {false, true}) {
        SimulatedMedium medium = medium(dax, 1);
        try (BlockCache cache = builder(medium).open()) {
          cache.awaitIndexed();
          for (int i = 0; i <= last; i++) {
            cache.put(key(i), new byte[10]);
          }
        }
        SimulatedMedium damaged = medium.image().processKill();
        damaged.flipBit("cache", header, 3);
        BlockCacheBuilder builder = builder(damaged);
        BlockCache cache = (strict ? builder.strict() : builder).open();
        cache.awaitIndexed();
        assertThat(cache.stats().damaged()).isEqualTo(1);
        cache.invalidate(key(last));
        cache.put(key(1), new byte[10]); // takes that segment
        SimulatedMedium lost =
            damaged.powerLoss(
                unit ->
                    unit.name().startsWith("cache at " + header + ",") ? unit.versions() - 1 : 0);
        try (BlockCache next = builder(lost).open()) {
          next.awaitIndexed();
          assertThat(next.contains(key(last))).as("strict %s, DAX %s", strict, dax).isFalse();
        }
      }
    }
  }

  /** A damaged block of an earlier opening is a miss. */
  public static void damagedBlocksAreMisses() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (BlockCache cache = builder(medium).open()) {
      cache.awaitIndexed();
      cache.put(key(1), new byte[60_000]);
    }
    SimulatedMedium damaged = medium.image().processKill();
    damaged.flipBit("cache", 8192 + 4096 + 40_000, 3);
    try (BlockCache cache = builder(damaged).open()) {
      cache.awaitIndexed();
      assertThat(cache.contains(key(1))).isFalse();
    }
  }

  /** An entry whose time of writing is not the one that was stored is dropped. */
  public static void damagedSlotsAreDropped() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (BlockCache cache = builder(medium).open()) {
      cache.awaitIndexed();
      cache.put(key(1), new byte[100]);
    }
    SimulatedMedium damaged = medium.image().processKill();
    ByteBuffer bytes = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
    try (MediumFile file = damaged.open("cache")) {
      file.read(bytes, 0);
    }
    int slots = 0;
    for (int at = 8192; at < bytes.position(); at += SLOT) {
      if (bytes.getLong(at + WRITTEN) == NOW) {
        slots++;
        damaged.flipBit("cache", at + WRITTEN, 1);
      }
    }
    assertThat(slots).isEqualTo(1);
    try (BlockCache cache = builder(damaged).open()) {
      cache.awaitIndexed();
      assertThat(cache.contains(key(1))).isFalse();
    }
  }

  /** What a pin holds is not used for another block. */
  public static void whatIsPinnedStays() {
    try (BlockCache cache = builder(SimulatedMedium.file(1)).open()) {
      cache.awaitIndexed();
      byte[] first = new byte[20_000];
      Arrays.fill(first, (byte) 1);
      cache.put(key(1), first);
      try (BlockHandle pinned = cache.get(key(1))) {
        cache.invalidate(key(1));
        for (int i = 2; i < 30; i++) {
          cache.put(key(i), new byte[20_000]);
        }
        assertThat(pinned.toArray()).isEqualTo(first);
      }
    }
  }

  /** An entry that was told to expire sooner does so, also if nothing else was changed since. */
  public static void aSoonerExpiryIsDurable() {
    for (boolean dax : new boolean[] {false, true}) {
      SimulatedMedium medium = medium(dax, 1);
      DurableCache<String, String> cache = SimulatedCaches.texts(medium, 3, () -> 1_000_000);
      cache.blocks().awaitIndexed();
      cache.put("a", "1");
      cache.blocks().sync();
      cache.timed().expireAt("a", Instant.ofEpochMilli(1_000_005));
      cache.blocks().sync();
      SimulatedMedium lost = medium.powerLoss(Chooser.none());
      try (DurableCache<String, String> next = SimulatedCaches.texts(lost, 3, () -> 1_000_005)) {
        next.blocks().awaitIndexed();
        assertThat(next.getIfPresent("a")).isNull();
      }
    }
  }

  /** After a failed sync nothing is acknowledged any more. */
  public static void nothingIsChangedAfterAFailedSync() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    BlockCache cache = builder(medium).open();
    cache.awaitIndexed();
    cache.put(key(1), new byte[10]);
    medium.faults().failSync(1);
    assertThatThrownBy(cache::sync).isInstanceOf(MediumException.class);
    assertThatThrownBy(() -> cache.invalidate(key(1))).isInstanceOf(MediumException.class);
    assertThat(cache.contains(key(1))).isTrue();
  }

  /** A cache goes on with the segments that a full disk has room for. */
  public static void aFullDiskIsASmallerCache() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (BlockCache cache = builder(medium).open()) {
      cache.awaitIndexed();
      assertThat(cache.put(key(0), new byte[1000])).isTrue();
      medium.faults().fillDisk(1);
      for (int i = 0; i < 100; i++) {
        assertThat(cache.put(key(i), new byte[10_000])).isTrue();
        assertThat(cache.contains(key(i))).isTrue();
      }
    }
  }

  /** All entries of a cache are gone at once, whatever a power loss leaves of the rest. */
  public static void allAreInvalidatedDurably() {
    for (boolean dax : new boolean[] {false, true}) {
      SimulatedMedium medium = medium(dax, 1);
      BlockCache cache = builder(medium).open();
      cache.awaitIndexed();
      cache.put(key(1), new byte[10]);
      cache.sync();
      cache.invalidateAll();
      try (BlockCache next = builder(medium.powerLoss(Chooser.none())).open()) {
        next.awaitIndexed();
        assertThat(next.contains(key(1))).isFalse();
      }
    }
  }
}
