package io.everheap.engine.home;

import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.Hmac;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * Says durably which pages of an encrypted heap are about to be written, and what must stay as it
 * was at the last checkpoint: the windows without such a page, and the other entries of those with
 * one. A file of parts, each of which begins a block; the first part of a checkpoint replaces those
 * of the one before, which are not needed when its superblock is durable.
 *
 * <pre>
 *   0       8       16       24               32       40      48      56        64      96
 *   +-------+-------+--------+----------------+--------+-------+-------+---------+-------+
 *   | magic | cycle | number | checkpoint LSN | root   | reach | count | whole   | HMAC  |
 *   +-------+-------+--------+----------------+--------+-------+-------+---------+-------+
 *   96: for each window   number | seal at the checkpoint | seal of the rest | 512 bits of pages
 * </pre>
 *
 * <p><b>Space.</b> A checkpoint must not need space that the disk may lack, however many rounds it
 * has. So the file has two regions, of a size that is a power of two. When a part does not fit into
 * the region of the parts so far, one with all windows begins the other region. A crash before it
 * is durable leaves the parts in the first one. The first part in a region is marked as whole. A
 * reader finds the newest parts by their numbers: each attempt to write a part has a higher one.
 *
 * <p>Not thread-safe.
 */
final class Rounds implements AutoCloseable {
  /** Name of the file. */
  static final String NAME = "heap.round";

  /** "EVHROUND", little-endian. */
  private static final long MAGIC = 0x444E_554F_5248_5645L;

  private static final int BLOCK = MediumFile.BLOCK;
  private static final int TAG = 64;
  private static final int TAG_BYTES = 32;
  private static final int HEAD = TAG + TAG_BYTES;
  private static final int BITS = ChecksumLayout.WINDOW_PAGES / Long.SIZE;
  private static final int ENTRY = (3 + BITS) * Long.BYTES;
  private static final int MAX_ENTRIES = 1 << 20;
  private static final int SPARE = 1 << 15;

  private final MediumFile file;
  private final Mac mac;
  private final SecureRandom random = new SecureRandom();
  private SortedMap<Integer, Touched> windows = new TreeMap<>();
  private SortedMap<Integer, Touched> nextWindows = new TreeMap<>();
  private long cycle;
  private long nextCycle;
  private long number; // of the next part
  private long begin; // of the parts, in the file
  private long end;
  private long nextBegin; // with the part that was written last
  private long nextEnd;
  private long root;
  private long reach;

  /**
   * A window with pages that were announced since the checkpoint.
   *
   * @param window its number
   * @param before its seal as of the checkpoint
   * @param rest seal of the entries of the pages that were not announced
   * @param pages those that were, by their places in the window
   */
  record Touched(int window, long before, long rest, BitSet pages) {}

  /**
   * Creates it without parts.
   *
   * @param secret 32 bytes, derived for this purpose
   */
  Rounds(MediumFile file, byte[] secret) {
    this.file = file;
    this.mac = Hmac.of(secret);
    prepare();
    begin();
  }

  /** Allocates what {@link #begin} needs. */
  void prepare() {
    nextWindows = new TreeMap<>();
    nextCycle = random.nextLong();
  }

  /**
   * Begins with the first part, after a checkpoint, and after {@link #prepare}; nothing is written.
   * Only stores, since the superblock of the checkpoint is durable: an error would leave the two
   * apart.
   */
  void begin() {
    windows = nextWindows;
    cycle = nextCycle;
    number = 0;
    begin = 0;
    end = 0;
    reach = 0;
  }

  /**
   * Reads the parts since a checkpoint.
   *
   * @return whether there is one
   */
  boolean read(long lsn) {
    prepare();
    begin();
    Chain newest = null;
    for (long at = 0; at < file.size(); at = Math.max(2 * at, BLOCK)) { // where regions may begin
      Chain found = readChain(at, lsn);
      if (found != null && (newest == null || found.isNewer(newest))) {
        newest = found;
      }
    }
    if (newest == null) {
      return false;
    }
    cycle = newest.first.cycle;
    root = newest.first.root;
    number = newest.number + 1;
    begin = newest.begin;
    end = newest.end;
    reach = newest.reach;
    windows = newest.windows;
    return true;
  }

  /** The parts in a region. */
  private static final class Chain {
    final long begin;
    final Part first;
    final SortedMap<Integer, Touched> windows = new TreeMap<>();
    long number = -1; // of the last part
    long end;
    long reach;

    Chain(long begin, Part first) {
      this.begin = begin;
      this.first = first;
      this.end = begin;
    }

    /** A whole part begins the other region, also where that follows at once. */
    boolean continuesWith(Part part) {
      return part.whole == (number < 0)
          && part.cycle == first.cycle
          && part.lsn == first.lsn
          && part.number > number;
    }

    void add(Part part) {
      part.windows.forEach(t -> windows.put(t.window, t));
      number = part.number;
      end += sizeOf(part.windows.size());
      reach = Math.max(reach, part.reach);
    }

    boolean isNewer(Chain other) {
      return first.root == other.first.root ? number > other.number : first.root > other.first.root;
    }
  }

  private @Nullable Chain readChain(long at, long lsn) {
    Part part = readPart(at);
    if (part == null || !part.whole || part.lsn != lsn) {
      return null;
    }
    Chain chain = new Chain(at, part);
    while (part != null && chain.continuesWith(part)) {
      chain.add(part);
      part = readPart(chain.end);
    }
    return chain;
  }

