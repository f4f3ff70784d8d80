package io.everheap.testkit;

import io.everheap.memory.Mapping;
import io.everheap.memory.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A simulated file, whatever names it has: its newest bytes and length, what of them a power loss
 * may take back, and its mappings. Guarded by the medium's lock.
 */
final class FileContent {
  final SimulatedMedium medium;
  final int id;
  private final NavigableMap<Long, Page> pages = new TreeMap<>();
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
      // Both ways to change a file end in the same granules.
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
    image.pages().forEach((at, bytes) -> pages.put(at, Page.of(bytes)));
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
    NavigableMap<Long, byte[]> bytes = new TreeMap<>();
    pages.forEach(
        (at, page) -> {
          if (page.allocated()) {
            bytes.put(at, page.image());
          }
        });
    Undurable w = written.copy();
    return new FileImage(
        id,
        name,
        bytes,
        length,
        List.copyOf(earlierLengths),
        lengthLost,
        w,
        written == mapped ? w : mapped.copy());
  }

  /** A copy of some bytes; zeros behind the end. */
  byte[] bytes(long position, int count) {
    byte[] copy = new byte[count];
    forPages(
        position,
        count,
        (page, inPage, at, n) ->
            MemorySegment.copy(
                page.forReading(), ValueLayout.JAVA_BYTE, inPage, copy, (int) at, (int) n));
    return copy;
  }

  void write(long position, byte[] source) {
    allocate(position, source.length, true);
    written.before(this, position, source.length, medium.interval());
    for (int done = 0; done < source.length; ) {
      long at = position + done;
      long inPage = at % Page.SIZE;
      int n = (int) Math.min(source.length - done, Page.SIZE - inPage);
      MemorySegment.copy(source, done, page(at).forWriting(), ValueLayout.JAVA_BYTE, inPage, n);
      done += n;
    }
    if (position + source.length > length) {
      changeLength(position + source.length);
    }
    showInCopies(position, source.length);
  }

  /** Grows sparsely or shrinks. */
  void resize(long newLength) {
    if (newLength < length) {
      pages
          .tailMap(newLength / Page.SIZE * Page.SIZE, true)
          .forEach((at, page) -> cut(at, page, Math.max(newLength - at, 0)));
      pages.entrySet().removeIf(e -> e.getKey() >= newLength && !isMapped(e.getKey()));
    }
    if (newLength != length) {
      changeLength(newLength);
    }
  }

  private void cut(long at, Page page, long kept) {
    if (!page.allocated()) {
      return;
    }
    written.before(this, at + kept, Page.SIZE - kept, medium.interval());
    if (kept == 0) {
      page.punch();
    } else {
      page.forWriting().asSlice(kept).fill((byte) 0);
    }
    showInCopies(at + kept, Page.SIZE - kept);
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

  /** Tells whether a power loss could take back something in a range of a shared mapping. */
  boolean undurable(long position, long size) {
    return mapped.covers(position, size);
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
    forPages(
        position,
        size,
        (page, inPage, at, n) -> MemorySegment.copy(page.forReading(), inPage, copy, at, n));
    return region;
  }

  void closed(PrivateRegion region) {
    copies.remove(region);
  }

  /** A store through a shared mapping is about to change bytes. */
  void beforeStore(long position, long size) {
    allocate(position, size, false);
    mapped.before(this, position, size, medium.interval());
    forPages(position, size, (page, inPage, at, n) -> page.forWriting());
  }

  void afterStore(long position, long size) {
    showInCopies(position, size);
  }

  /** The pages of private mappings that nothing was stored to show the file. */
  private void showInCopies(long position, long size) {
    for (PrivateRegion copy : copies) {
      copy.fileChanged(position, size);
    }
  }

  /** Changes a bit without anybody's notice, on the disk and in the page cache. */
  void flipBit(long offset, int bit) {
    Page page = page(offset);
    page.allocate();
    MemorySegment memory = page.forWriting();
    long at = offset % Page.SIZE;
    byte old = memory.get(ValueLayout.JAVA_BYTE, at);
    memory.set(ValueLayout.JAVA_BYTE, at, (byte) (old ^ 1 << bit));
    showInCopies(offset, 1);
  }

  /** The pages that take space. */
  long allocatedPages() {
    return pages.values().stream().filter(Page::allocated).count();
  }

  private void allocate(long position, long size, boolean call) {
    for (long at = position / Page.SIZE * Page.SIZE; at < position + size; at += Page.SIZE) {
      Page page = page(at);
      if (!page.allocated()) {
        medium.faults().allocating(name, at, call);
        page.allocate();
      }
    }
  }

  private Page page(long position) {
    return pages.computeIfAbsent(position / Page.SIZE * Page.SIZE, at -> Page.hole());
  }

  private void forPages(long position, long size, PageRange action) {
    if (size <= 0) {
      return;
    }
    long from = position / Page.SIZE * Page.SIZE;
    pages
        .subMap(from, position + size)
        .forEach(
            (start, page) -> {
              long first = Math.max(start, position);
              long end = Math.min(start + Page.SIZE, position + size);
              action.accept(page, first - start, first - position, end - first);
            });
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
      page(at).moveTo(memory.segment(at, Page.SIZE));
    }
    shared.add(memory);
    return memory;
  }

  /** A part of a page: where it starts in the page and in the whole range, and its length. */
  private interface PageRange {
    void accept(Page page, long inPage, long inRange, long length);
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
