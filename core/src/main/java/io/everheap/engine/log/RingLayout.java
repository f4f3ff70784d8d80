package io.everheap.engine.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The layout of the ring file: the newest parts of the log, in a shared mapping that the kernel
 * keeps when the process is killed. It is never synced; after a power loss the incarnation differs,
 * and the contents are ignored.
 *
 * <pre>
 *   0       8         16     32      40         48            52            ...      252   4096
 *   +-------+---------+------+-------+----------+-------------+-----------------+----+-----+------
 *   | magic | version | uuid | epoch | capacity | name length | incarnation ... | 0  | crc | parts
 *   +-------+---------+------+-------+----------+-------------+-----------------+----+-----+------
 * </pre>
 *
 * The part at an LSN starts at {@link #DATA} + lsn mod capacity and never crosses the end. The crc
 * is the CRC32C of the 252 bytes before it.
 */
public final class RingLayout {
  /** "EVERRING", little-endian. */
  public static final long MAGIC = 0x474E_4952_5245_5645L;

  /** The format that this code writes and the only one that it reads. */
  public static final int FORMAT_VERSION = 2;

  /** Name of the file. */
  public static final String NAME = "ring";

  /** Name of the file until it is complete. */
  public static final String TEMPORARY = "ring.new";

  /** Offset of the parts. */
  public static final int DATA = 4096;

  /** Smallest capacity in bytes. */
  public static final int MIN_CAPACITY = 64 << 10;

  /** Largest capacity in bytes. */
  public static final int MAX_CAPACITY = 1 << 30;

  /** Size of the used part of a header, in bytes. */
  public static final int HEADER_SIZE = 256;

  private static final int VERSION = 8;
  private static final int UUID_HIGH = 16;
  private static final int UUID_LOW = 24;
  private static final int EPOCH = 32;
  private static final int CAPACITY = 40;
  private static final int NAME_LENGTH = 48;
  private static final int INCARNATION = 52;
  private static final int CRC = 252;

  private RingLayout() {}

  /** Encodes a header. */
  static ByteBuffer header(UUID uuid, long epoch, long capacity, String incarnation) {
    ByteBuffer b = ByteBuffer.allocate(HEADER_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    byte[] name = incarnation.getBytes(StandardCharsets.UTF_8);
    name = Arrays.copyOf(name, Math.min(name.length, CRC - INCARNATION));
    b.putLong(0, MAGIC).putInt(VERSION, FORMAT_VERSION);
    b.putLong(UUID_HIGH, uuid.getMostSignificantBits());
    b.putLong(UUID_LOW, uuid.getLeastSignificantBits());
    b.putLong(EPOCH, epoch).putLong(CAPACITY, capacity);
    b.putInt(NAME_LENGTH, name.length).put(INCARNATION, name);
    CRC32C crc = new CRC32C();
    crc.update(b.slice(0, CRC));
    return b.putInt(CRC, (int) crc.getValue());
  }

  /** The capacity in a header read from a medium, which may be any number. */
  static long capacity(ByteBuffer header) {
    return header.getLong(CAPACITY);
  }

  /** Whether this code can have written a capacity. */
  static boolean plausible(long capacity) {
    return capacity >= MIN_CAPACITY && capacity <= MAX_CAPACITY && (capacity & (capacity - 1)) == 0;
  }
}
