package io.everheap.engine.log;

import io.everheap.error.DiskFullException;
import io.everheap.error.MediumException;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A medium in memory for the tests of the log that need its package, and cannot use the simulated
 * medium of the testkit. It knows what a power loss would leave: each file has the bytes that
 * processes see and the bytes on disk. Directory changes are durable at once.
 */
final class LogMedium implements Medium {
  private static final int SECTOR = 512;

  /** Something that may throw or wait before a durable write happens. */
  interface Fault {
    void before(String name, ByteBuffer bytes, long position);
  }

  private static final class Content {
    MemorySegment seen = MemorySegment.NULL;
    byte[] disk = new byte[0];
    final Set<Integer> dirty = new HashSet<>();

    void resize(long size) {
      if (size == seen.byteSize()) {
        return;
      }
      MemorySegment larger = Arena.ofAuto().allocate(size, 4096);
      MemorySegment.copy(seen, 0, larger, 0, Math.min(size, seen.byteSize()));
      seen = larger;
      disk = java.util.Arrays.copyOf(disk, (int) size);
    }

    void persist(long from, long length) {
      MemorySegment.copy(seen, from, MemorySegment.ofArray(disk), from, length);
      for (long s = from / SECTOR; s * SECTOR < from + length; s++) {
        if (s * SECTOR >= from && (s + 1) * SECTOR <= from + length) {
          dirty.remove((int) s);
        }
      }
    }

    void touch(long from, long length) {
      for (long s = from / SECTOR; s * SECTOR < from + length; s++) {
        dirty.add((int) s);
      }
    }
  }

  private final String name;
  private final boolean byteAddressable;
  private final Map<String, Content> files = new TreeMap<>();
  private int boots;
  private boolean full;
  Fault fault = (file, bytes, position) -> {};
  int durableWrites;

  private LogMedium(String name, boolean byteAddressable) {
    this.name = name;
    this.byteAddressable = byteAddressable;
  }

  static LogMedium file() {
    return new LogMedium("simulated-file", false);
  }

  static LogMedium dax() {
    return new LogMedium("simulated-dax", true);
  }

  /** Nothing more can be written to new places. */
  void setFull(boolean full) {
    this.full = full;
  }

  /** The power goes: what was not made durable is gone. */
  synchronized void powerLoss() {
    for (Content content : files.values()) {
      MemorySegment.copy(
          MemorySegment.ofArray(content.disk), 0, content.seen, 0, content.disk.length);
      content.dirty.clear();
    }
    boots++;
  }

  /** The power goes: of what was not made durable, some sectors survive. */
  synchronized void powerLoss(Random random) {
    for (Content content : files.values()) {
      for (int sector : content.dirty) {
        if (random.nextBoolean()) {
          long from = (long) sector * SECTOR;
          long length = Math.min(SECTOR, content.seen.byteSize() - from);
          MemorySegment.copy(content.seen, from, MemorySegment.ofArray(content.disk), from, length);
        }
      }
    }
    powerLoss();
  }

  /** The medium as another boot of the kernel sees it, nothing lost. */
  void reboot() {
    boots++;
  }

  byte[] bytes(String file) {
    return content(file).seen.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
  }

