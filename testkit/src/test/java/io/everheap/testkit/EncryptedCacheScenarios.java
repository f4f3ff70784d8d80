package io.everheap.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cache.BlockCache;
import io.everheap.cache.BlockHandle;
import io.everheap.cache.BlockInsert;
import io.everheap.cache.DurableCache;
import io.everheap.cache.SimulatedCaches;
import io.everheap.encryption.KeyProvider;
import io.everheap.memory.MediumFile;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.SimulatedMedium;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** What the tests of the tests run against deliberate mistakes in the encryption of caches. */
public final class EncryptedCacheScenarios {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int SEGMENT = 8192 + 4096;
  private static final int SLOT = SEGMENT + 64;
  private static final int BLOCK = SEGMENT + (64 << 10) - 192; // the first one of 129 to 192 bytes
  private static final int LENGTH = 100;

  private EncryptedCacheScenarios() {}

  static BlockCache open(SimulatedMedium medium) {
    BlockCache cache = SimulatedCaches.builder(medium, 3, () -> 1_000_000).encrypt(KEY).open();
    cache.awaitIndexed();
    return cache;
  }

  private static byte[] key() {
    return "key".getBytes(UTF_8);
  }

  private static byte[] value(int filler) {
    byte[] value = new byte[LENGTH];
    Arrays.fill(value, (byte) filler);
    return value;
  }

  private static byte[] file(SimulatedMedium medium) {
    try (MediumFile file = medium.open("cache")) {
      byte[] bytes = new byte[(int) file.size()];
      file.read(ByteBuffer.wrap(bytes), 0);
      return bytes;
    }
  }

  private static void store(SimulatedMedium medium, byte[] bytes, int at, int length) {
    try (MediumFile file = medium.open("cache")) {
      file.write(ByteBuffer.wrap(bytes, at, length), at);
    }
  }

  private static SimulatedMedium closedWithOne() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (BlockCache cache = open(medium)) {
      cache.put(key(), value(1));
    }
    return medium.image().processKill();
  }

  private static byte[] get(BlockCache cache) {
    try (BlockHandle handle = cache.get(key())) {
      return handle == null ? null : handle.toArray();
    }
  }

  /** No two blocks at one place have one nonce, also after a restart. */
  public static void nonces() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Set<String> nonces = new HashSet<>();
    for (int opening = 0; opening < 3; opening++) {
      try (BlockCache cache = open(medium)) {
        for (int i = 0; i < 3; i++) {
          cache.invalidateAll();
          cache.put(key(), value(i));
          byte[] bytes = Arrays.copyOfRange(file(medium), BLOCK, BLOCK + 24);
          assertThat(nonces.add(Arrays.toString(bytes))).as("put %s", i).isTrue();
        }
      }
      medium = medium.image().processKill();
    }
  }

  /** A changed block is a miss. */
  public static void changedBlocks() {
    SimulatedMedium medium = closedWithOne();
    medium.flipBit("cache", BLOCK + 40, 3);
    try (BlockCache cache = open(medium)) {
      assertThat(get(cache)).isNull();
      assertThat(cache.stats().damaged()).isOne();
    }
  }

  /** A changed slot is a miss, and nothing else of it is believed. */
  public static void changedSlots() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    open(medium).put(key(), value(1));
    SimulatedMedium killed = medium.image().processKill(); // without digests
    killed.flipBit("cache", SLOT + 8 + 16 + 24, 3); // when it expires
    try (BlockCache cache = open(killed)) {
      assertThat(get(cache)).isNull();
      assertThat(cache.stats().damaged()).isOne();
    }
  }

  /** Who knows the sequence of an entry that ended does not bring it back. */
  public static void endedEntries() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    BlockCache cache = open(medium);
    cache.put(key(), value(1));
    byte[] before = file(medium);
    cache.invalidate(key());
    SimulatedMedium killed = medium.image().processKill();
    store(killed, before, SLOT, Long.BYTES);
    try (BlockCache next = open(killed)) {
      assertThat(get(next)).isNull();
    }
  }

  /** What ended before the cache was closed cannot be put back. */
  public static void oldSlots() {
    SimulatedMedium medium = closedWithOne();
    byte[] before = file(medium);
    try (BlockCache cache = open(medium)) {
      cache.invalidate(key());
    }
    SimulatedMedium closed = medium.image().processKill();
    store(closed, before, SLOT, 64);
    try (BlockCache cache = open(closed)) {
      assertThat(get(cache)).isNull();
    }
  }

  /** A closed cache has its entries after a power loss. */
  public static void closed() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (BlockCache cache = open(medium)) {
      cache.put(key(), value(1));
      cache.sync();
    }
    for (int opening = 0; opening < 2; opening++) {
      medium = medium.powerLoss(Chooser.none());
      try (BlockCache cache = open(medium)) {
        assertThat(get(cache)).isEqualTo(value(1));
        assertThat(cache.stats().damaged()).isZero();
      }
    }
  }

  /** What a program fills and reads is not in the file. */
  public static void plaintext() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (BlockCache cache = open(medium)) {
      BlockInsert insert = cache.allocate(key(), LENGTH);
      assertThat(insert).isNotNull();
      insert.segment().copyFrom(MemorySegment.ofArray(value('x')));
      assertThat(new String(file(medium), UTF_8)).doesNotContain("xxxxxxxx");
      insert.insert();
      assertThat(get(cache)).isEqualTo(value('x'));
      assertThat(new String(file(medium), UTF_8)).doesNotContain("xxxxxxxx");
    }
  }

  /** An entry that was told to expire sooner does so after a kill. */
  public static void soonerExpiry() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    DurableCache<String, String> cache = texts(medium, 1_000_000);
    cache.put("a", "1");
    cache.timed().expireAt("a", Instant.ofEpochMilli(1_000_005));
    try (DurableCache<String, String> next = texts(medium.image().processKill(), 1_000_005)) {
      assertThat(next.getIfPresent("a")).isNull();
    }
  }

  private static DurableCache<String, String> texts(SimulatedMedium medium, long now) {
    DurableCache<String, String> cache =
        SimulatedCaches.textsBuilder(path -> medium, 3, () -> now).encrypt(KEY).open();
    cache.blocks().awaitIndexed();
    return cache;
  }
}
