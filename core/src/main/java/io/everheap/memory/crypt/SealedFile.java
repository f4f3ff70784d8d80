package io.everheap.memory.crypt;

import io.everheap.error.CorruptException;
import io.everheap.error.EncryptionException;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.Mapping;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import io.everheap.memory.SparseMemory;
import io.everheap.memory.crypt.Sealer.Bench;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An encrypted file. A write encrypts whole sectors; of a sector that it changes in part, the rest
 * is read, authenticated and encrypted again. A reader in this process reads again what was changed
 * meanwhile.
 */
final class SealedFile implements MediumFile {
  private static final int BLOCK = SealedLayout.BLOCK;
  private static final int STORED = SealedLayout.STORED;
  private static final int SECTOR = SealedLayout.SECTOR;
  private static final int PAYLOAD = SealedLayout.PAYLOAD;

  private final Sealer sealer;
  private final MediumFile under;
  private final FileTurn turn;
  private final boolean readOnly;
  private final int version; // of a header to write
  private volatile @Nullable FileId id;
  private final TailWindow tail;
  private final SparseMemory memory;
  private volatile PageCheck pageCheck = (page, contents) -> {};

  /**
   * Opens a file.
   *
   * @param turn the same for all that are open under one name
   * @param version of the header if the file has none yet
   */
  SealedFile(Sealer sealer, MediumFile under, FileTurn turn, boolean readOnly, int version) {
    this.version = version;
    this.sealer = sealer;
    this.under = under;
    this.tail = new TailWindow(under);
    this.turn = turn;
    this.readOnly = readOnly;
    this.memory = new SparseMemory(readOnly ? null : directory(sealer.location()));
    this.id = readId();
  }

