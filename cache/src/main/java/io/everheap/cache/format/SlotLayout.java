package io.everheap.cache.format;

import io.everheap.memory.MappedFaults;
import io.everheap.memory.Region;
import java.util.zip.CRC32C;

/**
 * A slot: the header of an entry, one cache line of 64 bytes.
 *
 * <pre>
 *   0          8      16       20           24             28          32       40        48
 *   +----------+------+--------+------------+--------------+-----------+--------+---------+------
 *   | sequence | hash | place  | key length | value length | value crc | expiry | written | seal
 *   +----------+------+--------+------------+--------------+-----------+--------+---------+------
 *   56     60
 *   +------+---+
 *   | check| 0 |
 *   +------+---+
 * </pre>
 *
 * <p>The sequence is stored last, and is zero in a slot without an entry: storing it makes and ends
 * an entry. The place is the granule of the block in its segment. The check covers everything but
 * the expiry, which may change and has a check that depends on this one, and depends on the cache
 * and on where the slot is, so that bytes that were moved or written by somebody else never
 * validate.
 *
 * <p>The slots of an encrypted cache are so in memory alone; {@link SealedSlot} is what its file
 * has.
 */
public final class SlotLayout {
  /** Bytes of a slot. */
  public static final int SIZE = 64;

  /** No expiry. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final int CHUNK = 8 << 10;

  private static final int HASH = 8;
  private static final int PLACE = 16;
  private static final int KEY_LENGTH = 20;
  private static final int VALUE_LENGTH = 24;
  private static final int VALUE_CRC = 28;
  private static final int EXPIRY = 32;
  private static final int WRITTEN = 40;
  private static final int SEAL = 48;
  private static final int CHECK = 56;

  private static final int TIME_BITS = 48;
  private static final long TIME = (1L << TIME_BITS) - 1;

  private SlotLayout() {}

  /** The sequence of the entry; 0 if there is none. */
  public static long sequence(Region region, long slot) {
    return region.getLongAcquire(slot);
  }

  /** The hash of the key. */
  public static long hash(Region region, long slot) {
    return region.getLong(slot + HASH);
  }

  /** The granule of the block in its segment. */
  public static int place(Region region, long slot) {
    return region.getInt(slot + PLACE);
  }

  /** Bytes of the key. */
  public static int keyLength(Region region, long slot) {
    return region.getInt(slot + KEY_LENGTH);
  }

  /** Bytes of the value. */
  public static int valueLength(Region region, long slot) {
    return region.getInt(slot + VALUE_LENGTH);
  }

  /** The checksum of value and key. */
  public static int valueCrc(Region region, long slot) {
    return region.getInt(slot + VALUE_CRC);
  }

  /** Of an encrypted cache: the word by which its block is known; else zero. */
  public static long seal(Region region, long slot) {
    return region.getLong(slot + SEAL);
  }

  /** When the entry was written, in milliseconds since 1970. */
  public static long written(Region region, long slot) {
    return region.getLong(slot + WRITTEN);
  }

  /** When the entry expires, in milliseconds since 1970; {@link #NEVER}; 0 if damaged. */
  public static long expiry(Region region, long slot) {
    long word = region.getLongOpaque(slot + EXPIRY);
    long time = word & TIME;
    if (word != expiryWord(time, region.getLong(slot + CHECK))) {
      return 0;
    }
    return time == TIME ? NEVER : time;
  }

  /** Changes when the entry expires. */
  public static void expiry(Region region, long slot, long time) {
    region.putLongOpaque(slot + EXPIRY, expiryWord(time, region.getLong(slot + CHECK)));
  }

  /** The largest time stands for never. */
  private static long expiryWord(long time, long check) {
    long at = Math.clamp(time, 1, TIME);
    return (Mix.mix(at ^ check) << TIME_BITS) | at;
  }

  /** Stores where the block is, and its lengths, in a slot without an entry. */
  public static void reserve(Region region, long slot, int place, int keyLength, int valueLength) {
    region.putLong(slot + PLACE, (long) keyLength << 32 | place);
    region.putLong(slot + VALUE_LENGTH, valueLength);
  }

  /** Stores everything but the sequence, which {@link #publish} stores, after {@link #reserve}. */
  public static void fill(
      Region region,
      long slot,
      long salt,
      long sequence,
      long hash,
      int valueCrc,
      long seal,
      long expiry,
      long written) {
    region.putLong(slot + HASH, hash);
    region.putInt(slot + VALUE_CRC, valueCrc);
    region.putLong(slot + WRITTEN, written);
    region.putLong(slot + SEAL, seal);
    long check = check(region, slot, salt, sequence) & 0xFFFF_FFFFL;
    region.putLong(slot + CHECK, check);
    region.putLong(slot + EXPIRY, expiryWord(expiry, check));
  }

  /** Makes the entry. */
  public static void publish(Region region, long slot, long sequence) {
    region.putLongRelease(slot, sequence);
  }

  /** Ends the entry. */
  public static void kill(Region region, long slot) {
    region.putLongRelease(slot, 0);
  }

  /** Whether the checksum is that of an entry with this sequence. */
  public static boolean valid(Region region, long slot, long salt, long sequence) {
    return region.getLong(slot + CHECK) == (check(region, slot, salt, sequence) & 0xFFFF_FFFFL);
  }

  private static int check(Region region, long slot, long salt, long sequence) {
    long h = Mix.mix(salt ^ slot);
    h = Mix.mix(h ^ sequence);
    h = Mix.mix(h ^ region.getLong(slot + HASH));
    h = Mix.mix(h ^ region.getLong(slot + PLACE));
    h = Mix.mix(h ^ region.getLong(slot + VALUE_LENGTH));
    h = Mix.mix(h ^ region.getLong(slot + WRITTEN));
    h = Mix.mix(h ^ region.getLong(slot + SEAL));
    return (int) (h >>> 32);
  }

  /**
   * Returns the checksum of a block: its value, followed by the key. Copies the bytes first: an
   * in-place checksum of a page that was cut off crashes the JVM.
   *
   * @throws InternalError if a page does not exist, or cannot be read
   */
  public static int blockCrc(Region region, long block, long length) {
    var crc = new CRC32C();
    byte[] copy = new byte[(int) Math.min(length, CHUNK)];
    for (long at = 0; at < length; at += copy.length) {
      int part = (int) Math.min(copy.length, length - at);
      region.copyTo(block + at, copy, 0, part);
      MappedFaults.arrive();
      crc.update(copy, 0, part);
    }
    return (int) crc.getValue();
  }
}
