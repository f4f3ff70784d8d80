package io.everheap.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cache.BlockCache;
import io.everheap.cache.BlockCacheBuilder;
import io.everheap.cache.BlockHandle;
import io.everheap.cache.BlockInsert;
import io.everheap.cache.SimulatedCaches;
import io.everheap.encryption.KeyProvider;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * A process that puts, replaces, invalidates and reads blocks, holds some pinned, lets some expire,
 * and checks what its predecessor left. Each block tells which put it is from, so that one comes to
 * light that was replaced, removed or expired, or is not whole.
 */
final class CacheProcess implements SimulatedProcess {
  private static final int KEYS = 24;
  private static final int SEGMENTS = 3;
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);

  private final Mode mode;
  private final boolean dax;
  private final long seed;
  private final int work;
  private final History history;

  /** How the cache is opened. */
  enum Mode {
    INTERVAL,
    STRICT,
    /** As INTERVAL, in two directories. */
    TWO,
    /** As STRICT, in two directories. */
    STRICT_TWO,
    /** As INTERVAL, encrypted. */
    ENCRYPTED,
    /** As STRICT, encrypted. */
    ENCRYPTED_STRICT,
    /** As INTERVAL, encrypted in two directories. */
    ENCRYPTED_TWO;

    boolean isStrict() {
      return this == STRICT || this == STRICT_TWO || this == ENCRYPTED_STRICT;
    }

    boolean isInTwo() {
      return this == TWO || this == STRICT_TWO || this == ENCRYPTED_TWO;
    }

    boolean isEncrypted() {
      return this == ENCRYPTED || this == ENCRYPTED_STRICT || this == ENCRYPTED_TWO;
    }
  }

  /** What may be found under each key: by the number of the put. */
  private static final class History {
    long number; // of the last put
    long now = 1_000_000;
    boolean syncing; // a sync may be under way
    boolean torn; // a power loss may have left parts of what was stored
    final Map<Integer, Key> keys = new HashMap<>();

    History copy() {
      History copy = new History();
      copy.number = number;
      copy.now = now;
      copy.syncing = syncing;
      copy.torn = torn;
      keys.forEach((key, value) -> copy.keys.put(key, value.copy()));
      return copy;
    }

    Key key(int key) {
      return keys.computeIfAbsent(key, k -> new Key());
    }

    void beginSync() {
      syncing = true;
      keys.values().forEach(key -> key.syncing = new TreeSet<>(key.served));
    }

    /** The sync was at some moment since it began, or there was none. */
    void endSync(boolean happened, boolean atTheBeginning) {
      syncing = false;
      if (happened) {
        for (Key key : keys.values()) {
          key.synced = new TreeSet<>(key.syncing);
          if (!atTheBeginning) {
            key.synced.addAll(key.served);
          }
        }
      }
    }
  }

  /**
   * The puts that may be served under a key. The newest one that was acknowledged is served, or
   * none since it was evicted; while an operation is under way its outcome may be there or not.
   */
  private static final class Key {
    Set<Long> served = new TreeSet<>(); // now, or after a kill
    Set<Long> syncing = new TreeSet<>(); // when the sync began that is under way
    Set<Long> synced = new TreeSet<>(); // at the last sync

    Key copy() {
      Key copy = new Key();
      copy.served = new TreeSet<>(served);
      copy.syncing = new TreeSet<>(syncing);
      copy.synced = new TreeSet<>(synced);
      return copy;
    }

    void crash(boolean wasSyncing, boolean losesWhatIsNotSynced) {
      if (wasSyncing) {
        synced.addAll(syncing);
        synced.addAll(served);
      }
      if (losesWhatIsNotSynced) {
        served = new TreeSet<>(synced);
      }
    }
  }

  CacheProcess(Mode mode, boolean dax, long seed, int work) {
    this(mode, dax, seed, work, new History());
  }

  private CacheProcess(Mode mode, boolean dax, long seed, int work, History history) {
    this.mode = mode;
    this.dax = dax;
    this.seed = seed;
    this.work = work;
    this.history = history;
  }

  @Override
  public Promise promise() {
    History now;
    synchronized (history) {
      now = history.copy();
    }
    boolean cut = !mode.isStrict() && !dax;
    return (powerLost, next) -> {
      History left = now.copy();
      left.keys.values().forEach(key -> key.crash(left.syncing, powerLost && cut));
      left.syncing = false;
      left.torn |= powerLost;
      return new CacheProcess(mode, dax, next, Math.min(work, 25), left);
    };
  }

  BlockCacheBuilder builder(SimulatedMedium medium) {
    LongSupplier clock =
        () -> {
          synchronized (history) {
            return history.now;
          }
        };
    BlockCacheBuilder builder =
        mode.isInTwo()
            ? SimulatedCaches.builderOfTwo(medium, 2, clock)
            : SimulatedCaches.builder(medium, SEGMENTS, clock);
    if (mode.isEncrypted()) {
      builder.encrypt(KEY);
    }
    return mode.isStrict() ? builder.strict() : builder;
  }

  @Override
  public void run(SimulatedMedium medium) {
    Random random = new Random(seed);
    List<BlockHandle> pinned = new ArrayList<>();
    try (BlockCache cache = builder(medium).open()) {
      if (random.nextBoolean()) {
        watched(cache, cache::awaitIndexed);
      }
      for (int i = 0; i < work; i++) {
        watched(cache, () -> step(cache, random, pinned));
      }
      pinned.forEach(BlockHandle::close);
      watched(cache, cache::awaitIndexed);
      for (int key = 0; key < KEYS; key++) {
        check(cache, key);
      }
      if (!history.torn) {
        assertThat(cache.stats().damaged()).as("a kill looks like damage").isZero();
      }
      SimulatedCaches.requireExactSpace(cache);
      assertThat(cache.stats().pinnedBytes()).isZero();
      synchronized (history) {
        history.beginSync();
      }
    }
    synchronized (history) {
      history.endSync(true, true);
    }
  }

  /** Whatever is done while entries are recovered may end that, which syncs. */
  private void watched(BlockCache cache, Runnable step) {
    boolean recovering = !cache.isIndexed();
    if (recovering) {
      synchronized (history) {
        history.beginSync();
      }
    }
    step.run();
    if (recovering) {
      synchronized (history) {
        history.endSync(cache.isIndexed(), false);
      }
    }
  }

  private void step(BlockCache cache, Random random, List<BlockHandle> pinned) {
    int key = random.nextInt(KEYS);
    switch (random.nextInt(17)) {
      case 0, 1, 2, 3, 4, 5 -> put(cache, key, length(random), 0);
      case 6 -> put(cache, key, length(random), 1 + random.nextInt(50));
      case 7, 8 -> remove(cache, key);
      case 9 -> {
        BlockHandle handle = cache.get(bytes(key));
        if (handle != null) {
          pinned.add(handle);
        }
      }
      case 10 -> {
        if (!pinned.isEmpty()) {
          pinned.remove(random.nextInt(pinned.size())).close();
        }
      }
      case 11 -> {
        synchronized (history) {
          history.now += random.nextInt(30);
        }
        cache.expire();
      }
      case 12 -> {
        synchronized (history) {
          history.beginSync();
        }
        cache.sync();
        synchronized (history) {
          history.endSync(true, true);
        }
      }
      case 13 -> SimulatedCaches.recoverSome(cache);
      case 14 -> {
        if (random.nextInt(6) == 0) {
          removeAll(cache);
        } else {
          check(cache, key);
        }
      }
      case 15 -> SimulatedCaches.storeExpiryAgain(cache, bytes(key)); // it may end the entry
      default -> check(cache, key);
    }
  }

  private static int length(Random random) {
    return random.nextInt(8) == 0 ? 20_000 + random.nextInt(20_000) : random.nextInt(3000);
  }

  private static byte[] bytes(int key) {
    return ("key " + key).getBytes(UTF_8);
  }

  /** A block of the number of its put, when it expires, and bytes that both tell. */
  private static byte[] block(long number, long expiry, int length) {
    byte[] bytes = new byte[16 + length];
    new Random(number ^ (expiry << 20)).nextBytes(bytes);
    ByteBuffer.wrap(bytes).putLong(number).putLong(expiry);
    return bytes;
  }

  private void put(BlockCache cache, int key, int length, int ttl) {
    long number;
    long expiry;
    synchronized (history) {
      number = ++history.number;
      expiry = ttl == 0 ? 0 : history.now + ttl;
    }
    byte[] block = block(number, expiry, length);
    try (BlockInsert insert = cache.allocate(bytes(key), block.length)) {
      if (insert == null) {
        return;
      }
      insert.segment().asByteBuffer().put(block);
      synchronized (history) {
        history.key(key).served.add(number); // it may be there from now on
      }
      if (ttl == 0) {
        insert.insert();
      } else {
        insert.insert(Instant.ofEpochMilli(expiry));
      }
    }
    synchronized (history) {
      Key its = history.key(key);
      its.served.clear();
      its.served.add(number);
    }
  }

  private void remove(BlockCache cache, int key) {
    cache.invalidate(bytes(key));
    synchronized (history) {
      Key its = history.key(key);
      its.served.clear();
    }
  }

  private void removeAll(BlockCache cache) {
    cache.invalidateAll();
    synchronized (history) {
      for (Key key : history.keys.values()) {
        key.served.clear();
        key.syncing.clear();
        key.synced.clear();
      }
    }
  }

  private void check(BlockCache cache, int key) {
    try (BlockHandle handle = cache.get(bytes(key))) {
      if (handle == null) {
        return;
      }
      byte[] found = handle.toArray();
      long number = ByteBuffer.wrap(found).getLong();
      long expiry = ByteBuffer.wrap(found).getLong(8);
      synchronized (history) {
        assertThat(history.key(key).served).as("what key %s may have", key).contains(number);
        assertThat(found)
            .as("the block of put %s", number)
            .isEqualTo(block(number, expiry, found.length - 16));
        assertThat(expiry == 0 || expiry > history.now).as("not expired: %s", expiry).isTrue();
        if (cache.isIndexed()) {
          history.key(key).served.removeIf(put -> put != number); // what it is now, it stays
        }
      }
    }
  }
}