  /** Changes a file behind everyone's back, on disk and in the cache. */
  void damage(String file, long position, byte[] bytes) {
    Content content = content(file);
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, content.seen, position, bytes.length);
    System.arraycopy(bytes, 0, content.disk, (int) position, bytes.length);
  }

  void flip(String file, long position, int bit) {
    Content content = content(file);
    byte old = content.seen.get(java.lang.foreign.ValueLayout.JAVA_BYTE, position);
    damage(file, position, new byte[] {(byte) (old ^ (1 << bit))});
  }

  /** Changes what processes see of a file, but not the disk: a write without a sync. */
  synchronized void writeToCache(String file, ByteBuffer bytes, long position) {
    Content content = content(file);
    int length = bytes.remaining();
    MemorySegment.copy(MemorySegment.ofBuffer(bytes), 0, content.seen, position, length);
    content.touch(position, length);
  }

  /** A copy of everything, to try something out on. */
  synchronized LogMedium copy() {
    LogMedium copy = new LogMedium(name, byteAddressable);
    copy.boots = boots;
    files.forEach(
        (file, content) -> {
          Content c = new Content();
          c.resize(content.seen.byteSize());
          MemorySegment.copy(content.seen, 0, c.seen, 0, content.seen.byteSize());
          c.disk = content.disk.clone();
          c.dirty.addAll(content.dirty);
          copy.files.put(file, c);
        });
    return copy;
  }

  private synchronized Content content(String file) {
    Content content = files.get(file);
    if (content == null) {
      throw new MediumException("no file " + file, null);
    }
    return content;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String location() {
    return "/simulated";
  }

  @Override
  public boolean byteAddressable() {
    return byteAddressable;
  }

  @Override
  public boolean readOnly() {
    return false;
  }

  @Override
  public String incarnation() {
    return "boot-" + boots;
  }

  @Override
  public synchronized boolean exists(String file) {
    return files.containsKey(file);
  }

  @Override
  public synchronized List<String> list(String directory) {
    String prefix = directory + "/";
    return files.keySet().stream()
        .filter(f -> f.startsWith(prefix))
        .map(f -> f.substring(prefix.length()))
        .toList();
  }

  @Override
  public synchronized MediumFile create(String file) {
    requireRoom(file);
    files.put(file, new Content());
    return open(file);
  }

  @Override
  public MediumFile open(String file) {
    return new File(file, content(file));
  }

  @Override
  public MediumFile openLog(String file, DurableWrite how) {
    return open(file);
  }

  @Override
  public synchronized void rename(String from, String to) {
    files.put(to, content(from));
    files.remove(from);
  }

  @Override
  public synchronized void delete(String file) {
    files.remove(file);
  }

  @Override
  public void syncDirectory(String directory) {}

  @Override
  public DurableWrite probeDurableWrite() {
    return DurableWrite.FDATASYNC;
  }

  @Override
  public void close() {}

  private void requireRoom(String file) {
    if (full) {
      throw new DiskFullException("no room for " + file, null);
    }
  }

  private final class File implements MediumFile {
    private final String file;
    private final Content content;

    File(String file, Content content) {
      this.file = file;
      this.content = content;
    }

    @Override
    public String name() {
      return file;
    }

    @Override
    public long size() {
      return content.seen.byteSize();
    }

    @Override
    public void truncate(long size) {
      content.resize(size);
    }

    @Override
    public int read(ByteBuffer target, long position) {
      int length = Math.clamp(size() - position, 0, target.remaining());
      MemorySegment.copy(content.seen, position, MemorySegment.ofBuffer(target), 0, length);
      target.position(target.position() + length);
      return length;
    }

    @Override
    public void write(ByteBuffer source, long position) {
      synchronized (LogMedium.this) {
        long end = position + source.remaining();
        if (end > size()) {
          requireRoom(file);
          content.resize(end);
        }
        int length = source.remaining();
        MemorySegment.copy(MemorySegment.ofBuffer(source), 0, content.seen, position, length);
        content.touch(position, length);
        source.position(source.limit());
      }
    }

    @Override
    public void sync() {
      synchronized (LogMedium.this) {
        content.persist(0, size());
      }
    }

    @Override
    public void writeDurably(ByteBuffer source, long position) {
      if (!source.isDirect()
          || MemorySegment.ofBuffer(source).address() % BLOCK != 0
          || source.remaining() % BLOCK != 0
          || position % BLOCK != 0
          || position + source.remaining() > size()) {
        throw new IllegalArgumentException("not aligned, or beyond the end");
      }
      fault.before(file, source, position);
      synchronized (LogMedium.this) {
        durableWrites++;
        int length = source.remaining();
        write(source, position);
        content.persist(position, length);
      }
    }

    @Override
    public DurableWrite durableWrite() {
      return DurableWrite.FDATASYNC;
    }

    @Override
    public Region map(Mapping mode, long position, long size) {
      if (position != 0 || size > size() || mode != Mapping.SHARED) {
        throw new IllegalArgumentException("not simulated");
      }
      return new SimulatedRegion(file, content);
    }

    @Override
    public void close() {}
  }

  private final class SimulatedRegion extends Region {
    private final String file;
    private final Content content;

    SimulatedRegion(String file, Content content) {
      super(content.seen, null);
      this.file = file;
      this.content = content;
      content.touch(0, content.seen.byteSize());
    }

    @Override
    public void force(long offset, long length) {
      fault.before(file, view().slice((int) offset, (int) length), offset);
      synchronized (LogMedium.this) {
        durableWrites++;
        long from = offset & -64L;
        long to = (offset + length + 63) & -64L;
        content.persist(from, to - from);
      }
    }
  }
}