  /** The directory of the files; null if they are not in one. */
  private static @Nullable Path directory(String location) {
    try {
      Path path = Path.of(location);
      return path.isAbsolute() && Files.isDirectory(path) ? path : null;
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /** Writes the header of a file that is new, or that a crash left without one. */
  void begin() {
    if (under.size() > 0) {
      under.truncate(0);
    }
    FileHeader header = sealer.newHeader(version);
    under.write(header.encode(), 0);
    id = header.file();
  }

  /** The id in the header; null if the file has none, because it was never synced. */
  private @Nullable FileId readId() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(FileHeader.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    under.read(bytes, 0);
    if (isZero(bytes.clear())) {
      return null;
    }
    FileHeader header = FileHeader.decode(bytes);
    if (header == null || !sealer.has(header)) {
      sealer.refuse(name(), 0, notOurs(bytes, header));
      return null;
    }
    return header.file();
  }

  private RuntimeException notOurs(ByteBuffer bytes, @Nullable FileHeader header) {
    String where = sealer.location() + "/" + name();
    if (header != null) {
      return new EncryptionException(
          where + " belongs to another heap: it is encrypted with another data key.");
    }
    int found = bytes.getInt(8);
    boolean isKnown = found == FileHeader.PLAIN_ENTRIES || found == FileHeader.KEYED_ENTRIES;
    if (bytes.getLong(0) == FileHeader.MAGIC && !isKnown) {
      return new EncryptionException(
          where
              + " is encrypted in version "
              + found
              + " of that format, and this build reads versions 1 and 2."
              + (found > FileHeader.KEYED_ENTRIES ? " Open it with a newer one." : ""));
    }
    return CorruptException.heap(
        where, 0, where + " has no header of an encrypted file; the heap is encrypted.");
  }

  private static boolean isZero(ByteBuffer bytes) {
    for (int i = 0; i < bytes.limit(); i++) {
      if (bytes.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  private FileId ensureId() {
    FileId known = id;
    if (known == null) {
      begin();
      known = Objects.requireNonNull(id);
    }
    return known;
  }

  @Override
  public String name() {
    return under.name();
  }

  @Override
  public long size() {
    return id == null ? 0 : SealedLayout.size(under.size());
  }

  @Override
  public void truncate(long size) {
    turn.change(
        number -> {
          ensureId();
          long stored = SealedLayout.stored(size);
          long before = size();
          if (size % BLOCK != 0 && size < before) {
            int rest = (int) (BLOCK - size % BLOCK);
            put(ByteBuffer.allocate(rest), size);
          }
          if (stored != SealedLayout.stored(before)) {
            under.truncate(stored);
          }
        });
  }

  @Override
  public int read(ByteBuffer target, long position) {
    int start = target.position();
    long changes = turn.ended();
    if (turn.isUnchanged(changes)) {
      int length = read(target, position, changes);
      if (turn.isUnchanged(changes)) {
        return length;
      }
      target.position(start);
    }
    synchronized (turn) {
      return read(target, position, turn.begun());
    }
  }

  /** Reads; if the file was changed since it had {@code changes}, the result means nothing. */
  private int read(ByteBuffer target, long position, long changes) {
    FileId known = id;
    int length = (int) Math.min(target.remaining(), Math.max(0, size() - position));
    if (known == null || length <= 0) {
      return 0;
    }
    Bench bench = sealer.borrow();
    long end = position + length;
    for (long at = position; at < end; ) {
      long block = at / BLOCK;
      int blocks = (int) Math.min(Bench.BLOCKS, (end - 1) / BLOCK - block + 1);
      long to = Math.min(end, (block + blocks) * BLOCK);
      load(bench, block, blocks);
      open(bench, known, at, to, block, target, changes);
      at = to;
    }
    sealer.giveBack(bench);
    return length;
  }

  /** Reads stored blocks; what the file does not have is zero. */
  private void load(Bench bench, long block, int blocks) {
    ByteBuffer bytes = ByteBuffer.wrap(bench.stored, 0, blocks * STORED);
    under.read(bytes, SealedLayout.position(block, 0));
    Arrays.fill(bench.stored, bytes.position(), blocks * STORED, (byte) 0);
  }

  /** Decrypts the sectors of a range of contents. */
  private void open(
      Bench bench, FileId known, long from, long to, long first, ByteBuffer target, long changes) {
    for (long at = from; at < to; ) {
      long block = at / BLOCK;
      int offset = (int) (at % BLOCK);
      int sector = SealedLayout.sector(offset);
      openSector(bench, known, block, sector, first, changes);
      int skip = offset - sector * PAYLOAD;
      int length = (int) Math.min(to - at, length(sector) - skip);
      target.put(bench.plain, skip, length);
      at += length;
    }
  }

  private void openSector(
      Bench bench, FileId known, long block, int sector, long first, long changes) {
    int at = (int) (block - first) * STORED + sector * SECTOR;
    long number = SealedLayout.number(block, sector);
    boolean authentic = bench.cipher.open(known, number, bench.stored, at, bench.plain);
    if (!authentic && readOnly) {
      authentic = openAgain(bench, known, block, sector, at);
    }
    requireAuthentic(authentic, bench, block, sector, changes);
  }

  /** Reads a sector again as long as it changes: another process may be writing it. */
  private boolean openAgain(Bench bench, FileId known, long block, int sector, int at) {
    byte[] before = new byte[SECTOR];
    do {
      System.arraycopy(bench.stored, at, before, 0, SECTOR);
      loadSector(bench, block, sector, at);
      long number = SealedLayout.number(block, sector);
      if (bench.cipher.open(known, number, bench.stored, at, bench.plain)) {
        return true;
      }
    } while (!Arrays.equals(before, 0, SECTOR, bench.stored, at, at + SECTOR));
    return false;
  }

  /** Reads a stored sector; what the file does not have is zero. */
  private void loadSector(Bench bench, long block, int sector, int at) {
    ByteBuffer bytes = ByteBuffer.wrap(bench.stored, at, SECTOR);
    under.read(bytes, SealedLayout.position(block, sector));
    Arrays.fill(bench.stored, bytes.position(), at + SECTOR, (byte) 0);
  }

  private void requireAuthentic(
      boolean authentic, Bench bench, long block, int sector, long changes) {
    if (!authentic) {
      if (turn.isUnchanged(changes)) { // else it may have been read in the middle of a write
        sealer.refuse(name(), block, sector);
      }
      Arrays.fill(bench.plain, (byte) 0);
    }
  }

  /** Where the contents of a sector begin. */
  private static long begin(long block, int sector) {
    return block * BLOCK + (long) sector * PAYLOAD;
  }

  /** Bytes of contents in a sector. */
  private static int length(int sector) {
    return Math.min(PAYLOAD, BLOCK - sector * PAYLOAD);
  }

  @Override
  public void write(ByteBuffer source, long position) {
    int start = source.position();
    boolean done = false;
    try {
      turn.change(number -> put(source, position));
      done = true;
    } finally {
      if (!done) {
        source.position(start);
      }
    }
  }

  /** Encrypts and writes contents; the caller holds the turn. */
  private void put(ByteBuffer source, long position) {
    FileId known = ensureId();
    Bench bench = sealer.borrow();
    long end = position + source.remaining();
    long blocksBefore = size() / BLOCK;
    for (long at = position; at < end; ) {
      long first = at / BLOCK;
      int blocks = (int) Math.min(Bench.BLOCKS, (end - 1) / BLOCK - first + 1);
      long to = Math.min(end, (first + blocks) * BLOCK);
      // A block that is new is written whole, so that the file has whole blocks.
      int low = first < blocksBefore ? SealedLayout.sector((int) (at % BLOCK)) : 0;
      long last = (to - 1) / BLOCK;
      int high =
          last < blocksBefore
              ? SealedLayout.sector((int) ((to - 1) % BLOCK))
              : SealedLayout.SECTORS - 1;
      for (long block = first; block <= last; block++) {
        int from = block == first ? low : 0;
        int through = block == last ? high : SealedLayout.SECTORS - 1;
        for (int sector = from; sector <= through; sector++) {
          seal(bench, known, source, position, end, block, sector, first, block < blocksBefore);
        }
      }
      int begin = low * SECTOR;
      int stop = (int) (last - first) * STORED + (high + 1) * SECTOR;
      under.write(
          ByteBuffer.wrap(bench.stored, begin, stop - begin), SealedLayout.position(first, low));
      at = to;
    }
    source.position(source.limit());
    sealer.giveBack(bench);
  }

  /** Encrypts one sector, with what a range of contents from {@code start} to {@code end} has. */
  private void seal(
      Bench bench,
      FileId known,
      ByteBuffer source,
      long start,
      long end,
      long block,
      int sector,
      long first,
      boolean exists) {
    long begins = begin(block, sector);
    long from = Math.max(begins, start);
    long to = Math.min(begins + length(sector), end);
    int at = (int) (block - first) * STORED + sector * SECTOR;
    long number = SealedLayout.number(block, sector);
    if (from == begins && to == begins + length(sector)) {
      bench.plain[PAYLOAD - 1] = 0;
      Arrays.fill(bench.plain, length(sector), PAYLOAD, (byte) 0);
    } else if (exists) {
      loadSector(bench, block, sector, at);
      openSector(bench, known, block, sector, first, turn.begun());
    } else {
      Arrays.fill(bench.plain, (byte) 0);
    }
    if (from < to) {
      int index = source.limit() - (int) (end - from);
      source.get(index, bench.plain, (int) (from - begins), (int) (to - from));
    }
    bench.cipher.seal(known, number, bench.plain, bench.stored, at);
  }

  @Override
  public void sync() {
    under.sync();
  }

  /** Stores sectors that were never written, which need no encryption. */
  @Override
  public void writeZeros(ByteBuffer zeros, long position) {
    turn.change(
        number -> {
          ensureId();
          ByteBuffer stored = ByteBuffer.allocateDirect(zeros.remaining() / BLOCK * STORED);
          under.write(stored, SealedLayout.position(position / BLOCK, 0));
          zeros.position(zeros.limit());
        });
  }

  @Override
  public void writeDurably(ByteBuffer source, long position) {
    MediumFile.requireAligned(source, position);
    int start = source.position();
    FileId known = id;
    boolean done = false;
    try {
      turn.change(
          number -> {
            if (known == null || source.remaining() > Bench.BLOCKS * BLOCK) {
              put(source, position);
              under.sync();
            } else {
              putDurably(known, source, position, number);
            }
          });
      done = true;
    } finally {
      if (!done) {
        source.position(start);
      }
    }
  }

  /**
   * Writes blocks of a log, of which the last is rarely full: sectors of zeros behind its contents
   * are stored as sectors that were never written, so that a short commit encrypts one sector.
   */
  private void putDurably(FileId known, ByteBuffer source, long position, long number) {
    Bench bench = sealer.borrow();
    long end = position + source.remaining();
    long used = position + used(source);
    long first = position / BLOCK;
    int stored = source.remaining() / BLOCK * STORED;
    for (long block = first; block < end / BLOCK; block++) {
      for (int sector = 0; sector < SealedLayout.SECTORS; sector++) {
        if (begin(block, sector) < used) {
          seal(bench, known, source, position, end, block, sector, first, false);
        } else {
          int unused = (int) (block - first) * STORED + sector * SECTOR;
          Arrays.fill(bench.stored, unused, unused + SECTOR, (byte) 0);
        }
      }
    }
    tail.write(number, bench.stored, stored, SealedLayout.position(first, 0));
    source.position(source.limit());
    sealer.giveBack(bench);
  }

  /** Bytes before the zeros at the end of a buffer, rounded up to words. */
  private static int used(ByteBuffer source) {
    int end = source.limit();
    while (end > source.position() && source.getLong(end - Long.BYTES) == 0) {
      end -= Long.BYTES;
    }
    return end - source.position();
  }

  @Override
  public DurableWrite durableWrite() {
    return under.durableWrite();
  }

  /**
   * Returns memory with the contents of the file. It is not mapped: a page of a private mapping is
   * decrypted when it is first used, and what is stored to a shared one stays in this process.
   */
  @Override
  public Region map(Mapping mapping, long position, long size) {
    Region region = memory.create(size);
    boolean complete = false;
    try {
      if (mapping == Mapping.PRIVATE) {
        Region lazy = PageLoader.over(region, memory, this, position);
        complete = true;
        return lazy;
      }
      ByteBuffer bytes = ByteBuffer.allocate(Bench.BLOCKS * BLOCK);
      for (long at = 0; at < size; at += bytes.limit()) {
        bytes.clear().limit((int) Math.min(bytes.capacity(), size - at));
        int read = read(bytes, position + at);
        region.copyFrom(at, bytes.array(), 0, read);
      }
      complete = true;
      return region;
    } finally {
      if (!complete) {
        region.close();
      }
    }
  }

  @Override
  public void checkPages(PageCheck check) {
    pageCheck = check;
  }

  /** Reads a page of a private mapping; returns the bytes that the file has of it. */
  int load(ByteBuffer page, long number) {
    int read = read(page.clear(), number * BLOCK);
    if (read > 0) {
      pageCheck.check(number, page.clear());
    }
    return read;
  }

  @Override
  public void close() {
    try (memory) {
      under.close();
    }
  }

  @Override
  public String toString() {
    return under + (readOnly ? ", read-only" : "");
  }
}
