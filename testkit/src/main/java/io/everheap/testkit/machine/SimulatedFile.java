package io.everheap.testkit.machine;

import io.everheap.error.MediumException;
import io.everheap.error.ReadOnlyException;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.Mapping;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/** An open file of a {@link SimulatedMedium}. */
public final class SimulatedFile implements MediumFile {
  private static final int SECTOR = 512;

  private final SimulatedMedium medium;
  private final FileContent content;
  private final String name;
  private boolean closed;

  SimulatedFile(SimulatedMedium medium, FileContent content, String name) {
    this.medium = medium;
    this.content = content;
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long size() {
    synchronized (medium) {
      requireOpen();
      return content.length();
    }
  }

  @Override
  public void truncate(long size) {
    synchronized (medium) {
      requireChangeable("resize");
      if (size < 0) {
        throw new IllegalArgumentException("negative size: " + size);
      }
      if (medium.faults().resizeFails()) {
        throw Faults.inputOutputError("resize", name, size, 0);
      }
      content.resize(size);
      medium.happened(CrashPoint.Kind.RESIZE, name, size, 0);
    }
  }

  @Override
  public int read(ByteBuffer target, long position) {
    synchronized (medium) {
      requireOpen();
      int length = (int) Math.min(target.remaining(), Math.max(0, content.length() - position));
      target.put(content.bytes(position, length));
      return length;
    }
  }

  @Override
  public void write(ByteBuffer source, long position) {
    synchronized (medium) {
      requireChangeable("write");
      byte[] bytes = bytes(source);
      put(bytes, position);
      source.position(source.limit());
      medium.happened(CrashPoint.Kind.WRITE, name, position, bytes.length);
    }
  }

  @Override
  public void sync() {
    synchronized (medium) {
      requireChangeable("sync");
      if (content.clean()) {
        medium.syncsNothing();
      }
      medium.happened(CrashPoint.Kind.SYNC, name, 0, content.length());
      if (medium.faults().syncFails()) {
        content.syncFailed();
        throw Faults.inputOutputError("sync", name, 0, 0);
      }
      content.synced();
    }
  }

  @Override
  public void writeDurably(ByteBuffer source, long position) {
    synchronized (medium) {
      requireChangeable("write durably");
      requireAligned(source, position);
      byte[] bytes = bytes(source);
      put(bytes, position);
      medium.happened(CrashPoint.Kind.DURABLE_WRITE, name, position, bytes.length);
      if (medium.faults().durableWriteFails()) {
        content.syncFailed();
        throw Faults.inputOutputError("write durably", name, position, bytes.length);
      }
      content.writtenDurably(position, bytes.length);
      source.position(source.limit());
    }
  }

  @Override
  public DurableWrite durableWrite() {
    return DurableWrite.DSYNC;
  }

  @Override
  public Region map(Mapping mapping, long position, long size) {
    synchronized (medium) {
      requireOpen();
      Objects.checkFromIndexSize(position, size, Long.MAX_VALUE);
      if (size == 0) {
        throw new IllegalArgumentException("cannot map 0 bytes of " + name);
      }
      if (medium.readOnly() || mapping == Mapping.READ) {
        requireMappableForReading(mapping, position, size);
      } else if (content.length() < position + size) {
        content.resize(position + size);
        medium.happened(CrashPoint.Kind.RESIZE, name, position + size, 0);
      }
      return content.map(mapping, position, size);
    }
  }

  @Override
  public void close() {
    synchronized (medium) {
      closed = true;
    }
  }

  @Override
  public String toString() {
    return medium.location() + "/" + name;
  }

  private void put(byte[] bytes, long position) {
    if (medium.faults().writeIsCut()) {
      content.write(position, Arrays.copyOf(bytes, half(bytes.length)));
      throw Faults.inputOutputError("write", name, position, bytes.length);
    }
    int half = (int) ((position + bytes.length / 2) / Page.SIZE * Page.SIZE - position);
    if (half > 0) {
      content.write(position, Arrays.copyOf(bytes, half));
      medium.happened(CrashPoint.Kind.WRITE_PART, name, position, half);
    }
    content.write(position, bytes);
  }

  /** Half of a write; of whole sectors, if it is of these, since kernels copy whole pages. */
  private static int half(int length) {
    return length % SECTOR == 0 ? length / 2 / SECTOR * SECTOR : length / 2;
  }

  private static byte[] bytes(ByteBuffer source) {
    byte[] bytes = new byte[source.remaining()];
    source.get(source.position(), bytes);
    return bytes;
  }

  private static void requireAligned(ByteBuffer source, long position) {
    if (!source.isDirect()
        || position % BLOCK != 0
        || source.remaining() % BLOCK != 0
        || source.alignmentOffset(source.position(), BLOCK) != 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a durable write needs a direct buffer and multiples of %d bytes: position %d, size %d",
              BLOCK,
              position,
              source.remaining()));
    }
  }

  private void requireMappableForReading(Mapping mapping, long position, long size) {
    if (mapping == Mapping.SHARED) {
      throw ReadOnlyException.heap("cannot map " + this + " shared: open for reading only");
    }
    if (position + size > content.length()) {
      throw new MediumException(
          String.format(
              Locale.ROOT,
              "cannot map %d bytes at offset %d of %s: it has %d bytes and is open for reading only",
              size,
              position,
              this,
              content.length()),
          null);
    }
  }

  private void requireOpen() {
    medium.requireAlive();
    if (closed) {
      throw new IllegalStateException("the file is closed: " + this);
    }
  }

  private void requireChangeable(String operation) {
    requireOpen();
    medium.requireChangeable(operation, name);
  }
}
