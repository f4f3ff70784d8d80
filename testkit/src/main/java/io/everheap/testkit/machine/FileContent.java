package io.everheap.testkit.machine;

import io.everheap.memory.Mapping;
import io.everheap.memory.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A simulated file, whatever names it has: its newest bytes and length, what of them a power loss
 * may take back, and its mappings. Guarded by the medium's lock.
 */
public final class FileContent {
  final SimulatedMedium medium;
  final int id;
  private final FilePages pages = new FilePages();
  private final Undurable written;
  private final Undurable mapped;
  private final List<SharedMemory> shared = new ArrayList<>();
  private final List<PrivateRegion> copies = new ArrayList<>();
  private long length;
  private final List<Long> earlierLengths = new ArrayList<>();
  private boolean lengthLost;
  private String name;

  FileContent(SimulatedMedium medium, int id, String name) {
    this.medium = medium;
    this.id = id;
    this.name = name;
    if (medium.byteAddressable()) {
      // Writes and stores change the same granules.
      this.written = new Undurable(8, 64, 16, false);
      this.mapped = written;
    } else {
      this.written = new Undurable(512, 512, 8, false);
      this.mapped = new Undurable(Page.SIZE, Page.SIZE, 6, true);
    }
  }

  FileContent(SimulatedMedium medium, FileImage image) {
    this.medium = medium;
    this.id = image.id();
    this.name = image.name();
    this.written = image.written().copy();
    this.mapped = image.written() == image.mapped() ? written : image.mapped().copy();
    this.length = image.length();
    this.earlierLengths.addAll(image.earlierLengths());
    this.lengthLost = image.lengthLost();
    pages.load(image.pages());
  }

  String name() {
    return name;
  }

  void rename(String newName) {
    name = newName;
  }

  long length() {
    return length;
  }

  /** The state as it is now; later changes do not reach it. */
  FileImage image() {
    Undurable w = written.copy();
    return new FileImage(
        id,
        name,
        pages.images(),
        length,
        List.copyOf(earlierLengths),
        lengthLost,
        w,
        written == mapped ? w : mapped.copy());
  }

  /** A copy of some bytes; zeros where there are none. */
  byte[] bytes(long position, int count) {
    byte[] copy = new byte[count];
    pages.copy(position, copy, 0, count);
    return copy;
  }

  /** Copies bytes out of one page. */
  void copy(long position, byte[] target, int to, int count) {
    Page page = pages.at(position);
    MemorySegment.copy(
        page.forReading(), ValueLayout.JAVA_BYTE, position % Page.SIZE, target, to, count);
  }

  void write(long position, byte[] source) {
    allocate(position, source.length, true);
    for (int done = 0; done < source.length; ) {
      long at = position + done;
      int n = (int) Math.min(source.length - done, Page.SIZE - at % Page.SIZE);
      writeInPage(at, source, done, n);
      done += n;
    }
    if (position + source.length > length) {
      changeLength(position + source.length);
    }
  }

  private void writeInPage(long at, byte[] source, int from, int n) {
    MemorySegment bytes = MemorySegment.ofArray(source).asSlice(from, n);
    if (pages.at(at).forReading().asSlice(at % Page.SIZE, n).mismatch(bytes) < 0) {
      written.rewritten(at, n);
      mapped.rewritten(at, n);
    } else {
      written.before(this, at, n, medium.interval());
      pages.at(at).forWriting().asSlice(at % Page.SIZE, n).copyFrom(bytes);
      showInCopies(at, n);
    }
  }

  /** Grows sparsely or shrinks. */
  void resize(long newLength) {
    for (long at = newLength; at < Math.min(length, pages.end()); ) {
      int kept = (int) (at % Page.SIZE);
      cut(at - kept, kept);
      at += Page.SIZE - kept;
    }
    if (newLength != length) {
      changeLength(newLength);
    }
  }

  private void cut(long start, int kept) {
    Page page = pages.at(start);
    if (page.allocated()) {
      written.before(this, start + kept, Page.SIZE - kept, medium.interval());
      if (kept == 0) {
        page.punch();
      } else {
        page.forWriting().asSlice(kept).fill((byte) 0);
      }
      showInCopies(start + kept, Page.SIZE - kept);
    }
    if (kept == 0 && !isMapped(start)) {
      pages.remove(start);
    }
  }

  private void changeLength(long newLength) {
    if (lengthLost) {
      lengthLost = false;
    }
    earlierLengths.add(length);
    length = newLength;
  }

  /** The sync of the whole file succeeded. */
  void synced() {
    written.persistAll();
    mapped.persistAll();
    if (!lengthLost) {
      earlierLengths.clear();
    }
  }

