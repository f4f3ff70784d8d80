package io.everheap.engine.home;

import io.everheap.error.CorruptHeapException;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.PageTimes;
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
 * The mapped home image: a list of extents of one size, so that it grows without moving.
 *
 * <p>On a byte-addressable medium extents are mapped shared; elsewhere privately, so that the
 * kernel never writes a page whose record is not durable: only the checkpoint writes, through the
 * file. Pages of a private mapping that were stored to cost memory until their extent is mapped
 * anew.
 *
 * <p>Loads may come from any thread; stores, growth and re-mapping need the writer lock. A load
 * that meets an extent that is mapped anew waits for the new mapping, so the loads of this class
 * fail only for addresses that the image does not have, and after {@link #unmap}. Who loads from a
 * {@link Region} or a {@link Window} may meet a closed one, and then loads through this class.
 */
public final class Home {
  private static final VarHandle EXTENT = MethodHandles.arrayElementVarHandle(Region[].class);

  /** How often a load meets a closed region before that is taken to be for good. */
  private static final int ATTEMPTS = 1000;

  /** A part of the time that it takes to cut a file. */
  private static final long LOOK_AGAIN_NANOS = 50_000;

  private final MediumFile file;
  private final int extentShift;
  private final long offsetMask;
  private final Mapping mapping;
  private final boolean readOnly;
  private final boolean cached;
  private final long memory;
  private final PageTimes times;
  private final @Nullable Region[] extents;

  /** One for each extent that ever was mapped; they show what {@link #extents} holds. */
  private final @Nullable Window[] windows;

  private final PageSet dirty;
  private final PageSet resident;

  /** Guarded by the lock of the checkpoints. */
  private final PageSet written;

  /** Whether the image is larger than what may be in memory; it stays so. */
  private boolean paged;

  private volatile @Nullable Supplier<? extends RuntimeException> unmappedBecause;

  /** Odd while extents that are needed are unmapped for a moment. */
  private final AtomicInteger cuts = new AtomicInteger();

  /**
   * An image over {@code file} with no extent mapped yet.
   *
   * @param limit the most bytes that it may come to hold
   * @param memory bytes that its pages may take for sure; of an image of more than twice as many,
   *     pages are read one at a time
   */
  public Home(Medium medium, MediumFile file, int extentShift, long limit, long memory) {
    this.file = file;
    this.cached = !medium.byteAddressable();
    this.memory = memory;
    this.times = new PageTimes(memory);
    this.extentShift = extentShift;
    this.offsetMask = (1L << extentShift) - 1;
    this.readOnly = medium.readOnly();
    this.mapping = medium.byteAddressable() && !readOnly ? Mapping.SHARED : Mapping.PRIVATE;
    int count = Math.toIntExact((limit + offsetMask) >>> extentShift);
    this.extents = new Region[count];
    this.windows = new Window[count];
    this.dirty = new PageSet(extentShift, count);
    this.resident = new PageSet(extentShift, count);
    this.written = new PageSet(extentShift, count);
  }

  /** Maps the extents that hold addresses below {@code capacity}. */
  public void map(long capacity) {
    int count = Math.toIntExact((capacity + offsetMask) >>> extentShift);
    boolean grewOut = !paged && cached && capacity / 2 > memory;
    paged |= grewOut;
    for (int i = 0; i < count; i++) {
      Region mapped = extents[i];
      if (mapped == null) {
        long position = (long) i << extentShift;
        long size = readOnly ? Math.min(offsetMask + 1, file.size() - position) : offsetMask + 1;
        dirty.reserve(i);
        resident.reserve(i);
        set(i, region(position, size));
      } else if (grewOut) {
        long first = (long) i << (extentShift - HomeLayout.PAGE_SHIFT);
        boolean any = resident.count(i) > 0;
        set(i, mapped.paged(times, page -> any && resident.containsPage(first + page)));
      }
    }
  }

  private Region region(long position, long size) {
    Region mapped = file.map(mapping, position, size);
    return paged ? mapped.paged(times, page -> false) : mapped;
  }

  private void set(int extent, @Nullable Region region) {
    Window window = windows[extent];
    if (window == null) {
      window = new Window();
      windows[extent] = window; // in a race it shows nothing yet
    }
    window.show(region);
    EXTENT.setRelease(extents, extent, region);
  }

  /**
   * The window on the extent that holds {@code address}, for as long as the heap is open; one on
   * nothing if none was mapped there yet.
   */
  public Window window(long address) {
    int extent = (int) (address >>> extentShift);
    Window window = extent < windows.length ? windows[extent] : null;
    return window == null ? Window.NONE : window;
  }

  /**
   * The extent that holds {@code address}, which is below the limit of the image; null when it is
   * not mapped.
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
   * @throws CorruptHeapException if the image has no such address
   */
  public long getLong(long address) {
    try {
      return mapped(address).getLong(address & offsetMask);
    } catch (IndexOutOfBoundsException e) { // the last extent of a file that is only read is short
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

  /** Loads that may be repeated. */
  private interface Load {
    void from(Region region);
  }

  /**
   * Repeats a load that met a closed region: the extent was mapped anew after the load asked for
   * it, and may be again.
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
   * @param lines their numbers: address / 64
   * @param masks which words of each
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
        for (int rest = mask; rest != 0; rest &= rest - 1) {
          int word = Integer.numberOfTrailingZeros(rest);
          region.putLong(offset + word * 8L, words[(i << 3) + word]);
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
    } catch (IllegalStateException e) { // of the extent, or of the segment that is copied to
      again(e, address, region -> region.copyTo(address & offsetMask, dst, at, len));
    }
  }

  /**
   * The extent that holds {@code address}; waits if it is being mapped anew.
   *
   * @throws CorruptHeapException if none does: what names the address is damaged
   * @throws io.everheap.error.EverheapException what {@link #unmap} was given
   */
  public Region mapped(long address) {
    Region region;
    try {
      region = extent(address);
    } catch (IndexOutOfBoundsException e) { // in place of a comparison at each load
      throw beyond(address);
    }
    return region != null ? region : awaitMapped(address);
  }

  /**
   * Waits by looking again: no error of the virtual machine can keep this thread from being woken,
   * and {@link #unmap} ends the wait in any case.
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

  private static CorruptHeapException beyond(long address) {
    return new CorruptHeapException(
        "The home image is damaged: something in it leads to address "
            + address
            + ", which it does not have.");
  }

  /** Records that the pages of this range, each of which was stored to, differ from the file. */
  public void markDirty(long address, long bytes) {
    if (dirty.add(address, bytes)) { // a dirty page is resident
      resident.add(address, bytes);
    }
  }

  /** Records that the pages of this range were stored to, with nothing that must be written. */
  public void markResident(long address, long bytes) {
    resident.add(address, bytes);
  }

  /** Pages that differ from the file. */
  public PageSet dirty() {
    return dirty;
  }

  /** Pages stored to since their extent was mapped; in a private mapping each costs its memory. */
  public PageSet resident() {
    return resident;
  }

  /**
   * Pages that a checkpoint wrote since their extent was mapped. They were dirty, so they are
   * private: what is in memory is all that counts, whatever becomes of the file. Only for who keeps
   * checkpoints out.
   */
  public PageSet written() {
    return written;
  }

  /** A checkpoint wrote the pages from index {@code from} to {@code to - 1}. */
  public void markWritten(long[] pages, int from, int to) {
    for (int i = from; i < to; i++) {
      written.addPage(pages[i]);
    }
  }

  /** What is in memory of an extent is what the file has, be it damaged. */
  private void forgetWritten(int extent) {
    written.clear(extent);
  }

  /**
   * Maps an extent anew and drops its private pages. The caller holds the writer lock and keeps
   * checkpoints out, no page of the extent is dirty, and it closes the returned region when no I/O
   * uses it.
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
   * Shortens the file to {@code capacity}; for who keeps transactions and checkpoints out. The
   * extents from there on are closed first, so that no reader can touch a page that the file no
   * longer has; no page below {@code capacity} is dirty.
   *
   * @param lost what later loads throw if the rest cannot be mapped again
   */
  public void truncate(long capacity, Supplier<? extends RuntimeException> lost) {
    boolean mapped = false;
    cuts.incrementAndGet();
    try {
      dirty.clearFrom(capacity);
      for (int i = (int) (capacity >>> extentShift); i < extents.length; i++) {
        if (extents[i] != null) {
          resident.clear(i);
          forgetWritten(i);
          close(i);
        }
      }
      file.truncate(capacity);
    } finally {
      try {
        map(capacity);
        mapped = true;
      } finally {
        if (!mapped && unmappedBecause == null) {
          unmappedBecause = lost; // by a store, since any call may fail
        }
        cuts.incrementAndGet();
        if (unmappedBecause != null) { // meanwhile, and for good
          closeAll();
        }
      }
    }
  }

  /** Whether nothing is mapped any more, or not all that is needed. */
  public boolean isUnmapped() {
    return unmappedBecause != null;
  }

  private void close(int extent) {
    Region region = extents[extent];
    if (region != null) {
      set(extent, null);
      region.close();
    }
  }

  /** Makes {@code len} bytes at {@code address}, within one extent, durable on such a medium. */
  public void force(long address, long len) {
    mapped(address).force(address & offsetMask, len);
  }

  /** The file under the image. */
  public MediumFile file() {
    return file;
  }

  /** Bytes of an extent, as a power of two. */
  public int extentShift() {
    return extentShift;
  }

  /** The most extents that this image can have. */
  public int maxExtents() {
    return extents.length;
  }

  /** Unmaps everything; later loads throw what {@code why} gives. The file stays open. */
  public void unmap(Supplier<? extends RuntimeException> why) {
    unmappedBecause = why;
    closeAll();
  }

  private void closeAll() {
    for (int i = 0; i < extents.length; i++) {
      close(i);
    }
  }
}
