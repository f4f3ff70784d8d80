package io.everheap.engine.home;

import io.everheap.error.CorruptException;
import io.everheap.memory.Closing;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.PageTimes;
import io.everheap.memory.PendingRegion;
import io.everheap.memory.Region;
import io.everheap.memory.Window;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The mapped home image: a list of extents of the same size, so that it grows without moving.
 *
 * <p>On a byte-addressable medium extents are mapped shared; elsewhere privately, so that the
 * kernel never writes a page whose record is not durable: only the checkpoint writes, through the
 * file. Pages of a private mapping that were stored to take memory until their extent is remapped.
 *
 * <p>Loads may come from any thread; stores, growth and remapping need the writer lock, except the
 * stores of a redo ({@link PendingRegion}). A load from an extent that is being remapped waits for
 * the new mapping, so the loads of this class fail only for addresses outside of the image, and
 * after {@link #unmap}. Code that loads from a {@link Region} or a {@link Window} may find it
 * closed, and must then load through this class.
 */
public final class Home {
  private static final VarHandle EXTENT = MethodHandles.arrayElementVarHandle(Region[].class);

  /** Number of times that a load finds a closed region until it fails. */
  private static final int ATTEMPTS = 1000;

  /** Period at which a waiting load checks again; shorter than the truncation of a file. */
  private static final long LOOK_AGAIN_NANOS = 50_000;

  private final MediumFile file;
  private final int extentShift;
  private final long offsetMask;
  private final Mapping mapping;
  private final boolean readOnly;
  private final boolean cached;
  private final ImageMemory memory;
  private final @Nullable Region[] extents;

  /** A window for each extent that was ever mapped, which shows the region in {@link #extents}. */
  private final @Nullable Window[] windows;

  private final PageSet dirty;
  private final PageSet resident;

  /** Guarded by the lock of the checkpoints. */
  private final PageSet written;

  /** Of an image that does not fit into memory; once set, it stays. */
  private @Nullable PageTimes times;

  private volatile @Nullable Supplier<? extends RuntimeException> unmappedBecause;

  private final HomeRedo redo;
  private final ClearPages clear;
  private volatile @Nullable CheckedPages checked;

  /** The end of the pages that may have come from the file at the opening. */
  private long openedEnd;

  /** A version, odd while {@link #truncate} has unmapped extents that it will map again. */
  private final AtomicInteger cuts = new AtomicInteger();

  /**
   * Creates an image over {@code file} with no extent mapped yet.
   *
   * @param limit maximum size of the image in bytes
   * @param memory that its pages may take
   */
  public Home(Medium medium, MediumFile file, int extentShift, long limit, ImageMemory memory) {
    this.file = file;
    this.cached = !medium.byteAddressable();
    this.memory = memory;
    this.extentShift = extentShift;
    this.offsetMask = (1L << extentShift) - 1;
    this.readOnly = medium.readOnly();
    this.mapping = medium.byteAddressable() && !readOnly ? Mapping.SHARED : Mapping.PRIVATE;
    int count = Math.toIntExact((limit + offsetMask) >>> extentShift);
    this.extents = new Region[count];
    this.windows = new Window[count];
    this.redo = new HomeRedo(this, extents, windows);
    this.clear = new ClearPages(this, extents);
    this.dirty = new PageSet(extentShift, count);
    this.resident = new PageSet(extentShift, count);
    this.written = new PageSet(extentShift, count);
  }

  /**
   * Sets the checksums for {@link #requireSound}.
   *
   * @param end address after the last page that may have come from the file; a page that was
   *     appended since is compared only if it was dropped from memory and read again
   */
  public void compareWith(CheckedPages checksums, long end) {
    openedEnd = end;
    checked = checksums;
  }

  /** Whether {@link #requireSound} compares pages. */
  public boolean comparesPages() {
    return checked != null;
  }

  /**
   * Compares the pages of a range with their checksums, as {@link CheckedPages#requireSound} does;
   * none unless {@link #comparesPages}.
   *
   * @throws CorruptException if one is damaged
   */
  public void requireSound(long address, long bytes) {
    CheckedPages checksums = checked;
    if (checksums != null) {
      long last = (address + bytes - 1) >>> HomeLayout.PAGE_SHIFT;
      try {
        for (long page = address >>> HomeLayout.PAGE_SHIFT; page <= last; page++) {
          if (page << HomeLayout.PAGE_SHIFT < openedEnd || !resident.containsPage(page)) {
            checksums.requireSound(page);
          }
        }
      } catch (IllegalStateException e) { // the file is closed
        Supplier<? extends RuntimeException> why = unmappedBecause;
        throw why == null ? e : why.get();
      }
    }
  }

  /** Maps the extents with addresses below {@code capacity}. */
  public void map(long capacity) {
    int count = Math.toIntExact((capacity + offsetMask) >>> extentShift);
    PageTimes all = times;
    boolean grewOut = all == null && cached && memory.isExceededBy(capacity);
    if (grewOut) {
      all = new PageTimes(memory.forPages(capacity));
      times = all;
    }
    for (int i = 0; i < count; i++) {
      Region mapped = extents[i];
      if (mapped == null) {
        long position = (long) i << extentShift;
        long size = readOnly ? Math.min(offsetMask + 1, file.size() - position) : offsetMask + 1;
        dirty.reserve(i);
        resident.reserve(i);
        set(i, region(position, size));
      } else if (grewOut && all != null) {
        long first = (long) i << (extentShift - HomeLayout.PAGE_SHIFT);
        boolean any = resident.count(i) > 0;
        set(i, mapped.paged(all, page -> any && resident.containsPage(first + page)));
      }
    }
  }

  /** Copies pages, given from index {@code from} to {@code to - 1}, to the start of a memory. */
  public void copyPages(long[] pages, int from, int to, MemorySegment target) {
    int page = HomeLayout.PAGE_SIZE;
    for (int i = from; i < to; i++) {
      copyOut(pages[i] * page, target, (long) (i - from) * page, page);
    }
  }

  /** Memory that the pages of this image may take now, in bytes. */
  public long memoryForPages() {
    return memory.forPages(getLong(HomeLayout.CAPACITY_ADDRESS));
  }

  private Region region(long position, long size) {
    Region mapped = file.map(mapping, position, size);
    clear.mapped((int) (position >>> extentShift), mapped);
    PageTimes all = times;
    return all != null ? mapped.paged(all, page -> false) : mapped;
  }

  /** Sets or removes the region of an extent, and shows it in the extent's window. */
  void set(int extent, @Nullable Region region) {
    Window window = windows[extent];
    if (window == null) {
      window = new Window();
      windows[extent] = window; // a reader in a race may find it empty
    }
    window.show(region);
    EXTENT.setRelease(extents, extent, region);
  }

  /**
   * The window on the extent of {@code address}, which stays the same while the heap is open; an
   * empty one if the extent was never mapped.
   */
  public Window window(long address) {
    int extent = (int) (address >>> extentShift);
    Window window = extent < windows.length ? windows[extent] : null;
    return window == null ? Window.NONE : window;
  }

  /**
   * The extent of {@code address}, which must be below the limit of the image; null if it is not
   * mapped.
   */
  public @Nullable Region extent(long address) {
    return (Region) EXTENT.getAcquire(extents, (int) (address >>> extentShift));
  }

  /** Offset of {@code address} in its extent. */
  public long offset(long address) {
    return address & offsetMask;
  }

  /**
   * Loads an aligned word.
   *
   * @throws CorruptException if the image has no such address
   */
  public long getLong(long address) {
    try {
      return mapped(address).getLong(address & offsetMask);
    } catch (IndexOutOfBoundsException e) { // on a read-only medium the last extent may be shorter
      throw beyond(address);
    } catch (IllegalStateException e) {
      return getLongAgain(address, e);
    }
  }

  private long getLongAgain(long address, IllegalStateException first) {
    long[] word = new long[1];
    again(first, address, region -> word[0] = region.getLong(address & offsetMask));
    return word[0];
  }

  /** A load that may be repeated. */
  private interface Load {
    void from(Region region);
  }

  /**
   * Repeats a load that found a closed region: the extent was remapped after the load got its
   * region, which may happen again.
   */
  private void again(IllegalStateException first, long address, Load load) {
    IllegalStateException failure = first;
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        load.from(mapped(address));
        return;
      } catch (IllegalStateException e) {
        failure = e;
      }
    }
    throw failure;
  }

  /** Stores an aligned word, without marking its page. */
  public void putLong(long address, long value) {
    mapped(address).putLong(address & offsetMask, value);
  }

  /**
   * Stores words of lines of 64 bytes, and marks their pages as dirty.
   *
   * @param lines numbers of the lines: address / 64
   * @param masks of the words to store, for each line
   * @param words eight for each line
   * @param count of lines
   */
  public void putLines(long[] lines, byte[] masks, long[] words, int count) {
    for (int i = 0; i < count; i++) {
      int mask = masks[i] & 0xff;
      if (mask != 0) {
        long address = lines[i] << 6;
        Region region = mapped(address);
        long offset = address & offsetMask;
        if (mask == 0xff) {
          for (int word = 0; word < 8; word++) {
            region.putLong(offset + word * 8L, words[(i << 3) + word]);
          }
        } else {
          for (int rest = mask; rest != 0; rest &= rest - 1) {
            int word = Integer.numberOfTrailingZeros(rest);
            region.putLong(offset + word * 8L, words[(i << 3) + word]);
          }
        }
        markDirty(address, 8);
      }
    }
  }

  /** Copies bytes out, across extents. */
  public void copyOut(long address, byte[] dst, int at, int len) {
    while (len > 0) {
      int n = (int) Math.min(len, offsetMask + 1 - (address & offsetMask));
      copyPart(address, dst, at, n);
      address += n;
      at += n;
      len -= n;
    }
  }

  private void copyPart(long address, byte[] dst, int at, int len) {
    try {
      copyPart(mapped(address), address, dst, at, len);
    } catch (IllegalStateException e) {
      again(e, address, region -> copyPart(region, address, dst, at, len));
    }
  }

  private void copyPart(Region region, long address, byte[] dst, int at, int len) {
    long offset = address & offsetMask;
    if (offset > region.size() - len) {
      throw beyond(address);
    }
    region.copyTo(offset, dst, at, len);
  }

  /** Copies bytes of one extent to a segment. */
  public void copyOut(long address, MemorySegment dst, long at, long len) {
    try {
      mapped(address).copyTo(address & offsetMask, dst, at, len);
    } catch (IllegalStateException e) { // the extent, or the destination, is closed
      again(e, address, region -> region.copyTo(address & offsetMask, dst, at, len));
    }
  }

  /**
   * The extent of {@code address}; waits while it is unmapped by {@link #truncate}.
   *
   * @throws CorruptException if there is none: the address comes from damaged data
   * @throws io.everheap.error.EverheapException after {@link #unmap}, the exception given there
   */
  public Region mapped(long address) {
    Region region;
    try {
      region = extent(address);
    } catch (IndexOutOfBoundsException e) { // saves a comparison at each load
      throw beyond(address);
    }
    return region != null ? region : awaitMapped(address);
  }

  /**
   * Waits until the extent is mapped, by polling: so no error of the virtual machine can lose a
   * wake-up. {@link #unmap} ends the wait.
   */
  private Region awaitMapped(long address) {
    boolean interrupted = false;
    try {
      while (true) {
        int before = cuts.get();
        Region region = extent(address);
        if (region != null) {
          return region;
        }
        Supplier<? extends RuntimeException> why = unmappedBecause;
        if (why != null) {
          throw why.get();
        }
        if ((before & 1) != 0) {
          LockSupport.parkNanos(this, LOOK_AGAIN_NANOS);
          interrupted |= Thread.interrupted();
        } else if (cuts.get() == before) {
          throw beyond(address);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static CorruptException beyond(long address) {
    return CorruptException.heap(
        "The home image is damaged: something in it leads to address "
            + address
            + ", which it does not have.");
  }

  /** Records that all pages of this range were stored to and differ from the file. */
  public void markDirty(long address, long bytes) {
    if (dirty.add(address, bytes)) { // a dirty page is resident
      resident.add(address, bytes);
    }
  }

  /** Records that the pages of this range were stored to, but need not be written. */
  public void markResident(long address, long bytes) {
    resident.add(address, bytes);
  }

  /** Pages that differ from the file. */
  public PageSet dirty() {
    return dirty;
  }

  /** Pages stored to since their extent was mapped; in a private mapping each takes memory. */
  public PageSet resident() {
    return resident;
  }

  /**
   * Pages that a checkpoint wrote since their extent was mapped. They were dirty, so they are
   * private: their contents are in memory, whatever happens to the file. Only for a caller that
   * keeps checkpoints out.
   */
  public PageSet written() {
    return written;
  }

  /** Records that a checkpoint wrote the pages from index {@code from} to {@code to - 1}. */
  public void markWritten(long[] pages, int from, int to) {
    for (int i = from; i < to; i++) {
      written.addPage(pages[i]);
    }
  }

  /**
   * Called when an extent is remapped: from now on memory shows the file, even if it is damaged.
   */
  private void forgetWritten(int extent) {
    written.clear(extent);
  }

  /**
   * Remaps an extent, which drops its private pages. The caller holds the writer lock and keeps
   * checkpoints out; no page of the extent may be dirty. The caller closes the returned old region
   * when no I/O uses it.
   */
  public Region remap(int extent) {
    if (dirty.count(extent) != 0) {
      throw new IllegalStateException("extent " + extent + " has dirty pages");
    }
    Region old = mapped((long) extent << extentShift);
    Region fresh = region((long) extent << extentShift, offsetMask + 1);
    set(extent, fresh);
    resident.clear(extent);
    forgetWritten(extent);
    return old;
  }

  /** Writes zeros to the file from {@code from} to {@code to}; the caller syncs it. */
  public void writeZeros(long from, long to) {
    ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 18);
    for (long at = from; at < to; at += zeros.capacity()) {
      file.write(zeros.clear().limit((int) Math.min(zeros.capacity(), to - at)), at);
    }
  }

  /**
   * Truncates the file to {@code capacity}; for a caller that keeps transactions and checkpoints
   * out. The extents from there on are unmapped first, so that no reader can access a page that the
   * file no longer has; no page below {@code capacity} may be dirty.
   *
   * @param lost the exception of later loads if the rest cannot be mapped again
   */
  public void truncate(long capacity, Supplier<? extends RuntimeException> lost) {
    boolean mapped = false;
    cuts.incrementAndGet();
    try {
      dirty.clearFrom(capacity);
      for (int i = (int) (capacity >>> extentShift); i < extents.length; i++) {
        Region region = extents[i];
        if (region != null) {
          close(i, region);
          resident.clear(i);
          forgetWritten(i);
        }
      }
      file.truncate(capacity);
    } finally {
      try {
        map(capacity);
        mapped = true;
      } finally {
        if (!mapped && unmappedBecause == null) {
          unmappedBecause = lost; // a plain store: any call may fail in this state
        }
        cuts.incrementAndGet();
        if (unmappedBecause != null) { // just now, or by unmap() meanwhile
          closeAll();
        }
      }
    }
  }

  /** Unmaps an extent; fails, and leaves it mapped, while a checksum or a channel reads it. */
  private void close(int extent, Region region) {
    boolean closed = false;
    set(extent, null); // first: loads wait for a missing extent, not for one that is closed
    try {
      region.close();
      closed = true;
    } finally {
      if (!closed) {
        set(extent, region);
      }
    }
  }

  /** Whether the image is unmapped, or could not be mapped again completely. */
  public boolean isUnmapped() {
    return unmappedBecause != null;
  }

  /** Makes {@code len} bytes in one extent durable, on a byte-addressable medium. */
  public void force(long address, long len) {
    mapped(address).force(address & offsetMask, len);
  }

  /** The file under the image. */
  public MediumFile file() {
    return file;
  }

  /** The redo of pages after a recovery. */
  public HomeRedo redo() {
    return redo;
  }

  /** The decrypted pages of an encrypted image. */
  public ClearPages clear() {
    return clear;
  }

  /** Number of pages that take memory until their extent is remapped. */
  public long privatePages() {
    return clear.isUsed() ? clear.count() : resident.count();
  }

  /** Size of an extent as a power of two. */
  public int extentShift() {
    return extentShift;
  }

  /** Maximum number of extents. */
  public int maxExtents() {
    return extents.length;
  }

  /** Unmaps everything; later loads throw an exception of {@code why}. The file stays open. */
  public void unmap(Supplier<? extends RuntimeException> why) {
    unmappedBecause = why;
    closeAll();
  }

  /** Unmaps everything. */
  void closeAll() {
    for (int i = 0; i < extents.length; i++) {
      Region region = extents[i];
      if (region != null) {
        set(i, null);
        Closing.unmap(region);
      }
    }
    redo.release();
  }
}