  /** Tells whether a sync has nothing to do. */
  boolean clean() {
    return written.isEmpty() && mapped.isEmpty() && earlierLengths.isEmpty();
  }

  /** The sync failed: the cache counts as clean, whatever reached the disk. */
  void syncFailed() {
    written.loseAll();
    mapped.loseAll();
    lengthLost = !earlierLengths.isEmpty();
  }

  /** A durable write of a range succeeded: its bytes and a length that reaches them are safe. */
  void writtenDurably(long position, long size) {
    written.persist(position, size);
    mapped.persistWithin(position, size);
    earlierLengths.replaceAll(earlier -> Math.max(earlier, position + size));
  }

  /** A write-back of a range of a shared mapping succeeded. */
  void forced(long position, long size) {
    mapped.persist(position, size);
  }

  /** A write-back of a range of a shared mapping begins. */
  void forcing(long position, long size) {
    medium.forces(mapped.lines(position, size), mapped.dirtyLines(position, size));
  }

  Region map(Mapping mapping, long position, long size) {
    if (mapping == Mapping.SHARED) {
      SharedMemory memory = sharedMemory(position, size);
      memory.mappings++;
      return new SharedRegion(this, memory, memory.segment(position, size), position);
    }
    Arena arena = Arena.ofShared();
    MemorySegment copy = arena.allocate(size, Page.SIZE);
    var region = new PrivateRegion(this, copy, arena, position);
    copies.add(region);
    pages.parts(
        position,
        size,
        (page, inPage, at, n) -> {
          if (page.allocated()) {
            MemorySegment.copy(page.forReading(), inPage, copy, at, n);
          }
        });
    return region;
  }

  void closed(PrivateRegion region) {
    copies.remove(region);
  }

  /** A store through a shared mapping is about to change bytes. */
  void beforeStore(long position, long size) {
    allocate(position, size, false);
    pages.parts(
        position,
        size,
        (page, inPage, at, n) -> {
          mapped.before(this, position + at, n, medium.interval());
          page.forWriting();
        });
  }

  void afterStore(long position, long size) {
    showInCopies(position, size);
  }

  /** Pages of private mappings to which nothing was stored show the file. */
  private void showInCopies(long position, long size) {
    for (PrivateRegion copy : copies) {
      copy.fileChanged(position, size);
    }
  }

  /** Changes a bit on the disk and in the page cache, without a moment of its own. */
  void flipBit(long offset, int bit) {
    Page page = pages.at(offset);
    page.allocate();
    MemorySegment memory = page.forWriting();
    long at = offset % Page.SIZE;
    byte old = memory.get(ValueLayout.JAVA_BYTE, at);
    memory.set(ValueLayout.JAVA_BYTE, at, (byte) (old ^ 1 << bit));
    showInCopies(offset, 1);
  }

  private void allocate(long position, long size, boolean call) {
    for (long at = position / Page.SIZE * Page.SIZE; at < position + size; at += Page.SIZE) {
      Page page = pages.at(at);
      if (!page.allocated()) {
        medium.faults().allocating(name, at, call);
        page.allocate();
      }
    }
  }

  private boolean isMapped(long position) {
    return shared.stream().anyMatch(m -> m.position <= position && position < m.end());
  }

  private SharedMemory sharedMemory(long position, long size) {
    long from = position / Page.SIZE * Page.SIZE;
    long to = (position + size + Page.SIZE - 1) / Page.SIZE * Page.SIZE;
    for (SharedMemory memory : shared) {
      if (memory.position <= from && to <= memory.end()) {
        return memory;
      }
    }
    for (SharedMemory memory : shared) {
      if (memory.position < to && from < memory.end() && memory.mappings > 0) {
        throw new IllegalArgumentException(
            "a simulated mapping of " + name + " cannot cross the borders of an open one");
      }
    }
    shared.removeIf(memory -> memory.position < to && from < memory.end());
    var memory = new SharedMemory(from, medium.allocate(to - from));
    for (long at = from; at < to; at += Page.SIZE) {
      pages.at(at).moveTo(memory.segment(at, Page.SIZE));
    }
    shared.add(memory);
    return memory;
  }

  /** The memory of shared mappings, one piece for all mappings of its range. */
  static final class SharedMemory {
    final long position;
    final MemorySegment memory;
    int mappings;

    SharedMemory(long position, MemorySegment memory) {
      this.position = position;
      this.memory = memory;
    }

    long end() {
      return position + memory.byteSize();
    }

    MemorySegment segment(long from, long size) {
      return memory.asSlice(from - position, size);
    }
  }
}
