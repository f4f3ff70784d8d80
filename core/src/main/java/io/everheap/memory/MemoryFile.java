package io.everheap.memory;

import java.nio.ByteBuffer;
import java.util.Objects;

/** An open file of a {@link MemoryMedium}. Thread-safe, like its content. */
final class MemoryFile implements MediumFile {
  private final MemoryMedium medium;
  private final String name;
  private final MemoryContent content;
  private volatile boolean closed;

  MemoryFile(MemoryMedium medium, String name, MemoryContent content) {
    this.medium = medium;
    this.name = name;
    this.content = content;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long size() {
    requireOpen();
    return content.size();
  }

  @Override
  public void truncate(long size) {
    requireOpen();
    if (size < 0) {
      throw new IllegalArgumentException("negative size: " + size);
    }
    content.resize(size);
  }

  @Override
  public int read(ByteBuffer target, long position) {
    requireOpen();
    return content.read(target, position);
  }

  @Override
  public void write(ByteBuffer source, long position) {
    requireOpen();
    content.write(source, position);
  }

  @Override
  public void sync() {
    requireOpen();
  }

  @Override
  public void writeDurably(ByteBuffer source, long position) {
    MediumFile.requireAligned(source, position);
    write(source, position);
  }

  @Override
  public DurableWrite durableWrite() {
    return DurableWrite.FDATASYNC;
  }

  @Override
  public Region map(Mapping mapping, long position, long size) {
    requireOpen();
    Objects.checkFromIndexSize(position, size, Long.MAX_VALUE);
    if (size == 0) {
      throw new IllegalArgumentException("cannot map 0 bytes of " + name);
    }
    return mapping != Mapping.PRIVATE
        ? content.mapShared(position, size)
        : content.mapPrivate(position, size);
  }

  @Override
  public void close() {
    closed = true;
  }

  private void requireOpen() {
    medium.requireOpen();
    if (closed) {
      throw new IllegalStateException("the file is closed: " + name);
    }
  }
}
