package io.everheap.engine;

import io.everheap.error.ClosedException;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.error.ReadOnlyException;
import io.everheap.error.StoppedException;
import io.everheap.memory.Closing;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file beside the home image that is mapped shared, outside of all transactions. A store to it is
 * durable after the next {@link #force} of its range, and may become durable at any time before.
 *
 * <pre>
 *    0  magic                    u64
 *    8  version                  u32
 *   12  reserved                 u32
 *   16  heap uuid                2 x u64
 *   32  bytes                    u64
 *   40  crc of bytes 0 to 39     u32
 * 4096  the bytes
 * </pre>
 *
 * <p>The file is written under another name, including its zeros, synced and then renamed, so a
 * region is never incomplete, and no store fails on a full disk.
 *
 * <p>Thread-safe, except that loads and stores through {@link #region} are not synchronized.
 */
public final class RegionFile implements AutoCloseable {
  /** Prefix of the names of these files. */
  public static final String PREFIX = "region-";

  static final long MAGIC = 0x4E47_4552_5245_5645L; // "EVERREGN"
  static final int VERSION = 1;
  static final int DATA = 4096;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,99}");
  private static final String UNFINISHED = "region.new";
  private static final int CRC = 40;

  private final Medium medium;
  private final MediumFile file;
  private final Region region;
  private final long bytes;
  private volatile @Nullable Throwable failure;
  private volatile boolean closed;

  private RegionFile(Medium medium, MediumFile file, Region region, long bytes) {
    this.medium = medium;
    this.file = file;
    this.region = region;
    this.bytes = bytes;
  }

  /** Whether a file is that of a region, perhaps one that is being made. */
  static boolean isRegion(String file) {
    return file.equals(UNFINISHED)
        || (file.startsWith(PREFIX) && NAME.matcher(file.substring(PREFIX.length())).matches());
  }

  /**
   * Checks the name of a region.
   *
   * @throws IllegalArgumentException if it cannot be part of a file's name
   */
  static void requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name of a region is a file's: up to 100 letters, digits, dots, dashes and"
              + " underscores, not \""
              + name
              + '"');
    }
  }

  /**
   * Checks the size of a region.
   *
   * @throws IllegalArgumentException if no file can have it
   */
  static void requireBytes(long bytes) {
    if (bytes < 0 || bytes > Long.MAX_VALUE / 2) {
      throw new IllegalArgumentException("a region cannot have " + bytes + " bytes");
    }
  }

  /**
   * Opens a region; creates it if there is none.
   *
   * @param heap the heap's uuid
   * @param bytes its size
   * @throws IllegalArgumentException if it has another size
   */
  static RegionFile open(Medium medium, UUID heap, String name, long bytes) {
    String path = PREFIX + name;
    if (!medium.exists(path)) {
      if (medium.readOnly()) {
        throw readOnly(medium);
      }
      create(medium, heap, path, bytes);
    }
    MediumFile file = medium.open(path);
    try {
      long found = check(medium, file, heap);
      if (found != bytes) {
        throw new IllegalArgumentException(
            "the region " + name + " has " + found + " bytes, not " + bytes);
      }
      Mapping mapping = medium.readOnly() ? Mapping.PRIVATE : Mapping.SHARED;
      return new RegionFile(medium, file, file.map(mapping, 0, DATA + bytes), bytes);
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  private static void create(Medium medium, UUID heap, String path, long bytes) {
    medium.delete(UNFINISHED);
    try (MediumFile file = medium.create(UNFINISHED)) {
      ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 18);
      for (long at = DATA; at < DATA + bytes; at += zeros.capacity()) {
        file.write(zeros.clear().limit((int) Math.min(zeros.capacity(), DATA + bytes - at)), at);
      }
      file.write(header(heap, bytes), 0);
      file.sync();
    } catch (RuntimeException | Error e) {
      medium.delete(UNFINISHED);
      throw e;
    }
    medium.rename(UNFINISHED, path);
    medium.syncDirectory("");
  }

  private static ByteBuffer header(UUID heap, long bytes) {
    ByteBuffer b = ByteBuffer.allocateDirect(DATA).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, MAGIC).putInt(8, VERSION);
    b.putLong(16, heap.getMostSignificantBits()).putLong(24, heap.getLeastSignificantBits());
    b.putLong(32, bytes).putInt(CRC, crc(b));
    return b;
  }

  private static int crc(ByteBuffer header) {
    CRC32C crc = new CRC32C();
    crc.update(header.slice(0, CRC));
    return (int) crc.getValue();
  }

  /** The size of a region according to its header; throws if the file is damaged. */
  private static long check(Medium medium, MediumFile file, UUID heap) {
    Found found = examine(file, heap);
    if (!found.problem().isEmpty()) {
      throw CorruptException.heap(
          "The region "
              + medium.location()
              + "/"
              + file.name()
              + " cannot be used: "
              + found.problem());
    }
    return found.bytes();
  }

  /**
   * The size of a region's file, and what is wrong with the file.
   *
   * @param bytes size of the region according to the header, or to the file if the header is
   *     damaged
   * @param problem as text for people; empty if there is none
   */
  public record Found(long bytes, String problem) {}

  /**
   * Checks the file of a region, which may be damaged.
   *
   * @param heap the heap's uuid; null if it is not known
   * @throws io.everheap.error.MediumException if it cannot be read
   */
  public static Found examine(MediumFile file, @Nullable UUID heap) {
    ByteBuffer b = ByteBuffer.allocateDirect(DATA).order(ByteOrder.LITTLE_ENDIAN);
    int read = file.read(b, 0);
    long rest = Math.max(0, file.size() - DATA);
    long bytes = b.getLong(32);
    if (read < DATA || b.getLong(0) != MAGIC || b.getInt(CRC) != crc(b) || bytes < 0) {
      return new Found(rest, "its header is damaged");
    }
    if (b.getInt(8) != VERSION) {
      return new Found(rest, "it has version " + b.getInt(8) + ", this program knows " + VERSION);
    }
    String problem = "";
    if (heap != null && !new UUID(b.getLong(16), b.getLong(24)).equals(heap)) {
      problem = "it belongs to another heap";
    } else if (rest < bytes) {
      problem = "it is too short for the " + bytes + " bytes that it should have";
    }
    return new Found(bytes, problem);
  }

  /** Names of the regions beside a heap. */
  public static List<String> names(Medium medium) {
    return medium.list("").stream()
        .filter(file -> file.startsWith(PREFIX))
        .map(file -> file.substring(PREFIX.length()))
        .sorted()
        .toList();
  }

  /** The size of a region, open or not. */
  static long size(Medium medium, UUID heap, String name) {
    try (MediumFile file = medium.open(PREFIX + name)) {
      return check(medium, file, heap);
    }
  }

  /** The memory, of which the bytes begin at {@link #offset}. */
  public Region region() {
    return region;
  }

  /** Converts an offset in the region to one in {@link #region}. */
  public static long offset(long offset) {
    return DATA + offset;
  }

  /** Number of bytes. */
  public long bytes() {
    return bytes;
  }

  /** Throws if the heap was opened read-only, so that stores would not reach the file. */
  public void requireWritable() {
    if (medium.readOnly()) {
      throw readOnly(medium);
    }
  }

  private static ReadOnlyException readOnly(Medium medium) {
    return ReadOnlyException.heap(
        "The heap at "
            + medium.location()
            + " was opened read-only; open it for writing to make a region or to store to one.");
  }

  /** Makes the earlier stores to a range durable; returns when they are. */
  public void force(long offset, long length) {
    requireOpen();
    requireWritable();
    requireSound();
    try {
      if (!medium.byteAddressable()) {
        syncAlone();
      } else if (length > 0) {
        region.force(offset(offset), length);
      }
    } catch (IllegalStateException | StoppedException e) {
      requireOpen();
      throw e;
    } catch (RuntimeException | Error e) {
      failure = e; // it is unknown what is durable
      throw e;
    }
  }

  /**
   * Syncs, one thread at a time: the kernel reports a lost page to one sync only, and a concurrent
   * one must not succeed.
   */
  private synchronized void syncAlone() {
    requireSound();
    try {
      file.sync();
    } catch (EverheapException | Error e) {
      failure = e;
      throw e;
    }
  }

  private void requireSound() {
    Throwable before = failure;
    if (before != null) {
      throw StoppedException.heap(medium.location() + "/" + file.name(), before);
    }
  }

  /** Throws if the heap was closed. */
  public void requireOpen() {
    if (closed) {
      throw ClosedException.heap(medium.location());
    }
  }

  @Override
  public void close() {
    closed = true;
    Closing.unmap(region);
    file.close();
  }
}
