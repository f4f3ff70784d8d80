package io.everheap.log;

import io.everheap.memory.MappedFaults;
import io.everheap.memory.Region;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Completes and validates the records of one epoch of a log. Every kind of record begins like this:
 *
 * <pre>
 *   0     4              8
 *   +-----+--------------+------
 *   | crc | previous crc | ...
 *   +-----+--------------+------
 * </pre>
 *
 * The crc is the CRC32C of the record with the {@linkplain LogSeed seed} of its position in place
 * of the crc, so that bytes of another log, epoch or position never validate. Not thread-safe.
 */
public final class RecordSeal {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int SMALL = 256;
  private static final int CHUNK = 8 << 10;

  private final long key;
  private final CRC32C crc = new CRC32C();
  private byte[] chunk = {}; // copy of the bytes being validated; allocated when needed

  /** Creates the seal for the records of an epoch, from its {@linkplain LogSeed#key key}. */
  public RecordSeal(long key) {
    this.key = key;
  }

  /**
   * Completes a record and stores it. The crc is stored to the region only. The first word of the
   * record is stored by one store of 8 bytes, because the checksum loads it soon after: a load that
   * does not match a recent store waits until that store has completed.
   *
   * @param record complete from byte 8 on
   * @param previous crc of the record before it
   * @param covered number of bytes that the crc covers
   * @param stored number of bytes to store, at least {@code covered}
   * @param at offset of the record in the region
   * @return its crc
   */
  public int seal(
      RecordBuffer record,
      int previous,
      long position,
      int covered,
      int stored,
      Region region,
      long at) {
    byte[] bytes = record.array();
    record.putInts(0, LogSeed.seed(key, position), previous);
    crc.reset();
    crc.update(bytes, 0, covered);
    int checksum = (int) crc.getValue();
    region.copyFrom(at, bytes, 0, stored);
    region.putInt(at, checksum);
    return checksum;
  }

  /**
   * Completes a record whose bytes behind the header are in the region already.
   *
   * @param header complete from byte 8 on
   * @param length of the header
   * @param rest the bytes behind the header
   * @return its crc
   * @throws InternalError if a page of a mapped file does not exist, or cannot be read
   */
  public int seal(
      RecordBuffer header,
      int previous,
      long position,
      int length,
      ByteBuffer rest,
      Region region,
      long at) {
    byte[] bytes = header.array();
    header.putInts(0, LogSeed.seed(key, position), previous);
    crc.reset();
    crc.update(bytes, 0, length);
    update(chunk(rest.limit()), 0, rest, 0, rest.limit());
    int checksum = (int) crc.getValue();
    header.putInts(0, checksum, previous);
    region.copyFrom(at, bytes, 0, length);
    return checksum;
  }

  /** Stores the crc of the bytes from one index to another of a little-endian buffer. */
  public void seal(ByteBuffer bytes, int at, int end, long position) {
    bytes.putInt(at, LogSeed.seed(key, position));
    crc.reset();
    crc.update(bytes.duplicate().limit(end).position(at));
    bytes.putInt(at, (int) crc.getValue());
  }

  /** Whether the bytes from one index to another of a little-endian buffer validate. */
  public boolean matches(ByteBuffer bytes, int at, int end, long position) {
    return crc(bytes, at, end, position) == bytes.getInt(at);
  }

  /**
   * The crc that the bytes from one index to another of a little-endian buffer should have. If
   * another process may be storing the crc, the caller must load the stored one once, afterwards.
   *
   * @throws InternalError if a page of a mapped file does not exist, or cannot be read
   */
  public int crc(ByteBuffer bytes, int at, int end, long position) {
    byte[] copy = chunk(end - at);
    INT.set(copy, 0, LogSeed.seed(key, position));
    crc.reset();
    update(copy, 4, bytes, at + 4, end);
    return (int) crc.getValue();
  }

  /**
   * Adds bytes to the crc. Copies them first, because the file that they are mapped from may be
   * truncated concurrently. Copying a missing page throws an {@link InternalError}; an in-place
   * checksum crashes the JVM.
   *
   * @param filled bytes of the copy that are added first
   */
  private void update(byte[] copy, int filled, ByteBuffer bytes, int from, int end) {
    int used = filled;
    int at = from;
    while (true) {
      int length = Math.min(copy.length - used, end - at);
      bytes.get(at, copy, used, length);
      MappedFaults.arrive();
      crc.update(copy, 0, used + length);
      at += length;
      if (at >= end) {
        break;
      }
      used = 0;
    }
  }

  private byte[] chunk(int wanted) {
    byte[] copy = chunk;
    if (copy.length < Math.min(CHUNK, wanted)) {
      copy = new byte[wanted <= SMALL ? SMALL : CHUNK];
      chunk = copy;
    }
    return copy;
  }
}
