package io.everheap.memory.crypt;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys of sectors. Each is derived from the data key and a salt of 128 random bits, by
 * HMAC-SHA-256; the salt is stored in the sector. An opening writes under a salt of its own and
 * counts its sectors, and the counter is the nonce. So no nonce is used twice for a key: not after
 * a crash, since the next opening has another salt, and not in two copies of a heap that both go
 * on, since each has its own.
 *
 * <p>Thread-safe.
 */
final class SectorKeys implements AutoCloseable {
  /** Number of sectors under one salt: 512 TiB. */
  private static final long MAX_COUNT = 1L << 40;

  /** What comes before a salt, and before another purpose. */
  private static final byte SECTOR = 1;

  private static final byte OTHER = 2;

  private final byte[] dataKey;
  private final SecureRandom random = new SecureRandom();
  private final ConcurrentHashMap<Salt, SecretKeySpec> derived = new ConcurrentHashMap<>();
  private volatile Series series;

  /** A salt as it is in a sector. */
  record Salt(long high, long low) {
    boolean isZero() {
      return (high | low) == 0;
    }
  }

  /** A salt to write with, its key, and the sectors counted so far. */
  record Series(Salt salt, SecretKeySpec key, AtomicLong count) {}

  /** Creates the keys; takes over the array, and erases it when it is closed. */
  SectorKeys(byte[] dataKey) {
    this.dataKey = dataKey;
    this.series = series();
  }

  /** The key of sectors with this salt, which may be one that nobody wrote with. */
  SecretKeySpec key(Salt salt) {
    SecretKeySpec key = derived.get(salt);
    return key != null ? key : derive(salt);
  }

  /** Keeps the key of a salt under which a sector is authentic: others could have any number. */
  void keep(Salt salt, SecretKeySpec key) {
    if (!derived.containsKey(salt)) {
      derived.put(salt, key);
    }
  }

  /** Number of keys that are kept. */
  int kept() {
    return derived.size();
  }

  /** The series to write with; its counter is to be incremented for each sector. */
  Series current() {
    Series now = series;
    return now.count.get() < MAX_COUNT ? now : next();
  }

  private synchronized Series next() {
    if (series.count.get() >= MAX_COUNT) {
      series = series();
    }
    return series;
  }

  private Series series() {
    Salt salt = new Salt(random.nextLong(), random.nextLong() | 1);
    SecretKeySpec key = derive(salt);
    keep(salt, key);
    return new Series(salt, key, new AtomicLong());
  }

  private SecretKeySpec derive(Salt salt) {
    byte[] bytes = new byte[SealedLayout.SALT_BYTES];
    Words.put(bytes, 0, salt.high);
    Words.put(bytes, 8, salt.low);
    byte[] key = hmac(SECTOR, bytes);
    SecretKeySpec spec = new SecretKeySpec(key, "AES");
    Arrays.fill(key, (byte) 0);
    return spec;
  }

  /** A key for another purpose than sectors. */
  byte[] derivedKey(String purpose) {
    return hmac(OTHER, purpose.getBytes(UTF_8));
  }

  private byte[] hmac(byte label, byte[] bytes) {
    Mac mac = Hmac.of(dataKey);
    mac.update(label);
    return mac.doFinal(bytes);
  }

  @Override
  public void close() {
    Arrays.fill(dataKey, (byte) 0);
    derived.clear();
  }
}