  private record Part(
      long cycle,
      long number,
      long lsn,
      long root,
      long reach,
      boolean whole,
      List<Touched> windows) {}

  private @Nullable Part readPart(long at) {
    ByteBuffer head = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
    if (file.read(head, at) < HEAD || head.getLong(0) != MAGIC) {
      return null;
    }
    long count = head.getLong(48);
    if (count < 0 || count > MAX_ENTRIES || at + sizeOf((int) count) > file.size()) {
      return null;
    }
    ByteBuffer b = ByteBuffer.allocate(sizeOf((int) count)).order(ByteOrder.LITTLE_ENDIAN);
    if (file.read(b, at) < b.capacity() || !isAuthentic(b)) {
      return null;
    }
    List<Touched> read = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int from = HEAD + i * ENTRY;
      long[] bits = new long[BITS];
      for (int w = 0; w < BITS; w++) {
        bits[w] = b.getLong(from + (3 + w) * Long.BYTES);
      }
      read.add(
          new Touched(
              (int) b.getLong(from),
              b.getLong(from + 8),
              b.getLong(from + 16),
              BitSet.valueOf(bits)));
    }
    return new Part(
        b.getLong(8),
        b.getLong(16),
        b.getLong(24),
        b.getLong(32),
        b.getLong(40),
        b.getLong(56) != 0,
        read);
  }

  private static int sizeOf(int count) {
    return (HEAD + count * ENTRY + BLOCK - 1) / BLOCK * BLOCK;
  }

  private boolean isAuthentic(ByteBuffer part) {
    byte[] stored = new byte[TAG_BYTES];
    part.get(TAG, stored);
    return MessageDigest.isEqual(stored, tag(part));
  }

  private byte[] tag(ByteBuffer part) {
    mac.update(part.slice(0, TAG));
    mac.update(part.slice(HEAD, part.capacity() - HEAD));
    return mac.doFinal();
  }

  /**
   * Writes a part; the caller syncs the file, and then calls {@link #keep}.
   *
   * @param lsn of the checkpoint
   * @param rootSequence of the root of that checkpoint
   * @param newReach LSN below which all changes in the pages are
   * @param touched windows as they are from now on
   */
  MediumFile write(long lsn, long rootSequence, long newReach, Collection<Touched> touched) {
    int count = windows.size();
    for (Touched t : touched) {
      count += windows.containsKey(t.window) ? 0 : 1;
    }
    long region = region(count);
    long limit = begin < region ? region : 2 * region;
    boolean moves = end + sizeOf(touched.size()) > limit && count <= MAX_ENTRIES;
    ByteBuffer b =
        moves
            ? encode(lsn, rootSequence, Math.max(reach, newReach), all(touched))
            : encode(lsn, rootSequence, newReach, touched);
    b.putLong(56, moves || end == 0 ? 1 : 0);
    b.put(TAG, tag(b));
    long other = b.capacity() <= begin ? 0 : region;
    nextBegin = moves ? other : begin;
    long at = moves ? other : end;
    nextEnd = at + b.capacity();
    number++; // also if the write fails, since it may have reached the file
    file.write(b.clear(), at);
    return file;
  }

  private Collection<Touched> all(Collection<Touched> touched) {
    SortedMap<Integer, Touched> all = new TreeMap<>(windows);
    touched.forEach(t -> all.put(t.window, t));
    return all.values();
  }

  private ByteBuffer encode(
      long lsn, long rootSequence, long newReach, Collection<Touched> touched) {
    ByteBuffer b = ByteBuffer.allocate(sizeOf(touched.size())).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, MAGIC).putLong(8, cycle).putLong(16, number).putLong(24, lsn);
    b.putLong(32, rootSequence).putLong(40, newReach).putLong(48, touched.size());
    int at = HEAD;
    for (Touched t : touched) {
      b.putLong(at, t.window).putLong(at + 8, t.before).putLong(at + 16, t.rest);
      long[] bits = t.pages.toLongArray();
      for (int w = 0; w < bits.length; w++) {
        b.putLong(at + (3 + w) * Long.BYTES, bits[w]);
      }
      at += ENTRY;
    }
    return b;
  }

  /**
   * Counts the part that was written and synced. A window that an error keeps out of the map is
   * announced again, but no part may be written over this one.
   */
  void keep(long newReach, Collection<Touched> touched) {
    begin = nextBegin;
    end = nextEnd;
    reach = Math.max(reach, newReach);
    touched.forEach(t -> windows.put(t.window, t));
  }

  /**
   * The size of each region while so many windows have announced pages. At least half of it is left
   * when a whole part begins it, so that most parts are not whole.
   */
  private static long region(int count) {
    return 2 * Long.highestOneBit(2L * sizeOf(count) + SPARE - 1);
  }

  /** Takes the space of both regions for so many windows. */
  void reserve(int count) {
    RootFile.reserve(file, 2 * region(count));
  }

  /** Makes durable what another process may have left in the page cache. */
  void sync() {
    file.sync();
  }

  /** The sequence of the root that the parts belong to. */
  long root() {
    return root;
  }

  /** The LSN below which all changes are that pages may have. */
  long reach() {
    return reach;
  }

  /** Whether something was announced since the checkpoint. */
  boolean isBegun() {
    return end > 0;
  }

  /** The windows with pages that were announced. */
  Collection<Touched> windows() {
    return windows.values();
  }

  /** A window, if it has pages that were announced. */
  @Nullable Touched window(int window) {
    return windows.get(window);
  }

  @Override
  public void close() {
    file.close();
  }
}
