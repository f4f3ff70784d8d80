package io.everheap.engine.home;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The state of a heap that is needed before its log can be read: its identity, the LSN at which
 * replay starts, and the LSN that it must reach. Two slots are written alternately, so a torn write
 * leaves the other one intact. Immutable.
 *
 * <pre>
 *   0  magic "EVERHEAP"            u64
 *   8  format version              u32 | flags u32
 *  16  heap uuid                   2 x u64
 *  32  generation                  u64   the higher valid slot is the newest
 *  40  epoch                       u64   of the log that follows
 *  48  checkpoint LSN              u64   replay starts here
 *  56  chain value at that LSN     u32 | extent shift u32
 *  64  minimum replay end          u64   a log that ends earlier is damaged
 *  72  capacity at the checkpoint  u64
 *  80  log segment size            u32 | durable write mode u32
 *  88  creation time               u64   milliseconds since 1970
 *  96  ring size                   u32 | number of later epochs u32
 * 104  later epochs, each           epoch u64 | start LSN u64 | chain u32 | zero u32
 *      zeros
 * 504  CRC32C of bytes 0 to 503    u32 | zero
 * </pre>
 *
 * @param generation counts the superblocks written
 * @param epoch the log epoch that continues from {@code checkpointLsn}
 * @param checkpointLsn every record before it is in the home image
 * @param chain CRC of the record before {@code checkpointLsn}
 * @param minReplayEnd home pages may hold changes up to this LSN
 * @param capacity usable bytes of the home image at the checkpoint
 * @param flags {@link #CLEAN}, {@link #CHECKSUMS}, {@link #WRITING}
 * @param laterEpochs the epochs that continue the log: those of later openings, none of which has
 *     completed a checkpoint
 */
public record Superblock(
    UUID uuid,
    long generation,
    long epoch,
    long checkpointLsn,
    int chain,
    long minReplayEnd,
    long capacity,
    int extentShift,
    int segmentSize,
    int ringSize,
    int durableWrite,
    long createdMillis,
    int flags,
    List<Later> laterEpochs) {

  /** Size of the written part of a slot: the smallest sector of devices. */
  public static final int SIZE = 512;

  /** "EVERHEAP", little-endian. */
  public static final long MAGIC = 0x5041_4548_5245_5645L;

  /** The format that this code writes and the only one that it reads. */
  public static final int FORMAT_VERSION = 2;

  /** Flag: the heap was closed and has no log behind the checkpoint. */
  public static final int CLEAN = 1;

  /** Flag: the pages of the home file have checksums in a separate file. */
  public static final int CHECKSUMS = 2;

  /** Flag: pages may have been written since the checkpoint. */
  public static final int WRITING = 4;

  /** Maximum number of later epochs in a superblock. */
  public static final int MAX_LATER_EPOCHS = 8;

  /** Exclusive limit of LSNs, epochs and generations, which no heap can reach in practice. */
  public static final long MAX_NUMBER = 1L << 62;

  private static final int LATER_COUNT = 100;
  private static final int LATER = 104;
  private static final int LATER_SIZE = 24;
  private static final int CRC_OFFSET = 504;
  private static final int FLAGS = CLEAN | CHECKSUMS | WRITING;

  /**
   * The start of an epoch that continues the log of the one before, which counts up to this LSN.
   *
   * @param epoch higher than the one before
   * @param lsn of its first part
   * @param chain CRC of the part before that
   */
  public record Later(long epoch, long lsn, int chain) {}

  /** Copies the list. */
  public Superblock {
    laterEpochs = List.copyOf(laterEpochs);
  }

  /** The outcome of reading a slot. */
  public sealed interface Slot {
    /** A slot that validates. */
    record Valid(Superblock superblock) implements Slot {}

    /** A slot of another format version, whose checksum is right. */
    record OtherVersion(int version) implements Slot {}

    /** A slot with the magic number whose checksum or fields are invalid. */
    record Damaged() implements Slot {}

    /** Bytes that are not an Everheap superblock. */
    record Foreign() implements Slot {}
  }

  /** Encodes this superblock into a new buffer of {@link #SIZE} bytes. */
  public ByteBuffer encode() {
    ByteBuffer b = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, MAGIC).putInt(8, FORMAT_VERSION).putInt(12, flags);
    b.putLong(16, uuid.getMostSignificantBits()).putLong(24, uuid.getLeastSignificantBits());
    b.putLong(32, generation).putLong(40, epoch).putLong(48, checkpointLsn);
    b.putInt(56, chain).putInt(60, extentShift).putLong(64, minReplayEnd).putLong(72, capacity);
    b.putInt(80, segmentSize).putInt(84, durableWrite).putLong(88, createdMillis);
    b.putInt(96, ringSize).putInt(LATER_COUNT, laterEpochs.size());
    int at = LATER;
    for (Later later : laterEpochs) {
      b.putLong(at, later.epoch).putLong(at + 8, later.lsn).putInt(at + 16, later.chain);
      at += LATER_SIZE;
    }
    b.putInt(CRC_OFFSET, crc(b));
    return b;
  }

  /** Decodes a slot, given at least {@link #SIZE} bytes in little-endian order at position 0. */
  public static Slot decode(ByteBuffer b) {
    if (b.getLong(0) != MAGIC) {
      return new Slot.Foreign();
    }
    if (b.getInt(CRC_OFFSET) != crc(b)) {
      return new Slot.Damaged();
    }
    if (b.getInt(8) != FORMAT_VERSION) {
      return new Slot.OtherVersion(b.getInt(8));
    }
    Superblock s =
        new Superblock(
            new UUID(b.getLong(16), b.getLong(24)),
            b.getLong(32),
            b.getLong(40),
            b.getLong(48),
            b.getInt(56),
            b.getLong(64),
            b.getLong(72),
            b.getInt(60),
            b.getInt(80),
            b.getInt(96),
            b.getInt(84),
            b.getLong(88),
            b.getInt(12) & FLAGS,
            later(b));
    return s.plausible() ? new Slot.Valid(s) : new Slot.Damaged();
  }

  private static List<Later> later(ByteBuffer b) {
    int count = b.getInt(LATER_COUNT);
    List<Later> later = new ArrayList<>();
    for (int i = 0; i < Math.min(count, MAX_LATER_EPOCHS); i++) {
      int at = LATER + i * LATER_SIZE;
      later.add(new Later(b.getLong(at), b.getLong(at + 8), b.getInt(at + 16)));
    }
    return count < 0 || count > MAX_LATER_EPOCHS
        ? List.of(new Later(0, 0, 0))
        : later; // not plausible
  }

  /** The newest of two slots, or null if neither validates. */
  public static @Nullable Superblock newest(Slot a, Slot b) {
    Superblock x = a instanceof Slot.Valid v ? v.superblock() : null;
    Superblock y = b instanceof Slot.Valid v ? v.superblock() : null;
    if (x == null || y == null) {
      return x == null ? y : x;
    }
    return x.generation >= y.generation ? x : y;
  }

  /** Address of the slot of this generation; the slots alternate. */
  public long address() {
    return (generation & 1) == 0 ? HomeLayout.SUPERBLOCK_A : HomeLayout.SUPERBLOCK_B;
  }

  /** The next generation, in which home pages may contain changes up to {@code lsn}. */
  public Superblock reaching(long lsn) {
    return new Superblock(
        uuid,
        generation + 1,
        epoch,
        checkpointLsn,
        chain,
        Math.max(minReplayEnd, lsn),
        capacity,
        extentShift,
        segmentSize,
        ringSize,
        durableWrite,
        createdMillis,
        flags & ~CLEAN,
        laterEpochs);
  }

  /**
   * The next generation, in which another epoch continues the log from its end on. It replaces an
   * epoch that started there and has no records.
   */
  public Superblock continued(long newEpoch, long lsn, int newChain) {
    List<Later> later = new ArrayList<>(laterEpochs);
    if (!later.isEmpty() && later.getLast().lsn == lsn) {
      later.removeLast();
    }
    later.add(new Later(newEpoch, lsn, newChain));
    Superblock s = reaching(lsn);
    return new Superblock(
        s.uuid,
        s.generation,
        s.epoch,
        s.checkpointLsn,
        s.chain,
        s.minReplayEnd,
        s.capacity,
        s.extentShift,
        s.segmentSize,
        s.ringSize,
        s.durableWrite,
        s.createdMillis,
        s.flags,
        later);
  }

  /** Whether another epoch that starts at this LSN can be added. */
  public boolean canContinue(long lsn) {
    return lsn > checkpointLsn
        && (laterEpochs.size() < MAX_LATER_EPOCHS || laterEpochs.getLast().lsn == lsn);
  }

  /**
   * The next generation, after a checkpoint that made everything before {@code lsn} durable in the
   * home image; the log of epochs before {@code newEpoch} is not needed any more.
   */
  public Superblock checkpointed(
      long newEpoch, long lsn, int newChain, long newCapacity, boolean closed) {
    return new Superblock(
        uuid,
        generation + 1,
        newEpoch,
        lsn,
        newChain,
        Math.max(minReplayEnd, lsn),
        newCapacity,
        extentShift,
        segmentSize,
        ringSize,
        durableWrite,
        createdMillis,
        (flags & CHECKSUMS) | (closed ? CLEAN : 0),
        List.of());
  }

  /**
   * The name of the heap's history. A restored heap has the identity of the original, since handles
   * of raw blocks depend on it, but goes on differently; so it counts as created when it was
   * restored.
   */
  public String history() {
    return uuid + "-" + Long.toHexString(createdMillis);
  }

  /** This superblock for a restored heap, on a medium with another way of durable writes. */
  public Superblock restored(int newDurableWrite, long millis) {
    return new Superblock(
        uuid,
        generation,
        epoch,
        checkpointLsn,
        chain,
        minReplayEnd,
        capacity,
        extentShift,
        segmentSize,
        ringSize,
        newDurableWrite,
        millis,
        flags,
        laterEpochs);
  }

  /** This superblock with these flags set in addition. */
  public Superblock with(int more) {
    return flagged(flags | more);
  }

  /** This superblock without these flags. */
  public Superblock without(int less) {
    return flagged(flags & ~less);
  }

  private Superblock flagged(int newFlags) {
    return new Superblock(
        uuid,
        generation,
        epoch,
        checkpointLsn,
        chain,
        minReplayEnd,
        capacity,
        extentShift,
        segmentSize,
        ringSize,
        durableWrite,
        createdMillis,
        newFlags,
        laterEpochs);
  }

  /** Whether the heap was closed and has no log behind the checkpoint. */
  public boolean clean() {
    return (flags & CLEAN) != 0;
  }

  /** Whether the pages of the home file have checksums. */
  public boolean checksums() {
    return (flags & CHECKSUMS) != 0;
  }

  /** Whether pages may have been written since the checkpoint. */
  public boolean writing() {
    return (flags & WRITING) != 0;
  }

  private boolean plausible() {
    return generation > 0
        && generation < MAX_NUMBER
        && epoch > 0
        && epoch < MAX_NUMBER
        && checkpointLsn >= 0
        && (checkpointLsn & 15) == 0
        && minReplayEnd >= checkpointLsn
        && minReplayEnd < MAX_NUMBER
        && extentShift >= HomeLayout.MIN_EXTENT_SHIFT
        && extentShift <= HomeLayout.MAX_EXTENT_SHIFT
        && capacity >= HomeLayout.CHUNK_SIZE
        && capacity <= HomeLayout.MAX_CAPACITY
        && (capacity & (HomeLayout.CHUNK_SIZE - 1)) == 0
        && segmentSize >= 1 << 16
        && segmentSize <= 1 << 30
        && (segmentSize & (segmentSize - 1)) == 0
        && ringSize >= 1 << 16
        && ringSize <= 1 << 30
        && (ringSize & (ringSize - 1)) == 0
        && plausibleEpochs();
  }

  private boolean plausibleEpochs() {
    long before = epoch;
    long from = checkpointLsn;
    for (Later later : laterEpochs) {
      if (later.epoch <= before
          || later.epoch >= MAX_NUMBER
          || later.lsn <= from
          || later.lsn > minReplayEnd
          || (later.lsn & 15) != 0) {
        return false;
      }
      before = later.epoch;
      from = later.lsn;
    }
    return laterEpochs.isEmpty() || !clean();
  }

  private static int crc(ByteBuffer b) {
    CRC32C crc = new CRC32C();
    crc.update(b.slice(0, CRC_OFFSET));
    return (int) crc.getValue();
  }
}
